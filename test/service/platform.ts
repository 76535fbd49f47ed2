/**
 * Opens the service's dependencies in the test process, for cases that requests can't cause: late workers,
 * old rows, failing stores.
 */

import { randomBytes } from "node:crypto";
import path from "node:path";
import { ulidMaker } from "../../src/base/ulid.ts";
import { openObjects } from "../../src/io/open-objects.ts";
import { openDatabase } from "../../src/io/postgres.ts";
import { Secrets } from "../../src/service/core/secrets.ts";
import type { Service } from "../../src/service/core/service.ts";
import { rateLimitOf } from "../../src/service/core/service-rate-limit.ts";
import type { Tables } from "../../src/service/core/tables.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Opens database, storage and other dependencies. The job queue ignores all jobs. */
export async function openPlatform(options: { databaseUrl: string; storage: string; folder: string }) {
  const { databaseUrl, storage, folder } = options;
  const open = await openDatabase<Tables>({
    url: databaseUrl,
    folder,
    script: "",
    migrations: path.join(root, "src/io/migrations"),
  });
  const secret = "shared-secret of this test, long enough to be one";
  const service: Service = {
    db: open.db,
    pool: open.pool,
    objects: await openObjects(storage, { url: "http://localhost:4000", secret }),
    queue: { enqueue: async () => {}, work: async () => {}, runDue: async () => {}, stop: async () => {} },
    ulid: ulidMaker(Date.now, randomBytes),
    random: randomBytes,
    secrets: new Secrets("test", randomBytes(32)),
    rateLimit: rateLimitOf(open.db, secret),
    settings: {
      url: "http://localhost:4000",
      sitesDomain: "localhost",
      secret,
      analyticsLimit_count: 100,
      kind: "cloud",
      hasSearch: true,
      hasAssistant: true,
      hasAnalytics: true,
      linkLife_s: 3_600,
      git: { path: process.env.PATH },
      storageLimit_bytes: 1_000_000_000,
      workFolder: path.join(folder, "work"),
    },
  };
  return { service, close: open.close };
}
