/** A hostile OpenID provider: its discovery document ends in an error, and never in another scheme. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OpenIdProviders } from "./open-id.ts";

let server: Server;
let issuer: string;
let answer: { status?: number; headers?: Record<string, string>; body: string | Uint8Array };
let asked = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    asked++;
    const headers = { "content-type": "application/json", ...answer.headers };
    response.writeHead(answer.status ?? 200, headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const discovery = (more: object = {}) =>
  JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    ...more,
  });
const begin = (allowPrivate = true) =>
  new OpenIdProviders({ allowPrivate }).begin(
    { mode: "oidc", issuer, clientId: "a", clientSecret: "b" },
    "https://docs.example/_octavo/sign-in",
  );

test("a provider can be used", async () => {
  answer = { body: discovery() };
  expect((await begin()).url.href).toContain(`${issuer}/authorize?`);
});

test.each<[string, () => typeof answer]>([
  ["a response of 2 MB", () => ({ body: `${discovery().slice(0, -1)},"x":"${"a".repeat(2_000_000)}"}` })],
  [
    "a response that expands",
    () => ({ headers: { "content-encoding": "gzip" }, body: gzipSync(" ".repeat(5e7)) }),
  ],
  ["deep JSON", () => ({ body: `${"[".repeat(400_000)}${"]".repeat(400_000)}` })],
  [
    "a deep property",
    () => ({ body: `${discovery().slice(0, -1)},"issuer":${"[".repeat(1e5)}${"]".repeat(1e5)}}` }),
  ],
  ["no JSON", () => ({ body: "<html>" })],
  ["an empty response", () => ({ body: "" })],
  ["null", () => ({ body: "null" })],
  ["another issuer", () => ({ body: discovery({ issuer: "https://evil.example" }) })],
  ["a redirect", () => ({ status: 302, headers: { location: "http://169.254.169.254/" }, body: "" })],
  ["an error", () => ({ status: 500, body: discovery() })],
  ["no endpoint", () => ({ body: discovery({ authorization_endpoint: undefined }) })],
  ["an endpoint that isn't a URL", () => ({ body: discovery({ authorization_endpoint: "/authorize" }) })],
  ["an endpoint that isn't text", () => ({ body: discovery({ authorization_endpoint: { href: "x" } }) })],
  ["a script as endpoint", () => ({ body: discovery({ authorization_endpoint: "javascript:alert(1)//" }) })],
  ["data as endpoint", () => ({ body: discovery({ authorization_endpoint: "data:text/html,x" }) })],
  ["a file as endpoint", () => ({ body: discovery({ authorization_endpoint: "file:///etc/passwd" }) })],
])("%s", async (_, of) => {
  answer = of();
  asked = 0;
  await expect(begin()).rejects.toThrow();
  expect(asked).toBe(1);
});

test("without private addresses, nothing is sent", async () => {
  asked = 0;
  await expect(begin(false)).rejects.toThrow();
  expect(asked).toBe(0);
});
