/** Global setup of a test run: starts the shared Chromium and PostgreSQL server. */

import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/io/postgres.ts";
import type { Tables } from "../../src/service/core/tables.ts";
import { chromiumArguments, chromiumPath } from "../browser/chromium-process.ts";
import { startPostgres } from "../service/postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** WebSocket URL of the browser. Undefined if there is no Chromium. */
    browserUrl: string | undefined;
    /** Connection string of the PostgreSQL server, without a database name. */
    postgresUrl: string;
    /** Name of the migrated template database. */
    templateDatabase: string;
  }
}

export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const [stopBrowser, stopDatabase] = await Promise.all([startBrowser(project), startDatabase(project)]);
  return async () => {
    await Promise.all([stopBrowser(), stopDatabase()]);
  };
}

async function startBrowser(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) return async () => {};
  const server = await chromium.launchServer({ executablePath, args: chromiumArguments });
  project.provide("browserUrl", server.wsEndpoint());
  return () => server.close();
}

async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  const template = await postgres.createDatabase();
  await migrate(template);
  project.provide("postgresUrl", postgres.url);
  project.provide("templateDatabase", new URL(template).pathname.slice(1));
  return () => postgres.stop();
}

/** Creates the tables of the service. */
async function migrate(url: string): Promise<void> {
  const database = await openDatabase<Tables>({
    url,
    folder: tmpdir(),
    script: "",
    migrations: path.resolve("src/io/migrations"),
  });
  await database.close();
}
