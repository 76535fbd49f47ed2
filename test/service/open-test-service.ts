/**
 * Opens the service in the test's process: the API, the dashboard and sites on one port, as in `octavo serve`. Sites are built in this
 * process, too. Nothing runs in the background unless a test asks for it.
 */

import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { BuildEnded, type SiteBuilder, type StartBuild } from "../../src/builder/build-process.ts";
import type { BuildMessage, BuildResult } from "../../src/builder/build-protocol.ts";
import { BuildRunner } from "../../src/builder/build-runner.ts";
import { useTables } from "../../src/engine/highlight/highlight.ts";
import { readConfiguration } from "../../src/main/service-configuration.ts";
import { startService } from "../../src/main/start-service.ts";
import type { Service } from "../../src/service/core/service.ts";
import { freePort } from "./postgres.ts";
import { clientFor, databaseSecret, operatorToken, type ServiceOptions, type TestService } from "./service.ts";
import { until } from "./until.ts";

const { version } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../package.json"), "utf8")) as { version: string };
const product = path.resolve(import.meta.dirname, "../../dist");

useTables((grammar) => {
  const file = path.join(product, "patterns", `${grammar}.json`);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
});

export interface OpenServiceOptions extends ServiceOptions {
  /** Whether the worker runs in the background, as in production. Otherwise, it works only during `runJobs`. */
  background?: boolean;
}

/** A service in the test's process. If its role is `web`, there are no jobs to run. */
export interface OpenTestService extends TestService {
  service: Service;
}

/** Settings are those of `octavo serve`, by their documented names. The process's own environment isn't used. */
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
    // A database can only be opened with its secret. With the embedded database, the secret is stored in the data folder.
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
    startBuild: localBuilder(configuration.allowed),
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

/** Creates builders that run in this process. `end` only stops waiting for a build. */
function localBuilder(allowed: ReturnType<typeof readConfiguration>["allowed"]): StartBuild {
  return ({ onProgress, onPages } = {}) => {
    let reject = (_: Error) => {};
    const builder: SiteBuilder = {
      prepare() {},
      build: (job) =>
        new Promise<BuildResult>((resolve, rejectBuild) => {
          reject = rejectBuild;
          const send = (message: BuildMessage) => {
            if (message.event === "page") onProgress?.("page", message.done, message.total);
            else if (message.event === "written") {
              onProgress?.("write", message.done, message.total);
              onPages?.(message.pages, message.totalPages);
            } else if (message.event === "built") resolve(message.result);
            else if (message.event === "failed") rejectBuild(new Error(`${message.message}\n${message.detail}`));
          };
          const runner = new BuildRunner({
            assets: path.join(product, "assets"),
            gzipModule: path.join(product, "gzip.js"),
            generator: "test",
            version,
            allowed,
            send,
          });
          void runner.answer({ id: 1, do: "build", job: { ...job, crashed: [] } });
        }),
      end: () => reject(new BuildEnded("The build was stopped", undefined)),
    };
    return builder;
  };
}
