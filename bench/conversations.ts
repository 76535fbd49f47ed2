/**
 * npm run bench -- --conversations [--rows 1000000] Response time of the conversation export at different
 * depths, on both databases, compared with the plain SQL query.
 */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { ulidMaker, ulidTime } from "../src/base/ulid.ts";
import { openDatabase } from "../src/io/postgres.ts";
import { startPostgres } from "../test/service/postgres.ts";
import {
  newOrganization,
  type RunningService,
  send,
  startService,
  type TestOrganization,
} from "../test/service/service.ts";
import { type LoadResult, load } from "./load.ts";
import { root } from "./workspace.ts";

const start_ms = Date.UTC(2024, 0, 1);
const span_ms = 2 * 365 * 24 * 3_600_000;
const rate = 50;
const seconds = 10;

export async function benchConversations(rows: number): Promise<void> {
  console.log(`Node ${process.versions.node}, ${availableParallelism()} cores`);
  console.log(
    `${rows} conversations; pages of 100, ${rate} requests per second for ${seconds} s each; times in ms\n`,
  );
  await benchOn("PGlite", rows);
  await benchOn("PostgreSQL", rows);
}

async function benchOn(name: string, rows: number): Promise<void> {
  const postgres = name === "PGlite" ? undefined : await startPostgres();
  const databaseUrl = await postgres?.createDatabase();
  const dataFolder = mkdtempSync(path.join(tmpdir(), "octavo-bench-"));
  const service = await startService({
    ...(databaseUrl ? { databaseUrl } : {}),
    dataFolder,
    env: { OCTAVO_ANALYTICS_LIMIT: "1000000000" },
  });
  const organization = await newOrganization(service);
  try {
    const began = performance.now();
    const ids = await fillConversations(service, organization, rows);
    const import_s = (performance.now() - began) / 1_000;
    console.log(`## ${name}: imported ${Math.round(rows / import_s)} rows per second\n`);
    console.log("| page | p50 | p99 | max | errors |\n| --- | --- | --- | --- | --- |");
    const results: [string, LoadResult][] = [];
    for (const [label, queries] of Object.entries(pagesOf(ids))) {
      const result = await load({
        rate,
        seconds,
        requests: queries.map((query) => ({
          url: `${service.url}/v1/analytics/${organization.projectId}/assistant?limit=100${query}`,
          headers: { host: `localhost:${service.port}`, authorization: `Bearer ${organization.key}` },
        })),
      });
      results.push([label, result]);
      const refused = Object.entries(result.statuses).filter(([status]) => status !== "200").length;
      console.log(
        `| ${label} | ${result.p50_ms.toFixed(1)} | ${result.p99_ms.toFixed(1)} | ${result.max_ms.toFixed(1)} | ${result.errors + refused} |`,
      );
    }
    const [first, deepest] = [results[0]![1], results.at(-3)![1]];
    console.log(
      `\nDeepest compared with first page: p50 ${(deepest.p50_ms / first.p50_ms).toFixed(2)}, p99 ${(deepest.p99_ms / first.p99_ms).toFixed(2)}`,
    );
    await scanWhileRowsArrive(service, organization, ids);
    await service.stop();
    await plainQuery(databaseUrl, dataFolder, organization.projectId, ids);
  } finally {
    if (service.process.exitCode === null) await service.stop();
    await postgres?.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/**
 * Query strings of the measured pages, by name of the measurement. `ids`: IDs of the conversations, oldest
 * first. The export starts with the newest.
 */
function pagesOf(ids: readonly string[]): Record<string, string[]> {
  const at = (share: number) => `&cursor=${ids[Math.floor((ids.length - 1) * (1 - share))]}`;
  const day = (share: number) => new Date(start_ms + span_ms * share).toISOString().slice(0, 10);
  return {
    first: [""],
    "depth 25 %": [at(0.25)],
    "depth 50 %": [at(0.5)],
    "any depth": Array.from({ length: 97 }, (_, n) => at(((n * 61) % 97) / 97)),
    deepest: [`&cursor=${ids[100]}`],
    "with dates": Array.from(
      { length: 50 },
      (_, n) => `&dateFrom=${day(n / 100)}&dateTo=${day(0.5 + n / 100)}`,
    ),
    "with dates, deep": Array.from({ length: 50 }, (_, n) => `&dateFrom=${day(0.05)}${at(0.9 - n / 1_000)}`),
  };
}

/** Imports conversations through the API. Resolves with their IDs, oldest first. */
export async function fillConversations(
  service: RunningService,
  organization: TestOrganization,
  rows: number,
): Promise<string[]> {
  let now = start_ms;
  const next = ulidMaker(() => Math.floor(now), randomBytes);
  const ids: string[] = [];
  const lines = async function* () {
    for (let n = 0; n < rows; n += 500) {
      const chunk: string[] = [];
      for (let i = n; i < Math.min(rows, n + 500); i++) {
        now += span_ms / rows;
        const id = next();
        ids.push(id);
        chunk.push(line(id, i));
      }
      yield `${chunk.join("\n")}\n`;
    }
  };
  const answer = await post(service, organization, Readable.from(lines()));
  if (answer.added !== rows) throw new Error(`Imported ${JSON.stringify(answer).slice(0, 500)}`);
  return ids;
}

function line(id: string, n: number): string {
  return JSON.stringify({
    id,
    timestamp: new Date(ulidTime(id)).toISOString(),
    query: `How do I configure option ${n % 1_000} of the command line?`,
    response: `Set it in the settings file, then restart. ${"It takes effect for every page of the site. ".repeat(6)}`,
    sources: [{ title: "Settings", url: "https://docs.example.com/settings" }],
    resolutionStatus: n % 7 ? "answered" : "unanswered",
    queryCategory: n % 3 ? "Settings" : null,
    pageUrl: "https://docs.example.com/settings",
  });
}

function post(
  service: RunningService,
  { projectId, key }: TestOrganization,
  body: Readable,
): Promise<{ added: number }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port: service.port,
        method: "POST",
        path: `/v1/analytics/${projectId}/assistant/import`,
        headers: {
          host: `localhost:${service.port}`,
          authorization: `Bearer ${key}`,
          "content-type": "application/x-ndjson",
        },
      },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () =>
          response.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text)),
        );
      },
    );
    outgoing.on("error", reject);
    body.pipe(outgoing);
  });
}

