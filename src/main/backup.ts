/** `octavo backup` and `octavo restore`: the service's database and objects, by the settings that it is started with. */
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DataLocked } from "../io/data-lock.ts";
import type { Objects } from "../io/objects.ts";
import { openObjects } from "../io/open-objects.ts";
import { type OpenDatabase, openDatabase } from "../io/postgres.ts";
import { BackupError, type Counts, readBackup, writeBackup } from "../platform/backup.ts";
import type { Tables } from "../platform/tables.ts";
import { ConfigurationError, readConfiguration } from "./configuration.ts";

export function backup(product: string, file: string): Promise<Counts | string> {
  return withService(product, async ({ pool }, objects) => {
    const counts: Counts = { rows: 0, objects: 0 };
    const part = `${file}.${randomBytes(4).toString("hex")}.part`;
    try {
      await pipeline(Readable.from(writeBackup(pool, objects, counts)), createWriteStream(part, { mode: 0o600, flush: true }));
      renameSync(part, file);
    } finally {
      rmSync(part, { force: true });
    }
    return counts;
  });
}

export function restore(product: string, file: string): Promise<Counts | string> {
  return withService(product, ({ pool }, objects) => readBackup(createReadStream(file), pool, objects));
}

/** The result, or what an operator must mend. */
async function withService<T>(
  product: string,
  work: (database: OpenDatabase<Tables>, objects: Objects) => Promise<T>,
): Promise<T | string> {
  try {
    const { databaseUrl, dataFolder, storage, url, secret } = readConfiguration(process.env);
    const database = await openDatabase<Tables>({
      ...(databaseUrl === undefined ? {} : { url: databaseUrl }),
      folder: dataFolder,
      thread: path.join(product, "database.js"),
      migrations: path.join(product, "migrations"),
    });
    try {
      return await work(database, await openObjects(storage, { url, secret }));
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof DataLocked || error instanceof BackupError) return error.message;
    throw error;
  }
}
