/** Restores a backup to an empty service. */

import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { extract, type Header } from "tar-stream";
import { type BackupCounts, type BackupDescription, BackupError, backupTables } from "./backup-archive.ts";
import { checkRepositories, type RestoredService } from "./check-repositories.ts";

/**
 * Tables whose rows in backups of earlier versions aren't restored: a removed table, and the counts of rate
 * limits.
 */
const formerTables = new Set(["search_events", "rate_windows"]);
/** Earlier names of tables, which are views now. */
const earlierNames = ["turn_feedback"] as const;

/**
 * Restores a backup, with the rows in one transaction, and returns the number of restored rows and objects.
 * Throws a BackupError if the service isn't empty, or the backup is damaged or from a newer version. The
 * repositories are checked by Git. Objects that were stored before an error stay in the object store.
 */
export async function readBackup(archive: Readable, service: RestoredService): Promise<BackupCounts> {
  const { pool, objects } = service;
  const counts: BackupCounts = { rows: 0, objects: 0 };
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("set local statement_timeout = 0");
    const { rows } = await client.query("select from organizations limit 1");
    if (rows.length) throw new BackupError("The service isn't empty. Restore the backup into a new service.");
    let description: BackupDescription | undefined;
    for await (const { name, bytes } of entriesOf(archive)) {
      if (name === "backup.json") description = await readDescription(client, bytes).catch(damagedAt(name));
      else if (!description) throw new BackupError("This file isn't an Octavo backup");
      else await readEntry(name, bytes).catch(damagedAt(name));
    }
    if (!description) throw new BackupError("This file isn't an Octavo backup");
    await checkRepositories(client, service);
    await failInterruptedJobs(client);
    // Cursors can be from after the backup.
    await client.query("update change_feeds set restored_sequence = least(restored_sequence, sequence)");
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
    const table = [...backupTables, ...earlierNames].find((known) => rest.startsWith(`${known}/`));
    if (kind === "database" && formerTables.has(rest.slice(0, rest.indexOf("/")))) return;
    if (kind !== "database" || !table)
      throw new BackupError(`The backup contains ${name}, which this version doesn't support`);
    const text = bytes.toString();
    const columns = await columnsIn(client, table, text);
    if (columns === "") return;
    const insert = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
    counts.rows += (await client.query(insert, [text])).rowCount ?? 0;
  }
}

/**
 * Returns the columns of a table that the rows of a backup have, as SQL. Columns that were added after the
 * backup get their default.
 */
async function columnsIn(client: pg.PoolClient, table: string, rows: string): Promise<string> {
  const { rows: found } = await client.query<{ columns: string | null }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and attname in (select jsonb_object_keys(jsonb_array_elements($2::jsonb)))`,
    [table, rows],
  );
  return found[0]!.columns ?? "";
}

function damagedAt(name: string) {
  return (error: Error): never => {
    throw error instanceof BackupError
      ? error
      : new BackupError(`The backup is damaged in ${name}: ${error.message}`);
  };
}

async function readDescription(client: pg.PoolClient, bytes: Buffer): Promise<BackupDescription> {
  const description = JSON.parse(bytes.toString()) as Partial<BackupDescription> | null;
  if (!Array.isArray(description?.migrations)) throw new BackupError("This file isn't an Octavo backup");
  const { rows } = await client.query<{ name: string }>("select name from migrations");
  const known = new Set(rows.map(({ name }) => name));
  const unknown = description.migrations.filter((name) => !known.has(name));
  if (description.formatVersion !== 1 || unknown.length)
    throw new BackupError(
      "The backup was written by a newer version of Octavo. Update Octavo, and then restore the backup.",
    );
  return description as BackupDescription;
}

/** Marks unfinished deployments and exports as failed, because jobs aren't part of a backup. */
async function failInterruptedJobs(client: pg.PoolClient): Promise<void> {
  await client.query(
    "update deployments set status = 'failure', summary = 'Interrupted: the service was restored from a backup', ended_at = now() where status in ('queued', 'in_progress')",
  );
  await client.query(
    "update static_export_jobs set status = 'failed', error = 'Interrupted: the service was restored from a backup', updated_at = now(), completed_at = now() where status in ('queued', 'running')",
  );
  await client.query("delete from idempotency_keys where response is null");
}

async function* entriesOf(archive: Readable): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const reader = extract();
  const gunzip = createGunzip();
  archive.on("error", (error) => reader.destroy(error));
  gunzip.on("error", () => reader.destroy(new BackupError("The file isn't an archive, or it's incomplete")));
  archive.pipe(gunzip).pipe(reader);
  for await (const entry of reader as AsyncIterable<Readable & { header: Header }>) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
    yield { name: entry.header.name, bytes: Buffer.concat(chunks) };
  }
}
