/**
 * npm run bench -- --hosting [--seconds 30] Response time of a page of a hosted site at a fixed request rate,
 * compared with the same bytes from a plain Node server.
 */

import { availableParallelism } from "node:os";
import { newOrganization, send, startService } from "../test/service/service.ts";
import { page, routeOf } from "./corpus.ts";
import { deploy } from "./deploy.ts";
import { type LoadRequest, load } from "./load.ts";
import { startPlainServer } from "./plain-server.ts";

const pages_count = 50;
const rate = 1_000;

export async function benchHosting(seconds: number): Promise<void> {
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores, shared with the load generator`,
  );
  const service = await startService();
  try {
    const organization = await newOrganization(service);
    const host = `${organization.subdomain}.localhost`;
    await deploy(
      organization,
      Object.fromEntries(
        Array.from({ length: pages_count }, (_, i) => [`${routeOf(i)}.mdx`, page(i, pages_count, "octavo")]),
      ),
    );
    const target = `/${routeOf(7)}`;
    const { body, headers, status } = await send({ port: service.port, path: target, host });
    if (status !== 200) throw new Error(`${target} responded with status ${status}`);
    console.log(
      `A page of ${(body.length / 1_000).toFixed(1)} KB, ${rate} requests per second for ${seconds} s; times in ms\n`,
    );
    console.log(
      "| | p50 | p99 | max | requests per second | errors |\n| --- | --- | --- | --- | --- | --- |",
    );
    const url = `http://127.0.0.1:${service.port}${target}`;
    const every: LoadRequest[] = Array.from({ length: pages_count }, (_, i) => ({
      url: `http://127.0.0.1:${service.port}/${routeOf(i)}`,
      headers: { host },
    }));
    await row("hosted page", seconds, [{ url, headers: { host } }]);
    await row("same page, compressed with Brotli", seconds, [
      { url, headers: { host, "accept-encoding": "br" } },
    ]);
    await row("same page, already in the browser cache (304)", seconds, [
      { url, headers: { host, "if-none-match": String(headers.etag) } },
    ]);
    await row(`${pages_count} pages in turn`, seconds, every);
    await bare(body, seconds);
  } finally {
    await service.stop();
  }
}

async function row(name: string, seconds: number, requests: LoadRequest[]): Promise<void> {
  await load({ rate, seconds: 2, requests });
  const { p50_ms, p99_ms, max_ms, perSecond, errors, statuses } = await load({ rate, seconds, requests });
  const refused = Object.entries(statuses).reduce(
    (sum, [status, count]) => sum + (Number(status) >= 400 ? count : 0),
    0,
  );
  console.log(
    `| ${name} | ${p50_ms.toFixed(1)} | ${p99_ms.toFixed(1)} | ${max_ms.toFixed(1)} | ${perSecond} | ${Math.max(errors, refused)} |`,
  );
}

async function bare(body: Buffer, seconds: number): Promise<void> {
  const headers = { "content-type": "text/html; charset=utf-8", "content-length": body.length };
  const { port, stop } = await startPlainServer(headers, body);
  try {
    await row("same bytes from a plain Node server", seconds, [{ url: `http://127.0.0.1:${port}/` }]);
  } finally {
    stop();
  }
}
