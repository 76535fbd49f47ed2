/**
 * Runs database migrations: applies numbered SQL files, each in a transaction. Only one process runs
 * migrations at a time. Locks and settings belong to transactions, so migrations also work through a pooler
 * in transaction mode.
 */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";

/** Oldest supported version of PostgreSQL. Migrations use column lists in `on delete set null`. */
const oldestServer = 15;
/** Key of the advisory lock. */
const lockNumber = 0x6f_63_74;

/**
 * Applies the SQL files in `folder` that haven't been applied yet. Throws if one fails, if the server is too
 * old, or if the database has migrations that aren't in `folder`.
 */
export async function migrate(pool: pg.Pool, folder: string): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}-[\w-]+\.sql$/.test(name))
    .sort();
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
    const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
    if (version < oldestServer)
      throw new Error(
        `Octavo requires PostgreSQL ${oldestServer} or newer. The database server is PostgreSQL ${version}.`,
      );
    const applied = await locked(client, async () => {
      await client.query(
        "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())",
      );
      return appliedNames(client);
    });
    const unknown = [...applied].filter((name) => !files.includes(name));
    if (unknown.length)
      throw new Error(
        `The database was migrated by a newer version of Octavo: it contains ${unknown.join(", ")}. Run the newer version, or restore a backup that this version created.`,
      );
    for (const name of files)
      if (!applied.has(name)) await apply(client, name, readFileSync(path.join(folder, name), "utf8"));
  } finally {
    client.release();
  }
}

async function appliedNames(client: pg.PoolClient): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>("select name from migrations");
  return new Set(rows.map(({ name }) => name));
}

async function apply(client: pg.PoolClient, name: string, text: string): Promise<void> {
  try {
    await locked(client, async () => {
      // Another process may have applied the migration while this process waited for the lock.
      if ((await appliedNames(client)).has(name)) return;
      await client.query(text);
      await client.query("insert into migrations (name) values ($1)", [name]);
    });
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Runs `work` in a transaction without a timeout. Only one process at a time can be in such a transaction.
 */
async function locked<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query("begin");
  try {
    await client.query("set local statement_timeout = 0");
    await client.query("select pg_advisory_xact_lock($1)", [lockNumber]);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
