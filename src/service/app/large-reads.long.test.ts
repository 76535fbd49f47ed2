/** The largest reads with a key, many at once, on the embedded database: `readyz` answers within a second. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryOf } from "../../../test/service/process-memory.ts";
import { newOrganization, type RunningService, send } from "../../../test/service/service.ts";
import { startService } from "../../../test/shared/service.ts";
import { ulidMaker, ulidTime } from "../../base/ulid.ts";

const dataFolder = mkdtempSync(path.join(tmpdir(), "octavo-large-reads-"));
let service: RunningService;

beforeAll(async () => {
  service = await startService({ dataFolder });
}, 120_000);
afterAll(async () => {
  await service.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

test("60 of the largest lists of conversations at once", { timeout: 300_000 }, async () => {
  const organization = await newOrganization(service);
  const list = `/v1/analytics/${organization.projectId}/assistant`;
  const newId = ulidMaker(Date.now, randomBytes);
  const line = () => {
    const id = newId();
    return JSON.stringify({
      id,
      timestamp: new Date(ulidTime(id)).toISOString(),
      query: "How?",
      response: randomBytes(450_000).toString("hex"),
      sources: [],
      resolutionStatus: "answered",
      queryCategory: null,
      pageUrl: null,
    });
  };
  for (let i = 0; i < 5; i++)
    await organization.ask(`${list}/import`, {
      method: "POST",
      body: Array.from({ length: 20 }, line).join("\n"),
      headers: { "content-type": "application/x-ndjson" },
    });

  const slowest = { ready: 0, memory: 0 };
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      const start = performance.now();
      const { status } = await send({ port: service.port, path: "/readyz" });
      expect(status).toBe(200);
      slowest.ready = Math.max(slowest.ready, performance.now() - start);
      const { own_mb, below_mb } = memoryOf(service.process.pid!);
      slowest.memory = Math.max(slowest.memory, own_mb + below_mb);
      await wait(50);
    }
  })();
  const answers = await Promise.all(Array.from({ length: 60 }, () => organization.ask(`${list}?limit=1000`)));
  isDone = true;
  await watch;
  console.log("the slowest readyz in ms, and the memory in MB:", slowest);
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(6_000_000);
  }
  expect(slowest.ready).toBeLessThan(1_000);
  expect(slowest.memory).toBeLessThan(1_500);

  // Pages are shorter than asked for, and nothing is skipped.
  const ids = new Set<string>();
  for (let cursor: string | null | undefined = ""; cursor !== null; ) {
    const { json } = await organization.ask(`${list}?limit=1000${cursor && `&cursor=${cursor}`}`);
    for (const { id } of json.conversations) ids.add(id);
    cursor = json.nextCursor;
  }
  expect(ids.size).toBe(100);
});
