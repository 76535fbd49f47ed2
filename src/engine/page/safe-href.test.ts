import { describe, expect, it } from "vitest";
import { safeHref } from "./safe-href.ts";

describe("safeHref", () => {
  it.each(["a.html", "../a", "#x", "/a", "?q=a:b", "https://a", "mailto:a@b", "tel:1", "a/b:c"])(
    "allows %s",
    (href) => expect(safeHref(href)).toBe(href),
  );
  it.each([
    "javascript:alert(1)",
    " JavaScript:x",
    "java\tscript:x",
    "\u0001javascript:x",
    "data:text/html,x",
    "vbscript:x",
    "blob:x",
  ])("refuses %j", (href) => expect(safeHref(href)).toBe("#"));
});
