/**
 * Switching bundles under load: no request fails, no response mixes two bundles, and no connection gets an
 * older bundle after a newer one.
 */

import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { bundleOf } from "../../test/bundle/bundles.ts";
import { type BundleServer, startBundleServer } from "../../test/bundle/server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-swaps-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rate = 500;
const connections = 50;
const swaps = 10;
const pages = 200;
const file = path.join(folder, "bundle.tar.gz");

/** A bundle whose pages have its version at their beginning and end, with some KB in between. */
function versioned(version: number): Buffer {
  const filler = "text of a page ".repeat(1_000);
  const page = (index: number) => `<h1>${version}</h1><p>${index}</p>${filler}<footer>${version}</footer>`;
  return bundleOf(`v${version}`, {
    ...Object.fromEntries(
      Array.from({ length: pages }, (_, index) => [`guides/page-${index}.html`, page(index)]),
    ),
    [`_octavo/page-${String(version).padStart(10, "0")}.js`]: `// ${version}`,
    "index.html": page(0),
  });
}

function place(version: number): void {
  writeFileSync(`${file}.part`, versioned(version));
  renameSync(`${file}.part`, file);
}

class Readers {
  readonly failures: string[] = [];
  readonly seen = new Map<number, number>();
  answered = 0;
  private readonly agents = Array.from(
    { length: connections },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  );
  private readonly newest = new Array<number>(connections).fill(0);
  private readonly sockets = new Set<unknown>();
  private timer: NodeJS.Timeout | undefined;
  private sent = 0;
  private readonly server: BundleServer;

  constructor(server: BundleServer) {
    this.server = server;
  }

  /** Sends requests at a fixed rate, independent of responses (open loop). */
  start(): void {
    const started = performance.now();
    this.timer = setInterval(() => {
      for (const due = ((performance.now() - started) / 1_000) * rate; this.sent < due; this.sent++)
        this.ask(this.sent);
    }, 10);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await expect.poll(() => this.answered + this.failures.length).toBe(this.sent);
    for (const agent of this.agents) agent.destroy();
  }

  get connectionsUsed(): number {
    return this.sockets.size;
  }

  private ask(number: number): void {
    const reader = number % connections;
    const target = number % 7 === 0 ? "/" : `/guides/page-${number % pages}`;
    const encoding = number % 3 === 0 ? { "accept-encoding": "gzip" } : {};
    const fail = (why: string) => this.failures.push(`${target}: ${why}`);
    const asked = request(
      {
        host: "127.0.0.1",
        port: this.server.port,
        path: target,
        agent: this.agents[reader],
        headers: { host: "docs.example.com", ...encoding },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", (error) => fail(error.message));
        response.once("end", () => {
          const bytes = Buffer.concat(chunks);
          if (response.statusCode !== 200) return fail(`status ${response.statusCode}`);
          const text = (
            response.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes
          ).toString();
          const version = Number(/^<h1>(\d+)<\/h1>/.exec(text)?.[1]);
          if (!text.endsWith(`<footer>${version}</footer>`))
            return fail(`a page of two bundles, or half of one: ${text.slice(0, 30)} … ${text.slice(-30)}`);
          if (version < this.newest[reader]!) return fail(`${version} after ${this.newest[reader]}`);
          this.newest[reader] = version;
          this.seen.set(version, (this.seen.get(version) ?? 0) + 1);
          this.answered++;
        });
      },
    );
    asked.once("socket", (socket) => this.sockets.add(socket));
    asked.once("error", (error) => fail(error.message));
    asked.end();
  }
}

test(`${swaps} swaps under ${rate} requests a second on ${connections} open connections`, {
  timeout: 180_000,
}, async () => {
  place(0);
  const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file });
  await server.settled();
  const readers = new Readers(server);
  readers.start();
  try {
    for (let version = 1; version <= swaps; version++) {
      place(version);
      expect(await server.fetchAgain()).toMatchObject({ code: 200, version: `v${version}`, stale: false });
      // An open page of the previous bundle requests its assets.
      expect((await server.get(`/_octavo/page-${String(version - 1).padStart(10, "0")}.js`)).text).toBe(
        `// ${version - 1}`,
      );
      // Some bundles are compressed when the next one arrives, some aren't.
      await new Promise((resolve) => setTimeout(resolve, version % 2 ? 200 : 1_500));
    }
  } finally {
    await readers.stop();
    await server.stop();
  }
  expect(readers.failures).toEqual([]);
  expect([...readers.seen.keys()].sort((a, b) => a - b)).toEqual(
    Array.from({ length: swaps + 1 }, (_, version) => version),
  );
  expect(readers.connectionsUsed).toBe(connections);
  expect(readers.answered).toBeGreaterThan(rate * 5);
});
