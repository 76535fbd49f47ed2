/** The HTTP server of a process: API and sites behind one port, told apart by the name of the host. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { sql } from "kysely";
import type { Logger } from "pino";
import { createApi } from "../api/app.ts";
import { addressReader } from "../api/client-address.ts";
import { createMetrics } from "../api/metrics.ts";
import { limits } from "../base/limits.ts";
import { admit } from "../platform/access/rate-limit.ts";
import { LiveSites } from "../platform/deployments/live-sites.ts";
import { waitingJobs } from "../platform/queue/boss-queue.ts";
import type { Service } from "../platform/service.ts";
import { hostName } from "../reader/host-name.ts";
import { hosting } from "../reader/hosting.ts";
import type { Configuration } from "./configuration.ts";

export interface WebServer {
  /** Says that it takes no more requests, and gives those in hand their time. */
  stop(): Promise<void>;
}

export async function startWebServer(service: Service, configuration: Configuration, logger: Logger): Promise<WebServer> {
  const { db } = service;
  const apiHost = new URL(configuration.url).hostname;
  const addressOf = addressReader(configuration.trustedProxies);
  const metrics = createMetrics(() => waitingJobs(db));
  const sites = await LiveSites.start(service, (error) => logger.error({ err: error }, "the hosts cannot learn of changes"));
  const answerSite = hosting({
    directory: sites,
    secret: Buffer.from(configuration.secret),
    isSecure: configuration.url.startsWith("https:"),
    addressOf,
    onFault: (error) => logger.error({ err: error }, "site"),
    async rateLimit(subject, { count, window_s }) {
      const admission = await admit(db, subject, { name: "site", quota: count, window_s });
      return admission.isAdmitted ? 0 : admission.reset_s;
    },
  });
  let isStopping = false;
  let answerApi: RequestListener;
  const server = createServer(
    {
      maxHeaderSize: limits.requestHead_bytes,
      headersTimeout: limits.requestHead_ms,
      requestTimeout: limits.upload_ms,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: limits.idleConnection_ms,
    },
    (request, response) => {
      if (isStopping) response.setHeader("connection", "close");
      if (isForApi(request, apiHost)) return answerApi(request, response as never);
      response.once("finish", () => metrics.sitePage(response.statusCode));
      void answerSite(request, response);
    },
  );
  server.maxConnections = limits.connections_count;
  const api = createApi({
    service,
    operatorToken: configuration.operatorToken,
    addressOf,
    signer: configuration,
    metrics,
    logger,
    serverFactory: (handler) => {
      answerApi = handler as RequestListener;
      return server;
    },
    // A change that was made stands, whether or not this process could look at it.
    sitesKnow: () => sites.catchUp().catch(() => {}),
    async isReady() {
      if (isStopping) return false;
      const [asked] = await Promise.allSettled([sql`select 1`.execute(db)]);
      return asked.status === "fulfilled";
    },
  });
  await api.listen({ port: configuration.port, host: configuration.host });
  return {
    async stop() {
      isStopping = true;
      await Promise.race([api.close(), new Promise((resolve) => setTimeout(resolve, limits.stop_ms).unref())]);
      server.closeAllConnections();
      sites.stop();
    },
  };
}

/** Probes ask by address, so what they ask answers under any host. */
function isForApi(request: IncomingMessage, apiHost: string): boolean {
  const path = request.url?.replace(/\?.*$/s, "");
  return path === "/healthz" || path === "/readyz" || hostName(request) === apiHost;
}
