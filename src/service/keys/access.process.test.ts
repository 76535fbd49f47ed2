/** API keys, roles, tenant isolation and invalid requests, for the endpoints of the API. */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { METHODS } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { entriesBelow } from "../../../test/service/entries-below.ts";
import { allowReceivers } from "../../../test/service/event-receiver.ts";
import {
  newOrganization,
  operatorToken,
  type Sent,
  send,
  type TestOrganization,
  type TestService,
} from "../../../test/service/service.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { ulidMaker, ulidTime } from "../../base/ulid.ts";
import { endpoints } from "../app/endpoints.ts";
import type { Endpoint } from "../core/endpoint.ts";

let service: TestService;
let own: TestOrganization;
let other: TestOrganization;
/** Ids of the other organization's objects, by path parameter. */
let foreign: Record<string, string>;

beforeAll(async () => {
  service = await openTestService({
    dataFolder: temporaryFolder(),
    env: { ...allowReceivers, OCTAVO_ANALYTICS_LIMIT: "1000000", CANARY_SECRET: "canary-5b1e" },
  });
  [own, other] = [await newOrganization(service), await newOrganization(service)];
  foreign = await withOneOfEach(other);
});
afterAll(() => service.stop());

async function withOneOfEach(organization: TestOrganization): Promise<Record<string, string>> {
  const { client, projectId, subdomain } = organization;
  const deployment = await deploy(organization, docs("Theirs"));
  const job = await client(endpoints.startExport, { body: { domain: `${subdomain}.localhost` } });
  const { domain } = await client(endpoints.addDomain, {
    params: { projectId },
    body: { domain: "docs.theirs.example" },
  });
  const threadId = ulidMaker(Date.now, randomBytes)();
  const turn = {
    id: threadId,
    timestamp: new Date(ulidTime(threadId)).toISOString(),
    query: "q",
    response: "r",
    sources: [],
  };
  const body = JSON.stringify({ ...turn, resolutionStatus: "answered", queryCategory: null, pageUrl: null });
  await client(endpoints.importConversations, { params: { projectId }, body });
  const webhook = await client(endpoints.createWebhook, {
    body: { url: "http://127.0.0.1:1024/", events: ["deployment.failed"] },
  });
  return {
    projectId,
    id: deployment.id,
    statusId: deployment.id,
    jobId: job.jobId,
    domain,
    threadId,
    webhookId: webhook.id,
  };
}

const all = Object.values(endpoints) as Endpoint[];
const bodies: Record<string, unknown> = {
  startExport: { domain: "docs.example.com" },
  preview: { branch: "main" },
  changeProject: { name: "Changed" },
  addDomain: { domain: "docs.example.com" },
  createOrganization: { name: "x", plan: "free" },
  changeOrganization: { plan: "free" },
  createKey: { name: "x" },
  createProject: { name: "x", subdomain: "x" },
  addOperatorDomain: { domain: "docs.example.com" },
};

