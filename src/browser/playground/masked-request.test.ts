import { expect, test } from "vitest";
import { encodeCookie } from "../../engine/openapi/request/percent-encode.ts";
import type { Credential } from "../../engine/openapi/request/request-model.ts";
import { maskedRequest } from "./masked-request.ts";

const apiKey = (place: "query" | "cookie" | "header", name: string, value: string): Credential => ({
  scheme: { key: name, scopes: [], type: "apiKey", in: place, name },
  value,
});

const request = (url: string, headers: [string, string][] = []) => ({ method: "GET", url, headers });

test("a credential in the query string is masked, but not other text that ends or starts like it", () => {
  const url = "https://api.example.com/key=1?monkey=1&key=1&key=12#key=1x";
  expect(maskedRequest(request(url), [apiKey("query", "key", "1")])!.url).toBe(
    "https://api.example.com/key=1?monkey=1&key=••••••••&key=12#key=1x",
  );
});

test("a credential in a cookie is masked, but not other cookies", () => {
  const masked = maskedRequest(request("https://api.example.com/", [["Cookie", "monkey=1; key=1; key=10"]]), [
    apiKey("cookie", "key", "1"),
  ]);
  expect(masked!.headers).toEqual([["Cookie", "monkey=1; key=••••••••; key=10"]]);
});

test.each(["a b", "a&b", "a?b#c", "a=b"])("a credential in a cookie is masked as a whole: %s", (value) => {
  const masked = maskedRequest(
    request("https://api.example.com/", [["Cookie", `theme=dark; key=${encodeCookie(value)}`]]),
    [apiKey("cookie", "key", value)],
  );
  expect(masked!.headers).toEqual([["Cookie", "theme=dark; key=••••••••"]]);
});

test("a credential in a header is masked after its scheme", () => {
  const bearer = {
    scheme: { key: "b", scopes: [], type: "bearer" } as Credential["scheme"],
    value: "secret",
  };
  const headers: [string, string][] = [
    ["Authorization", "Bearer secret"],
    ["X-Other", "secret"],
  ];
  expect(maskedRequest(request("https://api.example.com/", headers), [bearer])!.headers).toEqual([
    ["Authorization", "Bearer ••••••••"],
    ["X-Other", "secret"],
  ]);
});

test("a request without credentials isn't masked", () => {
  expect(maskedRequest(request("https://api.example.com/"), [])).toBeUndefined();
});
