/** Backups: an archive with the rows of most tables and all stored objects. It is written from one database snapshot and restored to an empty service. */

import type { Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { extract, type Header, pack as tarPack } from "tar-stream";
import type { Objects } from "../../io/objects.ts";

/** Maximum number of rows in one file of a backup. */
const backupPart_count = 1_000;

/**
 * Tables of a backup. A table comes after the tables that it references. Not part of a backup are, for example, jobs, sessions (one
 * that was ended later must not be restored), and salts and hashes of visitors (they must be deleted after their day). Triggers
 * restore the counts of conversations.
 */
const tables = [
  "data_keys",
  "organizations",
  "users",
  "user_identities",
  "memberships",
  "invitations",
  "projects",
  "domains",
  "api_keys",
  "audit_log",
  "deployments",
  "stored_files",
  "static_export_jobs",
  "idempotency_keys",
  "conversations",
  "turn_feedback",
  "page_traffic",
  "site_traffic",
  "referrers",
  "feedback",
  "search_days",
  "search_queries",
  "search_clicks",
  "model_usage",
  "model_usage_days",
] as const;

/** Tables of earlier backups whose rows aren't restored: removed tables, and counts of rate limits. */
const formerTables = new Set(["search_events", "rate_windows"]);

interface Description {
  formatVersion: 1;
  migrations: string[];
}

export interface BackupCounts {
  rows: number;
  objects: number;
}

/** An error whose message is for the operator. */
export class BackupError extends Error {}

/** Yields the bytes of a backup and updates `counts`. Objects are copied after the rows, which is consistent because stored objects aren't changed. */
export async function* writeBackup(pool: pg.Pool, objects: Objects, counts: BackupCounts): AsyncGenerator<Buffer> {
  const pack = tarPack();
  const gzip = createGzip({ level: 6 });
  pack.pipe(gzip);
  const add = (name: string, bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      pack.entry({ name, size: bytes.length, mtime: new Date(0) }, Buffer.from(bytes), (error) => (error ? reject(error) : resolve()));
    });
  const packing = (async () => {
    await addRows(pool, add, counts);
    for await (const key of objects.keys("")) {
      const bytes = await objects.get(key);
      // A sweep may have deleted the object.
      if (bytes) await add(`objects/${key}`, bytes);
      if (bytes) counts.objects++;
    }
    pack.finalize();
  })();
  packing.catch((error: Error) => gzip.destroy(error));
  yield* gzip as AsyncIterable<Buffer>;
  await packing;
}

async function addRows(pool: pg.Pool, add: (name: string, bytes: Uint8Array) => Promise<void>, counts: BackupCounts): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query("set local statement_timeout = 0");
    const { rows } = await client.query<{ name: string }>("select name from migrations order by name");
    const description: Description = { formatVersion: 1, migrations: rows.map(({ name }) => name) };
    await add("backup.json", Buffer.from(JSON.stringify(description)));
    for (const table of tables) {
      await client.query(`declare rows_of_${table} cursor for select to_jsonb(stored)::text as row from ${table} stored`);
      for (let part = 1; ; part++) {
        const fetched = await client.query<{ row: string }>(`fetch ${backupPart_count} from rows_of_${table}`);
        if (fetched.rows.length === 0) break;
        counts.rows += fetched.rows.length;
        await add(
          `database/${table}/${String(part).padStart(6, "0")}.json`,
          Buffer.from(`[${fetched.rows.map(({ row }) => row).join(",\n")}]`),
        );
      }
    }
    await client.query("commit");
  } finally {
    client.release(true);
  }
}

/** Restores a backup, with the rows in one transaction. Throws a BackupError if the service isn't empty, or the backup is damaged or from a newer version. */
export async function readBackup(archive: Readable, pool: pg.Pool, objects: Objects): Promise<BackupCounts> {
  const counts: BackupCounts = { rows: 0, objects: 0 };
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("set local statement_timeout = 0");
    const { rows } = await client.query("select from organizations limit 1");
    if (rows.length) throw new BackupError("The service is not empty: a backup is read into a new one only");
    let description: Description | undefined;
    for await (const { name, bytes } of entriesOf(archive)) {
      if (name === "backup.json") description = await readDescription(client, bytes).catch(damagedAt(name));
      else if (!description) throw new BackupError("This is no backup of Octavo");
      else await readEntry(name, bytes).catch(damagedAt(name));
    }
    if (!description) throw new BackupError("This is no backup of Octavo");
    await failInterruptedJobs(client);
    await client.query("commit");
    return counts;
  } finally {
    client.release(true);
  }

  async function readEntry(name: string, bytes: Buffer): Promise<void> {
    const [kind, rest = ""] = [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1)];
    if (kind === "objects") {
      await objects.put(rest, bytes);
      counts.objects++;
      return;
    }
    const table = tables.find((known) => rest.startsWith(`${known}/`));
    if (kind === "database" && formerTables.has(rest.slice(0, rest.indexOf("/")))) return;
    if (kind !== "database" || !table) throw new BackupError(`The backup contains ${name}, which this version does not know`);
    const insert = `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
    counts.rows += (await client.query(insert, [bytes.toString()])).rowCount ?? 0;
  }
}

function damagedAt(name: string) {
  return (error: Error): never => {
    throw error instanceof BackupError ? error : new BackupError(`The backup is damaged at ${name}: ${error.message}`);
  };
}

async function readDescription(client: pg.PoolClient, bytes: Buffer): Promise<Description> {
  const description = JSON.parse(bytes.toString()) as Partial<Description> | null;
  if (!Array.isArray(description?.migrations)) throw new BackupError("This is no backup of Octavo");
  const { rows } = await client.query<{ name: string }>("select name from migrations");
  const known = new Set(rows.map(({ name }) => name));
  const unknown = description.migrations.filter((name) => !known.has(name));
  if (description.formatVersion !== 1 || unknown.length) throw new BackupError("The backup was written by a newer version of Octavo");
  return description as Description;
}

/** Marks unfinished deployments and exports as failed, because jobs aren't part of a backup. */
async function failInterruptedJobs(client: pg.PoolClient): Promise<void> {
  await client.query(
    "update deployments set status = 'failure', summary = 'Interrupted: the service was restored from a backup', ended_at = now() where status in ('queued', 'in_progress')",
  );
  await client.query(
    "update static_export_jobs set status = 'failed', error = 'Interrupted: the service was restored from a backup', updated_at = now() where status in ('queued', 'running')",
  );
  await client.query("delete from idempotency_keys where response is null");
}

async function* entriesOf(archive: Readable): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const reader = extract();
  const gunzip = createGunzip();
  archive.on("error", (error) => reader.destroy(error));
  gunzip.on("error", () => reader.destroy(new BackupError("The file is no archive, or is cut short")));
  archive.pipe(gunzip).pipe(reader);
  for await (const entry of reader as AsyncIterable<Readable & { header: Header }>) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
    yield { name: entry.header.name, bytes: Buffer.concat(chunks) };
  }
}
