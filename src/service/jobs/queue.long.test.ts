/** Guarantees of the job queue, tested with both kinds of databases. */

import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "../../../test/shared/database.ts";
import { type OpenDatabase, openDatabase } from "../../io/postgres.ts";
import type { Job, JobHandler, JobHandlers, JobName } from "../core/queue.ts";
import type { Tables } from "../core/tables.ts";
import { JobQueue } from "./job-queue.ts";

const root = process.cwd();
const owner = { organizationId: "a", projectId: "p" };
const never: JobHandler<JobName> = { attempts: 1, run: async () => {}, giveUp: async () => {} };

/** Returns the handlers of all job types. Those that aren't given do nothing. */
const handlersWith = (handlers: Partial<JobHandlers>): JobHandlers => ({
  deploy: never,
  "deploy-pull-request": never,
  "static-export": never,
  "report-deployment": never,
  "embed-passages": never,
  "mirror-repository": never,
  categorize: never,
  ...handlers,
});

describe.each(["embedded", "server"])("the queue on an %s database", (kind) => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-queue-"));
  let database: OpenDatabase<Tables>;
  const queues: JobQueue[] = [];
  const reported: string[] = [];

  beforeAll(async () => {
    database = await openDatabase<Tables>({
      ...(kind === "server" ? { url: await createDatabase() } : {}),
      folder,
      script: path.join(root, "dist/database.js"),
      migrations: path.join(root, "src/io/migrations"),
    });
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    reported.length = 0;
  });
  afterEach(async () => {
    for (const queue of queues.splice(0)) await queue.stop();
    await database.pool.query("delete from jobs");
  });

  async function start(slots = 1): Promise<JobQueue> {
    const queue = new JobQueue({
      db: database.db,
      slots,
      isAlone: false,
      report: (error) => reported.push((error as Error).message),
    });
    queues.push(queue);
    return queue;
  }

  const enqueue = (queue: JobQueue, id: string, organizationId = "a", projectId = "p") =>
    database.db
      .transaction()
      .execute((tx) => queue.enqueue(tx, "static-export", { exportId: id }, { organizationId, projectId }));

  /** Creates a handler that records its calls. */
  function recorder(run: (job: Job<"static-export">) => Promise<void> = async () => {}, attempts = 3) {
    const runs: string[] = [];
    const givenUp: string[] = [];
    const handler: JobHandler<"static-export"> = {
      attempts,
      async run(job) {
        runs.push(`${job.payload.exportId} ${job.attempt}`);
        await run(job);
      },
      async giveUp({ exportId }, { message }) {
        givenUp.push(`${exportId}: ${message}`);
      },
    };
    return {
      runs,
      givenUp,
      handlers: handlersWith({ "static-export": handler }),
    };
  }

  const jobsLeft = async () => (await database.pool.query("select id from jobs")).rowCount;

  test("a job becomes visible with its transaction and is deleted after completion", async () => {
    const queue = await start();
    const { runs, handlers } = recorder();
    void queue.work(handlers);
    await database.db
      .transaction()
      .execute(async (tx) => {
        await queue.enqueue(tx, "static-export", { exportId: "undone" }, owner);
        throw new Error("undone");
      })
      .catch(() => {});
    await enqueue(queue, "done");
    await expect.poll(() => runs, { timeout: 5_000 }).toEqual(["done 1"]);
    await expect.poll(jobsLeft).toBe(0);
    expect(reported).toEqual([]);
  });

  test("a failed job is retried, and given up once", async () => {
    const queue = await start();
    const { runs, givenUp, handlers } = recorder(async () => {
      throw new Error("The disk is full");
    });
    void queue.work(handlers);
    await enqueue(queue, "x");
    await expect.poll(() => givenUp, { timeout: 30_000 }).toEqual(["x: The disk is full"]);
    expect(runs).toEqual(["x 1", "x 2", "x 3"]);
    await expect.poll(jobsLeft).toBe(0);
    await wait(1_000);
    expect(givenUp).toHaveLength(1);
  });

  test.each([
    [5, ["one 6"], []],
    [6, [], ["one: The worker stopped"]],
  ])("%s attempts whose worker vanished", async (attempts, runs, givenUp) => {
    const queue = await start();
    await enqueue(queue, "one");
    await database.pool.query("update jobs set attempt = $1, leased_at = now() - interval '1 hour'", [
      attempts,
    ]);
    // A single fault is enough to give up.
    const recorded = recorder(undefined, 1);
    void queue.work(recorded.handlers);
    const left = async () => {
      // Skips the pause before the next attempt.
      await database.pool.query("update jobs set run_at = now() where leased_at is null");
      return jobsLeft();
    };
    await expect.poll(left, { timeout: 20_000 }).toBe(0);
    expect([recorded.runs, recorded.givenUp]).toEqual([runs, givenUp]);
  });

  test("a worker that stops hands its jobs back, which isn't counted as a fault", async () => {
    let release = () => {};
    const first = recorder(
      ({ signal }) =>
        new Promise((resolve, reject) => {
          release = resolve;
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
      1,
    );
    for (let attempt = 1; attempt <= 3; attempt++) {
      const worker = await start();
      void worker.work(first.handlers);
      if (attempt === 1) await enqueue(worker, "x");
      await expect.poll(() => first.runs.at(-1), { timeout: 20_000 }).toBe(`x ${attempt}`);
      const stopped = performance.now();
      await worker.stop();
      expect(performance.now() - stopped).toBeLessThan(1_000);
    }
    release();
    expect(first.givenUp).toEqual([]);
    expect(reported).toEqual([]);
  });

  /** Creates handlers whose jobs run until `end` is called. */
  function jobsUntilEnd() {
    const ends = new Map<string, () => void>();
    const { runs, handlers } = recorder(
      ({ payload }) => new Promise((resolve) => ends.set(payload.exportId, resolve)),
    );
    return { runs, handlers, end: (id: string) => ends.get(id)!() };
  }

  test("an organization does not get all slots of a process", async () => {
    const queue = await start(3);
    const { runs, handlers, end } = jobsUntilEnd();
    for (let i = 0; i < 5; i++) await enqueue(queue, `a${i}`, "a");
    void queue.work(handlers);
    await expect.poll(() => runs, { timeout: 5_000 }).toEqual(["a0 1", "a1 1"]);
    await enqueue(queue, "b", "b");
    await expect.poll(() => runs, { timeout: 5_000 }).toEqual(["a0 1", "a1 1", "b 1"]);
    end("a0");
    await expect.poll(() => runs, { timeout: 5_000 }).toEqual(["a0 1", "a1 1", "b 1", "a2 1"]);
    for (const id of ["a1", "a2", "b"]) end(id);
    await expect.poll(() => runs.length, { timeout: 5_000 }).toBe(6);
    for (const id of ["a3", "a4"]) end(id);
    await expect.poll(jobsLeft).toBe(0);
  });

  test("organizations without a running job come first, in all processes together", async () => {
    const [one, other] = [await start(2), await start(2)];
    const { runs, handlers, end } = jobsUntilEnd();
    await enqueue(one, "a0", "a");
    void one.work(handlers);
    await expect.poll(() => runs, { timeout: 5_000 }).toEqual(["a0 1"]);
    await enqueue(one, "b0", "b");
    await expect.poll(() => runs, { timeout: 5_000 }).toEqual(["a0 1", "b0 1"]);
    await enqueue(one, "a1", "a");
    await enqueue(one, "c0", "c");
    void other.work(handlers);
    await expect.poll(() => runs, { timeout: 5_000 }).toEqual(["a0 1", "b0 1", "c0 1", "a1 1"]);
    for (const id of ["a0", "b0", "c0", "a1"]) end(id);
    await expect.poll(jobsLeft).toBe(0);
  });

  test("many jobs of one organization don't block another one's job", async () => {
    const queue = await start();
    const { runs, handlers } = recorder();
    for (let i = 0; i < 30; i++) await enqueue(queue, `a${i}`, "a");
    await enqueue(queue, "b", "b");
    void queue.work(handlers);
    await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(31);
    expect(runs.indexOf("b 1")).toBeLessThanOrEqual(2);
  });

  test("many jobs of one project don't block another project of the organization", async () => {
    const queue = await start();
    const { runs, handlers } = recorder();
    for (let i = 0; i < 30; i++) await enqueue(queue, `p${i}`, "a", "p");
    await enqueue(queue, "q0", "a", "q");
    await enqueue(queue, "q1", "a", "q");
    await enqueue(queue, "other", "b", "r");
    void queue.work(handlers);
    await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(33);
    expect(runs.indexOf("q0 1")).toBeLessThanOrEqual(3);
    expect(runs.indexOf("q1 1")).toBeLessThanOrEqual(6);
    expect(runs.indexOf("other 1")).toBeLessThanOrEqual(3);
  });

  test("a job that failed and is due again comes after a new one of another project", async () => {
    const queue = await start();
    const { runs, handlers } = recorder();
    await enqueue(queue, "failing", "a", "p");
    await database.pool.query("update jobs set faults = 1, attempt = 1");
    await enqueue(queue, "new", "a", "q");
    void queue.work(handlers);
    await expect.poll(() => runs, { timeout: 5_000 }).toEqual(["new 1", "failing 2"]);
  });

  test("a long export doesn't block a deployment", async () => {
    const queue = await start(1);
    const exporting = recorder(
      ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    );
    const deployments: string[] = [];
    void queue.work(
      handlersWith({
        deploy: { ...never, run: async ({ payload }) => void deployments.push(payload.deploymentId) },
        "static-export": exporting.handlers["static-export"],
      }),
    );
    await enqueue(queue, "long");
    await expect.poll(() => exporting.runs, { timeout: 5_000 }).toEqual(["long 1"]);
    await enqueue(queue, "next");
    await database.db
      .transaction()
      .execute((tx) => queue.enqueue(tx, "deploy", { deploymentId: "site" }, owner));
    await expect.poll(() => deployments, { timeout: 5_000 }).toEqual(["site"]);
    expect(exporting.runs).toEqual(["long 1"]);
  });

  test("each job goes to one of several workers", async () => {
    const workers = [await start(3), await start(3)];
    const { runs, handlers } = recorder(() => wait(5));
    for (const worker of workers) void worker.work(handlers);
    for (let i = 0; i < 60; i += 2)
      await Promise.all(workers.map((worker, n) => enqueue(worker, `${i + n}`)));
    await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(60);
    await expect.poll(jobsLeft).toBe(0);
    expect(new Set(runs).size).toBe(60);
  });

  test("a worker that lost its job is aborted, and its result changes nothing", async () => {
    const late = await start();
    const other = await start();
    let isAborted = false;
    let finish = () => {};
    const slow = recorder(
      ({ signal }) =>
        new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => {
            isAborted = true;
          });
          finish = resolve;
        }),
    );
    void late.work(slow.handlers);
    await enqueue(late, "x");
    await expect.poll(() => slow.runs, { timeout: 5_000 }).toEqual(["x 1"]);
    // Expire the lease, so that the other worker takes over before the next renewal.
    await database.pool.query("update jobs set leased_at = leased_at - interval '1 hour'");
    const next = recorder(() => wait(8_000));
    void other.work(next.handlers);
    await expect.poll(() => next.runs, { timeout: 15_000 }).toEqual(["x 2"]);
    await expect.poll(() => isAborted, { timeout: 6_000 }).toBe(true);
    finish();
    await wait(500);
    expect((await database.pool.query("select attempt from jobs")).rows).toEqual([{ attempt: 2 }]);
    await expect.poll(jobsLeft, { timeout: 10_000 }).toBe(0);
  });
});

