/** The URLs that requests to a document's servers are sent to. */

import { afterEach, expect, test, vi } from "vitest";
import { serverUrlOf } from "./server-url.ts";

afterEach(() => vi.unstubAllGlobals());

const urlOn = (page: string, url: string) => {
  vi.stubGlobal("location", new URL(page));
  return serverUrlOf({ url, variables: [{ name: "region", default: "eu", enum: [] }] }, {}).url;
};

test.each([
  ["https://api.example.com/v1/", "https://api.example.com/v1"],
  ["https://{region}.example.com", "https://eu.example.com"],
  ["/v1", "https://docs.example.com/v1"],
  ["v1", "https://docs.example.com/v1"],
  ["//api.example.com", "https://api.example.com"],
  ["ftp://api.example.com", undefined],
  ["https://user:password@api.example.com", undefined],
])("%s", (url, expected) => {
  expect(urlOn("https://docs.example.com/guides/start", url)).toBe(expected);
});

test("pages opened from disk have no relative servers", () => {
  expect(urlOn("file:///site/index.html", "/v1")).toBeUndefined();
  expect(urlOn("file:///site/index.html", "https://api.example.com")).toBe("https://api.example.com");
});
