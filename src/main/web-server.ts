/** The HTTP server of a process: API and sites behind one port, told apart by the name of the host. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { sql } from "kysely";
import type { Logger } from "pino";
import { limits } from "../base/limits.ts";
import { networkTest } from "../base/networks.ts";
import { FileCache } from "../host/file-cache.ts";
import { type HostingOptions, hosting } from "../host/hosting.ts";
import { readOfFile } from "../host/page-paths.ts";
import { hostName } from "../host/requested-host.ts";
import { Visitors } from "../host/sign-in/visitor.ts";
import { SiteSearches } from "../host/site-search.ts";
import { TablesOfSites } from "../host/site-tables.ts";
import { guardServer } from "../io/guard-server.ts";
import { Provider } from "../service/accounts/sign-in-provider.ts";
import { createApi } from "../service/app/api-server.ts";
import { addDashboard } from "../service/app/dashboard-server.ts";
import { createMetrics } from "../service/app/metrics.ts";
import { dashboardRoutes } from "../service/app/routes.ts";
import { Assistant } from "../service/assistant/assistant.ts";
import { SiteDocs } from "../service/assistant/site-docs.ts";
import type { Service } from "../service/core/service.ts";
import { LiveSites } from "../service/deployments/live-sites.ts";
import { addressReader } from "../service/http/client-address.ts";
import { waitingJobs } from "../service/jobs/job-queue.ts";
import { siteHelpers } from "../service/site-endpoints/site-endpoints.ts";
import { TrafficTally } from "../service/traffic/traffic-tally.ts";
import { visitorKind } from "../service/traffic/visitor-kind.ts";
import { DashboardAssets } from "../service/ui/dashboard-assets.ts";
import { DashboardCookies } from "../service/ui/dashboard-cookies.ts";
import { startInternalServer } from "./internal-server.ts";
import type { Configuration } from "./service-configuration.ts";

export interface WebServer {
  /** Says that it takes no more requests, and gives those in hand their time. */
  stop(): Promise<void>;
}

/** `dashboardFolder`: the styles and scripts of the dashboard. */
export async function startWebServer(
  service: Service,
  configuration: Configuration,
  logger: Logger,
  dashboardFolder: string,
): Promise<WebServer> {
  const { db } = service;
  const apiHost = new URL(configuration.url).hostname;
  const isSecure = configuration.url.startsWith("https:");
  const addressOf = addressReader(configuration.trustedProxies);
  const metrics = createMetrics(() => waitingJobs(db));
  const sites = await LiveSites.start(service, (error) => logger.error({ err: error }, "the hosts cannot learn of changes"));
  const files = new FileCache(sites);
  const tables = new TablesOfSites(files);
  const report = (error: unknown) => logger.error({ err: error }, "assistant");
  const assistant = new Assistant(service, { settings: configuration.model, timeout_s: configuration.modelTimeout_s, report });
  const secret = Buffer.from(configuration.secret);
  const docs = new SiteDocs({
    service,
    sites,
    files,
    tables,
    searches: new SiteSearches(files),
    assistant,
    visitors: new Visitors(secret, isSecure),
  });
  const tally = new TrafficTally(service, (error) => logger.error({ err: error }, "views wait to be written"));
  // Programs run no script that would tell of them.
  const countProgram: HostingOptions["onFile"] = ({ site, tables, file, request }) => {
    const userAgent = request.headers["user-agent"] ?? "";
    if (site.isPreview || request.method !== "GET" || visitorKind(userAgent) !== "ai") return;
    const path = readOfFile(file, site, tables);
    if (path !== undefined) tally.add({ projectId: site.projectId, path, kind: "ai", address: addressOf(request), userAgent });
  };
  const answerSite = hosting({
    directory: sites,
    tables,
    helpers: siteHelpers({ docs, tally, report }),
    secret,
    isSecure,
    addressOf,
    allowed: configuration.allowed,
    ...(configuration.hasAnalytics ? { onFile: countProgram } : {}),
    onFault: (error) => logger.error({ err: error }, "site"),
    rateLimit: service.rateLimit,
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
  // The guard keeps half of them, and takes a moment to close one for another.
  server.maxConnections = 2 * limits.connections_count;
  guardServer(server, { ...limits, addressOf, isTrusted: networkTest(configuration.trustedProxies) });
  // A change that was made stands, whether or not this process could look at it.
  const waitForSites = () => sites.catchUp().catch(() => {});
  const api = createApi({
    service,
    docs,
    operatorToken: configuration.operatorToken,
    addressOf,
    signer: configuration,
    metrics,
    logger,
    serverFactory: (handler) => {
      answerApi = handler as RequestListener;
      return server;
    },
    waitForSites,
    async isReady() {
      if (isStopping) return false;
      const [asked] = await Promise.allSettled([sql`select 1`.execute(db)]);
      return asked.status === "fulfilled";
    },
  });
  const cookies = new DashboardCookies(isSecure);
  const provider = configuration.provider && new Provider(configuration.provider, configuration.url, configuration.secret);
  const routes = dashboardRoutes({ cookies, provider, hasPasswords: configuration.requiredIssuer === undefined });
  addDashboard(api, { service, routes, assets: new DashboardAssets(dashboardFolder), cookies, addressOf, waitForSites });
  const stopInternal = await startInternalServer(
    { host: configuration.host, port: configuration.internalPort },
    { "/metrics": async () => ({ type: metrics.contentType, text: await metrics.text() }) },
  );
  await api.listen({ port: configuration.port, host: configuration.host });
  return {
    async stop() {
      isStopping = true;
      stopInternal();
      await Promise.race([api.close(), new Promise((resolve) => setTimeout(resolve, limits.stop_ms).unref())]);
      server.closeAllConnections();
      sites.stop();
      await tally.stop();
    },
  };
}

/** Probes ask by address, so what they ask answers under any host. */
function isForApi(request: IncomingMessage, apiHost: string): boolean {
  const path = request.url?.replace(/\?.*$/s, "");
  return path === "/healthz" || path === "/readyz" || hostName(request) === apiHost;
}
