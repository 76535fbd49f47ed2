/**
 * npm run bench -- --export [--pages 1000] Time that a static export through the API takes, and a second
 * export after an edit of a page, compared with `tar` and `gzip`.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startPostgres } from "../test/service/postgres.ts";
import { memoryOf } from "../test/service/process-memory.ts";
import { newOrganization, send, startService, type TestOrganization } from "../test/service/service.ts";
import { page, routeOf } from "./corpus.ts";
import { deploy } from "./deploy.ts";

const edited =
  "\n## A heading that is new\n\nAnd a paragraph below it, which says what was not said before.\n";

export async function benchExport(pages_count: number): Promise<void> {
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores; ${pages_count} pages; one web process and one worker\n`,
  );
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-bench-export-"));
  const database = await startPostgres();
  const shared = {
    databaseUrl: await database.createDatabase(),
    storage: `file:${path.join(folder, "objects")}`,
    secret: "bench of this test, long enough to be one",
  };
  const web = await startService({ ...shared, role: "web" });
  let worker = await startService({ ...shared, role: "worker" });
  try {
    const organization = await newOrganization(web);
    const sources = Object.fromEntries(
      Array.from({ length: pages_count }, (_, i) => [`${routeOf(i)}.mdx`, page(i, pages_count, "octavo")]),
    );
    console.log(
      "| | s | peak of the build, MB | peak with the worker, MB | bundle, MB | delta, KB | delta in % of the bundle |\n| --- | --- | --- | --- | --- | --- | --- |",
    );
    await deploy(organization, sources);
    // A new worker has no cache, like a worker on a different machine.
    await worker.stop();
    worker = await startService({ ...shared, role: "worker" });
    await row("first export, without a cache", organization, worker.process.pid!);
    const middle = `${routeOf(Math.floor(pages_count / 2))}.mdx`;
    await deploy(organization, { ...sources, [middle]: sources[middle] + edited });
    const bundle = await row("second export, after an edit of one page", organization, worker.process.pid!);
    bare(folder, await downloaded(bundle.bundleUrl));
  } finally {
    await Promise.all([web.stop(), worker.stop()]);
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function row(name: string, organization: TestOrganization, pid: number) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ domain: `${organization.subdomain}.localhost` });
  const peak = { all_mb: 0, build_mb: 0 };
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const { own_mb, below_mb } = memoryOf(pid);
      peak.all_mb = Math.max(peak.all_mb, own_mb + below_mb);
      peak.build_mb = Math.max(peak.build_mb, below_mb);
      await wait(250);
    }
  })();
  const began = performance.now();
  const { json: job } = await organization.ask("/v1/static-export/jobs", { method: "POST", headers, body });
  for (let status = job.status; status !== "completed"; await wait(50)) {
    ({ status } = (await organization.ask(`/v1/static-export/jobs/${job.jobId}`)).json);
    if (status === "failed") throw new Error("The export failed");
  }
  const took_s = (performance.now() - began) / 1_000;
  isDone = true;
  await watching;
  const { json: bundle } = await organization.ask(`/v1/static-export/jobs/${job.jobId}/bundle`, {
    method: "POST",
  });
  const share =
    bundle.deltaSizeBytes === null
      ? ""
      : `${((bundle.deltaSizeBytes / bundle.sizeBytes) * 100).toFixed(2)} %`;
  const delta_kb = bundle.deltaSizeBytes === null ? "" : (bundle.deltaSizeBytes / 1_000).toFixed(1);
  console.log(
    `| ${name} | ${took_s.toFixed(1)} | ${peak.build_mb.toFixed(0)} | ${peak.all_mb.toFixed(0)} | ${(bundle.sizeBytes / 1e6).toFixed(1)} | ${delta_kb} | ${share} |`,
  );
  return bundle as { bundleUrl: string };
}

async function downloaded(link: string): Promise<Buffer> {
  const url = new URL(link);
  return (await send({ port: Number(url.port), path: url.pathname + url.search, host: url.host })).body;
}

/** Measures the time to pack the same files, which is the lower bound for an export. */
function bare(folder: string, archive: Buffer): void {
  const file = path.join(folder, "bundle.tar.gz");
  writeFileSync(file, archive);
  const site = path.join(folder, "site");
  execFileSync("mkdir", [site]);
  execFileSync("tar", ["xzf", file, "-C", site]);
  const began = performance.now();
  execFileSync("bash", ["-c", `tar c -C ${site} . | gzip -6 > ${folder}/bare.tar.gz`]);
  console.log(
    `| tar and gzip -6, same files | ${((performance.now() - began) / 1_000).toFixed(1)} | | | | |`,
  );
}
