/** `octavo serve`: builds the pieces of the service from its settings, starts them, and ends them in order. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { availableParallelism } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import pino from "pino";
import { createApi } from "../api/app.ts";
import { addressReader } from "../api/client-address.ts";
import { createMetrics } from "../api/metrics.ts";
import { limits } from "../base/limits.ts";
import { ulidMaker } from "../base/ulid.ts";
import type { Terminal } from "../cli/command.ts";
import { openObjects } from "../io/open-objects.ts";
import { openDatabase } from "../io/postgres.ts";
import { admit } from "../platform/access/rate-limit.ts";
import { BuildProcess } from "../platform/build/build-process.ts";
import { triggerDeployment } from "../platform/deployments/deployments.ts";
import { LiveSites } from "../platform/deployments/live-sites.ts";
import { clearDeploymentScratch } from "../platform/deployments/sweep.ts";
import { beginService } from "../platform/organizations/first-start.ts";
import { BossQueue, waitingJobs } from "../platform/queue/boss-queue.ts";
import { type Service, siteUrl } from "../platform/service.ts";
import type { Tables } from "../platform/tables.ts";
import { hostName } from "../reader/host-name.ts";
import { hosting } from "../reader/hosting.ts";
import { startWorker } from "../worker/worker.ts";
import { ConfigurationError, readConfiguration } from "./configuration.ts";

export type Role = "all" | "web" | "worker";

/** `product`: the folder of the executables. Answers with the exit code, once the service has ended. */
export async function serve(role: Role, product: string, terminal: Pick<Terminal, "out" | "note" | "interrupted">): Promise<number> {
  const beside = (name: string) => path.join(product, name);
  const configuration = (() => {
    try {
      return readConfiguration(process.env);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      terminal.note(error.message);
      return undefined;
    }
  })();
  if (!configuration) return 2;
  const logger = pino(
    { level: configuration.logLevel, base: { role }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  const database = await openDatabase<Tables>({
    ...(configuration.databaseUrl === undefined ? {} : { url: configuration.databaseUrl }),
    folder: configuration.dataFolder,
    thread: beside("database.js"),
    migrations: beside("migrations"),
  });
  const signer = { url: configuration.url, secret: configuration.secret };
  const queue = await BossQueue.start({
    db: database.db,
    pool: database.pool,
    slots: Math.max(1, Math.floor(availableParallelism() / 2)),
    isAlone: database.isEmbedded,
    report: (error) => logger.error({ err: error }, "job"),
  });
  const service: Service = {
    db: database.db,
    pool: database.pool,
    objects: await openObjects(configuration.storage, signer),
    queue,
    ulid: ulidMaker(Date.now, randomBytes),
    random: randomBytes,
    settings: { ...configuration, workFolder: path.join(configuration.dataFolder, "work") },
  };
  clearDeploymentScratch(service);
  const docsFolder = configuration.docsFolder ?? beside("../docs");
  const first = await beginService(service, {
    docsFolder: docsFolder !== "" && existsSync(docsFolder) ? path.resolve(docsFolder) : undefined,
    key: configuration.bootstrapKey,
  });

  if (first?.hasDocs) await triggerDeployment(service, first, first.projectId, "start");

  let isStopping = false;
  const metrics = createMetrics(() => waitingJobs(database.db));
  const apiHost = new URL(configuration.url).hostname;
  const addressOf = addressReader(configuration.trustedProxies);
  let answerApi: (request: IncomingMessage, response: ServerResponse) => void;
  const sites = await LiveSites.start(service, (error) => logger.error({ err: error }, "the hosts cannot learn of changes"));
  const answerSite = hosting({
    directory: sites,
    secret: Buffer.from(configuration.secret),
    isSecure: configuration.url.startsWith("https:"),
    addressOf,
    async rateLimit(subject, { count, window_s }) {
      const admission = await admit(database.db, subject, { name: "site", quota: count, window_s });
      return admission.isAdmitted ? 0 : admission.reset_s;
    },
  });
  const server = createServer(
    {
      maxHeaderSize: limits.requestHead_bytes,
      headersTimeout: limits.requestHead_ms,
      requestTimeout: limits.upload_ms,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      if (isStopping) response.setHeader("connection", "close");
      if (isForApi(request, apiHost)) answerApi(request, response);
      else {
        response.once("finish", () => metrics.sitePage(response.statusCode));
        void answerSite(request, response);
      }
    },
  );
  server.maxConnections = limits.connections_count;
  const api = createApi({
    service,
    operatorToken: configuration.operatorToken,
    addressOf,
    signer,
    metrics,
    logger,
    serverFactory: (handler) => {
      answerApi = handler;
      return server;
    },
    async isReady() {
      if (isStopping) return false;
      return sql`select 1`.execute(database.db).then(
        () => true,
        () => false,
      );
    },
  });
  await api.listen({ port: configuration.port, host: configuration.host });
  logger.info({ url: configuration.url }, "started");
  const worker =
    role === "web"
      ? undefined
      : await startWorker(service, {
          startBuild: (told) => new BuildProcess({ module: beside("build.js"), path: process.env.PATH, ...told }),
          git: { path: process.env.PATH, ...configuration.git },
          report: (error) => logger.error({ err: error }, "sweep"),
        });
  if (role !== "worker") announce(terminal, service, first);

  await terminal.interrupted;
  isStopping = true;
  logger.info("stopping");
  const answered = Promise.race([api.close(), new Promise((resolve) => setTimeout(resolve, limits.stop_ms).unref())]);
  // Others take the jobs while the last requests are answered.
  await worker?.stop();
  await answered;
  server.closeAllConnections();
  sites.stop();
  await database.close();
  logger.info("stopped");
  return 0;
}

/** Probes ask by address, so what they ask answers under any host. */
function isForApi(request: IncomingMessage, apiHost: string): boolean {
  const path = request.url?.replace(/\?.*$/s, "");
  return path === "/healthz" || path === "/readyz" || hostName(request) === apiHost;
}

function announce(terminal: Pick<Terminal, "out">, { settings }: Service, first: Awaited<ReturnType<typeof beginService>>): void {
  terminal.out(`API            ${settings.url}`);
  terminal.out(`Documentation  ${siteUrl(settings, `docs.${settings.sitesDomain}`)}`);
  if (!first) return;
  terminal.out(`Project id     ${first.projectId}`);
  terminal.out(`Admin key      ${first.key}   (shown this once)`);
}
