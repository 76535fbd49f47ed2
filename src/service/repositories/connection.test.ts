import { describe, expect, test } from "vitest";
import type { RepositoryConnection } from "../core/tables.ts";
import { connectionAfter } from "./connection.ts";

const random = (bytes: number) => Buffer.alloc(bytes, 1);
const source = (url: string) => ({ kind: "git" as const, url, branch: "main" });
const stored: RepositoryConnection = {
  access: "token",
  webhookSecret: "secret",
  token: "stored",
  apiUrl: "https://api.git.example/v1",
};
const before = { source: source("https://git.example/docs"), connection: stored };

describe("a stored token", () => {
  test.each([
    [
      "is kept if the server and the API stay the same",
      "https://git.example/other",
      "https://api.git.example/v2",
      "stored",
    ],
    [
      "is kept if the API is on the repository's own server",
      "https://git.example/docs",
      "https://git.example/api",
      "stored",
    ],
    ["is kept if the API's URL is removed", "https://git.example/docs", undefined, "stored"],
    [
      "isn't kept if the repository moves to another server",
      "https://other.example/docs",
      undefined,
      undefined,
    ],
    [
      "isn't kept if the API moves to another server",
      "https://git.example/docs",
      "https://other.example",
      undefined,
    ],
    [
      "isn't kept if the API is no longer encrypted",
      "https://git.example/docs",
      "http://git.example/api",
      undefined,
    ],
  ])("%s", (_, url, apiUrl, token) => {
    const change = { access: "token" as const, ...(apiUrl ? { apiUrl } : {}) };
    expect(connectionAfter({ random }, before, source(url), change)?.token).toBe(token);
  });

  test("a token in the URL isn't kept for an API on another server either", () => {
    const inUrl = { source: source("https://user:stored@git.example/docs"), connection: null };
    const change = { access: "token" as const, apiUrl: "https://other.example" };
    expect(
      connectionAfter({ random }, inUrl, source("https://git.example/docs"), change)?.token,
    ).toBeUndefined();
  });

  test("an entered token is used for any API", () => {
    const change = { access: "token" as const, apiUrl: "https://other.example", token: "entered" };
    expect(connectionAfter({ random }, before, before.source, change)?.token).toBe("entered");
  });
});
