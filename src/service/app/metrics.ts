/** Collects Prometheus metrics. Labels don't contain tenant names. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  request(method: string, route: string, status: number, seconds: number): void;
  sitePage(status: number): void;
  rateLimited(name: string): void;
}

/**
 * Creates the metrics. `waitingJobs` is called for every scrape and resolves with the number of waiting jobs.
 */
export function createMetrics(waitingJobs: () => Promise<number>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "octavo_" });
  const labelNames = ["method", "route", "status"] as const;
  const seconds = new Histogram({
    name: "octavo_http_request_seconds",
    help: "Duration of API requests",
    labelNames,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers: [registry],
  });

  const pagesByStatus = new Map<number, number>();
  new Counter({
    name: "octavo_site_requests_total",
    help: "Requests to sites",
    labelNames: ["status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [status, count] of pagesByStatus) this.inc({ status: String(status) }, count);
    },
  });

  const refused = new Counter({
    name: "octavo_rate_limited_total",
    help: "Requests over a rate limit",
    labelNames: ["budget"],
    registers: [registry],
  });

  new Gauge({
    name: "octavo_jobs_waiting",
    help: "Jobs waiting for a worker",
    registers: [registry],
    async collect() {
      this.set(await waitingJobs());
    },
  });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    request: (method, route, status, value) =>
      seconds.observe({ method, route, status: String(status) }, value),
    sitePage: (status) => pagesByStatus.set(status, (pagesByStatus.get(status) ?? 0) + 1),
    rateLimited: (name) => refused.inc({ budget: name }),
  };
}
