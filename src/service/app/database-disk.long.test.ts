/**
 * PostgreSQL on a full disk: sites and reads are served, changes are refused with 503, and everything that was
 * acknowledged is there when the disk has space again. The disk is a small file system in memory.
 */

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { startPostgres, type TestPostgres } from "../../../test/service/postgres.ts";
import {
  newOrganization,
  type RunningService,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { startService } from "../../../test/shared/service.ts";
import { ulidMaker, ulidTime } from "../../base/ulid.ts";

const disk_bytes = 40_000_000;
const canMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

const disk = mkdtempSync(path.join(tmpdir(), "octavo-database-disk-"));
let postgres: TestPostgres;
let admin: pg.Client;
let service: RunningService;
let organization: TestOrganization;

beforeAll(async () => {
  if (!canMount) return;
  postgres = await startPostgres({ folder: disk, bytes: disk_bytes });
  const databaseUrl = await postgres.createDatabase();
  const name = new URL(databaseUrl).pathname.slice(1);
  await query(postgres.url, `create tablespace small location '${disk}'`);
  await query(postgres.url, `alter database ${name} set tablespace small`);
  service = await startService({ databaseUrl });
  organization = await newOrganization(service);
  admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await admin?.end();
  await postgres?.stop();
  rmSync(disk, { recursive: true, force: true });
});

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  return client.query<Record<string, unknown>>(statement).finally(() => client.end());
}

/** Uses all space of the disk, in smaller and smaller steps. */
async function fill(): Promise<void> {
  await admin.query("create table filler (line text)");
  await admin.query("alter table filler alter line set storage plain");
  for (const count of [10_000, 1_000, 100, 10, 1])
    for (let isFull = false; !isFull; )
      isFull = await admin
        .query(`insert into filler select repeat('x', 3000) from generate_series(1, ${count})`)
        .then(() => false)
        .catch((error: { code: string }) => error.code === "53100");
}

const newId = ulidMaker(Date.now, randomBytes);

/** Imports a conversation of 200 KB, which doesn't fit in the free space of the tables. */
async function write() {
  const id = newId();
  const line = {
    id,
    timestamp: new Date(ulidTime(id)).toISOString(),
    query: "q",
    response: randomBytes(100_000).toString("hex"),
    sources: [],
    resolutionStatus: "answered",
    queryCategory: null,
    pageUrl: null,
  };
  const answer = await organization.ask(`/v1/analytics/${organization.projectId}/assistant/import`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: JSON.stringify(line),
  });
  return { ...answer, id };
}

test.skipIf(!canMount)("a full disk of the database", { timeout: 180_000 }, async () => {
  const host = `${organization.subdomain}.localhost`;
  expect((await deploy(organization, docs("Before"))).status).toBe("success");
  await service.until(async () => (await visit(service, host)).text.includes("Before"));
  const first = await write();
  expect(first.status).toBe(200);

  await fill();
  for (let i = 0; i < 10; i++) {
    const { status, headers, json } = await write();
    expect([status, headers["retry-after"]]).toEqual([503, expect.any(String)]);
    expect(json.error).toContain("out of disk space");
  }
  expect((await visit(service, host)).text).toContain("Before");
  const list = `/v1/analytics/${organization.projectId}/assistant?limit=100`;
  expect((await organization.ask("/v1/projects")).status).toBe(200);
  // This read counts toward a rate limit, which is a change.
  expect((await organization.ask(list)).status).toBe(503);

  await admin.query("drop table filler");
  const last = await write();
  expect(last.status).toBe(200);
  const { json } = await organization.ask(list);
  const ids = json.conversations.map(({ id }: { id: string }) => id);
  expect(ids.sort()).toEqual([first.id, last.id]);
  expect((await deploy(organization, docs("After"))).status).toBe("success");
  await service.until(async () => (await visit(service, host)).text.includes("After"));
});
