/**
 * A network between the service and PostgreSQL that is slow, resets connections, or drops everything: sites
 * stay up, nothing that was acknowledged is lost, and the API works again afterward.
 */

import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { Network } from "../../../test/service/network.ts";
import {
  newOrganization,
  type RunningService,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { ulidMaker, ulidTime } from "../../base/ulid.ts";

let network: Network;
let service: RunningService;
let organization: TestOrganization;
let host: string;

beforeEach(async () => {
  const url = new URL(await createDatabase());
  network = new Network(new URL(url));
  url.port = String(await network.listen());
  url.hostname = "127.0.0.1";
  service = await startService({ databaseUrl: url.href });
  organization = await newOrganization(service);
  host = `${organization.subdomain}.localhost`;
  expect((await deploy(organization, docs("Still here"))).status).toBe("success");
  await service.until(async () => (await visit(service, host)).status === 200);
});
afterEach(async () => {
  network.heal();
  network.delay_ms = 0;
  await service.stop();
  network.stop();
});

const newId = ulidMaker(Date.now, randomBytes);

/** Imports a conversation. Returns its id and the status. */
async function write(): Promise<{ id: string; status: number }> {
  const id = newId();
  const line = {
    id,
    timestamp: new Date(ulidTime(id)).toISOString(),
    query: "q",
    response: "r",
    sources: [],
    resolutionStatus: "answered",
    queryCategory: null,
    pageUrl: null,
  };
  const { status } = await organization.ask(`/v1/analytics/${organization.projectId}/assistant/import`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: JSON.stringify(line),
  });
  return { id, status };
}

async function stored(): Promise<string[]> {
  const { json } = await organization.ask(`/v1/analytics/${organization.projectId}/assistant?limit=1000`);
  return json.conversations.map(({ id }: { id: string }) => id);
}

test("slow", { timeout: 240_000 }, async () => {
  network.delay_ms = 100;
  expect((await visit(service, host)).text).toContain("Still here");
  const { id, status } = await write();
  expect(status).toBe(200);
  expect(await stored()).toContain(id);
  expect((await deploy(organization, docs("Slowly"))).status).toBe("success");
  await service.until(async () => (await visit(service, host)).text.includes("Slowly"));
});

test("connections that are reset", { timeout: 240_000 }, async () => {
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 60; attempt++) {
    const writing = Promise.all([write(), write(), write()]);
    if (attempt % 2) network.reset();
    for (const { id, status } of await writing) {
      statuses.add(status);
      if (status === 200) acknowledged.push(id);
    }
    expect((await visit(service, host)).text).toContain("Still here");
  }
  expect([...statuses].filter((status) => ![200, 500, 503].includes(status))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(50);
  const ids = await stored();
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
});

test("a partition", { timeout: 240_000 }, async () => {
  const before = await write();
  network.partition();
  const hanging = [write(), write()];
  // More than the pool has connections.
  const many = Array.from({ length: 30 }, async () => {
    const sent = await write();
    return sent.status === 503 ? sent : Promise.reject(new Error(String(sent.status)));
  });
  const refused = await Promise.any(many);
  expect(refused.status).toBe(503);
  for (let look = 0; look < 20; look++) expect((await visit(service, host)).text).toContain("Still here");
  network.heal();
  const late = await Promise.all(hanging);
  await expect.poll(async () => (await write()).status, { timeout: 60_000 }).toBe(200);
  const ids = await stored();
  for (const { id, status } of [before, ...late]) if (status === 200) expect(ids).toContain(id);
});
