/** `octavo serve`: builds the pieces of the service from its settings, starts them, and ends them in order. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { sql } from "kysely";
import pino from "pino";
import { createApi } from "../api/app.ts";
import { addressReader } from "../api/client-address.ts";
import { createMetrics } from "../api/metrics.ts";
import { limits } from "../base/limits.ts";
import { ulidMaker } from "../base/ulid.ts";
import type { Terminal } from "../cli/command.ts";
import { openDatabase } from "../io/postgres.ts";
import { beginService } from "../platform/organizations/first-start.ts";
import { type Service, siteUrl } from "../platform/service.ts";
import type { Tables } from "../platform/tables.ts";
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
  const service: Service = {
    db: database.db,
    pool: database.pool,
    objects: undefined as never,
    queue: undefined as never,
    ulid: ulidMaker(Date.now, randomBytes),
    random: randomBytes,
    settings: { ...configuration, workFolder: path.join(configuration.dataFolder, "work") },
  };
  const docsFolder = beside("../docs");
  const first = await beginService(service, {
    docsFolder: existsSync(docsFolder) ? docsFolder : undefined,
    key: configuration.bootstrapKey,
  });

  let isStopping = false;
  const metrics = createMetrics(async () => 0);
  const apiHost = new URL(configuration.url).hostname;
  const addressOf = addressReader(configuration.trustedProxies);
  let answerApi: (request: IncomingMessage, response: ServerResponse) => void;
  const answerSite = (_request: IncomingMessage, response: ServerResponse) => response.writeHead(404).end();
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
      else answerSite(request, response);
    },
  );
  server.maxConnections = limits.connections_count;
  const api = createApi({
    service,
    operatorToken: configuration.operatorToken,
    addressOf,
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
  if (role !== "worker") announce(terminal, service, first);

  await terminal.interrupted;
  isStopping = true;
  logger.info("stopping");
  await Promise.race([api.close(), new Promise((resolve) => setTimeout(resolve, limits.stop_ms).unref())]);
  server.closeAllConnections();
  await database.close();
  logger.info("stopped");
  return 0;
}

/** Probes ask by address, so what they ask answers under any host. */
function isForApi({ headers, url = "" }: IncomingMessage, apiHost: string): boolean {
  const path = url.replace(/\?.*$/s, "");
  if (path === "/healthz" || path === "/readyz") return true;
  return hostName(headers.host) === apiHost;
}

function hostName(header: string | undefined): string {
  return (header ?? "").toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

function announce(terminal: Pick<Terminal, "out">, { settings }: Service, first: Awaited<ReturnType<typeof beginService>>): void {
  terminal.out(`API            ${settings.url}`);
  terminal.out(`Documentation  ${siteUrl(settings, `docs.${settings.sitesDomain}`)}`);
  if (!first) return;
  terminal.out(`Project id     ${first.projectId}`);
  terminal.out(`Admin key      ${first.key}   (shown this once)`);
}
