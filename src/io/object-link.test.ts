import { expect, test } from "vitest";
import { readLink, signLink } from "./object-link.ts";

const signer = { url: "https://api.example.com", secret: "secret" };
const expires = new Date("2030-01-01T00:00:00Z");
const link = signLink(signer, "exports/one.tar.gz", "docs.tar.gz", expires);
const before = new Date("2029-12-31T23:59:59Z");

test("a link is read until it expires", () => {
  expect(readLink(signer, link, before)).toEqual({ key: "exports/one.tar.gz", fileName: "docs.tar.gz" });
  expect(readLink(signer, link, expires)).toBeUndefined();
});

test.each([
  ["another key", link.replace("one", "two")],
  ["another name", link.replace("name=docs", "name=dogs")],
  ["a further parameter", `${link}&x=1`],
  ["no signature", link.replace(/&signature=.*/, "")],
  [
    "a signature with as many characters, but more bytes",
    link.replace(/signature=.*/, `signature=${"é".repeat(64)}`),
  ],
])("a link with %s is refused", (_, changed) => {
  expect(changed).not.toBe(link);
  expect(readLink(signer, changed, before)).toBeUndefined();
});
