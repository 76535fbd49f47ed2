/**
 * Every reader of JSON refuses or stores texts that PostgreSQL can't store, numbers without a finite value,
 * deep values, and names that every object has, at each place of a body: never with status 500.
 */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { operatorToken, type Sent, send } from "../../../test/service/service.ts";
import { newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { hookOn, pushOf, signedHeaders } from "../../../test/service/webhooks.ts";
import { openTestService } from "../../../test/shared/service.ts";
import type { Endpoint } from "../core/endpoint.ts";
import { endpoints } from "./endpoints.ts";

let service: OpenTestService;
let site: TestSite;
const ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

beforeAll(async () => {
  service = await openTestService({
    env: { ...trusting, OCTAVO_OUTBOUND_ALLOW: "127.0.0.1:9", OCTAVO_GIT_ALLOW: "http private" },
  });
  site = await newSite(service);
});
afterAll(() => service?.stop());

const deep = 15_000;
/** Values as JSON texts. */
const values = [
  '"\\ud800"',
  '"x\\udc00x"',
  '"a\\u0000b"',
  '"\\ufeff\\u202e\\uffff"',
  '"\\u0085 \\u2028 \\u007f"',
  `"${"\u00e9".repeat(20_000)}"`,
  '"__proto__"',
  '""',
  "1e400",
  "-1e400",
  "1e308",
  "5e-324",
  "-0",
  "9007199254740993",
  "1".repeat(400),
  "null",
  "true",
  "[]",
  "[[]]",
  '["\\ud800"]',
  "{}",
  '{"__proto__":{"name":"\\u0000","limit":1e400}}',
  '{"constructor":{"prototype":{"polluted":1}},"toString":1,"valueOf":1,"then":1,"toJSON":1}',
  '{"length":1e9,"0":"a"}',
  '{"\\u0000":1,"\\ud800":"\\udc00"}',
  `${"[".repeat(deep)}${"]".repeat(deep)}`,
  `${'{"a":'.repeat(deep / 3)}1${"}".repeat(deep / 3)}`,
];
/** Bodies that aren't values, or not one. */
const broken = [
  "",
  "nul",
  "{",
  "[1",
  '{"a":1}{"b":2}',
  "{'a':1}",
  '{"a":01}',
  "\ufeff{}",
  Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
  Uint8Array.of(0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d),
  Uint8Array.of(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d),
  "1".repeat(60_000),
];

/** Bodies with all properties. Each is valid, so that a value at one place gets as far as it can. */
const bodies: Record<string, object> = {
  startExport: { domain: "docs.example.com", version: "1", paths: ["index"] },
  preview: { branch: "main" },
  changeProject: {
    name: "x",
    source: {
      kind: "git",
      url: "https://example.com/docs.git",
      branch: "main",
      directory: "docs",
    },
    signIn: {
      mode: "oidc",
      issuer: "https://a.example",
      clientId: "id",
      clientSecret: "s",
      scopes: ["a"],
      groupsClaim: "groups",
    },
    assistant: {
      enabled: true,
      model: { provider: "openai-compatible", baseUrl: "https://a.example/v1", name: "m", apiKey: "k" },
    },
    publishWithErrors: true,
  },
  addDomain: { domain: "docs.example.com" },
  addOperatorDomain: { domain: "docs.example.com" },
  createOrganization: { name: "x", plan: "free" },
  changeOrganization: { name: "x", plan: "enterprise" },
  createInvitation: { email: "eve@example.com", role: "viewer" },
  createKey: {
    name: "x",
    type: "assistant",
    projectId: ulid,
    groups: ["a"],
    expiresAt: "2097-12-31T10:00:00Z",
    allowedIps: ["192.0.2.7"],
    scopes: ["read"],
  },
  createProject: { name: "x", subdomain: "x1" },
  createOwnProject: {
    name: "x",
    subdomain: "x2",
    source: { kind: "git", url: "https://git.example.com/docs.git", branch: "main", directory: "docs" },
  },
  addOperator: { userId: ulid },
  askAssistant: {
    fp: "visitor",
    threadId: null,
    messages: [{ id: "a", role: "user", content: "What?", parts: [{ type: "text", text: "What?" }] }],
    currentPath: "/index",
    context: [{ type: "code", value: "npm", path: "/index" }],
    currentProduct: "x",
    filter: { version: "1", language: "en", groups: ["a"] },
    retrievalPageSize: 3,
  },
  searchSite: {
    query: "widgets",
    pageSize: 3,
    scoreThreshold: 0.5,
    filter: { version: "1", language: "en", groups: ["a"] },
  },
  getPage: { path: "index", groups: ["a"] },
  changeUnanswered: { status: "ignored" },
  createWebhook: {
    url: "http://127.0.0.1:9/",
    events: ["deployment.failed"],
    format: "json",
  },
  changeWebhook: { url: "http://127.0.0.1:9/", events: ["deployment.failed"], isEnabled: true },
};

/** Bodies of requests from a site's pages, by path. */
const pageBodies: Record<string, object[]> = {
  "/_octavo/search": [{ query: "widgets", pageSize: 3, version: "1", product: "x", language: "en" }],
  "/_octavo/assistant": [bodies.askAssistant!],
  "/_octavo/assistant/feedback": [{ turnId: ulid, helpful: true, comment: "x" }],
  "/_octavo/feedback": [
    { id: ulid, path: "/index", helpful: true, reason: "other", comment: "x", contact: "a@b.example" },
    { path: "/index", code: "x", filename: "a.js", lang: "js", comment: "x" },
  ],
  "/_octavo/events": [
    { events: [{ type: "search", query: "x", results_count: 1 }] },
    { events: [{ type: "search-click", query: "x", path: "/index" }] },
    { events: [{ type: "view", path: "/index", referrer: "https://a.example" }] },
  ],
  "/mcp": [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {} },
    },
    {
      jsonrpc: "2.0",
      id: "a",
      method: "tools/call",
      params: { name: "search_docs", arguments: { query: "widgets", limit: 3 } },
    },
    {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "get_page", arguments: { path: "index" } },
    },
    { jsonrpc: "2.0", id: 3, method: "tools/list", params: {} },
  ],
};

