/** The process of the load generator. It sends requests at a fixed rate, even if responses are late. */

import { Agent, request } from "node:http";
import type { LoadPlan, LoadResult } from "./load.ts";

const firstErrors_count = 5;

process.once("message", (plan: LoadPlan) => {
  void run(plan).then((result) => process.send!(result, () => process.exit(0)));
});

async function run({
  rate,
  seconds,
  requests,
  connections = 64,
  timeout_ms = 10_000,
}: LoadPlan): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" });
  const total = Math.round(rate * seconds);
  const latencies = new Float64Array(total);
  const statuses: Record<string, number> = {};
  const firstErrors: string[] = [];
  let [done, errors, bytes] = [0, 0, 0];
  const start = performance.now();

  const ask = (index: number, due: number): Promise<void> =>
    new Promise((resolve) => {
      const { url, method = "GET", headers, body } = requests[index % requests.length]!;
      let settled = false;
      const end = (error?: string) => {
        if (settled) return;
        settled = true;
        // Latencies are measured from the scheduled time, so they include delays of the generator and the
        // server.
        latencies[done++] = performance.now() - start - due;
        if (error !== undefined) {
          errors++;
          if (firstErrors.length < firstErrors_count) firstErrors.push(`${url}: ${error}`);
        }
        resolve();
      };
      const asked = request(
        url,
        { agent, method, headers: headers ?? {}, timeout: timeout_ms },
        (response) => {
          const status = response.statusCode!;
          statuses[status] = (statuses[status] ?? 0) + 1;
          response.on("data", (chunk: Buffer) => (bytes += chunk.length));
          response.on("end", () => end(status >= 500 ? `status ${status}` : undefined));
          response.on("error", (error) => end(error.message));
        },
      );
      asked.on("timeout", () => asked.destroy(new Error("timeout")));
      asked.on("error", (error) => end(error.message));
      asked.end(body);
    });

  const open: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now() - start;
      while (open.length < total && (open.length / rate) * 1_000 <= now)
        open.push(ask(open.length, (open.length / rate) * 1_000));
      if (open.length < total) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  await Promise.all(open);
  agent.destroy();

  const sorted = latencies.sort();
  const at = (share: number) =>
    Math.round(sorted[Math.min(total - 1, Math.floor(total * share))]! * 100) / 100;
  const took_s = (performance.now() - start) / 1_000;
  return {
    requests: total,
    perSecond: Math.round((total / took_s) * 10) / 10,
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    max_ms: at(1),
    errors,
    statuses,
    bytes,
    firstErrors,
  };
}
