/** Global setup of a test run: starts the shared Chromium, PostgreSQL server and service. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/io/postgres.ts";
import type { Tables } from "../../src/service/core/tables.ts";
import { chromiumArguments, chromiumPath } from "../browser/chromium-process.ts";
import { startPostgres } from "../service/postgres.ts";
import { startService } from "../service/service.ts";
import { sharedEnvironment } from "./settings.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** WebSocket URL of the browser. */
    browserUrl: string;
    /** Connection string of the PostgreSQL server, without a database name. */
    postgresUrl: string;
    /** Name of the migrated template database. */
    templateDatabase: string;
    service: {
      port: number;
      databaseUrl: string;
      dataFolder: string;
      firstKey: string;
      /** Path of the file with the service's output. */
      log: string;
    };
  }
}

export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const [stopBrowser, stopDatabase] = await Promise.all([startBrowser(project), startDatabaseAndService(project)]);
  return async () => {
    await Promise.all([stopBrowser(), stopDatabase()]);
  };
}

async function startBrowser(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ executablePath: chromiumPath(), args: chromiumArguments });
  project.provide("browserUrl", server.wsEndpoint());
  return () => server.close();
}

async function startDatabaseAndService(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-shared-"));
  const postgres = await startPostgres();
  const template = await postgres.createDatabase();
  await migrate(template);
  project.provide("postgresUrl", postgres.url);
  project.provide("templateDatabase", new URL(template).pathname.slice(1));

  const databaseUrl = await postgres.createDatabase();
  const service = await startService({ databaseUrl, env: sharedEnvironment });
  const log = path.join(folder, "service.log");
  writeFileSync(log, service.output());
  for (const stream of [service.process.stdout!, service.process.stderr!])
    stream.on("data", (chunk: Buffer) => writeFileSync(log, chunk, { flag: "a" }));
  const { port, dataFolder, firstKey } = service;
  project.provide("service", { port, databaseUrl, dataFolder, firstKey, log });
  return async () => {
    await service.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Creates the tables of the service. */
async function migrate(url: string): Promise<void> {
  const database = await openDatabase<Tables>({ url, folder: tmpdir(), script: "", migrations: path.resolve("src/io/migrations") });
  await database.close();
}
