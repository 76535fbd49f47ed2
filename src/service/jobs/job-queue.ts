/**
 * Implements the job queue in a database table. Workers take jobs with `for update skip locked` and renew the
 * leases of their jobs with the database's clock. A job whose lease has expired returns to the queue.
 * Finished jobs are deleted.
 */

import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { isDiskFull } from "../../io/system-error.ts";
import {
  ForeignFailure,
  type Job,
  type JobHandler,
  type JobHandlers,
  type JobName,
  type JobOwner,
  type JobPayloads,
  type Queue,
} from "../core/queue.ts";
import type { Database, Tx } from "../core/tables.ts";

/**
 * Time between two heartbeats of a worker. A heartbeat renews the worker's leases and returns jobs with
 * expired leases to the queue.
 */
const jobBeat_ms = 5_000;
/**
 * Lease time: a worker loses its jobs this long after its last heartbeat. Allows for three missed heartbeats
 * and some delay.
 */
const jobSilence_ms = 20_000;
/** Time between two polls of an idle worker. */
const jobPoll_ms = 200;
/** Delay before the first retry of a job. Doubles with each attempt. */
const jobRetry_s = 1;
/**
 * Number of attempts of a job that may end because their worker vanished, for example because its machine
 * failed. A job that crashes its worker itself is given up at some time, so further ones count as failed
 * attempts.
 */
const vanished_count = 5;
/** Maximum time that a stopping process waits for its aborted jobs to end. */
const jobStop_ms = 5_000;

interface RunningJob {
  id: number;
  name: JobName;
  payload: JobPayloads[JobName];
  organizationId: string;
  attempt: number;
  /** Number of failed attempts. Attempts that ended because the process stopped don't count. */
  faults: number;
  message: string;
  isDiskFull: boolean;
  controller: AbortController;
  ended: Promise<void>;
}

export interface JobQueueOptions {
  db: Database;
  /**
   * Maximum number of jobs of one name that this process runs concurrently. Each name has its own slots, so
   * exports, for example, don't take the slots of deployments.
   */
  slots: number;
  /**
   * Whether no other process uses the database. If so, leases that exist at the start belong to processes
   * that have ended.
   */
  isAlone: boolean;
  /** Receives errors from jobs and from the queue itself. */
  report(error: unknown): void;
}

export class JobQueue implements Queue {
  private readonly options: JobQueueOptions;
  private readonly running = new Set<RunningJob>();
  private isStopping = false;
  private working: Promise<void> | undefined;
  /** Ends the pause between two polls early. */
  private wake = () => {};

  constructor(options: JobQueueOptions) {
    this.options = options;
  }

  async enqueue<Name extends JobName>(
    tx: Tx,
    name: Name,
    payload: JobPayloads[Name],
    { organizationId, projectId }: JobOwner,
  ): Promise<void> {
    // Counts the waiting jobs that come first: those of the project, and as many of each other project.
    await sql`
      with waiting as (
        select project_id, project_priority from jobs
        where name = ${name} and organization_id = ${organizationId} and leased_at is null and faults = 0
      ), own as (
        select -count(*) as project_priority from waiting where project_id = ${projectId}
      )
      insert into jobs (name, payload, organization_id, project_id, project_priority, priority)
      select ${name}, ${JSON.stringify(payload)}::jsonb, ${organizationId}, ${projectId}, own.project_priority,
        -(select count(*) from waiting where waiting.project_priority >= own.project_priority)
      from own`.execute(tx);
  }

  work(handlers: JobHandlers): Promise<void> {
    this.working ??= this.takeJobs(handlers);
    return this.working;
  }

