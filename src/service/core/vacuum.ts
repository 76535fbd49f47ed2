/** Does for the embedded database, which has no autovacuum, what autovacuum does on a PostgreSQL server. */

import pg from "pg";

/**
 * Frees the space of old row versions in tables that are often updated, and updates the statistics of tables
 * that have changed.
 */
export async function vacuumTables(pool: pg.Pool): Promise<void> {
  await pool.query(
    "vacuum (analyze) rate_windows, jobs, api_keys, projects, deployments, static_export_jobs, conversation_days, unanswered_days",
  );
  // Makes the current numbers of changed rows visible.
  await pool.query("select pg_stat_force_next_flush()");
  // The same condition as autovacuum's.
  const { rows } = await pool.query<{ name: string }>(
    "select relname as name from pg_stat_user_tables where n_mod_since_analyze > 50 + n_live_tup / 10",
  );
  if (rows.length)
    await pool.query(`analyze ${rows.map(({ name }) => pg.escapeIdentifier(name)).join(", ")}`);
}
