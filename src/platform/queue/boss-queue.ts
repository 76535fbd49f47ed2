/**
 * The queue on pg-boss: it keeps the jobs, their order and their delays; whether a worker lives is said by `leases.ts`.
 * A job that is done is deleted, since what the public sees stands in the row of its feature. So nothing piles up here.
 */
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { CompiledQuery, sql } from "kysely";
import type pg from "pg";
import PgBoss from "pg-boss";
import { limits } from "../../base/limits.ts";
import type { Database, Tx } from "../tables.ts";
import { endLease, endSilentLeases, isAnyoneSilent, type Lease, signLeases, takeLease } from "./leases.ts";
import type { JobHandler, JobName, Queue } from "./queue.ts";

const names: readonly JobName[] = ["deploy", "static-export", "categorize"];

/** Faults are counted by us: pg-boss counts every taking, and one that a worker handed back in order is no fault. */
const withoutEnd = 1_000_000;

/** What a job carries from one attempt to the next. */
interface Past {
  faults: number;
  message: string;
}

interface Held {
  lease: Lease;
  /** Of the row that the job is about. */
  id: string;
  organizationId: string;
  past: Past;
  controller: AbortController;
  ended: Promise<void>;
}

/** A row of pg-boss's. */
interface Fetched {
  name: JobName;
  id: string;
  data: { id: string; organizationId: string };
  output: Past | null;
  retry_count: number;
}

export interface BossQueueOptions {
  db: Database;
  pool: pg.Pool;
  /** How many jobs of each name this process works on at the same time: a long export must not hold up a deployment. */
  slots: number;
  /** No other process works on this database, so leases that are there when work begins are of the dead. */
  isAlone: boolean;
  /** Told of every fault that a job or the queue itself met. */
  report(error: unknown): void;
}

export class BossQueue implements Queue {
  private readonly options: BossQueueOptions;
  private readonly boss: PgBoss;
  private readonly held = new Set<Held>();
  private isStopping = false;
  private working: Promise<void> | undefined;
  /** Ends the pause between two looks for jobs. */
  private wake = () => {};

  private constructor(options: BossQueueOptions, boss: PgBoss) {
    this.options = options;
    this.boss = boss;
  }

  static async start(options: BossQueueOptions): Promise<BossQueue> {
    return new BossQueue(options, await startBoss(options.pool));
  }

