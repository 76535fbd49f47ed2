/**
 * npm run bench -- --sites [--rows 100000] A web process with this many projects, each with a live deployment
 * and a domain: its startup time and memory, the response times of first requests to sites, the time until a
 * change is served, and what 1,000 sites cost.
 */

import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { usageOf } from "../src/builder/process-usage.ts";
import { startPostgres } from "../test/service/postgres.ts";
import { memoryOf, peakWhile } from "../test/service/process-memory.ts";
import {
  newOrganization,
  type RunningService,
  send,
  startService,
  type TestOrganization,
} from "../test/service/service.ts";
import { closedLoop } from "./closed-loop.ts";
import { page, routeOf } from "./corpus.ts";
import { deploy } from "./deploy.ts";
import { median, sizesBelow, sum } from "./workspace.ts";

const pages_count = 50;
/** Number of sites that are requested. All sites show the files of one deployment. */
const visited_count = 10_000;
/** Requests of a round to one site, and to many sites. */
const mixed_count = 20_000;
const rounds_count = 5;
const projectsPerOrganization_count = 5;
const deploymentsPerProject_count = 3;
/** Time after which the memory of a web process doesn't change anymore. */
const settle_ms = 20_000;

/** Cost of one site with `pages_count` pages and one deployment. */
interface SiteCost {
  /** CPU time to deploy the site. */
  deploy_s: number;
  /** Size of the site's objects: sources, files and their compressed versions. */
  objects_bytes: number;
  database_bytes: number;
}

export async function benchManySites(sites: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-bench-sites-"));
  const postgres = await startPostgres();
  const shared = {
    databaseUrl: await postgres.createDatabase(),
    storage: `file:${path.join(folder, "objects")}`,
  };
  const worker = await startService(shared);
  try {
    const organization = await newOrganization(worker);
    const idle_s = usageOf(worker.process.pid!)!.cpu_s;
    await deploy(organization, sourcesOf("First text"));
    const deploy_s = usageOf(worker.process.pid!)!.cpu_s - idle_s;
    const objects_bytes = sum(sizesBelow(path.join(folder, "objects")).values());
    const withoutSites_mb = await memoryOfWebProcess(shared);
    const before_bytes = await sizeOfDatabase(shared.databaseUrl);
    await fillProjects(shared.databaseUrl, sites, path.join(folder, "objects/manifests"));
    const database_bytes = ((await sizeOfDatabase(shared.databaseUrl)) - before_bytes) / sites;
    const idle_mb = await measureHost(sites, shared, worker, organization);
    printCost({ deploy_s, objects_bytes, database_bytes }, (idle_mb - withoutSites_mb) / sites);
  } finally {
    await worker.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the memory of the idle web process in MB. */
async function measureHost(
  sites: number,
  shared: { databaseUrl: string; storage: string },
  worker: RunningService,
  organization: TestOrganization,
): Promise<number> {
  const began = performance.now();
  const host = await startService({ ...shared, role: "web" });
  const pid = host.process.pid!;
  try {
    console.log(`${sites} sites`);
    console.log(`startup: ${seconds(began)}`);
    await wait(settle_ms);
    const idle_mb = memoryOf(pid).own_mb;
    console.log(`memory, idle: ${megabytes(idle_mb)}`);
    const busy_s = usageOf(pid)!.cpu_s;
    await wait(10_000);
    console.log(`CPU time in 10 s without requests: ${(usageOf(pid)!.cpu_s - busy_s).toFixed(2)} s`);
    const { result, peak_mb } = await peakWhile(pid, () => visitSites(host, sites));
    console.log(
      `first request to each of ${result.length} sites: p50 ${median(result).toFixed(1)} ms, max ${Math.max(...result).toFixed(0)} ms`,
    );
    console.log(`peak memory during these requests: ${megabytes(peak_mb)}`);
    await compareMix(host, Math.min(sites, visited_count));
    const shown: number[] = [];
    for (const text of ["Second text", "Third text", "Fourth text"]) {
      // The worker has built the site, and serves it when `deploy` resolves.
      await deploy(organization, sourcesOf(text));
      const since = performance.now();
      const shows = async () => (await visit(host, organization.subdomain)).text.includes(text);
      while (!(await shows())) await wait(10);
      shown.push(performance.now() - since);
    }
    console.log(
      `time until the web process serves a new deployment: ${shown.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`,
    );
    console.log(`memory of the worker process: ${megabytes(memoryOf(worker.process.pid!).own_mb)}`);
    return idle_mb;
  } finally {
    await host.stop();
  }
}

/**
 * Prints the CPU time per request for requests to one site, and for requests to many sites in turns, whose
 * frequencies follow Zipf's law. Rounds alternate, and the first one warms up.
 */
async function compareMix({ port, process: { pid } }: RunningService, sites: number): Promise<void> {
  const textFor = (site: number) =>
    `GET /${routeOf(site % pages_count)} HTTP/1.1\r\nHost: site-${site}.localhost:${port}\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n`;
  const weights = Array.from({ length: sites }, (_, n) => 1 / (n + 1));
  const total = weights.reduce((a, b) => a + b);
  const bounds = weights.map((weight) => weight / total);
  for (let n = 1; n < sites; n++) bounds[n]! += bounds[n - 1]!;
  let state = 1;
  const draw = () => {
    state = (state * 48_271) % 2_147_483_647;
    const at = bounds.findIndex((bound) => bound >= state / 2_147_483_647);
    return at < 0 ? sites - 1 : at;
  };
  const mixes = {
    "one site": [textFor(0)],
    [`${sites} sites (Zipf)`]: Array.from({ length: mixed_count }, () => textFor(draw())),
    [`${sites} sites (equally often)`]: Array.from({ length: mixed_count }, (_, n) =>
      textFor((n * 7_919) % sites),
    ),
  };
  const cpu_us: Record<string, number[]> = {};
  for (let round = 0; round <= rounds_count; round++)
    for (const [name, texts] of Object.entries(mixes)) {
      const before = usageOf(pid!)!.cpu_s;
      await closedLoop({ port, connections: 32, requests: mixed_count, texts });
      const used_us = ((usageOf(pid!)!.cpu_s - before) * 1_000_000) / mixed_count;
      if (round > 0) (cpu_us[name] ??= []).push(used_us);
    }
  for (const [name, all] of Object.entries(cpu_us))
    console.log(
      `CPU time per request, ${name}: ${median(all).toFixed(1)} µs, ${(median(all) / median(cpu_us["one site"]!)).toFixed(2)} of one site's`,
    );
}

async function memoryOfWebProcess(shared: { databaseUrl: string; storage: string }): Promise<number> {
  const host = await startService({ ...shared, role: "web" });
  await wait(settle_ms);
  const { own_mb } = memoryOf(host.process.pid!);
  await host.stop();
  return own_mb;
}

async function sizeOfDatabase(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_database_size(current_database()) as bytes",
  );
  await client.end();
  return Number(rows[0]!.bytes);
}

/** `memory_mb`: memory of a web process for one site. */
function printCost({ deploy_s, objects_bytes, database_bytes }: SiteCost, memory_mb: number): void {
  const per1000_mb = (bytes: number) => megabytes((bytes * 1_000) / 1_000_000);
  console.log(`1,000 sites with ${pages_count} pages and one deployment each:`);
  console.log(`  memory of each web process: ${(memory_mb * 1_000).toFixed(1)} MB`);
  console.log(`  database: ${per1000_mb(database_bytes)}`);
  console.log(`  object store: ${per1000_mb(objects_bytes)}`);
  console.log(`  CPU time to deploy each site once: ${((deploy_s * 1_000) / 3_600).toFixed(1)} h`);
}

async function visitSites(host: RunningService, sites: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < Math.min(sites, visited_count); n++) {
    const began = performance.now();
    const { status } = await visit(host, `site-${n}`);
    if (status !== 200) throw new Error(`site-${n} responded with status ${status}`);
    times.push(performance.now() - began);
  }
  return times;
}

