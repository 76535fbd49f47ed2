/**
 * Kills and stops processes at random times during exports, and checks the history of API responses for the
 * invariants of an export. This test does it a few times; `node test/service/kill-workers.js --count 300`
 * repeats it many times.
 */

import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import {
  checkHistory,
  deployedOrganization,
  docs,
  download,
  type ExportJob,
  ended,
  jobsPath,
  start,
} from "../../../test/service/exports.ts";
import type { RunningService } from "../../../test/service/service.ts";
import { until } from "../../../test/service/until.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { endpoints } from "./endpoints.ts";

const kills = Number(process.env.OCTAVO_KILLS ?? 4);
const pages = 120;
/** Maximum time until a job continues after a kill. A worker loses its job after 20 s without a heartbeat. */
const recovery_ms = 45_000;

const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "octavo-kills-"));
  folders.push(made);
  return made;
}
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

async function completions({
  client,
}: Awaited<ReturnType<typeof deployedOrganization>>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let before: number | undefined;
  for (;;) {
    const { entries, hasMore } = await client(endpoints.listAudit, {
      query: { limit: 100, ...(before === undefined ? {} : { before }) },
    });
    for (const { action, target } of entries)
      if (action === "completeStaticExport")
        counts.set(target.split("/").at(-1)!, (counts.get(target.split("/").at(-1)!) ?? 0) + 1);
    if (!hasMore) return counts;
    before = entries.at(-1)!.number;
  }
}

async function takeovers(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    "select sum(attempt - 1)::int as count from static_export_jobs",
  );
  await client.end();
  return rows[0]!.count;
}

describe("workers on PostgreSQL", () => {
  test(
    `${kills} kills or pauses of workers: every export ends correctly`,
    async () => {
      const store = folder();
      const shared = {
        databaseUrl: await createDatabase(),
        storage: `file:${store}`,
        secret: "shared by all processes of this test, long enough to be one",
      };
      const web = await startService({ ...shared, role: "web" });
      const startWorker = (dataFolder: string) =>
        startService({
          ...shared,
          role: "worker",
          dataFolder,
          env: { OCTAVO_URL: `http://localhost:${web.port}` },
        });
      const workers: RunningService[] = [];
      for (let i = 0; i < 2; i++) workers.push(await startWorker(folder()));
      const organization = await deployedOrganization(web, docs(pages));

      const histories = new Map<
        string,
        { seen: ExportJob[]; ended: Promise<ExportJob>; startedAt_ms: number; endedAt_ms: number }
      >();
      const startOne = async () => {
        const { json, status } = await start(organization, { domain: organization.domain });
        expect(status).toBe(202);
        const history = {
          seen: [json as ExportJob],
          startedAt_ms: Date.now(),
          endedAt_ms: 0,
          ended: undefined as never,
        };
        histories.set(json.jobId, {
          ...history,
          ended: ended(organization, json.jobId, history.seen, recovery_ms * 10).then((job) => {
            histories.get(json.jobId)!.endedAt_ms = Date.now();
            return job;
          }),
        });
      };
      let harmed = 0;
      for (let i = 0; i < kills; i++) {
        // One job for each worker, so that a killed worker is always busy.
        for (const _worker of workers) await startOne();
        await wait(randomInt(0, 2_500));
        const index = randomInt(0, workers.length);
        const worker = workers[index]!;
        if (i % 10 === 3) {
          const takenOver = await takeovers(shared.databaseUrl);
          worker.process.kill("SIGSTOP");
          const haveEnded = () => [...histories.values()].every(({ endedAt_ms }) => endedAt_ms > 0);
          await until(
            async () => haveEnded() || (await takeovers(shared.databaseUrl)) > takenOver,
            recovery_ms * 2,
            200,
          );
          worker.process.kill("SIGCONT");
        } else {
          const gone = new Promise((resolve) => worker.process.once("exit", resolve));
          worker.process.kill("SIGKILL");
          await gone;
          workers[index] = await startWorker(worker.dataFolder);
        }
        harmed++;
      }
      const hashes = new Set<string>();
      let failed = 0;
      let slowest_ms = 0;
      for (const [jobId, history] of histories) {
        const job = await history.ended;
        slowest_ms = Math.max(slowest_ms, history.endedAt_ms - history.startedAt_ms);
        checkHistory(history.seen);
        if (job.status === "failed") {
          // Only a job whose workers were killed three times can fail.
          expect(job.error).toBe("The export failed 3 times because of an internal error");
          failed++;
          continue;
        }
        expect([job.pageCount, job.totalPages]).toEqual([pages, pages]);
        const bundle = await download(organization, jobId);
        expect(
          [...bundle.files.keys()].filter((file) => /^(?:index|guides\/page-\d+)\.html$/.test(file)),
        ).toHaveLength(pages);
        hashes.add(bundle.sha256);
        const stored = readdirSync(path.join(store, "exports", jobId));
        expect(stored.filter((name) => !name.endsWith(".delta.tar.gz"))).toEqual([`${bundle.sha256}.tar.gz`]);
        expect(stored.length).toBeLessThanOrEqual(2);
      }
      // All workers and attempts create the same bytes.
      expect(hashes.size).toBe(1);
      const counts = await completions(organization);
      expect(counts.size).toBe(histories.size - failed);
      expect([...counts.values()].filter((count) => count !== 1)).toEqual([]);
      const takenOver = await takeovers(shared.databaseUrl);
      console.info(
        `${harmed} kills and stops, ${histories.size} exports, taken over ${takenOver} times, ${failed} given up, the slowest took ${slowest_ms} ms`,
      );
      expect(failed).toBeLessThanOrEqual(Math.ceil(harmed / 20));
      // Jobs must have been taken over, otherwise nothing was tested.
      expect(takenOver).toBeGreaterThan(harmed / 4 - 1);

      // Another export without kills succeeds: no locks or leases are left.
      await startOne();
      const [lastId, last] = [...histories].at(-1)!;
      expect((await last.ended).status, lastId).toBe("completed");
      for (const worker of workers) {
        expect(await worker.stop()).toBe(0);
        const scratch = path.join(worker.dataFolder, "work/exports");
        expect(existsSync(scratch) ? readdirSync(scratch) : []).toEqual([]);
      }
      await web.stop();
    },
    kills * 60_000 + 300_000,
  );

  test("the job of a killed worker continues within 45 s, that of a stopped worker immediately", async () => {
    const shared = {
      databaseUrl: await createDatabase(),
      storage: `file:${folder()}`,
      secret: "shared by all processes of this test, long enough to be one",
    };
    const web = await startService({ ...shared, role: "web" });
    const startWorker = () =>
      startService({ ...shared, role: "worker", env: { OCTAVO_URL: `http://localhost:${web.port}` } });
    let worker = await startWorker();
    const organization = await deployedOrganization(web, docs(200));
    for (const [signal, most_ms] of [
      ["SIGKILL", recovery_ms],
      ["SIGTERM", 5_000],
    ] as const) {
      const takenOverBefore = await takeovers(shared.databaseUrl);
      const { json } = await start(organization, { domain: organization.domain });
      const status = async () => (await organization.ask(`${jobsPath}/${json.jobId}`)).json.status;
      await expect.poll(status, { timeout: 20_000, interval: 50 }).toBe("running");
      const next = await startWorker();
      expect(await status()).toBe("running");
      worker.process.kill(signal);
      const harmedAt_ms = Date.now();
      // The rest of the export takes as long as on any worker, so the time until the takeover is measured.
      await until(async () => (await takeovers(shared.databaseUrl)) > takenOverBefore, most_ms, 200);
      const takenOver_ms = Date.now() - harmedAt_ms;
      const job = await ended(organization, json.jobId);
      const completed_ms = Date.now() - harmedAt_ms;
      console.info(`${signal}: taken over ${takenOver_ms} ms later, completed ${completed_ms} ms later`);
      expect([job.status, job.pageCount]).toEqual(["completed", 200]);
      expect(completed_ms).toBeLessThan(recovery_ms);
      worker = next;
    }
    await worker.stop();
    await web.stop();
  }, 240_000);
});

