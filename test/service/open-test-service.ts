/**
 * Opens the service in the test's process: the API, the dashboard, and sites on one port, as in `octavo
 * serve`. Sites are built in this process, too. Nothing runs in the background unless a test asks for it.
 */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { readConfiguration } from "../../src/main/service-configuration.ts";
import { startService } from "../../src/main/start-service.ts";
import type { Service } from "../../src/service/core/service.ts";
import { localBuilder, product } from "../engine/local-builder.ts";
import { freePort } from "./postgres.ts";
import {
  clientFor,
  databaseSecret,
  operatorToken,
  type ServiceOptions,
  type TestService,
} from "./service.ts";
import { until } from "./until.ts";

export interface OpenServiceOptions extends ServiceOptions {
  /**
   * Whether the worker runs in the background, as in production. Otherwise, it works only during `runJobs`.
   */
  background?: boolean;
}

/** A service in the test's process. If its role is `web`, there are no jobs to run. */
export interface OpenTestService extends TestService {
  service: Service;
}

/**
 * Settings are those of `octavo serve`, by their documented names. The process's own environment isn't used.
 */
export async function openTestService(options: OpenServiceOptions = {}): Promise<OpenTestService> {
  const port = options.port ?? (await freePort());
  const dataFolder = options.dataFolder ?? mkdtempSync(path.join(tmpdir(), "octavo-service-"));
  const firstKey = `oct_${randomBytes(20).toString("hex")}`;
  const configuration = readConfiguration({
    PORT: String(port),
    OCTAVO_DATA: dataFolder,
    OCTAVO_OPERATOR_TOKEN: operatorToken,
    OCTAVO_BOOTSTRAP_KEY: firstKey,
    OCTAVO_LOG_LEVEL: "warn",
    // Deploying the product's documentation would slow down each start.
    OCTAVO_DOCS: "",
    // A database can only be opened with its secret. With the embedded database, the secret is stored in the
    // data folder.
    ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl, OCTAVO_SECRET: databaseSecret } : {}),
    ...(options.storage ? { OCTAVO_STORAGE: options.storage } : {}),
    ...(options.secret ? { OCTAVO_SECRET: options.secret } : {}),
    ...options.env,
  });
  let output = "";
  const print = (text: string) => {
    output += text;
  };
  const { service, web, worker, stop } = await startService(configuration, {
    role: options.role ?? "all",
    product,
    logger: pino({ level: configuration.logLevel }, { write: print }),
    out: (line) => print(`${line}\n`),
    printsCredentials: options.env?.NODE_ENV !== "production",
    startBuild: (callbacks) => localBuilder(configuration.allowed, callbacks),
  });
  if (options.background) await worker?.start();
  const runJobs = async () => {
    await worker?.runJobs();
    await worker?.runChecks();
    await worker?.sendNotifications();
    await web.catchUp();
  };
  return {
    service,
    url: `http://127.0.0.1:${port}`,
    port,
    dataFolder,
    firstKey,
    output: () => output,
    operator: clientFor(port, operatorToken),
    runJobs,
    until: (condition, atMost_ms) =>
      until(async () => {
        await runJobs();
        return condition();
      }, atMost_ms),
    async stop() {
      await stop();
      if (!options.dataFolder) rmSync(dataFolder, { recursive: true, force: true });
      return 0;
    },
  };
}
