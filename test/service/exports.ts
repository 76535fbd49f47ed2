/** Helpers for tests of static exports: a site, export jobs, and downloads with checks of the bundle. */

import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { expect } from "vitest";
import { endpoints } from "../../src/service/app/endpoints.ts";
import { newOrganization, send, type TestOrganization, type TestService } from "./service.ts";
import { tarOf } from "./tar.ts";

export interface ExportJob {
  jobId: string;
  status: string;
  progress: number;
  pageCount: number;
  totalPages: number | null;
  deploymentId: string;
  error: string | null;
}

/** Files of a site with `pages` pages, each with a link to the next one. */
export function docs(pages: number, more: Record<string, string> = {}): Record<string, string> {
  const names = Array.from({ length: pages }, (_, i) => (i === 0 ? "index" : `guides/page-${i}`));
  const extra = Object.keys(more).flatMap((file) => (file.endsWith(".mdx") ? [file.slice(0, -4)] : []));
  const text = (i: number) => `---\ntitle: Page ${i}\n---\n\nText ${i}. [Next](/${names[(i + 1) % pages]})\n`;
  return {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { pages: [...names, ...extra] },
    }),
    ...Object.fromEntries(names.map((name, i) => [`${name}.mdx`, text(i)])),
    ...more,
  };
}

export async function deploy(
  { ask, client, projectId, runJobs }: TestOrganization,
  files: Record<string, string>,
): Promise<string> {
  const headers = { "content-type": "application/gzip" };
  const { json } = await ask(`/v1/projects/${projectId}/deployments`, {
    method: "POST",
    body: tarOf(files),
    headers,
  });
  await runJobs();
  for (let waited_ms = 0; waited_ms < 120_000; waited_ms += 100) {
    const deployment = await client(endpoints.getDeployment, { params: { id: json.id } });
    if (deployment.status === "success") return json.id;
    if (deployment.status === "failure") throw new Error(`The deployment failed: ${deployment.summary}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The deployment ${json.id} did not end`);
}

export async function deployedOrganization(service: TestService, files: Record<string, string>) {
  const organization = await newOrganization(service);
  const deploymentId = await deploy(organization, files);
  return { ...organization, deploymentId, domain: `${organization.subdomain}.localhost` };
}

export const jobsPath = "/v1/static-export/jobs";

export function start(organization: TestOrganization, body: unknown, headers: Record<string, string> = {}) {
  return organization.ask(jobsPath, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Runs the service's jobs, and polls one until it has ended. Adds all responses to `seen`. */
export async function ended(
  { ask, runJobs }: TestOrganization,
  jobId: string,
  seen: ExportJob[] = [],
  most_ms = 120_000,
): Promise<ExportJob> {
  const until = Date.now() + most_ms;
  await runJobs();
  while (Date.now() < until) {
    const answer = await ask(`${jobsPath}/${jobId}`).catch(() => undefined);
    if (answer?.status === 200) {
      seen.push(answer.json);
      if (answer.json.status === "completed" || answer.json.status === "failed") return answer.json;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The export ${jobId} did not end: ${JSON.stringify(seen.at(-1))}`);
}

export interface DownloadedBundle {
  sha256: string;
  manifest: {
    formatVersion: number;
    version: string;
    generator: string;
    deployment: string;
    files: { path: string; sha256: string; bytes: number }[];
  };
  files: Map<string, Buffer>;
}

/** Downloads the bundle by its link and checks sizes and hashes of the archive and all files. */
export async function download({ ask }: TestOrganization, jobId: string): Promise<DownloadedBundle> {
  const { status, json } = await ask(`${jobsPath}/${jobId}/bundle`, { method: "POST" });
  expect(status).toBe(200);
  const url = new URL(json.bundleUrl);
  const answer = await send({ port: Number(url.port), path: url.pathname + url.search, host: url.host });
  expect(answer.status).toBe(200);
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="bundle.tar.gz"');
  const sha256 = createHash("sha256").update(answer.body).digest("hex");
  expect([sha256, answer.body.length]).toEqual([json.sha256, json.sizeBytes]);
  const files = await unpack(answer.body);
  const manifest = JSON.parse(files.get("manifest.json")!.toString()) as DownloadedBundle["manifest"];
  files.delete("manifest.json");
  // The operator's file may be replaced, so it is not listed.
  expect(files.delete("octavo.config.js")).toBe(true);
  expect(manifest.files.map(({ path }) => path).sort()).toEqual([...files.keys()].sort());
  for (const { path, sha256: hash, bytes } of manifest.files) {
    expect(createHash("sha256").update(files.get(path)!).digest("hex"), path).toBe(hash);
    expect(files.get(path)!.length).toBe(bytes);
  }
  return { sha256, manifest, files };
}

export function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, Buffer>();
    const reading = extract();
    reading.on("entry", (header, stream, next) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk) => chunks.push(chunk as Buffer));
      stream.on("end", () => {
        files.set(header.name, Buffer.concat(chunks));
        next();
      });
    });
    reading.on("finish", () => resolve(files));
    reading.on("error", reject);
    reading.end(gunzipSync(archive));
  });
}

/**
 * Checks that the states are in order, the progress never decreases, and only a completed job has a progress
 * of 100.
 */
export function checkHistory(seen: readonly ExportJob[]): void {
  const order = ["queued", "running", "completed", "failed"];
  for (const [i, job] of seen.entries()) {
    expect(job.progress === 100, JSON.stringify(job)).toBe(job.status === "completed");
    if (job.status === "completed") expect(job.pageCount).toBe(job.totalPages);
    const last = seen[i - 1];
    if (!last) continue;
    expect(order.indexOf(job.status), JSON.stringify([last, job])).toBeGreaterThanOrEqual(
      order.indexOf(last.status),
    );
    if (last.status === "completed" || last.status === "failed") expect(job).toEqual(last);
    expect(job.progress).toBeGreaterThanOrEqual(last.progress);
    expect(job.pageCount).toBeGreaterThanOrEqual(last.pageCount);
  }
}
