/** Opens the service's database and object storage according to its settings. */

import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import path from "node:path";
import { ulidMaker } from "../base/ulid.ts";
import { openEmbeddingEndpoint } from "../io/embedding-endpoint.ts";
import { openLocalEmbedder } from "../io/local-embedder.ts";
import { openMailer } from "../io/mailer.ts";
import type { Objects } from "../io/objects.ts";
import { openObjects } from "../io/open-objects.ts";
import { type OpenDatabase, openDatabase } from "../io/postgres.ts";
import { privateFolder } from "../io/private-folder.ts";
import { guardedEmbedder } from "../service/core/guarded-embedder.ts";
import { limitedMailer } from "../service/core/limited-mailer.ts";
import { openProjectSecrets } from "../service/core/project-secrets.ts";
import type { Service, ServiceSettings } from "../service/core/service.ts";
import { rateLimitOf } from "../service/core/service-rate-limit.ts";
import type { Tables } from "../service/core/tables.ts";
import { JobQueue } from "../service/jobs/job-queue.ts";
import type { Configuration } from "./service-configuration.ts";

export interface Storage {
  database: OpenDatabase<Tables>;
  objects: Objects;
}

/**
 * Creates the data folder, opens the database and object storage, and runs migrations. `product`: folder of
 * the executables.
 */
export async function openStorage(
  product: string,
  { databaseUrl, dataFolder, storage, url, secret }: Configuration,
): Promise<Storage> {
  privateFolder(dataFolder, { isNamed: true });

  const database = await openDatabase<Tables>({
    ...(databaseUrl === undefined ? {} : { url: databaseUrl }),
    folder: dataFolder,
    script: path.join(product, "database.js"),
    migrations: path.join(product, "migrations"),
  });

  try {
    return { database, objects: await openObjects(storage, { url, secret }) };
  } catch (error) {
    // An open connection would keep the process alive.
    await database.close();
    throw error;
  }
}

/**
 * Creates the service without starting it. `report` receives errors from jobs and the job queue. Closes the
 * database if this fails. Rejects with `WrongSecret` if the secret is wrong.
 */
export async function openService(
  { database, objects }: Storage,
  configuration: Configuration,
  report: (error: unknown) => void,
): Promise<Service> {
  const { db, pool, isEmbedded } = database;
  const secrets = await openProjectSecrets(db, configuration.secret).catch(async (error: unknown) => {
    // An open connection would keep the process alive.
    await database.close();
    throw error;
  });

  const queue = new JobQueue({
    db,
    // Half of the cores are for jobs, and the others for requests. There are at least two slots, so that one
    // organization can't use all of them.
    slots: Math.max(2, Math.floor(availableParallelism() / 2)),
    isAlone: isEmbedded,
    report,
  });

  const limitRate = rateLimitOf(db, configuration.secret);
  const { embedding } = configuration;
  return {
    db,
    pool,
    objects,
    queue,
    secrets,
    ulid: ulidMaker(Date.now, randomBytes),
    random: randomBytes,
    rateLimit: limitRate,
    embedding: embedding && {
      embedder: guardedEmbedder(
        "folder" in embedding
          ? await openLocalEmbedder(embedding.folder)
          : openEmbeddingEndpoint(embedding.endpoint),
        embedding.timeout_s * 1_000,
        report,
      ),
      languages: embedding.languages,
    },
    mail: configuration.mail && limitedMailer(openMailer(configuration.mail), limitRate),
    settings: {
      ...configuration,
      hasModel: configuration.model !== undefined,
      ...gitSettings(configuration),
    },
  };
}

/** Returns the settings for Git, and the folder that it works in. */
export function gitSettings({
  dataFolder,
  git,
  allowed,
  extraCaFile,
}: Configuration): Pick<ServiceSettings, "workFolder" | "git"> {
  return {
    workFolder: path.join(dataFolder, "work"),
    git: { ...git, allowed, extraCaFile, path: process.env.PATH },
  };
}