  async runDue(handlers: JobHandlers): Promise<void> {
    for (;;) {
      const isBusy = this.running.size > 0;
      const job = await this.take(handlers);
      if (job) job.ended = this.run(job, handlers[job.name] as JobHandler<JobName>);
      else if (this.running.size > 0) await Promise.race([...this.running].map(({ ended }) => ended));
      // A job that has ended in the meantime may have kept another one from being taken.
      else if (!isBusy) return;
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.working;
    const running = [...this.running];
    await Promise.all(
      running.map((job) => {
        job.controller.abort();
        return this.handBack(job).catch(this.options.report);
      }),
    );

    await Promise.race([
      Promise.all(running.map(({ ended }) => ended)),
      wait(jobStop_ms, undefined, { ref: false }),
    ]);
  }

  private async takeJobs(handlers: JobHandlers): Promise<void> {
    const { isAlone, report } = this.options;
    let isTicking = false;
    const tick = async (lease_ms: number) => {
      if (isTicking) return;
      isTicking = true;
      await this.renewLeases().catch(report);
      await this.handBackExpired(lease_ms).catch(report);
      isTicking = false;
    };

    await tick(isAlone ? 0 : jobSilence_ms);
    const ticker = setInterval(() => void tick(jobSilence_ms), jobBeat_ms);
    let isDatabaseDown = false;
    while (!this.isStopping) {
      let job: RunningJob | undefined;
      try {
        job = await this.take(handlers);
        isDatabaseDown = false;
      } catch (error) {
        // Only the first of several errors in a row is reported.
        if (!isDatabaseDown) report(error);
        isDatabaseDown = true;
      }
      if (job) job.ended = this.run(job, handlers[job.name] as JobHandler<JobName>);
      else await this.pause();
    }

    clearInterval(ticker);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, jobPoll_ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Takes the next job and leases it, in one statement. */
  private async take(handlers: JobHandlers): Promise<RunningJob | undefined> {
    const { db } = this.options;
    const slotsOf = (name: JobName) => handlers[name].slots ?? this.options.slots;
    const running = [...this.running].map(({ name, organizationId }) => ({ name, organizationId }));
    const names = Object.keys(handlers) as JobName[];
    const available = names.filter(
      (name) => running.filter((job) => job.name === name).length < slotsOf(name),
    );
    if (available.length === 0) return undefined;

    // If there are several slots, one organization can't use all slots of a job name.
    const maximum = (name: JobName) => Math.max(1, slotsOf(name) - 1);
    const full = running.filter(
      (job) => running.filter((other) => isDeepStrictEqual(other, job)).length >= maximum(job.name),
    );

    const { rows } = await sql<Omit<RunningJob, "controller" | "ended">>`
      with running as (
        select name, organization_id, count(*) as count from jobs where leased_at is not null group by 1, 2
      ), next as (
        select jobs.id from jobs left join running using (name, organization_id)
        where name = any(${available}::text[]) and leased_at is null and run_at <= now()
          and (name, organization_id) not in (
            select * from unnest(${full.map(({ name }) => name)}::text[], ${full.map(({ organizationId }) => organizationId)}::text[]))
        order by coalesce(running.count, 0), priority desc, faults, project_priority desc, jobs.id
        limit 1 for update of jobs skip locked
      )
      update jobs set leased_at = clock_timestamp(), attempt = attempt + 1
      from next where jobs.id = next.id
      returning jobs.id, name, payload, organization_id as "organizationId", attempt, faults, message, is_disk_full as "isDiskFull"`.execute(
      db,
    );

    const [row] = rows;
    if (row === undefined) return undefined;
    const job = { ...row, controller: new AbortController(), ended: Promise.resolve() };
    this.running.add(job);

    return job;
  }

  private async run(job: RunningJob, handler: JobHandler<JobName>): Promise<void> {
    try {
      await this.attempt(job, handler);
    } catch (error) {
      // The job could not be deleted or returned to the queue. It stays leased until the lease expires.
      this.options.report(error);
    } finally {
      this.running.delete(job);
      this.wake();
    }
  }

  private async attempt(job: RunningJob, handler: JobHandler<JobName>): Promise<void> {
    const { payload, attempt, controller } = job;
    const { signal } = controller;
    try {
      // `giveUp` runs under the same lease: if the worker crashes, the next one repeats it.
      if (job.faults < handler.attempts)
        await handler.run({ payload, attempt, signal } satisfies Job<JobName>);
      else await handler.giveUp(payload, job);
      await this.options.db
        .deleteFrom("jobs")
        .where("id", "=", job.id)
        .where("attempt", "=", attempt)
        .where("leased_at", "is not", null)
        .execute();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ForeignFailure)) this.options.report(error);
      job.faults++;
      job.message = error instanceof Error ? error.message : String(error);
      job.isDiskFull = isDiskFull(error);
      if (job.faults === handler.attempts) await this.attempt(job, handler);
      else await this.handBack(job);
    }
  }

  /** Returns the job to the queue. Changes nothing if this worker has lost the lease. */
  private async handBack({ id, attempt, faults, message, isDiskFull }: RunningJob): Promise<void> {
    await this.options.db
      .updateTable("jobs")
      .set({ leased_at: null, run_at: retryTime, faults, message, is_disk_full: isDiskFull })
      .where("id", "=", id)
      .where("attempt", "=", attempt)
      .where("leased_at", "is not", null)
      .execute();
  }

  private async renewLeases(): Promise<void> {
    const running = [...this.running];
    if (running.length === 0) return;
    const { rows } = await sql<{ id: number }>`
      update jobs set leased_at = clock_timestamp()
      from unnest(${running.map(({ id }) => id)}::bigint[], ${running.map(({ attempt }) => attempt)}::int[]) as own (id, attempt)
      where jobs.id = own.id and jobs.attempt = own.attempt and leased_at is not null
      returning jobs.id`.execute(this.options.db);
    const own = new Set(rows.map(({ id }) => id));
    for (const { id, controller } of running) if (!own.has(id)) controller.abort();
  }

  /**
   * Returns jobs with expired leases to the queue. Counts a fault only after `vanished_count` attempts that
   * weren't counted.
   */
  private async handBackExpired(lease_ms: number): Promise<void> {
    const { db } = this.options;
    await db
      .updateTable("jobs")
      .set({
        leased_at: null,
        run_at: retryTime,
        faults: sql`faults + (attempt - faults > ${vanished_count})::int`,
        message: "The worker stopped",
        is_disk_full: false,
      })
      .where("id", "in", (query) =>
        query
          .selectFrom("jobs")
          .select("id")
          .where("leased_at", "<", sql<Date>`clock_timestamp() - ${lease_ms} * interval '1 millisecond'`)
          .forUpdate()
          .skipLocked(),
      )
      .execute();
  }
}

/** SQL for the time of the next attempt. The delay doubles with each attempt, up to about 18 hours. */
const retryTime = sql<Date>`now() + ${jobRetry_s} * interval '1 second' * 2 ^ least(16, attempt - 1)`;

/** Returns the number of jobs that no worker is running. */
export async function waitingJobs(db: Database): Promise<number> {
  const { rows } = await sql<{
    waiting: number;
  }>`select count(*) as waiting from jobs where leased_at is null`.execute(db);
  return rows[0]!.waiting;
}
