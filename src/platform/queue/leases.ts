/**
 * Who works on what. pg-boss knows that a job was taken, not whether its worker still lives: a row that the worker signs
 * every few seconds, by the database's clock, says so. Whoever deletes the row decides what becomes of the job.
 */
import { sql } from "kysely";
import type { Database, Tx } from "../tables.ts";

export interface Lease {
  job_id: string;
  queue: string;
  attempt: number;
}

export async function takeLease(tx: Tx, lease: Lease): Promise<void> {
  await tx.insertInto("job_leases").values(lease).execute();
}

/** False when somebody else has taken the job over: then nothing may be written for it. */
export async function endLease(tx: Tx, { job_id, attempt }: Lease): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("job_leases")
    .where("job_id", "=", job_id)
    .where("attempt", "=", attempt)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Signs all leases of a process at once; answers with the jobs that are still its own. */
export async function signLeases(db: Database, leases: readonly Lease[]): Promise<Set<string>> {
  const jobs = leases.map(({ job_id }) => job_id);
  const attempts = leases.map(({ attempt }) => attempt);
  const { rows } = await sql<{ job_id: string }>`
    update job_leases set beat_at = clock_timestamp()
    from unnest(${jobs}::text[], ${attempts}::int[]) as mine (job_id, attempt)
    where job_leases.job_id = mine.job_id and job_leases.attempt = mine.attempt
    returning job_leases.job_id`.execute(db);
  return new Set(rows.map(({ job_id }) => job_id));
}

/** True when a worker has gone silent. Costs nothing to ask. */
export async function isAnyoneSilent(db: Database, silence_ms: number): Promise<boolean> {
  const found = await db.selectFrom("job_leases").select("job_id").where("beat_at", "<", before(silence_ms)).limit(1).executeTakeFirst();
  return found !== undefined;
}

/** Ends the leases of silent workers. Two who look at the same time do not end the same ones. */
export async function endSilentLeases(tx: Tx, silence_ms: number): Promise<Lease[]> {
  return tx
    .deleteFrom("job_leases")
    .where("job_id", "in", (query) =>
      query.selectFrom("job_leases").select("job_id").where("beat_at", "<", before(silence_ms)).forUpdate().skipLocked(),
    )
    .returning(["job_id", "queue", "attempt"])
    .execute();
}

function before(silence_ms: number) {
  return sql<Date>`clock_timestamp() - ${silence_ms} * interval '1 millisecond'`;
}
