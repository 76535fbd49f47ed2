/**
 * All operations with a JSON body refuse fields that their schema doesn't have, except those for which
 * clients of other services exist.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { operatorToken, send } from "../../../test/service/service.ts";
import { newSite, type TestSite } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import type { Endpoint } from "../core/endpoint.ts";
import { endpoints } from "./endpoints.ts";

const withJson = (Object.values(endpoints) as Endpoint[]).filter(
  ({ body }) => body?.type === "application/json",
);
let service: OpenTestService;
let site: TestSite;

beforeAll(async () => {
  service = await openTestService();
  site = await newSite(service);
});
afterAll(() => service?.stop());

async function answer(endpoint: Endpoint, body: object) {
  const { projectId, id, key, subdomain } = site.organization;
  const ids: Record<string, string> = { projectId, organizationId: id, domain: subdomain };
  const token = { admin: key, assistant: site.key, operator: operatorToken }[endpoint.caller];
  return send({
    port: service.port,
    method: endpoint.method,
    path: endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

test.each(
  withJson
    .filter(({ body }) => !(body as { allowsUnknown?: true }).allowsUnknown)
    .map((endpoint) => [endpoint.operationId as string, endpoint] as const),
)("%s names the field that it doesn't know, and the nearest that it does", async (_, endpoint) => {
  const { schema } = endpoint.body as unknown as { schema: { properties: object } };
  const [name] = Object.keys(schema.properties);
  const { status, json } = await answer(endpoint, { [`${name}x`]: 1 });
  expect(status).toBe(400);
  expect(json.details.map(({ message }: { message: string }) => message)).toContain(
    `${name}x isn't a known field. Did you mean ${name}?`,
  );
});

test("the assistant accepts what clients of the AI SDK add to the body and to messages", async () => {
  const { status, text } = await answer(endpoints.askAssistant, {
    id: "chat",
    trigger: "submit-message",
    messages: [
      {
        id: "1",
        role: "user",
        metadata: { any: 1 },
        parts: [{ type: "text", text: "How do I install Acme?", state: "done" }],
      },
    ],
  });
  expect(status, text).toBe(200);
});

test("search, pages, the assistant and static exports ignore unknown fields", () => {
  const open = withJson.filter(({ body }) => (body as { allowsUnknown?: true }).allowsUnknown);
  expect(open.map(({ operationId }) => operationId).sort()).toEqual([
    "askAssistant",
    "getPage",
    "searchSite",
    "startStaticExport",
  ]);
});
