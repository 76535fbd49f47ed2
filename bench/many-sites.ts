/**
 * npm run bench -- --sites [--rows 100000]
 * A web process with this many projects, each with a live deployment and a domain: its startup time and memory, the response
 * times of first requests to sites, and the time until a change is served.
 */

import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { usageOf } from "../src/builder/process-usage.ts";
import { startPostgres } from "../test/service/postgres.ts";
import { memoryOf, peakWhile } from "../test/service/process-memory.ts";
import { newOrganization, type RunningService, send, startService, type TestOrganization } from "../test/service/service.ts";
import { page, routeOf } from "./corpus.ts";
import { deploy } from "./deploy.ts";
import { median } from "./workspace.ts";

const pages_count = 50;
/** Number of sites that are requested. All sites show the files of one deployment. */
const visited_count = 5_000;
const projectsPerOrganization_count = 5;
const deploymentsPerProject_count = 3;

export async function benchManySites(sites: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-bench-sites-"));
  const postgres = await startPostgres();
  const shared = { databaseUrl: await postgres.createDatabase(), storage: `file:${path.join(folder, "objects")}` };
  const worker = await startService(shared);
  try {
    const organization = await newOrganization(worker);
    await deploy(organization, sourcesOf("First text"));
    await fillProjects(shared.databaseUrl, sites, path.join(folder, "objects/manifests"));
    await measureHost(sites, shared, worker, organization);
  } finally {
    await worker.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureHost(
  sites: number,
  shared: { databaseUrl: string; storage: string },
  worker: RunningService,
  organization: TestOrganization,
): Promise<void> {
  const began = performance.now();
  const host = await startService({ ...shared, role: "web" });
  const pid = host.process.pid!;
  try {
    console.log(`${sites} sites`);
    console.log(`startup: ${seconds(began)}`);
    await wait(20_000);
    console.log(`memory, idle: ${megabytes(memoryOf(pid).own_mb)}`);
    const busy_s = usageOf(pid)!.cpu_s;
    await wait(10_000);
    console.log(`CPU time in 10 s without requests: ${(usageOf(pid)!.cpu_s - busy_s).toFixed(2)} s`);
    const { result, peak_mb } = await peakWhile(pid, () => visitSites(host, sites));
    console.log(
      `first request to each of ${result.length} sites: p50 ${median(result).toFixed(1)} ms, max ${Math.max(...result).toFixed(0)} ms`,
    );
    console.log(`peak memory during these requests: ${megabytes(peak_mb)}`);
    const shown: number[] = [];
    for (const text of ["Second text", "Third text", "Fourth text"]) {
      // The worker has built the site, and serves it when `deploy` resolves.
      await deploy(organization, sourcesOf(text));
      const since = performance.now();
      const shows = async () => (await visit(host, organization.subdomain)).text.includes(text);
      while (!(await shows())) await wait(10);
      shown.push(performance.now() - since);
    }
    console.log(`time until the web process serves a new deployment: ${shown.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);
    console.log(`memory of the worker process: ${megabytes(memoryOf(worker.process.pid!).own_mb)}`);
  } finally {
    await host.stop();
  }
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
