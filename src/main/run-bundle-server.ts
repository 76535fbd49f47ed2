/**
 * Implements `octavo bundle-server`: serves a bundle from a volume and switches to new bundles without
 * downtime.
 */

import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import path from "node:path";
import pino from "pino";
import { pathBelow } from "../base/base-path.ts";
import { ulidMaker } from "../base/ulid.ts";
import { Approval } from "../bundle/approval.ts";
import { bundleFeatures } from "../bundle/bundle-features.ts";
import { BadBundle } from "../bundle/bundle-manifest.ts";
import { BundleSite } from "../bundle/bundle-site.ts";
import { BundleStore } from "../bundle/bundle-store.ts";
import { EventLog } from "../bundle/event-log.ts";
import { Updater } from "../bundle/updater.ts";
import type { Terminal } from "../cli/terminal.ts";
import { FileCache } from "../host/file-cache.ts";
import { hosting } from "../host/hosting.ts";
import { SiteSearches } from "../host/site-search.ts";
import { TablesOfSites } from "../host/site-tables.ts";
import { endWithoutLock, lockData } from "../io/data-lock.ts";
import { privateFolder } from "../io/private-folder.ts";
import { addressReader, prefixReader } from "../service/http/client-address.ts";
import { bundleEndpoints } from "../service/site-endpoints/bundle-endpoints.ts";
import { type BundleConfiguration, readBundleConfiguration } from "./bundle-configuration.ts";
import { readDataFolder } from "./data-folder.ts";
import { createHttpServer, stopHttpServer } from "./http-server.ts";
import { startInternalServer } from "./internal-server.ts";
import { runServer } from "./run-server.ts";
import { ConfigurationError } from "./service-configuration.ts";

export interface BundleServerOptions {
  /** Serve the previous bundle. */
  isRollback: boolean;
  /** Approve the bundle with this version for the running server, instead of starting one. */
  approved: string | undefined;
}

/** Runs the server. Resolves with the exit code when it has stopped. */
export function bundleServer(
  { isRollback, approved }: BundleServerOptions,
  terminal: Pick<Terminal, "note" | "interrupted">,
): Promise<number> {
  return runServer(
    async () => {
      if (approved === undefined) return run(readBundleConfiguration(process.env), isRollback, terminal);
      const problems: string[] = [];
      const folder = readDataFolder(process.env, problems);
      if (problems.length) throw new ConfigurationError(problems.join("\n"));
      new Approval(folder).approve(approved);
      terminal.note(`Version ${approved} is approved. The server switches to it within seconds.`);
      return 0;
    },
    BadBundle,
    terminal,
  );
}

function createLogger(level: string) {
  return pino(
    { level, base: { role: "bundle" }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}

async function run(
  configuration: BundleConfiguration,
  isRollback: boolean,
  terminal: Pick<Terminal, "interrupted">,
): Promise<number> {
  const { dataFolder, publicKey, basePath, trustedProxies, allowed } = configuration;

  // Read before the start, so that a signal doesn't end the process in the middle of it.
  const { interrupted } = terminal;
  const prefixOf = prefixReader(trustedProxies);

  const logger = createLogger(configuration.logLevel);
  const unlock = await lockData(dataFolder, { onLost: () => endWithoutLock(dataFolder) });
  const workFolder = path.join(dataFolder, "work");
  privateFolder(workFolder);
  const site = new BundleSite((bundle) => bundleFeatures(bundle, configuration));

  const report = {
    info: (message: string) => logger.info(message),
    error: (message: string) => logger.error(message),
  };

  const updater = new Updater({
    ...configuration,
    store: new BundleStore(dataFolder, publicKey),
    site,
    approval: new Approval(dataFolder),
    workFolder,
    report,
  });

  const files = new FileCache(site);
  const tables = new TablesOfSites(files);
  const fault = (error: unknown) => logger.error({ err: error }, "site");
  const events = new EventLog(path.join(dataFolder, "analytics"), fault);
  const endpoints = bundleEndpoints({
    tables,
    searches: new SiteSearches(files),
    events,
    ulid: ulidMaker(Date.now, randomBytes),
    report: fault,
  });

  const answerSite = hosting({
    directory: site,
    tables,
    endpoints,
    // Bundles have no sign-in, so there are no sessions that must survive a restart.
    secret: randomBytes(32),
    isSecure: false,
    addressOf: addressReader(trustedProxies),
    basePathsOf(request, path, built) {
      const prefix = prefixOf(request);
      if (basePath !== "" || prefix !== "") return { received: basePath, shown: prefix + basePath };
      // Without settings, a proxy can keep or remove the path that the bundle was created for.
      return { received: pathBelow(path, built) === undefined ? "" : built, shown: built };
    },
    allowed,
    onFault: fault,
  });

  let isStopping = false;
  const server = createHttpServer(trustedProxies, {}, (request, response) => {
    if (isStopping) response.setHeader("connection", "close");
    const path = request.url?.replace(/\?.*$/s, "");
    if (path === "/healthz") return sendJson(response, 200, { status: "ok" });
    if (path === "/readyz") {
      const { status } = statusOf(updater, site, isStopping);
      return sendJson(response, status === "ready" ? 200 : 503, { status });
    }
    void answerSite(request, response);
  });

  if (isRollback) await updater.rollBack();
  else await updater.resume();

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(configuration.port, configuration.host, resolve);
  });

  const stopInternal = await startInternalServer(
    { host: configuration.host, port: configuration.internalPort },
    {
      "/status": async () => ({
        type: "application/json",
        text: JSON.stringify(statusOf(updater, site, isStopping)),
      }),
    },
  );

  logger.info(`listening on ${configuration.host}:${configuration.port}`);
  const update = () => void updater.update();
  process.on("SIGHUP", update);
  if (!isRollback) update();

  await interrupted;
  logger.info("stopping");
  isStopping = true;
  process.off("SIGHUP", update);
  stopInternal();
  await updater.stop();
  await stopHttpServer(server, () => new Promise((resolve) => server.close(resolve)));
  logger.info("stopped");
  await events.flush();
  unlock();

  return 0;
}

/**
 * Returns the response of `/status`. `problem` explains why the requested bundle isn't served and how to fix
 * this.
 */
function statusOf(updater: Updater, site: BundleSite, isStopping: boolean) {
  return {
    status: isStopping ? "stopping" : updater.isReady ? "ready" : "not ready",
    version: site.bundle?.manifest.version ?? null,
    stale: updater.problem !== undefined,
    ...(updater.problem === undefined ? {} : { problem: updater.problem }),
  };
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  const body = JSON.stringify(value);
  response
    .writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
    })
    .end(body);
}