test("a worker survives an outage of the database without losing jobs", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-queue-"));
  const url = new URL(await createDatabase());
  const serverPort = Number(url.port);
  const sockets = new Set<Socket>();
  let isDown = false;
  const proxy = createServer((socket) => {
    if (isDown) return void socket.destroy();
    const onward = connect(serverPort, "127.0.0.1");
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {}).on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  url.port = String((proxy.address() as AddressInfo).port);
  const migrations = path.join(root, "src/io/migrations");
  const database = await openDatabase<Tables>({ url: String(url), folder, script: "", migrations });
  const { db, pool } = database;
  const queue = new JobQueue({ db, slots: 1, isAlone: false, report: () => {} });
  const runs: string[] = [];
  let isBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    isBegun = resolve;
  });
  const handler: JobHandler<"static-export"> = {
    attempts: 3,
    async run({ payload, attempt }) {
      runs.push(`${payload.exportId} ${attempt}`);
      isBegun();
      // This attempt ends while the database is down.
      if (attempt === 1 && payload.exportId === "during") await wait(1_000);
    },
    giveUp: async () => {},
  };
  void queue.work(handlersWith({ "static-export": handler }));
  await db.transaction().execute((tx) => queue.enqueue(tx, "static-export", { exportId: "during" }, owner));
  await begun;
  isDown = true;
  for (const socket of sockets) socket.destroy();
  await wait(6_000);
  isDown = false;
  await expect
    .poll(
      () =>
        db
          .transaction()
          .execute((tx) => queue.enqueue(tx, "static-export", { exportId: "after" }, owner))
          .then(
            () => true,
            () => false,
          ),
      { timeout: 5_000 },
    )
    .toBe(true);
  await expect.poll(() => runs, { timeout: 5_000 }).toContain("after 1");
  await expect.poll(() => runs, { timeout: 40_000 }).toContain("during 2");
  await expect.poll(async () => (await pool.query("select from jobs")).rowCount).toBe(0);
  await queue.stop();
  await database.close();
  proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a connection that is lost during a transaction does not end the process", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-queue-"));
  const url = await createDatabase();
  const database = await openDatabase<Tables>({
    url,
    folder,
    script: "",
    migrations: path.join(root, "src/io/migrations"),
  });
  // An unhandled error would end the process and fail the test run.
  const left = database.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await database.pool.query("select pg_terminate_backend($1)", [rows[0]!.pid]);
    await wait(200);
    await sql`select 1`.execute(tx);
  });
  await expect(left).rejects.toThrow();
  expect((await database.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
