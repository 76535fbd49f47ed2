/**
 * Checks the health of the database, the object store, the queue and the workers, and reads the versions of
 * the software and the database schema.
 */

import { sql } from "kysely";
import type { Service } from "../core/service.ts";
import { countedJobs_count } from "./platform-lists.ts";

export interface HealthPart {
  name: string;
  isGood: boolean;
  detail: string;
}

/** Timeout for the database and the object store. */
const answer_ms = 3_000;
/** Maximum usual waiting time of a job. A job that waits longer suggests that no worker takes jobs. */
const longestWait_s = 300;

/** Checks all components. Rejects if the jobs can't be read. */
export async function readHealth(service: Service): Promise<HealthPart[]> {
  const { embedding } = service;
  const [database, store, jobs, ...model] = await Promise.all([
    timed("Database", () => sql`select 1`.execute(service.db)),
    // No such object is needed: `size` only rejects if the store fails.
    timed("Object store", () => service.objects.size("health/check")),
    readJobs(service),
    ...(embedding ? [timed("Embedding model", () => embedding.embedder.embedQuestion("health"))] : []),
  ]);
  return [database, store, ...model, ...jobs];
}

export async function readVersions({
  db,
  settings,
}: Service): Promise<(readonly [name: string, version: string])[]> {
  const { rows } = await sql<{ postgres: string; schema: string }>`
    select current_setting('server_version') as postgres, (select max(name) from migrations) as schema`.execute(
    db,
  );
  return [
    ["Deployment type", settings.kind],
    ["Node.js", process.version.slice(1)],
    ["PostgreSQL", rows[0]!.postgres],
    ["Database schema", rows[0]!.schema.replace(/\.sql$/, "")],
  ];
}

async function timed(name: string, ask: () => Promise<unknown>): Promise<HealthPart> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: no response`)), answer_ms);
  });
  try {
    await Promise.race([ask(), tooLate]);
    return { name, isGood: true, detail: `Responded in ${Math.ceil(performance.now() - started)} ms` };
  } catch {
    return { name, isGood: false, detail: "Not responding" };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the state of the queue and of the workers. Both are derived from the oldest `countedJobs_count`
 * jobs, because workers have no rows.
 */
async function readJobs({ db }: Service): Promise<HealthPart[]> {
  const { rows } = await sql<{ waiting: number; running: number; retries: number; wait_s: number }>`
    select count(*) filter (where leased_at is null)::int as waiting, count(*) filter (where leased_at is not null)::int as running,
      count(*) filter (where leased_at is null and faults > 0)::int as retries,
      coalesce(extract(epoch from clock_timestamp() - min(run_at) filter (where leased_at is null)), 0)::float8 as wait_s
    from (select * from jobs order by id limit ${countedJobs_count}) j`.execute(db);

  const { waiting, running, retries, wait_s } = rows[0]!;
  const isStuck = wait_s > longestWait_s;
  const waited = `The oldest job has been waiting for ${Math.round(wait_s / 60)} minutes. ${running ? "All workers are busy." : "No workers are accepting jobs."}`;
  return [
    {
      name: "Queue",
      isGood: waiting < countedJobs_count,
      detail: `${waiting} waiting, ${retries} of them after a failure`,
    },
    { name: "Workers", isGood: !isStuck || running > 0, detail: isStuck ? waited : `${running} running` },
  ];
}