/**
 * Checks that an export returns each row that existed at its start exactly once while new rows are inserted.
 */
async function scanWhileRowsArrive(
  service: RunningService,
  organization: TestOrganization,
  ids: readonly string[],
): Promise<void> {
  const next = ulidMaker(Date.now, randomBytes);
  let isScanning = true;
  let arrived = 0;
  const arriving = (async () => {
    while (isScanning) {
      const batch = Array.from({ length: 20 }, () => line(next(), 0));
      arrived += (await post(service, organization, Readable.from([batch.join("\n")]))).added;
    }
  })();
  const seen = new Set<string>();
  let repeated = 0;
  const began = performance.now();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const answer = await send({
      port: service.port,
      path: `/v1/analytics/${organization.projectId}/assistant?limit=1000${cursor ? `&cursor=${cursor}` : ""}`,
      headers: { authorization: `Bearer ${organization.key}` },
    });
    for (const { id } of answer.json.conversations as { id: string }[]) {
      if (seen.has(id)) repeated++;
      seen.add(id);
    }
    cursor = answer.json.nextCursor;
  }
  const took_s = (performance.now() - began) / 1_000;
  isScanning = false;
  await arriving;
  const missing = ids.filter((id) => !seen.has(id)).length;
  console.log(
    `Full scan in pages of 1,000 while ${arrived} rows arrived: ${took_s.toFixed(1)} s, ${repeated} repeated, ${missing} missing\n`,
  );
}

/** Measures the plain SQL query for the same pages, in this process. */
async function plainQuery(
  url: string | undefined,
  folder: string,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  const database = url
    ? undefined
    : await openDatabase({
        folder,
        script: path.join(root, "dist/database.js"),
        migrations: path.join(root, "src/io/migrations"),
      });
  const pool = database?.pool ?? new pg.Pool({ connectionString: url, max: 1 });
  const text = "select * from conversations where project_id = $1 and id < $2 order by id desc limit 101";
  const times = async (cursor: (n: number) => string) => {
    const taken: number[] = [];
    for (let n = 0; n < 300; n++) {
      const began = performance.now();
      await pool.query(text, [projectId, cursor(n)]);
      taken.push(performance.now() - began);
    }
    taken.sort((a, b) => a - b);
    return `p50 ${taken[150]!.toFixed(1)}, p99 ${taken[296]!.toFixed(1)}`;
  };
  console.log(
    `Plain query, one at a time: first ${await times(() => "7ZZZZZZZZZZZZZZZZZZZZZZZZZ")}; any depth ${await times((n) => ids[(n * 7919) % ids.length]!)}\n`,
  );
  await (database ? database.close() : pool.end());
}
