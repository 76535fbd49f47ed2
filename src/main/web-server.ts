/**
 * Starts the HTTP server of a process. Serves the API, the dashboard and sites on one port, distinguished by
 * host name.
 */

import type { IncomingMessage, RequestListener } from "node:http";
import { sql } from "kysely";
import type { Logger } from "pino";
import { limits } from "../base/limits.ts";
import type { StartBuild } from "../builder/build-process.ts";
import { FileCache } from "../host/file-cache.ts";
import { type HostingOptions, hosting } from "../host/hosting.ts";
import { hostName } from "../host/requested-host.ts";
import { Visitors } from "../host/sign-in/visitor.ts";
import { SiteSearches } from "../host/site-search.ts";
import { TablesOfSites } from "../host/site-tables.ts";
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
import { siteEndpoints } from "../service/site-endpoints/site-endpoints.ts";
import { LinkedPages } from "../service/storage/linked-pages.ts";
import { TrafficTally } from "../service/traffic/traffic-tally.ts";
import { visitorKind } from "../service/traffic/visitor-kind.ts";
import { DashboardAssets } from "../service/ui/dashboard-assets.ts";
import { DashboardCookies } from "../service/ui/dashboard-cookies.ts";
import { createHttpServer, stopHttpServer } from "./http-server.ts";
import { startInternalServer } from "./internal-server.ts";
import type { Configuration } from "./service-configuration.ts";

export interface WebServer {
  /** Resolves when the server serves all changes to sites that were committed before the call. */
  catchUp(): Promise<void>;
  /** Stops accepting requests and waits for open ones, up to a timeout. */
  stop(): Promise<void>;
}

const serverOptions = { requestTimeout: limits.upload_ms, connectionsCheckingInterval: 2_000 };

/** Starts the server. `dashboardFolder` is the folder of the dashboard's styles and scripts. */
export async function startWebServer(
  service: Service,
  configuration: Configuration,
  {
    logger,
    dashboardFolder,
    startBuild,
  }: { logger: Logger; dashboardFolder: string; startBuild: StartBuild },
): Promise<WebServer> {
  const apiHost = new URL(configuration.url).hostname;
  const isSecure = configuration.url.startsWith("https:");
  const addressOf = addressReader(configuration.trustedProxies);
  const metrics = createMetrics(() => waitingJobs(service.db));
  const sites = await LiveSites.start(service, (error) =>
    logger.error({ err: error }, "can't check for new revisions"),
  );
  const files = new FileCache(sites);
  const tables = new TablesOfSites(files);
  const report = (error: unknown) => logger.error({ err: error }, "assistant");
  const { model: settings, modelTimeout_s: timeout_s } = configuration;

  const secret = Buffer.from(configuration.secret);
  const docs = new SiteDocs({
    service,
    sites,
    files,
    tables,
    searches: new SiteSearches(files),
    assistant: new Assistant(service, { settings, timeout_s, report }),
    visitors: new Visitors(secret, isSecure),
    report,
  });

  const tally = new TrafficTally(service, (error) =>
    logger.error({ err: error }, "couldn't write page views, will retry"),
  );

  const answerSite = hosting({
    directory: sites,
    tables,
    endpoints: siteEndpoints({ docs, tally, report }),
    secret,
    isSecure,
    addressOf,
    allowed: configuration.allowed,
    ...(configuration.hasAnalytics ? { onFile: countAgents(tally, addressOf) } : {}),
    onFault: (error) => logger.error({ err: error }, "site"),
    rateLimit: service.rateLimit,
  });

  let isStopping = false;
  let answerApi: RequestListener;
  const server = createHttpServer(configuration.trustedProxies, serverOptions, (request, response) => {
    if (isStopping) response.setHeader("connection", "close");
    if (isForApi(request, apiHost)) return answerApi(request, response as never);
    // The wrapper of `once` can be a long-lived object for V8, which then keeps every response for a while.
    response.on("finish", () => metrics.sitePage(response.statusCode));
    void answerSite(request, response);
  });

  // Errors are ignored, because the change is already stored and this process receives it later.
  const waitForSites = () => sites.catchUp().catch(() => {});
  const api = createApi({
    service,
    docs,
    startBuild,
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
    isReady: async () => !isStopping && (await isDatabaseReachable(service)),
  });

  const cookies = new DashboardCookies(isSecure);
  const routes = dashboardRoutes({
    cookies,
    provider: providerOf(configuration),
    hasPasswords: configuration.requiredIssuer === undefined,
    report,
  });

  const linkedPages = new LinkedPages(sites, tables);
  const assets = new DashboardAssets(dashboardFolder);
  addDashboard(api, { service, routes, assets, cookies, addressOf, linkedPages, waitForSites });

  const { host, port, internalPort } = configuration;
  const stopInternal = await startInternalServer(
    { host, port: internalPort },
    {
      "/metrics": () => metricsPage(metrics),
      "/tls-check": (query) => checkTls(service, sites, apiHost, query.get("domain") ?? ""),
    },
  );

  await api.listen({ port, host });

  return {
    catchUp: () => sites.catchUp(),
    async stop() {
      isStopping = true;
      stopInternal();
      await stopHttpServer(server, () => api.close());
      sites.stop();
      await tally.stop();
    },
  };
}

