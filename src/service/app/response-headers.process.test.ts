/**
 * Responses of all operations have exactly the headers that the API's description declares. `send` compares
 * them.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { operatorToken, type Sent, send } from "../../../test/service/service.ts";
import { newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import type { Endpoint } from "../core/endpoint.ts";
import { endpoints } from "./endpoints.ts";

const all = Object.values(endpoints) as Endpoint[];
let service: OpenTestService;
let site: TestSite;

beforeAll(async () => {
  service = await openTestService({ env: trusting });
  site = await newSite(service);
});
afterAll(() => service?.stop());

/** Returns a request with IDs that exist for projects and organizations, but not for others. */
function requestOf({ method, path, body, caller }: Endpoint, text = ""): Omit<Sent, "port"> {
  const { projectId, id, key, subdomain } = site.organization;
  const ids: Record<string, string> = { projectId, organizationId: id, domain: subdomain };
  const token = { admin: key, assistant: site.key, operator: operatorToken }[caller];
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": body.type } : {}) },
    ...(body ? { body: text } : {}),
  };
}

test.each(all.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  "the headers of %s are declared",
  async (_name, endpoint) => {
    const request = requestOf(endpoint);
    const { port } = service;
    const answers = [await send({ port, ...request, headers: {} })];
    expect(answers[0]!.status).toBe(401);

    const otherMethod = await send({ port, ...request, method: "PUT" });
    expect([otherMethod.status, otherMethod.headers.allow]).toEqual([
      405,
      expect.stringContaining(endpoint.method),
    ]);

    // Deletions of what other operations need are only sent with other IDs.
    const isDestructive = endpoint.method === "DELETE" || endpoint.operationId === "changeOrganization";
    if (!isDestructive) answers.push(await send({ port, ...request }));
    if (endpoint.params)
      for (const id of ["%", "x".repeat(400), "unknown"])
        answers.push(await send({ port, ...request, path: endpoint.path.replace(/\{\w+\}/g, id) }));
    answers.push(await send({ port, ...request, path: `${request.path}?unknown=1` }));

    for (const { status, headers } of answers)
      if (status < 300) expect("ratelimit" in headers).toBe(endpoint.rateLimit !== undefined);
  },
);

test.each([
  ["startStaticExport", () => JSON.stringify({ domain: `${site.organization.subdomain}.localhost` }), 202],
  ["triggerUpdate", "", 202],
  ["searchSite", JSON.stringify({ query: "widgets" }), 200],
  ["askAssistant", () => question, 200],
] as const)("%s sends its headers", async (id, body, status) => {
  const endpoint = all.find(({ operationId }) => operationId === id)!;
  const text = typeof body === "function" ? body() : body;
  const answer = await send({ port: service.port, ...requestOf(endpoint, text) });
  expect(answer.status, answer.text).toBe(status);
});

const question = JSON.stringify({
  messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "How do I install Acme?" }] }],
});

test("exceeded limits are declared, too", async () => {
  const endpoint = all.find(({ operationId }) => operationId === "triggerPreview")!;
  const statuses = new Set<number>();
  for (let i = 0; i < 12; i++)
    statuses.add((await send({ port: service.port, ...requestOf(endpoint, "{}") })).status);
  expect([...statuses]).toContain(429);
});
