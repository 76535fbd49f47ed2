/**
 * Kills processes of a service with two web processes, two workers, PostgreSQL and, if it is installed, S3,
 * while clients change data through both web processes. Nothing that was acknowledged is lost, and no job
 * fails because of a kill. OCTAVO_KILLS sets the number of kills.
 */

import { execFileSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { docs, ended, upload, visit } from "../../../test/service/deploying.ts";
import { download, ended as exported, start as startExport } from "../../../test/service/exports.ts";
import {
  clientFor,
  newOrganization,
  operatorToken,
  type RunningService,
  send,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { until } from "../../../test/service/until.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { missingSwift, startSwift } from "../../../test/shared/swift.js";
import { ulidMaker, ulidTime } from "../../base/ulid.ts";
import { endpoints } from "./endpoints.ts";

const kills = Number(process.env.OCTAVO_KILLS ?? 6);

const why = missingSwift();
if (why) console.error(`S3 is left out of the test of killed processes: ${why}`);

type Role = "web" | "worker";
interface Member {
  role: Role;
  service: RunningService;
  restart(): Promise<void>;
}

let swift: Awaited<ReturnType<typeof startSwift>> | undefined;
const fleet: Member[] = [];
let organization: TestOrganization;

beforeAll(async () => {
  swift = why ? undefined : await startSwift();
  await swift?.createBucket("octavo-fleet");
  const shared = {
    databaseUrl: await createDatabase(),
    secret: "shared by all processes of this test, long enough to be one",
    storage: swift?.storage("octavo-fleet") ?? `file:${temporaryFolder()}`,
    env: { ...swift?.env, OCTAVO_ANALYTICS_LIMIT: "1000000000" },
  };
  for (const role of ["web", "web", "worker", "worker"] as const) {
    const dataFolder = temporaryFolder();
    const member: Member = {
      role,
      service: await startService({ ...shared, role, dataFolder }),
      async restart() {
        member.service = await startService({ ...shared, role, dataFolder, port: member.service.port });
      },
    };
    fleet.push(member);
  }
  organization = await newOrganization(fleet[0]!.service);
}, 300_000);
afterAll(async () => {
  for (const { service } of fleet) await service.stop();
  await swift?.stop();
});

const webs = () => fleet.filter(({ role }) => role === "web");

/** The same organization, with requests to a random web process. */
function anyWeb(): TestOrganization {
  const { port } = webs()[randomInt(2)]!.service;
  const ask: TestOrganization["ask"] = (path, more = {}) =>
    send({ port, path, ...more, headers: { authorization: `Bearer ${organization.key}`, ...more.headers } });
  return { ...organization, ask, client: clientFor(port, organization.key) };
}

async function kill(service: RunningService): Promise<void> {
  const gone = new Promise((resolve) => service.process.once("exit", resolve));
  service.process.kill("SIGKILL");
  await gone;
}

/** Kills the build processes of a worker. Returns whether there were any. */
function killBuilds({ process: { pid } }: RunningService): boolean {
  const children = spawnedBy(pid!);
  for (const child of children)
    try {
      process.kill(child, "SIGKILL");
    } catch {
      // It has just ended.
    }
  return children.length > 0;
}

function spawnedBy(pid: number): number[] {
  try {
    return execFileSync("ps", ["--ppid", String(pid), "-o", "pid="])
      .toString()
      .trim()
      .split(/\s+/)
      .map(Number);
  } catch {
    return [];
  }
}

const acknowledged = {
  rows: new Set<string>(),
  keys: new Set<string>(),
  deployments: new Set<string>(),
  exports: new Set<string>(),
};
let isOver = false;

/**
 * Repeats a change until the test is over. Requests that fail because a process was killed aren't
 * acknowledged.
 */
async function repeat(pause_ms: number, change: (count: number) => Promise<unknown>): Promise<void> {
  for (let count = 1; !isOver; count++) {
    await change(count).catch(() => {});
    await wait(pause_ms);
  }
}

const nextId = ulidMaker(Date.now, randomBytes);

const changes = () => [
  repeat(100, async () => {
    const id = nextId();
    const timestamp = new Date(ulidTime(id)).toISOString();
    const row = {
      id,
      timestamp,
      query: "q",
      response: "r",
      sources: [],
      resolutionStatus: "answered",
      queryCategory: null,
      pageUrl: null,
    };
    const headers = { "content-type": "application/x-ndjson" };
    const path = `/v1/analytics/${organization.projectId}/assistant/import`;
    if ((await anyWeb().ask(path, { method: "POST", body: JSON.stringify(row), headers })).status === 200)
      acknowledged.rows.add(id);
  }),
  repeat(300, async () => {
    const operator = clientFor(webs()[randomInt(2)]!.service.port, operatorToken);
    const params = { organizationId: organization.id };
    acknowledged.keys.add((await operator(endpoints.createKey, { params, body: { name: "kept" } })).id);
  }),
  // Each waits for its last job, so that the queue stays short.
  repeat(200, async (count) => {
    const { status, json } = await upload(anyWeb(), tarOf(docs(`Text ${count}`)));
    if (status !== 202) return;
    acknowledged.deployments.add(json.id);
    await until(async () => isOver || (await hasEnded(`/v1/deployments/${json.id}`)), 300_000, 300);
  }),
  repeat(200, async (count) => {
    const { status, json } = await startExport(anyWeb(), {
      domain: `${organization.subdomain}.localhost`,
      version: `v${count}`,
    });
    if (status !== 202) return;
    acknowledged.exports.add(json.jobId);
    await until(async () => isOver || (await hasEnded(`/v1/static-export/jobs/${json.jobId}`)), 300_000, 300);
  }),
];

async function hasEnded(path: string): Promise<boolean> {
  const answer = await anyWeb()
    .ask(path)
    .catch(() => undefined);
  return ["success", "failure", "completed", "failed"].includes(answer?.json?.status);
}

test(`${kills} kills of web processes, workers and builds: nothing acknowledged is lost, and no job fails`, {
  timeout: kills * 60_000 + 600_000,
}, async () => {
  const first = await ended(
    organization,
    (await upload(organization, tarOf(docs("Text 0")))).json.id,
    120_000,
  );
  expect(first.status).toBe("success");
  const running = changes();
  const killed = { web: 0, worker: 0, build: 0 };
  for (let count = 0; count < kills; count++) {
    await wait(randomInt(300, 3_000));
    const member = fleet[count % fleet.length]!;
    // Every third kill of a worker is one of its builds.
    const isBuild = member.role === "worker" && count % 3 === 0;
    if (isBuild) await until(async () => killBuilds(member.service), 120_000, 20);
    else {
      await kill(member.service);
      await member.restart();
    }
    killed[isBuild ? "build" : member.role]++;
  }
  isOver = true;
  await Promise.all(running);

  const states: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const id of acknowledged.deployments) {
    const { status, summary } = await ended(anyWeb(), id, 300_000);
    if (status !== "success" || /error/.test(summary ?? "")) failures.push({ id, status, summary });
    states[`deployment ${status}`] = (states[`deployment ${status}`] ?? 0) + 1;
  }
  for (const id of acknowledged.exports) {
    const { status, error } = await exported(anyWeb(), id, [], 300_000);
    if (status !== "completed") failures.push({ id, status, error });
    states[`export ${status}`] = (states[`export ${status}`] ?? 0) + 1;
  }
  console.info(
    "killed",
    killed,
    "acknowledged rows",
    acknowledged.rows.size,
    "keys",
    acknowledged.keys.size,
    states,
  );
  expect(failures).toEqual([]);
  const last = [...acknowledged.exports].at(-1);
  if (last) await download(organization, last);

  const stored = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = `?limit=1000${cursor ? `&cursor=${cursor}` : ""}`;
    const { json } = await anyWeb().ask(`/v1/analytics/${organization.projectId}/assistant${query}`);
    for (const { id } of json.conversations as { id: string }[]) stored.add(id);
    cursor = json.nextCursor;
  }
  const { keys } = await fleet[0]!.service.operator(endpoints.listKeys, {
    params: { organizationId: organization.id },
  });
  for (const { id } of keys) stored.add(id);
  expect([...acknowledged.rows, ...acknowledged.keys].filter((id) => !stored.has(id))).toEqual([]);
  // Both serve the deployment with the highest number.
  const newest = [...acknowledged.deployments].sort().at(-1);
  const { json } = await organization.ask(`/v1/projects/${organization.projectId}`);
  if (newest) expect(json.liveDeploymentId).toBe(newest);
  for (const { service } of webs())
    await until(
      async () => (await visit(service, `${organization.subdomain}.localhost`)).text.includes("Text "),
      30_000,
    );
  expect(acknowledged.rows.size).toBeGreaterThan(kills);
});
