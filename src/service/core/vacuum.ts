/** Frees the space of old row versions in tables that are often updated. Needed for the embedded database, which has no autovacuum. */

import type pg from "pg";

export async function vacuumTables(pool: pg.Pool): Promise<void> {
  await pool.query(
    "vacuum (analyze) rate_windows, jobs, api_keys, projects, deployments, static_export_jobs, conversation_days, unanswered_days",
  );
}
