import { expect, test } from "vitest";
import { readEvents } from "./response-events.ts";

test.each([
  ["one", "data: a\n\n", [{ name: "message", data: "a" }]],
  ["lines of data", "data: a\ndata:b\r\n\r\n", [{ name: "message", data: "a\nb" }]],
  ["a name and an id", "event: x\nid: 7\ndata: a\n\n", [{ name: "x", id: "7", data: "a" }]],
  ["a comment is ignored", ": ping\n\n", []],
  ["does not return an incomplete event", "data: a\n\ndata: b\n", [{ name: "message", data: "a" }]],
])("events: %s", (_title, text, expected) => expect(readEvents(text)).toEqual(expected));
