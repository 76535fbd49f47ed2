/**
 * Writes a backup: an archive with the rows of most tables, from one database snapshot, and with the stored
 * objects.
 */

import { createGzip } from "node:zlib";
import type pg from "pg";
import { pack as tarPack } from "tar-stream";
import type { Objects } from "../../io/objects.ts";
import { type BackupCounts, type BackupDescription, backupTables } from "./backup-archive.ts";

/** Maximum number of rows in one file of a backup. */
const backupPart_count = 1_000;

/**
 * Yields the bytes of a backup and updates `counts`. Objects are copied after the rows. The backup is still
 * consistent, because stored objects are never changed.
 */
export async function* writeBackup(
  pool: pg.Pool,
  objects: Objects,
  counts: BackupCounts,
): AsyncGenerator<Buffer> {
  const pack = tarPack();
  const gzip = createGzip({ level: 6 });
  pack.pipe(gzip);

  const add = (name: string, bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      pack.entry({ name, size: bytes.length, mtime: new Date(0) }, Buffer.from(bytes), (error) =>
        error ? reject(error) : resolve(),
      );
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

async function addRows(
  pool: pg.Pool,
  add: (name: string, bytes: Uint8Array) => Promise<void>,
  counts: BackupCounts,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query("set local statement_timeout = 0");
    const { rows } = await client.query<{ name: string }>("select name from migrations order by name");
    const description: BackupDescription = { formatVersion: 1, migrations: rows.map(({ name }) => name) };
    await add("backup.json", Buffer.from(JSON.stringify(description)));
    for (const table of backupTables) {
      await client.query(
        `declare rows_of_${table} cursor for select to_jsonb(stored)::text as row from ${table} stored`,
      );
      for (let part = 1; ; part++) {
        const fetched = await client.query<{ row: string }>(
          `fetch ${backupPart_count} from rows_of_${table}`,
        );
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