function providerOf({ provider, url, secret }: Configuration): Provider | undefined {
  return provider && new Provider(provider, url, secret);
}

async function checkTls(service: Service, sites: LiveSites, apiHost: string, domain: string) {
  const { wait_s } = await service.rateLimit("tls-check", {});
  if (wait_s > 0) return tooManyChecks;
  return tlsCheck(sites, { apiHost, sitesDomain: service.settings.sitesDomain }, domain);
}

async function metricsPage(metrics: ReturnType<typeof createMetrics>) {
  return { type: metrics.contentType, text: await metrics.text() };
}

const tooManyChecks = { status: 429, type: "text/plain; charset=utf-8", text: "too many requests\n" };

/**
 * Responds to a proxy that gets certificates on demand: 200 for a custom domain and the service's own host,
 * otherwise 404. Doesn't query the database. Default hosts and previews need a wildcard certificate, because
 * each certificate is published in the logs of its authority, and the hosts of previews must not be known.
 */
function tlsCheck(
  sites: LiveSites,
  { apiHost, sitesDomain }: { apiHost: string; sitesDomain: string },
  domain: string,
) {
  const host = domain.toLowerCase();
  const isServed = host === apiHost || (!host.endsWith(`.${sitesDomain}`) && sites.serves(host));
  return {
    status: isServed ? 200 : 404,
    type: "text/plain; charset=utf-8",
    text: isServed ? "yes\n" : "no\n",
  };
}

async function isDatabaseReachable({ db }: Service): Promise<boolean> {
  const [result] = await Promise.allSettled([sql`select 1`.execute(db)]);
  return result.status === "fulfilled";
}

/**
 * Returns a function that counts the pages that AI agents read, since agents don't run the analytics script.
 */
function countAgents(
  tally: TrafficTally,
  addressOf: ReturnType<typeof addressReader>,
): NonNullable<HostingOptions["onFile"]> {
  return ({ projectId, isPreview, page: path, request }) => {
    const userAgent = request.headers["user-agent"] ?? "";
    if (path === undefined || isPreview || request.method !== "GET" || visitorKind(userAgent) !== "ai")
      return;
    tally.add({ projectId, path, kind: "ai", address: addressOf(request), userAgent });
  };
}

/**
 * Whether a request is for the API or dashboard. Health checks are answered at every host name, since probes
 * use IP addresses.
 */
function isForApi(request: IncomingMessage, apiHost: string): boolean {
  const path = request.url?.replace(/\?.*$/s, "");
  return path === "/healthz" || path === "/readyz" || hostName(request) === apiHost;
}
