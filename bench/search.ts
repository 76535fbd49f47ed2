/**
 * npm run bench -- --search [--pages 1000]
 * Search on a large site: size of the index, and time that a query takes in the engine and over HTTP.
 */

import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { payloadOf } from "../src/engine/search/index-format.ts";
import { SearchIndex } from "../src/engine/search/search-index.ts";
import { searchFilePath } from "../src/layout/site-layout.ts";
import { endpoints } from "../src/service/app/endpoints.ts";
import { newOrganization, startService } from "../test/service/service.ts";
import { page, routeOf, writeCorpus } from "./corpus.ts";
import { deploy } from "./deploy.ts";
import { load } from "./load.ts";
import { measure } from "./measure.ts";
import { root, work } from "./workspace.ts";

const questions = [
  "how to fetch the worker queue",
  "enable gateway filter for webhook",
  "invoice customer token",
  "harbor signal matrix orchard vector copper lantern",
  "why does my deployment fail to load the schema report",
  "account balance channel driver engine filter gateway handler",
  "client.session",
  "createWebhook retries",
  "zephyr and xenon limits",
  "what is an umbra lattice",
  "page 4711",
];

/** The queries that are sent while the questions are typed, one per key press. */
const prefixes = questions.flatMap((text) =>
  Array.from({ length: text.length }, (_, length) => text.slice(0, length + 1)),
);

export async function benchSearch(pages_count: number): Promise<void> {
  const folder = path.join(work, `search-${pages_count}`);
  const out = path.join(work, `search-${pages_count}-out`);
  await rm(out, { recursive: true, force: true });
  writeCorpus(folder, pages_count, "octavo");
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores; ${pages_count} pages with about 5 KB of text\n`,
  );
  const built = await measure(`node ${path.join(root, "bin/octavo.js")} build ${folder} --out ${out}`, {
    cwd: root,
  });
  if (built.code !== 0) throw new Error("The build failed");
  console.log(
    `Build of the whole site: ${built.wall_s.toFixed(1)} s, at most ${built.peak_mb.toFixed(0)} MB\n`,
  );

  const files = ["search", "passages"].map((kind) => sizes(path.join(out, "_octavo", kind, "en")));
  console.log("| | files | KB | KB gzipped | KB gzipped per page |\n| --- | --- | --- | --- | --- |");
  for (const [kind, { count, raw, gzip }] of [
    ["index", files[0]!],
    ["passages, loaded for results", files[1]!],
  ] as const)
    console.log(
      `| ${kind} | ${count} | ${kb(raw)} | ${kb(gzip)} | ${(gzip / 1024 / pages_count).toFixed(2)} |`,
    );

  const loaded: number[] = [];
  const index = await SearchIndex.open(async (name) => {
    const script = readFileSync(path.join(out, searchFilePath(name, { language: "en" })), "utf8");
    loaded.push(gzipSync(script).length);
    return payloadOf(script);
  });
  await index.search({ text: questions[0]!, limit: 8, isTyping: true });
  const first = loaded.reduce((sum, bytes) => sum + bytes, 0);
  console.log(`\nThe first query loads ${loaded.length} files, ${kb(first)} KB gzipped.\n`);
  console.log("| times in ms | p50 | p95 | p99 | max |\n| --- | --- | --- | --- | --- |");
  const engine = async (text: string, isTyping: boolean) => {
    const start = performance.now();
    await index.search({ text, limit: 10, isTyping });
    return performance.now() - start;
  };
  for (const text of questions) await engine(text, false);
  const asked: number[] = [];
  for (let round = 0; round < 40; round++)
    for (const text of questions) asked.push(await engine(text, false));
  row("engine, questions", asked);
  const typed: number[] = [];
  for (let round = 0; round < 3; round++) for (const text of prefixes) typed.push(await engine(text, true));
  row("engine, at each key press", typed);
  await overHttp(pages_count);
}

async function overHttp(pages_count: number): Promise<void> {
  const service = await startService();
  try {
    const organization = await newOrganization(service);
    const key = await service.operator(endpoints.createKey, {
      params: { organizationId: organization.id },
      body: { name: "bench", type: "assistant", projectId: organization.projectId },
    });
    const start = performance.now();
    await deploy(
      organization,
      Object.fromEntries(
        Array.from({ length: pages_count }, (_, i) => [`${routeOf(i)}.mdx`, page(i, pages_count, "octavo")]),
      ),
    );
    console.log(
      `\nDeployed in ${((performance.now() - start) / 1000).toFixed(0)} s; over HTTP, 20 requests per second:\n`,
    );
    const requests = questions.map((query) => ({
      url: `http://127.0.0.1:${service.port}/v1/search/${organization.subdomain}`,
      method: "POST",
      headers: {
        host: `localhost:${service.port}`,
        authorization: `Bearer ${key.key}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ query, pageSize: 10 }),
    }));
    await load({ rate: 5, seconds: 5, requests });
    const { p50_ms, p95_ms, p99_ms, max_ms, errors, statuses } = await load({
      rate: 20,
      seconds: 20,
      requests,
    });
    if (Object.keys(statuses).join() !== "200")
      throw new Error(`Some requests failed: ${JSON.stringify(statuses)}`);
    console.log("| times in ms | p50 | p95 | p99 | max | errors |\n| --- | --- | --- | --- | --- | --- |");
    console.log(
      `| POST /v1/search | ${[p50_ms, p95_ms, p99_ms, max_ms].map((ms) => ms.toFixed(1)).join(" | ")} | ${errors} |`,
    );
  } finally {
    await service.stop();
  }
}

function row(name: string, times: number[]): void {
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${at(1)} |`);
}

function sizes(folder: string): { count: number; raw: number; gzip: number } {
  const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name)));
  return {
    count: texts.length,
    raw: texts.reduce((sum, text) => sum + text.length, 0),
    gzip: texts.reduce((sum, text) => sum + gzipSync(text).length, 0),
  };
}

function kb(bytes: number): string {
  return (bytes / 1024).toFixed(0);
}