describe("a service on one machine", () => {
  test(
    `${kills} kills during requests: accepted exports are stored and completed`,
    async () => {
      const dataFolder = folder();
      let service = await startService({ dataFolder });
      const organization = await deployedOrganization(service, docs(3));
      const { port } = service;
      const accepted = new Set<string>();
      // Each export needs a different version, because equal queued exports become one job.
      let version = 0;
      for (let i = 0; i < kills; i++) {
        let isUp = true;
        const requests = Array.from({ length: 3 }, async () => {
          while (isUp) {
            const answer = await start(organization, {
              domain: organization.domain,
              version: `v${++version}`,
            }).catch(() => undefined);
            if (answer?.status === 202) accepted.add(answer.json.jobId);
          }
        });
        // Also on a slow machine, each kill comes after accepted exports and during further requests.
        const acceptedBefore = accepted.size;
        await expect
          .poll(() => accepted.size, { timeout: 30_000, interval: 10 })
          .toBeGreaterThan(acceptedBefore + 1);
        await wait(randomInt(0, 500));
        const gone = new Promise((resolve) => service.process.once("exit", resolve));
        service.process.kill("SIGKILL");
        await gone;
        isUp = false;
        await Promise.all(requests);
        service = await startService({ dataFolder, port });
        for (const jobId of accepted) {
          const answer = await organization.ask(`${jobsPath}/${jobId}`);
          expect([answer.status, answer.json.jobId]).toEqual([200, jobId]);
        }
        // The test only checks the rows, so the remaining jobs are cancelled.
        for (const jobId of [...accepted].slice(2))
          await service.operator(endpoints.cancelExport, { params: { jobId } }).catch((error: Error) => {
            if (!/already finished/.test(error.message)) throw error;
          });
      }
      expect(accepted.size).toBeGreaterThan(kills);
      for (const jobId of [...accepted].slice(0, 2)) {
        const seen: ExportJob[] = [];
        const job = await ended(organization, jobId, seen);
        checkHistory(seen);
        if (job.status === "completed") await download(organization, jobId);
        else expect(job.error).toBe("The export failed 3 times because of an internal error");
      }
      await service.stop();
    },
    kills * 30_000 + 180_000,
  );
});
