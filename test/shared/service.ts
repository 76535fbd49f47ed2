/** Services for tests: the shared one of each worker, and separate ones. */

import {
  type OpenServiceOptions,
  type OpenTestService,
  openTestService as open,
} from "../service/open-test-service.ts";
import {
  type RunningService,
  type ServiceOptions,
  startService as startProcess,
} from "../service/service.ts";
import { createDatabase } from "./database.ts";
import { sharedEnvironment } from "./settings.ts";

let shared: Promise<OpenTestService> | undefined;

/**
 * The service that all files of a worker share. Tests create their own organizations and must not depend on
 * global state.
 */
export function sharedService(): Promise<OpenTestService> {
  // It keeps running for other files.
  shared ??= openTestService({ env: sharedEnvironment }).then((service) => ({
    ...service,
    stop: async () => 0,
  }));
  return shared;
}

/**
 * Opens a service in this process with a new database: on the shared PostgreSQL server, or embedded if
 * TEST_DATABASE is "embedded" or a data folder is given.
 */
export async function openTestService(options: OpenServiceOptions = {}): Promise<OpenTestService> {
  return open(await withDatabase(options));
}

/** Starts a service as a process, for tests of signals, crashes, permissions and several processes. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  return startProcess(await withDatabase(options));
}

async function withDatabase<Options extends ServiceOptions>(options: Options): Promise<Options> {
  const isEmbedded = process.env.TEST_DATABASE === "embedded" || options.dataFolder !== undefined;
  return isEmbedded || options.databaseUrl ? options : { ...options, databaseUrl: await createDatabase() };
}