const visit = (host: RunningService, subdomain: string) =>
  send({ port: host.port, path: `/${routeOf(0)}`, host: `${subdomain}.localhost` });

/** Inserts projects without sign-in whose deployments have the files of the only deployment that exists. */
async function fillProjects(url: string, sites: number, manifests: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const id = (prefix: string, n: string) => `'01J${prefix}' || lpad(upper(to_hex(${n})), 22, '0')`;
  const many = (text: string) => client.query(text, [sites]);
  await client.query(`insert into organizations (id, name, plan)
    select ${id("A", "n")}, 'Organization ' || n, 'pro' from generate_series(0, ${Math.ceil(sites / projectsPerOrganization_count)}) n`);
  await many(`insert into projects (id, organization_id, name, subdomain, source, live_deployment_id, live_after_number)
    select ${id("B", "n")}, ${id("A", `n / ${projectsPerOrganization_count}`)}, 'Project ' || n, 'site-' || n, '{"kind": "upload"}',
      ${id("C", `n * 16 + ${deploymentsPerProject_count}`)}, ${deploymentsPerProject_count} from generate_series(0, $1::integer - 1) n`);
  await many(`insert into deployments (id, organization_id, project_id, number, status, attempt, trigger, page_count, ended_at)
    select ${id("C", "n * 16 + d")}, ${id("A", `n / ${projectsPerOrganization_count}`)}, ${id("B", "n")}, d, 'success', 1, 'upload',
      ${pages_count}, now() - interval '30 days'
    from generate_series(0, $1::integer - 1) n, generate_series(1, ${deploymentsPerProject_count}) d`);
  await many(`insert into domains (domain, organization_id, project_id, verification_token, verified_at)
    select 'docs-' || n || '.example.com', ${id("A", `n / ${projectsPerOrganization_count}`)}, ${id("B", "n")}, 'token', now()
    from generate_series(0, $1::integer - 1) n`);
  await client.query("analyze");
  const { rows } = await client.query<{ id: string }>(
    `select ${id("C", `n * 16 + ${deploymentsPerProject_count}`)} as id from generate_series(0, ${Math.min(sites, visited_count) - 1}) n`,
  );
  await client.end();
  const existing = readdirSync(manifests).find((name) => !name.endsWith(".assets.json"))!;
  for (const { id: deployment } of rows)
    copyFileSync(path.join(manifests, existing), path.join(manifests, `${deployment.toLowerCase()}-1.json`));
}

function sourcesOf(text: string): Record<string, string> {
  const pages = Array.from({ length: pages_count }, (_, i) => [
    `${routeOf(i)}.mdx`,
    page(i, pages_count, "octavo") + (i ? "" : `\n${text}\n`),
  ]);
  return Object.fromEntries(pages);
}

const seconds = (began: number) => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
const megabytes = (mb: number) => `${mb.toFixed(0)} MB`;
