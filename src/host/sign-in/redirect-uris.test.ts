import { expect, test } from "vitest";
import { isRedirectUri, isRegistered, sourceOf } from "./redirect-uris.ts";

test.each([
  ["https://app.example/callback", "https://app.example"],
  ["https://app.example/callback?from=docs", "https://app.example"],
  ["http://127.0.0.1:33418/", "http://127.0.0.1:33418"],
  ["http://localhost:1234/callback", "http://localhost:1234"],
  ["http://[::1]/callback", "http://[::1]"],
  ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"],
  ["com.example.app:/callback", "com.example.app:"],
])("%s is a redirect URI", (uri, source) => {
  expect([isRedirectUri(uri), sourceOf(uri)]).toEqual([true, source]);
});

test.each([
  "",
  "callback",
  "//app.example/callback",
  "http://app.example/callback",
  "http://127.0.0.1.app.example/",
  "http://localhost@app.example/",
  "https://user:secret@app.example/",
  "https://app.example/#fragment",
  "https://app.example/#",
  "https://app.example/a b",
  "https://app.example/\r\nSet-Cookie: a=b",
  "https://äpp.example/",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://app.example/1",
  "about:blank",
  "intent://scan/#Intent;scheme=zxing;end",
  "ms-msdt:/id",
  "view-source:https://app.example",
  "com.example.*:/callback",
])("%j isn't a redirect URI", (uri) => {
  expect(isRedirectUri(uri)).toBe(false);
});

test.each([
  ["https://app.example/callback", true],
  ["https://app.example/callback/", false],
  ["https://app.example:444/callback", false],
  ["https://app.example/callback?x=1", false],
  ["https://app.example.evil.example/callback", false],
  ["http://127.0.0.1:5000/callback", true],
  ["http://127.0.0.1:6000/callback", true],
  ["http://127.0.0.1:6000/other", false],
  ["http://localhost:5000/callback", false],
  ["http://127.0.0.1:5000/callback#x", false],
])("a request for %s: registered is %s", (uri, expected) => {
  const registered = ["https://app.example/callback", "http://127.0.0.1:5000/callback"];
  expect(isRegistered(uri, registered)).toBe(expected);
});
