/** What a server does by itself, an embedded database must be told: to make room of rows that are rewritten over and over. */
import type pg from "pg";

export async function makeRoom(pool: pg.Pool): Promise<void> {
  await pool.query(
    "vacuum (analyze) rate_windows, job_leases, api_keys, projects, deployments, static_export_jobs, conversation_days, unanswered_days, pgboss.job",
  );
}
