/**
 * Kills the service with SIGKILL at random times during writes, restarts it, and checks that all acknowledged
 * writes are stored.
 */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ulidMaker, ulidTime } from "../../src/base/ulid.ts";
import { endpoints } from "../../src/service/app/endpoints.ts";
import { freePort } from "./postgres.ts";
import {
  clientFor,
  newOrganization,
  operatorToken,
  type RunningService,
  send,
  startService,
  type TestOrganization,
} from "./service.ts";

export interface KillResult {
  kills: number;
  acknowledged: number;
  lost: string[];
  /** Maximum time from a start to the first response, in milliseconds. */
  slowestStart_ms: number;
}

export async function killServer(count: number, databaseUrl?: string): Promise<KillResult> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "octavo-kill-"));
  const result: KillResult = { kills: 0, acknowledged: 0, lost: [], slowestStart_ms: 0 };
  const port = await freePort();
  const start = async () => {
    const began = performance.now();
    const service = await startService({
      dataFolder,
      port,
      ...(databaseUrl ? { databaseUrl } : {}),
      env: { OCTAVO_ANALYTICS_LIMIT: "1000000000" },
    });
    result.slowestStart_ms = Math.max(result.slowestStart_ms, performance.now() - began);
    return service;
  };
  const acknowledged = { rows: new Set<string>(), keys: new Set<string>() };
  let service = await start();
  try {
    const organization = await newOrganization(service);
    for (; result.kills < count; result.kills++) {
      const before = acknowledged.rows.size;
      const writing = writeUntilItEnds(service, organization, acknowledged);
      // Waits for the first acknowledged write, because killing the service earlier would test nothing.
      while (acknowledged.rows.size === before) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
      service.process.kill("SIGKILL");
      await Promise.all([writing, ended(service)]);
      service = await start();
      result.lost.push(...(await missing(service, organization, acknowledged)));
    }
    result.acknowledged = acknowledged.rows.size + acknowledged.keys.size;
    return result;
  } finally {
    await service.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function writeUntilItEnds(
  service: RunningService,
  { id, projectId, key }: TestOrganization,
  acknowledged: { rows: Set<string>; keys: Set<string> },
) {
  const next = ulidMaker(Date.now, randomBytes);
  const operator = clientFor(service.port, operatorToken);
  for (;;) {
    const ids = Array.from({ length: 5 }, next);
    const body = ids.map((each) => JSON.stringify(row(each))).join("\n");
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" };
    const answer = await send({
      port: service.port,
      method: "POST",
      path: `/v1/analytics/${projectId}/assistant/import`,
      body,
      headers,
    }).catch(() => undefined);
    if (answer === undefined) return;
    if (answer.status === 200) for (const each of ids) acknowledged.rows.add(each);
    const created = await operator(endpoints.createKey, {
      params: { organizationId: id },
      body: { name: "kept" },
    }).catch(() => undefined);
    if (created === undefined) return;
    acknowledged.keys.add(created.id);
  }
}

async function missing(
  service: RunningService,
  { id, projectId, key }: TestOrganization,
  acknowledged: { rows: Set<string>; keys: Set<string> },
): Promise<string[]> {
  const stored = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = `?limit=1000${cursor ? `&cursor=${cursor}` : ""}`;
    const { json } = await send({
      port: service.port,
      path: `/v1/analytics/${projectId}/assistant${query}`,
      headers: { authorization: `Bearer ${key}` },
    });
    for (const { id: each } of json.conversations as { id: string }[]) stored.add(each);
    cursor = json.nextCursor;
  }
  const { keys } = await service.operator(endpoints.listKeys, { params: { organizationId: id } });
  for (const { id: each } of keys) stored.add(each);
  return [...acknowledged.rows, ...acknowledged.keys].filter((each) => !stored.has(each));
}

function row(id: string) {
  const timestamp = new Date(ulidTime(id)).toISOString();
  return {
    id,
    timestamp,
    query: "q",
    response: "r",
    sources: [],
    resolutionStatus: "answered",
    queryCategory: null,
    pageUrl: null,
  };
}

function ended({ process: child }: RunningService): Promise<void> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()));
}
