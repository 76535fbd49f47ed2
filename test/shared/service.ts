/** Services for tests: the one that a run shares, and ones that belong to a test. */
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

/** The service of the run. A test creates an organization of its own in it, and never relies on being alone. */
export function sharedService(): TestService {
  const { port, dataFolder, firstKey, log } = inject("service");
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataFolder,
    firstKey,
    output: () => readFileSync(log, "utf8"),
    operator: clientFor(port, operatorToken),
    // It runs on for the other tests.
    stop: async () => 0,
  };
}

/**
 * Starts a service on a database of its own. It is on the PostgreSQL server of the run, where a start takes a fraction of the time
 * that the embedded database needs; in the lane of the embedded database, and with a data folder that outlives the service, it is embedded.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const isEmbedded = process.env.TEST_DATABASE === "embedded" || options.dataFolder !== undefined;
  return startProcess(isEmbedded || options.databaseUrl ? options : { ...options, databaseUrl: await createDatabase() });
}
