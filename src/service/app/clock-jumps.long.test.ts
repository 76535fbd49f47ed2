/**
 * The clock of a service jumps forward and back while it runs, so that it differs from the database's:
 * sessions, pages of lists, jobs, and limits still work, and nothing that was acknowledged is lost.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import {
  newOrganization,
  type RunningService,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";

const day_ms = 24 * 3_600_000;
const preload = path.resolve("test/service/clock.cjs");
const folder = mkdtempSync(path.join(tmpdir(), "octavo-clock-"));
const clock = path.join(folder, "clock");

let service: RunningService;
let organization: TestOrganization;
let member: Member;
let host: string;

afterEach(async () => {
  await service.stop();
  rmSync(clock, { force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(databaseUrl: string | undefined, dataFolder?: string): Promise<void> {
  service = await startService({
    ...(dataFolder === undefined ? {} : { dataFolder }),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    env: { NODE_OPTIONS: `--require ${preload}`, TEST_CLOCK: clock },
  });
  organization = await newOrganization(service);
  member = await newMember(service, organization.id, "admin");
  host = `${organization.subdomain}.localhost`;
}

/** Sets the service's clock to the real time and a difference. */
async function jump(days: number): Promise<void> {
  writeFileSync(clock, String(days * day_ms));
  service.process.kill("SIGUSR2");
  await wait(200);
}

async function deployNumber(number: number): Promise<string> {
  const deployment = await deploy(organization, docs(`Version ${number}`));
  expect(deployment.status).toBe("success");
  await service.until(async () => (await visit(service, host)).text.includes(`Version ${number}`));
  return deployment.id;
}

/** IDs of all deployments, read in pages of two. */
async function listed(): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ; ) {
    const { status, json } = await organization.ask(
      `/v1/projects/${organization.projectId}/deployments?limit=2${cursor}`,
    );
    expect(status).toBe(200);
    for (const { id } of json.deployments) ids.push(id);
    if (!json.hasMore) return ids;
    cursor = `&cursor=${json.nextCursor}`;
  }
}

const limited = async () => {
  const list = `/v1/analytics/${organization.projectId}/assistant?limit=1`;
  const statuses = new Set<number>();
  for (let i = 0; i < 110; i++) statuses.add((await organization.ask(list)).status);
  return statuses;
};

describe.each([
  ["PostgreSQL", createDatabase],
  ["the embedded database", async () => undefined],
])("with %s", (_name, database) => {
  beforeEach(async () => start(await database()), 120_000);

  test.each([
    ["forward", [2, 0]],
    ["back", [-2, 0]],
    ["back and forward", [-1, 1, 0]],
  ])("the clock jumps %s", { timeout: 240_000 }, async (_direction, jumps) => {
    const deployed = [await deployNumber(0)];
    for (const [index, days] of jumps.entries()) {
      await jump(days);
      expect((await visit(service, host)).text).toContain(`Version ${index}`);
      expect((await member.get(member.home)).status).toBe(200);
      // The sign-in isn't recent anymore, or the clock is as it was then.
      const { status } = await member.ask("/dashboard/account/passkeys/new");
      expect(status).toBe(days === 0 ? 200 : 303);
      expect((await member.submit(`${member.home}/settings`, { name: `Name ${index}` })).text).toContain(
        "Settings saved.",
      );
      // The job starts at once, and the newest deployment is live.
      deployed.push(await deployNumber(index + 1));
    }
    expect((await listed()).sort()).toEqual([...deployed].sort());
    expect([...(await limited())].sort()).toEqual([200, 429]);
  });
});

test("a service starts with a clock that is behind its data", { timeout: 240_000 }, async () => {
  const databaseUrl = await createDatabase();
  const dataFolder = mkdtempSync(path.join(folder, "data-"));
  await start(databaseUrl, dataFolder);
  await jump(3);
  const before = await deployNumber(1);
  await service.stop();
  const { port } = service;
  service = await startService({ databaseUrl, dataFolder, port });
  expect((await visit(service, host)).text).toContain("Version 1");
  const after = await deployNumber(2);
  expect((await listed()).sort()).toEqual([before, after].sort());
  expect((await member.get(member.home)).status).toBe(200);
});
