/**
 * An open-loop load generator in a separate process: sends requests at a fixed rate over keep-alive
 * connections and measures each response from the scheduled time of its request.
 */

import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

export interface LoadRequest {
  url: string;
  method?: string;
  /** The `host` header selects the site. */
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadPlan {
  /** Requests per second. */
  rate: number;
  seconds: number;
  /** Requests to send, in this order and repeatedly. */
  requests: LoadRequest[];
  connections?: number;
  timeout_ms?: number;
}

export interface LoadResult {
  requests: number;
  /** Achieved requests per second. Lower than the rate if responses were late. */
  perSecond: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  max_ms: number;
  /** Requests without a response or with a status of 500 or above. */
  errors: number;
  statuses: Record<string, number>;
  bytes: number;
  firstErrors: string[];
}

/** Runs the load generator. Rejects if its process fails. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-load-"));
  const outfile = path.join(folder, "load.mjs");
  const entry = path.join(import.meta.dirname, "load-process.ts");
  try {
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "error",
    });
    return await new Promise((resolve, reject) => {
      const child = fork(outfile, [], { execArgv: [] });
      child.once("message", (result) => resolve(result as LoadResult));
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`The load generator ended with exit code ${code}`)));
      child.send(plan);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
