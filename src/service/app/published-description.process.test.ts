/**
 * The published description allows every value that the API accepts: values at the edges, in all spellings.
 */

import { randomBytes } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  newOrganization,
  operatorToken,
  send,
  type TestOrganization,
  type TestService,
} from "../../../test/service/service.ts";
import { openTestService } from "../../../test/shared/service.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON schemas are untyped in tests.
type Json = any;

let service: TestService;
let organization: TestOrganization;
let description: Json;
const ajv = new Ajv2020({ strict: false, formats: { "date-time": true, uri: true } });

beforeAll(async () => {
  service = await openTestService({
    env: { OCTAVO_OUTBOUND_ALLOW: "127.0.0.1:9,[::1]:9", OCTAVO_GIT_ALLOW: "http ssh private" },
  });
  organization = await newOrganization(service);
  description = (await send({ port: service.port, path: "/openapi.json" })).json;
  ajv.addSchema(description, "api");
});
afterAll(() => service.stop());

function validator(...pointer: (string | number)[]) {
  const parts = pointer.map((part) =>
    encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1")),
  );
  return ajv.compile({ $ref: `api#/${parts.join("/")}` });
}

/**
 * Sends a body, and expects that both the API and the description accept it. The helpers of the tests check
 * the response.
 */
async function accepts(method: string, path: string, body: object): Promise<Json> {
  const ids: Record<string, string> = { organizationId: organization.id, projectId: organization.projectId };
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  const headers = { "content-type": "application/json" };
  const request = { method, headers, body: JSON.stringify(body) };
  const answer = path.startsWith("/operator/")
    ? await send({
        ...request,
        port: service.port,
        path: target,
        headers: { ...headers, authorization: `Bearer ${operatorToken}` },
      })
    : await organization.ask(target, request);
  expect(answer.status, answer.text).toBeLessThan(300);
  const validate = validator(
    "paths",
    path,
    method.toLowerCase(),
    "requestBody",
    "content",
    "application/json",
    "schema",
  );
  expect(validate(body), `${JSON.stringify(body)}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  return answer.json;
}

const unique = () => randomBytes(4).toString("hex");

describe("a key", () => {
  const path = "/operator/v1/organizations/{organizationId}/keys";
  test.each([
    "2096-02-29T10:00:00Z",
    "2097-01-29T10:00:00Z",
    "2097-01-30T23:59:59.123456789012Z",
    "2097-12-31T10:00:00+14:00",
    "2097-12-31T10:00:00-23:59",
    "2097-12-31t10:00:00z",
    "2097-12-31T10:00:00+0530",
    "2097-12-31T10:00",
    "2097-12-31T10Z",
    "2097-12-31",
    "20971231T100000Z",
    "9999-12-31T23:59:59Z",
    null,
  ])("can expire at %s", (expiresAt) => accepts("POST", path, { name: "Key", expiresAt }));

  test.each([
    "192.0.2.7",
    "10.0.0.0/8",
    "0.0.0.0/1",
    "255.255.255.255/32",
    "2001:db8::/32",
    "2001:DB8::1",
    "::1",
    "::ffff:192.0.2.7",
    "64:ff9b::192.0.2.0/120",
    "1:2:3:4:5:6:7::",
    "::/1",
    "2001:db8:0:0:0:0:0:1/128",
  ])("can be limited to %s", (network) => accepts("POST", path, { name: "Key", allowedIps: [network] }));

  test("of an organization can have an empty list of groups", () =>
    accepts("POST", path, { name: "Key", groups: [], allowedIps: [] }));
  test("of a project can have groups", () =>
    accepts("POST", path, {
      name: "\u{1f419}".repeat(50),
      type: "assistant",
      projectId: organization.projectId,
      groups: ["\u00fc b"],
    }));
});

test.each([
  " Ana@Example.COM ",
  "a+b.c@x.co",
  "\u00fcn\u00ef@ex\u00e4mple.org",
  "a@b..c",
  "\ufeffana'o@example.com\n",
])("the email %j can be invited", (email) =>
  accepts("POST", "/operator/v1/organizations/{organizationId}/invitations", {
    email: email.replace(/@/, `${unique()}@`),
    role: "viewer",
  }),
);

test.each([
  "DOCS.UNIQUE.example.com",
  "docs.UNIQUE.example.com.",
  "d\u00f6cs.UNIQUE.example.com",
  "under_score.UNIQUE.example.com",
  "a--b.UNIQUE.1example",
  "UNIQUE.example.com/",
  "\u4f8b\u3048\u3002UNIQUE.example",
])("the domain %s can be added", (domain) =>
  accepts("POST", "/v1/projects/{projectId}/domains", { domain: domain.replace("UNIQUE", unique()) }),
);

test("a domain with a path can be added", async () => {
  organization = await newOrganization(service);
  for (const path of ["/docs", "/docs/", "/docs"])
    await accepts("POST", "/v1/projects/{projectId}/domains", { domain: `${unique()}.example.com${path}` });
});

describe("a project", () => {
  const git = { kind: "git", url: "https://example.com/acme/docs.git", branch: "main" };
  test.each(["ABC-x1-", "a--", "9"])("can have a subdomain that starts with %s", (start) =>
    accepts("POST", "/operator/v1/organizations/{organizationId}/projects", {
      name: "x",
      subdomain: `${start}${unique()}`,
    }),
  );

  test.each([
    "HTTPS://EXAMPLE.com:8443/acme/docs.git",
    "https://user:to%20ken@example.com/docs.git/",
    "https://example.com/a(b)/\u00fc&c",
    "https://[2001:db8::1]/docs",
    "https://192.0.2.7/docs",
    "https:example.com/docs",
    "ssh://git@example.com:2222/~acme/docs.git",
    "http://localhost/docs",
  ])("can be deployed from %s", (url) =>
    accepts("PATCH", "/v1/projects/{projectId}", { source: { ...git, url } }),
  );

  test.each(["feature/new-pages", "v1.2.3", "a_b/c-d", "UPPER", "0", "a".repeat(255)])(
    "can be deployed from the branch %s",
    (branch) => accepts("PATCH", "/v1/projects/{projectId}", { source: { ...git, branch } }),
  );

  test.each(["", ".", "./docs/", "/docs", "\u6587\u66f8/\u{1f419}", " a b ", `${"a/".repeat(490)}b`])(
    "can have the folder %j",
    (directory) => accepts("PATCH", "/v1/projects/{projectId}", { source: { ...git, directory } }),
  );

  test.each([
    "HTTPS://Login.example.com:8443/realms/a?b=c",
    "https://[2001:db8::1]",
    "https://login.example.com/\u00fc (x)",
    " https://a.example ",
  ])("can have the sign-in provider %s", (issuer) =>
    accepts("PATCH", "/v1/projects/{projectId}", {
      signIn: { mode: "oidc", issuer, clientId: "id", clientSecret: "s" },
    }),
  );

  test.each([
    "https://api.example.com/v1?key=a%20b#x",
    "HTTPS://API.example.com:8443/",
    "https://192.0.2.7/v1",
  ])("can use the model at %s", (baseUrl) =>
    accepts("PATCH", "/v1/projects/{projectId}", {
      assistant: { enabled: true, model: { provider: "openai-compatible", baseUrl, name: "m", apiKey: "k" } },
    }),
  );

  test.each([true, false, null])("can publish with errors: %s", (publishWithErrors) =>
    accepts("PATCH", "/v1/projects/{projectId}", { publishWithErrors }),
  );
});

test.each([
  "http://127.0.0.1:9/hooks/{id}?a[]=b c",
  "HTTP://127.0.0.1:9",
  "http://[::1]:9/\u00fc#x",
  "http://0x7f.1:9/",
])("a webhook can be sent to %s", (url) =>
  accepts("POST", "/v1/webhooks", { url, events: ["deployment.failed"] }),
);

describe("the query of a list", () => {
  const path = "/v1/analytics/{projectId}/assistant";
  test.each([
    ["dateFrom", "2096-02-29"],
    ["dateFrom", "0001-01-01"],
    ["dateTo", "20260131T0800-0200"],
    ["dateTo", "2026-01-31t08:00:00.5z"],
    ["cursor", "01arz3ndektsv4rrffq69g5fav"],
    ["limit", "1000"],
  ])("can have %s=%s", async (name, value) => {
    const target = `/v1/analytics/${organization.projectId}/assistant?${new URLSearchParams({ [name]: value })}`;
    const answer = await organization.ask(target);
    expect(answer.status, answer.text).toBe(200);
    const index = description.paths[path].get.parameters.findIndex(
      (parameter: Json) => parameter.name === name,
    );
    const validate = validator("paths", path, "get", "parameters", index, "schema");
    expect(
      validate(name === "limit" ? Number(value) : value),
      `${value}: ${ajv.errorsText(validate.errors)}`,
    ).toBe(true);
  });
});