const here = "<here>";

/** Copies of a value with `here` at each place: in the place of a value, and as another property. */
function* places(value: unknown): Generator<unknown> {
  yield here;
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { ...value, other: here };
  for (const [key, child] of Object.entries(value))
    for (const changed of places(child))
      yield Array.isArray(value)
        ? value.map((entry: unknown, index) => (String(index) === key ? changed : entry))
        : { ...value, [key]: changed };
}

function* hostile(body: object, tried = values): Generator<string> {
  for (const place of places(body)) {
    const [start, end] = JSON.stringify(place).split(JSON.stringify(here)) as [string, string];
    for (const value of tried) yield `${start}${value}${end}`;
    // The same name twice, the second time with an escape.
    yield `${start}1${end.replace(/^,"(\w)/, (_, letter: string) => `,"\\u00${letter.charCodeAt(0).toString(16)}`)}`;
  }
}

/** Removes what rate limits count, and queued deployments. */
async function resetLimits(): Promise<void> {
  const { db } = service.service;
  await db.deleteFrom("rate_windows").execute();
  await db.deleteFrom("deployments").where("status", "=", "queued").execute();
}

/** Sends all bodies, a few at a time. Returns the answers that must not be, and counts of statuses. */
async function failures(
  all: Iterable<string | Uint8Array>,
  request: () => Omit<Sent, "port">,
): Promise<{ wrong: string[]; statuses: Record<number, number> }> {
  const wrong: string[] = [];
  const statuses: Record<number, number> = {};
  const waiting = all[Symbol.iterator]();
  const worker = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const body = next.value;
      const text = typeof body === "string" ? body : Buffer.from(body).toString("hex");
      const shown = text.length < 300 ? text : `${text.slice(0, 300)}... (${text.length})`;
      // The helper checks responses of the API against the description.
      const sent = () => send({ port: service.port, body, ...request() }).catch((error: Error) => error);
      let answer = await sent();
      if (!(answer instanceof Error) && answer.status === 429) {
        await resetLimits();
        answer = await sent();
      }
      if (answer instanceof Error) {
        wrong.push(`${shown}: ${answer.message}`);
        continue;
      }
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status >= 500 || answer.status === 429)
        wrong.push(`${answer.status} ${shown}: ${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return { wrong, statuses };
}

const json = { "content-type": "application/json" };

let networks = 0;
/** Headers of a visitor from another network, because each network has a share of a site's limits. */
function fromNewNetwork(): Record<string, string> {
  networks++;
  return { "x-forwarded-for": `11.${networks >> 8}.${networks & 255}.1` };
}
const withJson = (Object.entries(endpoints) as [string, Endpoint][]).filter(
  ([, { body }]) => body?.type === "application/json",
);

test("each endpoint with a JSON body is tried", () => {
  expect(Object.keys(bodies).sort()).toEqual(withJson.map(([name]) => name).sort());
});

describe("the API", () => {
  // Changes of settings and queued deployments mustn't affect the other tests.
  let changed: TestSite;
  beforeAll(async () => {
    changed = await newSite(service);
  });

  test.each(withJson)("%s", async (name, { method, path, caller }) => {
    const { organization: own, key } = changed;
    const ids: Record<string, string> = { organizationId: own.id, projectId: own.projectId };
    const target = path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
      caller === "assistant" && parameter === "domain" ? own.subdomain : (ids[parameter] ?? ulid),
    );
    const token = { operator: operatorToken, assistant: key, admin: own.key }[caller];
    const headers = { ...json, authorization: `Bearer ${token}` };
    const request = () => ({ method, path: target, headers });
    const all = [...hostile(bodies[name]!), ...broken];
    const { wrong, statuses } = await failures(all, request);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(statuses[400]).toBeGreaterThan(50);
  });
});

test.each(Object.entries(pageBodies))("pages of a site: %s", async (path, all) => {
  const request = () => ({
    method: "POST",
    path,
    host: `${site.host}:${service.port}`,
    headers: {
      ...json,
      accept: "application/json, text/event-stream",
      origin: site.origin,
      ...fromNewNetwork(),
    },
  });
  for (const body of all) {
    const { wrong, statuses } = await failures([...hostile(body), ...broken], request);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(statuses[400]).toBeGreaterThan(50);
  }
});

test("imported conversations", async () => {
  const timestamp = "2026-01-02T03:04:05.000Z";
  const line = {
    id: ulid,
    conversationId: ulid,
    timestamp,
    query: "x",
    response: "y",
    responseType: "answer",
    sources: [{ title: "a", url: "b" }],
    resolutionStatus: "unanswered",
    queryCategory: "c",
    pageUrl: "d",
  };
  const { organization } = site;
  const request = () => ({
    method: "POST",
    path: `/v1/analytics/${organization.projectId}/assistant/import`,
    headers: { "content-type": "application/x-ndjson", authorization: `Bearer ${organization.key}` },
  });
  expect(endpoints.importConversations.path).toBe("/v1/analytics/{projectId}/assistant/import");
  const { wrong } = await failures([[...hostile(line)].join("\n"), ...hostile(line)], request);
  expect(wrong.slice(0, 5)).toEqual([]);
});

test("webhooks of a Git host with a valid signature", async () => {
  const { organization } = await newSite(service);
  const { projectId } = organization;
  const source = { kind: "git", url: "http://127.0.0.1:9/docs.git", branch: "main" } as const;
  await organization.client(endpoints.changeProject, { params: { projectId }, body: { source } });
  const admin = await newMember(service, organization.id);
  const { path, secret } = hookOn((await admin.get(`${admin.home}/p/${projectId}/settings/repository`)).text);

  // Fewer values than elsewhere, because the deliveries of an organization are limited.
  const strange = values.filter((value) => /ud800|u0000|proto|^\[{3}|^\{"a"|^1{9}/.test(value));
  const push = pushOf("gitlab", { url: source.url, sha: "1".repeat(40) });
  const request = () => ({ method: "POST", path, headers: signedHeaders("gitlab", push.event, "", secret) });
  const { wrong, statuses } = await failures([...hostile(push.body, strange), ...broken], request);
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(statuses[401]).toBeUndefined();
});

describe("the files of a deployed site", () => {
  const strange = "a\\u0000b\\ud800c\\u001b[31m";
  const keys = `"__proto__":{"title":"${strange}"},"constructor":1,"${strange}":"${strange}"`;
  const documents = {
    "api.json": `{"openapi":"3.1.0",${keys},"info":{"title":"${strange}","version":"${strange}",${keys}},"tags":[{"name":"${strange}"}],"servers":[{"url":"https://a.example/${strange}"}],"paths":{"/x":{"get":{"operationId":"${strange}","summary":"${strange}","description":"${strange}","tags":["${strange}","__proto__"],${keys},"parameters":[{"name":"${strange}","in":"query","schema":{"type":"string","enum":["${strange}"],"default":1e400,"pattern":"${strange}"}}],"responses":{"200":{"description":"${strange}","content":{"application/json":{"schema":{"type":"object",${keys},"properties":{${keys.replace('"constructor":1', '"constructor":{"type":"string"}')}},"example":${"[".repeat(3_000)}${"]".repeat(3_000)}}}}}}}}},"components":{"schemas":{"__proto__":{"type":"string"}}}}`,
    "api.yaml": `openapi: 3.1.0\n__proto__: {title: x}\ninfo: {title: "a\\0b\\uD800", version: 1e400, __proto__: {}}\npaths:\n  /y:\n    get:\n      summary: "\\uD800\\0"\n      constructor: {}\n      responses: {200: {description: "\\0"}}\n`,
  };
  const settings = `{"theme":"mint","name":"${strange}","description":"${strange}",${keys},"colors":{"primary":"#0D9373",${keys}},"variables":{"v":"${strange}",${keys}},"redirects":[{"source":"/${strange}","destination":"/${strange}"}],"navbar":{"links":[{"label":"${strange}","href":"/${strange}"}]},"banner":{"content":"${strange}"},"navigation":{${keys},"groups":[{"group":"${strange}",${keys},"pages":["index","${strange}","__proto__","constructor"]},{"group":"API","openapi":"api.json"},{"group":"Y","openapi":"api.yaml"}]}}`;
  const page = `---\ntitle: "a\\0b\\uD800"\n__proto__: {title: x}\nconstructor: x\nkeywords: ["\\0", "\\uD800"]\ndeep: ${"[".repeat(2_000)}${"]".repeat(2_000)}\n---\n\n{"a\\u0000b\\ud800"} {variables.v} <Card title={"\\ud800\\0"}>\u0000 Text</Card>\n\n## {"\\ud800"} Heading &#0; &#xD800;\n`;

  test.each([
    ["everything", { "docs.json": settings, "index.mdx": page, ...documents }],
    [
      "an OpenAPI document",
      docs("Text", documents, {
        navigation: { groups: [{ group: "API", openapi: ["api.json", "api.yaml"], pages: ["index"] }] },
      }),
    ],
    [
      "deep settings",
      {
        "docs.json": `{"name":"x","navigation":${'{"groups":['.repeat(2_000)}${"]}".repeat(2_000)}}`,
        "index.mdx": "Text",
      },
    ],
    ["deep values of unknown settings", docs("Text", {}, {}), { other: true }],
  ] as [string, Record<string, string>, object?][])("%s", async (_, files, deepSetting) => {
    const all = deepSetting
      ? {
          ...files,
          "docs.json": files["docs.json"]!.replace("{", `{"other":${"[".repeat(deep)}${"]".repeat(deep)},`),
        }
      : files;
    const { organization, host, origin } = site;
    const { id, projectId, client, ask } = organization;
    const deployment = await deploy(organization, all);
    expect(["success", "failure"]).toContain(deployment.status);
    expect(JSON.stringify(deployment)).not.toMatch(/went wrong|internal|unexpected error/i);
    if (deployment.status === "success" && !deployment.isLive)
      await client(endpoints.rollBack, { params: { id: deployment.id } }).catch(() => {});
    await service.runJobs();

    const admin = await newMember(service, id);
    const pages = ["", `/deployments`, `/deployments/${deployment.id}`, "/analytics"];
    for (const path of pages)
      expect((await admin.get(`${admin.home}/p/${projectId}${path}`)).status).toBeLessThan(500);
    for (const path of [`/v1/projects/${projectId}/deployments`, `/v1/deployments/${deployment.id}`])
      expect((await ask(path)).status).toBeLessThan(500);
    const headers = { ...json, origin, ...fromNewNetwork() };
    for (const path of [
      "/",
      "/index",
      "/index.md",
      "/llms-full.txt",
      "/sitemap.xml",
      "/__proto__",
      "/constructor",
    ])
      expect((await visit(service, host, path)).status).toBeLessThan(500);
    const searched = await send({
      port: service.port,
      method: "POST",
      path: "/_octavo/search",
      host: `${host}:${service.port}`,
      headers,
      body: '{"query":"text"}',
    });
    expect(searched.status).toBe(200);
  });
});
