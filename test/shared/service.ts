/** Services for tests: the shared one of the run, and separate ones. */

import { readFileSync } from "node:fs";
import { inject } from "vitest";
import {
  clientFor,
  operatorToken,
  type RunningService,
  type ServiceOptions,
  startService as startProcess,
  type TestService,
} from "../service/service.ts";
import { createDatabase } from "./database.ts";

/** The shared service of the run. Tests create their own organizations and must not depend on global state. */
export function sharedService(): TestService {
  const { port, dataFolder, firstKey, log } = inject("service");
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataFolder,
    firstKey,
    output: () => readFileSync(log, "utf8"),
    operator: clientFor(port, operatorToken),
    // The shared service keeps running for other tests.
    stop: async () => 0,
  };
}

/**
 * Starts a service with a new database: on the shared PostgreSQL server, which starts faster, or embedded if TEST_DATABASE is
 * "embedded" or a data folder is given.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const isEmbedded = process.env.TEST_DATABASE === "embedded" || options.dataFolder !== undefined;
  return startProcess(isEmbedded || options.databaseUrl ? options : { ...options, databaseUrl: await createDatabase() });
}
