/** `octavo backup` and `octavo restore`: the service's database and objects, by the settings that it is started with. */
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DataLocked } from "../io/data-lock.ts";
import { FolderNotPrivate } from "../io/private-folder.ts";
import { BackupError, type Counts, readBackup, writeBackup } from "../platform/backup.ts";
import { ConfigurationError, readConfiguration } from "./configuration.ts";
import { openStorage, type Storage } from "./open-service.ts";

export function backup(product: string, file: string): Promise<Counts | string> {
  return withStorage(product, async ({ database: { pool }, objects }) => {
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
  return withStorage(product, ({ database: { pool }, objects }) => readBackup(createReadStream(file), pool, objects));
}

/** The result, or what an operator must mend. */
async function withStorage<T>(product: string, work: (storage: Storage) => Promise<T>): Promise<T | string> {
  try {
    const storage = await openStorage(product, readConfiguration(process.env));
    try {
      return await work(storage);
    } finally {
      await storage.database.close();
    }
  } catch (error) {
    const ofOperator = [ConfigurationError, DataLocked, FolderNotPrivate, BackupError];
    if (ofOperator.some((kind) => error instanceof kind)) return (error as Error).message;
    throw error;
  }
}
