/**
 * Exactly the operations that declare `Idempotency-Key` honor it: a repeated request gets the same response
 * and has no further effect.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { docs } from "../../../test/service/deploying.ts";
import { allowReceivers } from "../../../test/service/event-receiver.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { operatorToken, type Sent, send } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { newSite, type TestSite } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import type { Endpoint } from "../core/endpoint.ts";
import { endpoints } from "./endpoints.ts";

const all = Object.values(endpoints) as Endpoint[];
let service: OpenTestService;
let site: TestSite;

beforeAll(async () => {
  service = await openTestService({ env: { ...allowReceivers, OCTAVO_GIT_ALLOW: "http private" } });
  site = await newSite(service);
});
afterAll(() => service?.stop());

/** Bodies that the operations accept, each with a variant that has a different effect. */
const bodies: Record<string, (variant: number) => object | Uint8Array | undefined> = {
  createDeployment: (variant) => tarOf(docs(`Text ${variant}`)),
  triggerUpdate: () => undefined,
  triggerPreview: (variant) => ({ branch: `branch-${variant}` }),
  startStaticExport: (variant) => ({
    domain: `${site.organization.subdomain}.localhost`,
    version: `v${variant}`,
  }),
  addDomain: (variant) => ({ domain: `docs${variant}.${site.organization.subdomain}.example` }),
  createWebhook: (variant) => ({ url: `http://127.0.0.1:9999/${variant}`, events: ["deployment.failed"] }),
  createOrganization: (variant) => ({ name: `Acme ${variant}`, plan: "free" }),
  createOwnProject: (variant) => ({ name: "x", subdomain: `y${variant}-${site.organization.subdomain}` }),
  createProject: (variant) => ({ name: "x", subdomain: `x${variant}-${site.organization.subdomain}` }),
  createKey: (variant) => ({ name: `Key ${variant}` }),
  createInvitation: (variant) => ({ email: `ana${variant}@example.com`, role: "viewer" }),
};

function call({ method, path, body, caller }: Endpoint, content: unknown, key: string) {
  const { organization } = site;
  const ids: Record<string, string> = {
    projectId: organization.projectId,
    organizationId: organization.id,
    domain: organization.subdomain,
  };
  const token = { admin: organization.key, assistant: site.key, operator: operatorToken }[caller];
  const sent: Sent = {
    port: service.port,
    method,
    path: path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    headers: {
      authorization: `Bearer ${token}`,
      "idempotency-key": key,
      ...(body ? { "content-type": body.type } : {}),
    },
    ...(content === undefined
      ? {}
      : { body: content instanceof Uint8Array ? content : JSON.stringify(content) }),
  };
  return send(sent);
}

/** Number of rows in the tables of what operations create. */
async function countRows(): Promise<number[]> {
  const tables = [
    "organizations",
    "projects",
    "api_keys",
    "invitations",
    "domains",
    "webhooks",
    "deployments",
    "static_export_jobs",
    "jobs",
  ] as const;
  return Promise.all(
    tables.map(async (table) => {
      const { count } = await service.service.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    }),
  );
}

const declared = all.filter(({ isIdempotent }) => isIdempotent);

test("operations that create something declare the header", () => {
  expect(declared.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(bodies).sort());
  const creating = all.filter(({ success, caller }) => success.status === 201 && caller !== "assistant");
  // A repeated request to these has no further effect.
  const repeatable = ["addOperator", "addOperatorDomain"];
  expect(
    creating.filter(
      ({ operationId, isIdempotent }) => !isIdempotent && !repeatable.includes(operationId as string),
    ),
  ).toEqual([]);
});

test.each(declared.map((endpoint) => [endpoint.operationId as string, endpoint] as const))(
  "%s: a repeated request gets the first response",
  async (name, endpoint) => {
    if (name === "triggerPreview")
      await site.organization.ask(`/v1/projects/${site.organization.projectId}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          source: { kind: "git", url: "https://example.com/docs.git", branch: "main" },
        }),
      });
    const malformed = await call(endpoint, bodies[name]!(1), "a".repeat(256));
    expect([malformed.status, malformed.json.details?.[0].message]).toEqual([
      400,
      "Idempotency-Key must be 1 to 255 visible ASCII characters",
    ]);

    const first = await call(endpoint, bodies[name]!(1), "key");
    expect(first.status, first.text).toBe(endpoint.success.status);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    const before = await countRows();
    const again = await call(endpoint, bodies[name]!(1), "key");
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.headers.location).toBe(first.headers.location);
    expect(await countRows()).toEqual(before);

    if (!endpoint.body) return;
    const reused = await call(endpoint, bodies[name]!(2), "key");
    expect(reused.status, reused.text).toBe(422);
    expect(await countRows()).toEqual(before);
  },
);

test.each(
  all
    .filter(({ isIdempotent }) => !isIdempotent)
    .map((endpoint) => [endpoint.operationId, endpoint] as const),
)("%s ignores the header", async (_name, endpoint) => {
  if (endpoint.method === "DELETE") return;
  const answer = await call(endpoint, endpoint.body ? {} : undefined, "a".repeat(256));
  expect(answer.text).not.toContain("Idempotency-Key");
});

test("nothing is stored of an archive whose upload is repeated", async () => {
  const { objects } = service.service;
  const endpoint = declared.find(({ operationId }) => operationId === "createDeployment")!;
  const deleted: string[] = [];
  const { delete: remove } = objects;
  objects.delete = async (key) => {
    deleted.push(key);
    await remove.call(objects, key);
  };
  const [one, two] = await Promise.all(
    [1, 2].map(() => call(endpoint, tarOf(docs("Concurrent")), "concurrent")),
  );
  objects.delete = remove;
  const statuses = [one!.status, two!.status].sort();
  // Both requests received the archive. If the second one found the first in progress, it's refused.
  expect([
    [202, 202],
    [202, 409],
  ]).toContainEqual(statuses);
  if (one!.status === two!.status) expect(one!.text).toBe(two!.text);
  expect(deleted.length).toBeLessThanOrEqual(1);
});

test("stored responses don't contain secrets in plain text", async () => {
  const key = await call(
    all.find(({ operationId }) => operationId === "createKey")!,
    { name: "Secret" },
    "secret",
  );
  const rows = await service.service.db.selectFrom("idempotency_keys").select("response").execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(key.json.key);
  expect(JSON.stringify(rows)).not.toContain("whsec_");
});
