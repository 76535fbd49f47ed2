/** Runs database migrations: applies numbered SQL files, each in a transaction. Only one process runs migrations at a time. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";

/** Key of the advisory lock. */
const lockNumber = 0x6f_63_74;

export async function migrate(pool: pg.Pool, folder: string): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}-[\w-]+\.sql$/.test(name))
    .sort();
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query("select pg_advisory_lock($1)", [lockNumber]);
    try {
      await client.query("create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())");
      const { rows } = await client.query<{ name: string }>("select name from migrations");
      const applied = new Set(rows.map(({ name }) => name));
      const unknown = [...applied].filter((name) => !files.includes(name));
      if (unknown.length) throw new Error(`The database was migrated by a newer version of Octavo: it contains ${unknown.join(", ")}`);
      for (const name of files) if (!applied.has(name)) await apply(client, name, readFileSync(path.join(folder, name), "utf8"));
    } finally {
      await client.query("select pg_advisory_unlock($1)", [lockNumber]);
    }
  } finally {
    // Closes the connection instead of reusing it, because its timeout was changed.
    client.release(true);
  }
}

async function apply(client: pg.PoolClient, name: string, text: string): Promise<void> {
  try {
    await client.query("begin");
    await client.query(text);
    await client.query("insert into migrations (name) values ($1)", [name]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
