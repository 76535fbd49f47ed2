import { expect, test } from "vitest";
import { downloadName } from "./download-name.ts";

test.each([
  ['attachment; filename="a b.pdf"', "application/pdf", "a b.pdf"],
  ['attachment; filename="../../etc/passwd"', "text/plain", ".._.._etc_passwd"],
  ["", "image/svg+xml", "response.xml"],
  ["", "application/octet-stream", "response.bin"],
])("%s of %s is saved as %s", (disposition, type, name) =>
  expect(downloadName([["content-disposition", disposition]], type)).toBe(name),
);
