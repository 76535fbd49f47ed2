/** Runs `octavo backup`, `octavo restore` and `octavo rotate-secret` with the settings of the service. */

import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DataLocked } from "../io/data-lock.ts";
import { FolderNotPrivate } from "../io/private-folder.ts";
import { type BackupCounts, BackupError } from "../service/backup/backup-archive.ts";
import { readBackup } from "../service/backup/read-backup.ts";
import { writeBackup } from "../service/backup/write-backup.ts";
import { rotateProjectSecrets } from "../service/core/project-secrets.ts";
import { WrongSecret } from "../service/core/secrets.ts";
import { gitSettings, openStorage, type Storage } from "./open-service.ts";
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
  writeSecret,
} from "./service-configuration.ts";

/**
 * Writes a backup to a file. Resolves with the number of rows and objects, or an error message for the
 * operator.
 */
export function backup(product: string, file: string): Promise<BackupCounts | string> {
  return withStorage(product, async ({ database: { pool }, objects }) => {
    const counts: BackupCounts = { rows: 0, objects: 0 };
    const part = `${file}.${randomBytes(4).toString("hex")}.part`;
    try {
      await pipeline(
        Readable.from(writeBackup(pool, objects, counts)),
        createWriteStream(part, { mode: 0o600, flush: true }),
      );
      renameSync(part, file);
    } finally {
      rmSync(part, { force: true });
    }
    return counts;
  });
}

/**
 * Reads a backup into an empty service. Resolves with the number of rows and objects, or an error message for
 * the operator.
 */
export function restore(product: string, file: string): Promise<BackupCounts | string> {
  return withStorage(product, ({ database: { pool }, objects }, configuration) =>
    readBackup(createReadStream(file), { pool, objects, settings: gitSettings(configuration) }),
  );
}

/**
 * Replaces the service's secret with `OCTAVO_NEW_SECRET`. `isDiscarding`: discards the stored secrets, for a
 * service whose current secret is lost. Resolves with the path of the new secret, which is undefined if the
 * secret isn't stored in the data folder, or with an error message for the operator.
 */
export function rotateSecret(
  product: string,
  isDiscarding: boolean,
): Promise<{ file: string | undefined } | string> {
  return withStorage(product, async ({ database: { db } }, { secret, newSecret, dataFolder, ownsSecret }) => {
    if (newSecret === undefined)
      throw new ConfigurationError(
        "Set OCTAVO_NEW_SECRET to the new secret. Generate it with: openssl rand -base64 32",
      );
    await rotateProjectSecrets(db, { oldSecret: secret, newSecret, isDiscarding });
    return { file: ownsSecret ? writeSecret(dataFolder, newSecret) : undefined };
  });
}

/**
 * Opens the storage, runs `work` and closes the storage. Resolves with the result of `work`, or with a
 * message if the error is for the operator. Rejects with other errors.
 */
async function withStorage<T>(
  product: string,
  work: (storage: Storage, configuration: Configuration) => Promise<T>,
): Promise<T | string> {
  try {
    const configuration = readConfiguration(process.env);
    const storage = await openStorage(product, configuration);
    try {
      return await work(storage, configuration);
    } finally {
      await storage.database.close();
    }
  } catch (error) {
    const operatorErrors = [ConfigurationError, DataLocked, FolderNotPrivate, BackupError, WrongSecret];
    if (operatorErrors.some((kind) => error instanceof kind)) return (error as Error).message;
    throw error;
  }
}
