/**
 * An open-loop load generator in a process of its own: it sends at a fixed rate over connections that stay open,
 * and counts each answer's time from the moment at which its request was due.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

export interface LoadRequest {
  url: string;
  method?: string;
  /** `host` among them names the site. */
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadPlan {
  /** Requests a second. */
  rate: number;
  seconds: number;
  /** Asked in turn. */
  requests: LoadRequest[];
  connections?: number;
  timeout_ms?: number;
}

export interface LoadResult {
  requests: number;
  /** What was reached: less than the rate when answers came too late to the end. */
  perSecond: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  max_ms: number;
  /** Requests without an answer, and those whose status is 500 or above. */
  errors: number;
  statuses: Record<string, number>;
  bytes: number;
  firstErrors: string[];
}

export async function load(plan: LoadPlan): Promise<LoadResult> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-load-"));
  const outfile = path.join(folder, "load.mjs");
  const entry = path.join(import.meta.dirname, "load-process.ts");
  try {
    await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
    return await new Promise((resolve, reject) => {
      const child = fork(outfile, [], { execArgv: [] });
      child.once("message", (result) => resolve(result as LoadResult));
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`The load generator ended with ${code}`)));
      child.send(plan);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
