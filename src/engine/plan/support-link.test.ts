import { expect, test } from "vitest";
import { supportLink } from "./support-link.ts";

test.each([
  ["https://example.com/contact", "https://example.com/contact?threadId={threadId}"],
  [
    "https://example.com/contact?from=docs#form",
    "https://example.com/contact?from=docs&threadId={threadId}#form",
  ],
  ["mailto:help@example.com", "mailto:help@example.com?body=%0A%0AID%3A%20{threadId}"],
  [
    "mailto:help@example.com?subject=Docs",
    "mailto:help@example.com?subject=Docs&body=%0A%0AID%3A%20{threadId}",
  ],
  [
    "mailto:a@b.example?body=Hi&cc=c@b.example",
    "mailto:a@b.example?body=Hi%0A%0AID%3A%20{threadId}&cc=c@b.example",
  ],
])("%s", (support, expected) => {
  expect(supportLink({ support })).toEqual({ support: expected });
});

test("without a link, there is none", () => {
  expect(supportLink(undefined)).toEqual({});
});