function requestFor(endpoint: Endpoint, params: Record<string, string>): Omit<Sent, "port"> {
  const name = Object.entries(endpoints).find(([, candidate]) => candidate === endpoint)![0];
  return {
    method: endpoint.method,
    path: endpoint.path.replace(
      /\{(\w+)\}/g,
      (_all, param: string) => params[param] ?? "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    ),
    ...(endpoint.body
      ? {
          body: endpoint.body.type === "application/json" ? JSON.stringify(bodies[name] ?? {}) : "",
          headers: { "content-type": endpoint.body.type },
        }
      : {}),
  };
}

const as = (key: string | undefined, request: Omit<Sent, "port">) =>
  send({
    port: service.port,
    ...request,
    headers: { ...request.headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
  });

test("the OpenAPI description has all endpoints", async () => {
  const { json } = await send({ port: service.port, path: "/openapi.json" });
  const described = Object.entries(json.paths as Record<string, object>).flatMap(([at, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${at}`),
  );
  expect(described.sort()).toEqual(all.map(({ method, path: at }) => `${method} ${at}`).sort());
});

describe("each route, requested by each kind of caller", () => {
  /** Keys by request body. Each key is created once for all routes. */
  const keys = new Map<string, string>();
  const keyFor = async (body: object): Promise<string> => {
    const known = keys.get(JSON.stringify(body));
    if (known) return known;
    const params = { organizationId: own.id };
    const { key } = await service.operator(endpoints.createKey, { params, body: { name: "role", ...body } });
    keys.set(JSON.stringify(body), key);
    return key;
  };

  test.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s",
    async (_name, endpoint) => {
      const organizationId = own.id;
      const request = requestFor(endpoint, { projectId: own.projectId, organizationId });
      const status = async (credential: string | undefined) => (await as(credential, request)).status;
      expect(await status(undefined)).toBe(401);
      expect(await status("oct_unknown")).toBe(401);
      if (endpoint.caller === "operator") {
        expect(await status(own.key)).toBe(401);
        return;
      }
      expect(await status(operatorToken)).toBe(401);
      expect(await status(await keyFor({ type: "assistant", projectId: own.projectId }))).toBe(
        endpoint.caller === "admin" ? 403 : 404,
      );
      const reader = await status(await keyFor({ scopes: ["read"] }));
      if (endpoint.method === "GET") expect(reader).not.toBe(403);
      else expect(reader).toBe(403);
      // Endpoints of the assistant require assistant keys.
      const kind = endpoint.caller === "assistant" ? { type: "assistant", projectId: own.projectId } : {};
      expect(await status(await keyFor({ ...kind, allowedIps: ["192.0.2.0/24"] }))).toBe(403);
      expect(await status(await keyFor({ ...kind, allowedIps: ["127.0.0.0/8", "::1"] }))).not.toBe(403);
    },
  );
});

describe("objects of other organizations are not found", () => {
  const admin = all.filter(({ caller, params }) => caller === "admin" && params);

  test.each(admin.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s",
    async (_name, endpoint) => {
      const theirs = await as(own.key, requestFor(endpoint, foreign));
      const unknown = await as(own.key, requestFor(endpoint, {}));
      expect([theirs.status, theirs.text]).toEqual([404, '{"error":"Not found"}']);
      expect([unknown.status, unknown.text]).toEqual([theirs.status, theirs.text]);
      // The object exists for its owner.
      if (endpoint.method === "GET")
        expect((await as(other.key, requestFor(endpoint, foreign))).status).toBe(200);
    },
  );
});

test("the response takes as long for foreign objects as for unknown ones", { retry: 2 }, async () => {
  const path = (projectId: string) => ({ path: `/v1/projects/${projectId}` });
  const taken = { theirs: [] as number[], unknown: [] as number[] };
  for (let n = 0; n < 300; n++) {
    for (const [kind, projectId] of [
      ["theirs", other.projectId],
      ["unknown", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    ] as const) {
      const began = performance.now();
      await as(own.key, path(projectId));
      taken[kind].push(performance.now() - began);
    }
  }
  const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1]!;
  const ratio = median(taken.theirs) / median(taken.unknown);
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.25);
});

test("random requests, most of them invalid, cause no server errors", async () => {
  const random = generator(20_261_121);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const oddTexts = [
    "",
    "0",
    "-1",
    "null",
    "true",
    "%00",
    "%ff",
    "..",
    "%2e%2e%2f",
    "a".repeat(299),
    "\ud83d\ude00",
    "'",
    '"',
    "{}",
    "[]",
    "1e9",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "localhost",
  ];
  const oddValues: unknown[] = [
    null,
    true,
    0,
    -1,
    1e21,
    "",
    "x".repeat(500),
    [],
    {},
    [[]],
    { $ne: 1 },
    "\u0000",
    ["a", "b"],
    "2026-02-30",
    "localhost",
  ];
  const statuses = new Map<number, number>();
  for (let n = 0; n < 1_000; n++) {
    const endpoint = pick(all);
    const params = Object.fromEntries(
      Object.keys(endpoint.params ?? {}).map((name) => [
        name,
        random() < 0.5 ? encodeURIComponent(pick(oddTexts)) : name === "projectId" ? own.projectId : own.id,
      ]),
    );
    const base = requestFor(endpoint, params);
    const query = Object.keys(endpoint.query ?? {}).flatMap((name) =>
      random() < 0.5 ? [`${name}=${encodeURIComponent(pick(oddTexts))}`] : [],
    );
    const known = JSON.parse(
      base.body === undefined || base.body === "" ? "{}" : String(base.body),
    ) as Record<string, unknown>;
    for (const name of [...Object.keys(known), "name", "plan", "__proto__", "source", "signIn"])
      if (random() < 0.4) known[name] = pick(oddValues);
    const isDeadly =
      endpoint.operationId === "deleteOrganization" ||
      endpoint.operationId === "deleteProject" ||
      endpoint.operationId === "revokeKey";
    if (isDeadly) continue;
    const { status } = await as(pick([own.key, own.key, operatorToken, operatorToken, undefined, "oct_x"]), {
      ...base,
      path: `${base.path}${query.length ? `?${query.join("&")}` : ""}`,
      ...(endpoint.body?.type === "application/json"
        ? { body: random() < 0.1 ? pick(oddTexts) : JSON.stringify(known) }
        : {}),
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  // Different kinds of responses occurred.
  for (const status of [200, 400, 401, 404])
    expect(statuses.get(status), `some ${status}`).toBeGreaterThan(0);
});

/** Creates a generator of random numbers with a seed, so that failures can be reproduced. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("keys", () => {
  test("a key is only in the response to its creation", async () => {
    const { key } = await service.operator(endpoints.createKey, {
      params: { organizationId: other.id },
      body: { name: "secret" },
    });
    await as(key, { path: "/v1/projects" });
    expect(
      JSON.stringify(await service.operator(endpoints.listKeys, { params: { organizationId: other.id } })),
    ).not.toContain(key);
    const kept = entriesBelow(service.dataFolder)
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)));
    expect(kept.some((bytes) => bytes.includes(key))).toBe(false);
    expect(service.output()).not.toContain(key);
  });

  test("unknown, malformed, revoked and expired keys get the same error", async () => {
    const params = { organizationId: other.id };
    const revoked = await service.operator(endpoints.createKey, { params, body: { name: "revoked" } });
    await service.operator(endpoints.revokeKey, { params: { ...params, keyId: revoked.id } });
    const soon = await service.operator(endpoints.createKey, {
      params,
      body: { name: "soon", expiresAt: new Date(Date.now() + 1_000).toISOString() },
    });
    expect((await as(soon.key, { path: "/v1/projects" })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    const answers = await Promise.all(
      [revoked.key, soon.key, `oct_${"0".repeat(42)}`, "oct_", "x"].map((key) =>
        as(key, { path: "/v1/projects" }),
      ),
    );
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([401, answers[0]!.text]);
      expect(headers["www-authenticate"]).toBe('Bearer realm="api"');
    }
  });

  test("a revoked key is refused from the next request on", async () => {
    const params = { organizationId: other.id };
    const { id, key } = await service.operator(endpoints.createKey, { params, body: { name: "short" } });
    expect((await as(key, { path: "/v1/projects" })).status).toBe(200);
    await service.operator(endpoints.revokeKey, { params: { ...params, keyId: id } });
    expect((await as(key, { path: "/v1/projects" })).status).toBe(401);
  });

  test.each([
    ["with a lower-case scheme", (key: string) => `bearer ${key}`, 200],
    ["with two spaces", (key: string) => `Bearer  ${key}`, 401],
    ["for Basic authentication", (key: string) => `Basic ${Buffer.from(`:${key}`).toString("base64")}`, 401],
    ["of 10 KB", () => `Bearer ${"a".repeat(10_000)}`, 401],
    ["with a non-ASCII character", (key: string) => `Bearer ${key}\u00e9`, 401],
    ["that is sent twice", (key: string) => [`Bearer ${key}`, `Bearer ${key}`], 401],
  ])("an Authorization header %s", async (_name, header, status) => {
    const answer = await send({
      port: service.port,
      path: "/v1/projects",
      headers: { authorization: header(own.key) as string },
    });
    expect(answer.status).toBe(status);
  });

  test("a key in the URL is ignored", async () => {
    expect(
      (await send({ port: service.port, path: `/v1/projects?key=${own.key}&access_token=${own.key}` }))
        .status,
    ).toBe(401);
  });

  test.each([
    [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt must be in the future"],
    [{ expiresAt: "soon" }, "expiresAt must be an RFC 3339 date-time"],
    [{ scopes: ["admin"] }, "scopes must be read, write, or both"],
    [{ scopes: [] }, "scopes must not be empty"],
    [
      { allowedIps: ["0.0.0.0/0"] },
      "allowedIps must be valid IPs or CIDR ranges (0.0.0.0/0 and ::/0 aren't allowed)",
    ],
    [
      { allowedIps: ["::/0"] },
      "allowedIps must be valid IPs or CIDR ranges (0.0.0.0/0 and ::/0 aren't allowed)",
    ],
    [
      { allowedIps: ["10.0.0.1/33", "example.com"] },
      "allowedIps must be valid IPs or CIDR ranges (0.0.0.0/0 and ::/0 aren't allowed)",
    ],
    [{ type: "assistant" }, "projectId is required for assistant keys"],
    [{ type: "root" }, "type must be one of admin, assistant"],
    [{ name: "" }, "name must not be empty"],
  ])("a key with %j is refused", async (body, message) => {
    const answer = await as(operatorToken, {
      method: "POST",
      path: `/operator/v1/organizations/${own.id}/keys`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "x", ...body }),
    });
    expect([answer.status, answer.json.details]).toEqual([400, [{ message }]]);
  });

  test("an assistant key belongs to a project of its organization", async () => {
    const params = { organizationId: own.id };
    await expect(
      service.operator(endpoints.createKey, {
        params,
        body: { name: "x", type: "assistant", projectId: other.projectId },
      }),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe("bodies, methods and content types", () => {
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    as(operatorToken, {
      method: "POST",
      path: "/operator/v1/organizations",
      body,
      headers: { "content-type": "application/json", ...headers },
    });

  test("unknown fields are refused, and names of object properties have no effect", async () => {
    const body = { name: "x", plan: "free", id: "mine", created_at: "2000-01-01" };
    const { status, json } = await post(JSON.stringify(body));
    expect(status).toBe(400);
    expect(json.details.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^id isn't a known field/),
      expect.stringMatching(/^created_at isn't a known field/),
    ]);
    const polluting = await post('{"name":"x","plan":"free","__proto__":{"plan":"enterprise"}}');
    expect([400, 201]).toContain(polluting.status);
    expect(({} as { plan?: string }).plan).toBeUndefined();
  });

  test.each([
    ["no body", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["a number", "1"],
    ["two documents", "{}{}"],
    ["a byte order mark inside", '{"name":\ufeff"x"}'],
    ["an object for a text", '{"name":{"$ne":1},"plan":"free"}'],
    ["a NUL character", '{"name":"a\\u0000b","plan":"free"}'],
    ["a lone surrogate", '{"name":"\\ud800","plan":"free"}'],
    ["deep nesting", "[".repeat(30_000)],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])("%s: 400", async (_name, body) => {
    const { status, json } = await post(body);
    expect(status).toBe(400);
    expect(json.error).toBe("Invalid request body");
  });

  test("an empty body: 400 with the missing fields", async () => {
    const { status, json } = await as(operatorToken, { method: "POST", path: "/operator/v1/organizations" });
    expect([status, json]).toEqual([
      400,
      { error: "Invalid request body", details: [{ message: "body is required" }] },
    ]);
  });

  test("too large: 413; another type or charset: 415", async () => {
    expect((await post(JSON.stringify({ name: "x".repeat(70_000), plan: "free" }))).status).toBe(413);
    expect((await post("{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await post("{}", { "content-type": "application/json; charset=utf-7" })).status).toBe(415);
    expect(
      (await post('{"name":"x","plan":"free"}', { "content-type": "application/json; charset=UTF-8" }))
        .status,
    ).toBe(201);
  });

  test("every other method of a known path: 405 with Allow, with and without a body", async () => {
    for (const method of METHODS.filter((each) => !["GET", "HEAD", "POST", "CONNECT"].includes(each)))
      for (const more of [{}, { headers: { "content-type": "/", "content-length": "1" }, body: "x" }]) {
        const { status, headers } = await as(own.key, { method, path: "/v1/projects", ...more });
        expect([method, status, headers.allow]).toEqual([method, 405, "GET, HEAD, POST"]);
      }
  });

  test("without a valid key: 401, whatever the body and its type are", async () => {
    for (const type of ["/", "text/plain", "application/json"]) {
      const headers = { "content-type": type };
      expect(
        (await as("unknown", { method: "POST", path: "/operator/v1/organizations", headers, body: "}" }))
          .status,
        type,
      ).toBe(401);
    }
  });

  test.each([
    "/v1/nothing",
    "/v1/projects/",
    "/V1/projects",
    "//v1/projects",
    "/v1/projects/%ff",
    "/v1/..%2fprojects",
  ])("%s is invalid or not found", async (at) => {
    expect([400, 404]).toContain((await as(own.key, { path: at })).status);
  });

  test("a method in a header changes nothing", async () => {
    const answer = await as(own.key, {
      path: "/v1/projects",
      headers: { "x-http-method-override": "DELETE" },
    });
    expect(answer.status).toBe(200);
  });

  test("a valid request id is used", async () => {
    const id = async (given: string) =>
      (await as(own.key, { path: "/v1/projects", headers: { "x-request-id": given } })).headers[
        "x-request-id"
      ];
    expect(await id("abc-1")).toBe("abc-1");
    expect(await id("a b")).not.toBe("a b");
  });
});

test("spellings of a domain are normalized, and invalid domains are refused", async () => {
  const own = await newOrganization(service);
  const add = (organization: TestOrganization, domain: string) =>
    organization.ask(`/v1/projects/${organization.projectId}/domains`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ domain }),
    });
  const added = await add(own, "Docs.B\u00fccher.Example.");
  expect([added.status, added.json.domain, added.json.verifiedAt]).toEqual([
    201,
    "docs.xn--bcher-kva.example",
    null,
  ]);
  expect(added.json.verification).toMatchObject({ type: "TXT", name: "_octavo.docs.xn--bcher-kva.example" });
  expect((await add(own, "docs.xn--bcher-kva.example")).status).toBe(409);
  for (const domain of [
    "https://docs.example.com",
    "docs.example.com//x",
    "docs.example.com/../x",
    "docs.example.com:80",
    "localhost",
    "docs.localhost",
    "127.0.0.1",
    "a..b",
    "-a.example",
  ])
    expect((await add(own, domain)).status, domain).toBe(400);
  const listed = await own.ask(`/v1/projects/${own.projectId}/domains`);
  expect(listed.json.domains.map(({ domain }: { domain: string }) => domain)).toEqual([
    "docs.xn--bcher-kva.example",
  ]);
  expect(
    (await own.ask(`/v1/projects/${own.projectId}/domains/docs.xn--bcher-kva.example`, { method: "DELETE" }))
      .status,
  ).toBe(204);
});

test("the audit log has one numbered entry for each change, including refused ones, and none for other organizations", async () => {
  const organization = await newOrganization(service);
  const change = (body: object) =>
    organization.ask(`/v1/projects/${organization.projectId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await Promise.all([change({ name: "A" }), change({ name: "B" }), change({ name: "" })]);
  const { entries } = (await organization.ask("/v1/audit-log")).json;
  const changes = entries.filter(({ action }: { action: string }) => action === "changeProject");
  expect(changes.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(["200", "200", "400"]);
  expect(entries.map(({ number }: { number: number }) => number)).toEqual(
    entries.map((_: unknown, index: number) => entries.length - index),
  );
  expect(new Set(entries.map(({ hash }: { hash: string }) => hash)).size).toBe(entries.length);
  expect(JSON.stringify((await other.ask("/v1/audit-log")).json)).not.toContain(organization.projectId);
});

test("responses are not cacheable", async () => {
  const { headers } = await own.ask("/v1/projects");
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test("the OpenAPI description has a title and a version", async () => {
  const { json } = await send({ port: service.port, path: "/openapi.json" });
  expect([json.openapi, json.info.version]).toEqual(["3.1.0", "1.0.0"]);
});