  async enqueue(tx: Tx, name: JobName, id: string, organizationId: string): Promise<void> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pgboss.job
      where name = ${name} and state < 'active' and data ->> 'organizationId' = ${organizationId}`.execute(tx);
    const job = await this.boss.send(
      name,
      { id, organizationId },
      {
        db: through(tx),
        priority: -rows[0]!.waiting,
        retryLimit: withoutEnd,
        retryDelay: limits.jobRetry_s,
        retryBackoff: true,
      },
    );
    if (job === null) throw new Error(`The queue ${name} does not exist`);
  }

  work(handlers: Record<JobName, JobHandler>): Promise<void> {
    this.working ??= this.takeJobs(handlers);
    return this.working;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.working;
    const held = [...this.held];
    await Promise.all(
      held.map((job) => {
        job.controller.abort();
        return this.handBack(job, job.past).catch(this.options.report);
      }),
    );
    await Promise.race([Promise.all(held.map(({ ended }) => ended)), wait(limits.jobStop_ms, undefined, { ref: false })]);
  }

  private async takeJobs(handlers: Record<JobName, JobHandler>): Promise<void> {
    let isTicking = false;
    const tick = async (silence_ms: number) => {
      if (isTicking) return;
      isTicking = true;
      await this.sign().catch(this.options.report);
      await this.handBackOfSilent(silence_ms).catch(this.options.report);
      isTicking = false;
    };
    await tick(this.options.isAlone ? 0 : limits.jobSilence_ms);
    const ticker = setInterval(() => void tick(limits.jobSilence_ms), limits.jobBeat_ms);
    let isAway = false;
    while (!this.isStopping) {
      const job = await this.take().then(
        (taken) => {
          isAway = false;
          return taken;
        },
        (error: unknown) => {
          // A database that is away is told of once, not at every look.
          if (!isAway) this.options.report(error);
          isAway = true;
          return undefined;
        },
      );
      if (job) job.ended = this.run(job, handlers[job.lease.queue as JobName]);
      else await this.pause();
    }
    clearInterval(ticker);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limits.jobPoll_ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Taking a job and signing for it is one step. */
  private async take(): Promise<Held | undefined> {
    const { slots, db } = this.options;
    const held = [...this.held].map(({ lease, organizationId }) => ({ name: lease.queue, organizationId }));
    const wanted = names.filter((name) => held.filter((job) => job.name === name).length < slots);
    if (wanted.length === 0) return undefined;
    // One slot of each name stays free for other organizations.
    const mostOfOne = Math.max(1, slots - 1);
    const full = held.filter((job) => held.filter((other) => isDeepStrictEqual(other, job)).length >= mostOfOne);
    const isWaiting = sql`state < 'active' and start_after < now()`;
    // Costs little while nothing waits.
    const { rows } = await sql`select from pgboss.job where name = any(${wanted}::text[]) and ${isWaiting} limit 1`.execute(db);
    if (rows.length === 0) return undefined;
    const job = await db.transaction().execute(async (tx): Promise<Held | undefined> => {
      // pg-boss's own fetch knows no organizations. What it writes is the same.
      const fetched = await sql<Fetched>`
        with running as (
          select name, data ->> 'organizationId' as organization_id, count(*) as count from pgboss.job where state = 'active' group by 1, 2
        ), next as (
          select job.name, job.id from pgboss.job
          left join running on running.name = job.name and running.organization_id = job.data ->> 'organizationId'
          where job.name = any(${wanted}::text[]) and ${isWaiting} and not exists (
            select from unnest(${full.map(({ name }) => name)}::text[], ${full.map(({ organizationId }) => organizationId)}::text[])
              as filled (name, organization_id)
            where filled.name = job.name and filled.organization_id = job.data ->> 'organizationId')
          order by coalesce(running.count, 0), priority desc, created_on, id
          limit 1 for update of job skip locked
        )
        update pgboss.job set state = 'active', started_on = now(),
          retry_count = case when started_on is null then retry_count else retry_count + 1 end
        from next where job.name = next.name and job.id = next.id
        returning job.name, job.id, job.data, job.output, job.retry_count`.execute(tx);
      const [row] = fetched.rows;
      if (row === undefined) return undefined;
      const lease = { job_id: row.id, queue: row.name, attempt: row.retry_count + 1 };
      await takeLease(tx, lease);
      return {
        ...row.data,
        lease,
        past: row.output ?? { faults: 0, message: "" },
        controller: new AbortController(),
        ended: Promise.resolve(),
      };
    });
    // Not before others can see the lease: it would look lost.
    if (job) this.held.add(job);
    return job;
  }

  private async run(job: Held, handler: JobHandler): Promise<void> {
    try {
      await this.attempt(job, handler);
    } catch (error) {
      // Nobody hears it: what was not handed back is found when its lease is not signed any more.
      this.options.report(error);
    } finally {
      this.held.delete(job);
      this.wake();
    }
  }

  private async attempt(job: Held, handler: JobHandler): Promise<void> {
    const { id, lease, past, controller } = job;
    const { signal } = controller;
    try {
      // Giving up is an attempt like any other: a worker that dies over it leaves it to the next.
      if (past.faults < handler.attempts) await handler.run({ id, attempt: lease.attempt, signal });
      else await handler.giveUp(id, past.message);
      await this.options.db.transaction().execute(async (tx) => {
        if (await endLease(tx, lease)) await this.boss.deleteJob(lease.queue, lease.job_id, { db: through(tx) });
      });
    } catch (error) {
      if (signal.aborted) return;
      this.options.report(error);
      job.past = { faults: past.faults + 1, message: error instanceof Error ? error.message : String(error) };
      if (job.past.faults === handler.attempts) await this.attempt(job, handler);
      else await this.handBack(job, job.past);
    }
  }

  /** Somebody else may take the job from now on. */
  private async handBack({ lease }: Held, past: Past): Promise<void> {
    await this.options.db.transaction().execute(async (tx) => {
      if (await endLease(tx, lease)) await this.boss.fail(lease.queue, lease.job_id, past, { db: through(tx) });
    });
  }

  private async sign(): Promise<void> {
    const held = [...this.held];
    if (held.length === 0) return;
    const own = await signLeases(
      this.options.db,
      held.map(({ lease }) => lease),
    );
    for (const { lease, controller } of held) if (!own.has(lease.job_id)) controller.abort();
  }

  private async handBackOfSilent(silence_ms: number): Promise<void> {
    const { db } = this.options;
    if (!(await isAnyoneSilent(db, silence_ms))) return;
    await db.transaction().execute(async (tx) => {
      for (const { job_id, queue } of await endSilentLeases(tx, silence_ms)) {
        const job = await this.boss.getJobById(queue, job_id, { includeArchive: false, db: through(tx) });
        const faults = ((job?.output as Past | null)?.faults ?? 0) + 1;
        await this.boss.fail(queue, job_id, { faults, message: "The worker ended" } satisfies Past, { db: through(tx) });
      }
    });
  }
}

/** Jobs that no worker has taken yet. */
export async function waitingJobs(db: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pgboss.job where state < 'active'`.execute(db);
  return rows[0]!.waiting;
}

/** Any number that nobody else takes a lock with. */
const lockNumber = 0x6f_63_75;

/**
 * pg-boss makes its tables by several statements with a transaction of their own. When that fails, the connection is left
 * inside of it: so it is one that nobody uses afterwards, and one process does it at a time.
 */
async function startBoss(pool: pg.Pool): Promise<PgBoss> {
  const client = await pool.connect();
  let run: Pick<pg.Pool, "query"> = client;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => run.query(text, values) },
    // Its own maintenance looks for what cannot be here: jobs without a lease, and jobs that are done.
    supervise: false,
    schedule: false,
  });
  boss.on("error", () => {});
  try {
    await client.query("set statement_timeout = 0");
    await client.query("select pg_advisory_lock($1)", [lockNumber]);
    await boss.start();
    for (const name of names) await boss.createQueue(name);
    await client.query("select pg_advisory_unlock($1)", [lockNumber]);
  } finally {
    client.release(true);
  }
  run = pool;
  return boss;
}

/** pg-boss within a transaction of ours. */
function through(tx: Tx): PgBoss.Db {
  return {
    async executeSql(text, values) {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}
