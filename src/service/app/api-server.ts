/**
 * Implements the HTTP server of the API: a route for each endpoint, health checks, the OpenAPI description,
 * downloads by signed link, and webhooks of git hosts.
 */

import { METHODS } from "node:http";
import { Readable } from "node:stream";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
} from "fastify";
import { AppError, notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { plural } from "../../base/plural.ts";
import { rateRules } from "../../base/rate-rules.ts";
import { networkOf } from "../../base/visitor-network.ts";
import type { StartBuild } from "../../builder/build-process.ts";
import { requestedRange } from "../../host/request-headers.ts";
import { expectLongBody } from "../../io/guard-server.ts";
import { type LinkSigner, linkPath, readLink } from "../../io/object-link.ts";
import type { SiteDocs } from "../assistant/site-docs.ts";
import { type AuditOutcome, appendAudit } from "../core/audit.ts";
import { type Endpoint, type Events, recordedAction } from "../core/endpoint.ts";
import { checkIdempotencyKey } from "../core/idempotency.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { type Admission, admit, type SlidingWindow } from "../core/sliding-window.ts";
import { addGitRoutes } from "../git/git-api.ts";
import { BodyMemory } from "../http/body-memory.ts";
import { type Call, type Handler, Reply } from "../http/call.ts";
import { checkedBody } from "../http/checked-body.ts";
import { errorResponse, sendError } from "../http/error-response.ts";
import { sendEvents } from "../http/event-stream.ts";
import { checkContentType, readJson } from "../http/read-body.ts";
import { readParams } from "../http/read-params.ts";
import { readQuery } from "../http/read-query.ts";
import { type ActionRun, runAction } from "../http/run-action.ts";
import { TurnQueue } from "../http/turn-queue.ts";
import { authenticateKey, authenticateOperator, bearerToken } from "../keys/authenticate.ts";
import { organizationOfCall } from "../organizations/organization-of-call.ts";
import { requireProject } from "../projects/projects.ts";
import { webhookPath } from "../repositories/connection.ts";
import { receiveWebhook } from "../repositories/receive-webhook.ts";
import { endpoints } from "./endpoints.ts";
import { handlersOf } from "./handlers.ts";
import type { Metrics } from "./metrics.ts";
import { describeApi } from "./openapi-description.ts";

/** Methods that the server knows. `CONNECT` isn't passed to routes. */
const methods = METHODS.filter((method) => method !== "CONNECT");

/** Other paths of the endpoints for searches, pages, and questions, which clients of other platforms use. */
const otherPath = /^(?:\/discovery\/v[12]|\/v2)\/(?=(?:assistant|search|page)\/)/;

/** Maximum length of a path parameter of the API, in characters. */
const pathParameter_chars = 300;

export interface ApiOptions {
  service: Service;
  operatorToken: string | undefined;
  /** Returns the client's IP address. */
  addressOf(request: FastifyRequest["raw"]): string;
  /** Verifies links to stored objects. */
  signer: LinkSigner;
  serverFactory: FastifyServerFactory;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  docs: SiteDocs;
  startBuild: StartBuild;
  /** Resolves when this process serves all committed changes to sites, or if it can't read them. */
  waitForSites(): Promise<void>;
  /** Whether the process is ready to receive requests, for the readiness probe. */
  isReady(): Promise<boolean>;
}

/**
 * Maximum number of entries in `guessers`. If it is exceeded, all entries are removed, which limits the
 * memory that attackers can fill.
 */
const guessers_count = 100_000;

/** Options and shared state of a server. */
interface ServerOptions extends ApiOptions {
  /**
   * Networks that sent too many wrong operator tokens. The value is when the network is unblocked, in
   * milliseconds since 1970.
   */
  guessers: Map<string, number>;
  reads: TurnQueue;
}

export function createApi(apiOptions: ApiOptions): FastifyInstance {
  const options: ServerOptions = {
    ...apiOptions,
    guessers: new Map(),
    reads: new TurnQueue(limits.apiReads),
  };
  const isSecure = options.service.settings.url.startsWith("https:");
  const app = Fastify({
    loggerInstance: options.logger,
    // The `onResponse` hook logs each request without its URL, which may contain secrets.
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: options.serverFactory,
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"];
      return typeof given === "string" && /^[A-Za-z0-9-]{1,64}$/.test(given) ? given : options.service.ulid();
    },
    rewriteUrl: ({ url = "/" }) => url.replace(otherPath, "/v1/"),
    routerOptions: { maxParamLength: pathParameter_chars, ignoreTrailingSlash: false },
    // Hooks don't run for a URL that can't be decoded or has a very long parameter.
    frameworkErrors: (error, request, reply) =>
      void sendError(reply.headers(commonHeaders(request.id, isSecure)) as FastifyReply, error),
    return503OnClosing: false,
  }) as unknown as FastifyInstance;

  // Fastify doesn't read bodies or check their content type. This happens after authentication, in
  // `readBody`.
  for (const method of methods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  app.addHook("onRequest", async (request, reply) => {
    reply.headers(commonHeaders(request.id, isSecure));
  });

  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unknown";
    const seconds = reply.elapsedTime / 1_000;
    options.metrics.request(request.method, route, reply.statusCode, seconds);
    request.log.info(
      { requestId: request.id, method: request.method, route, status: reply.statusCode, seconds },
      "request",
    );
  });

  app.setErrorHandler((error, request, reply) => {
    const response = errorResponse(error);
    if (response.status >= 500) request.log.error({ requestId: request.id, err: error }, "request failed");
    if (!request.raw.complete) reply.header("connection", "close");
    return reply.code(response.status).headers(response.headers).send(response.body);
  });

  const handlers = handlersOf(options.docs);
  for (const [name, endpoint] of Object.entries(endpoints) as [keyof typeof endpoints, Endpoint][])
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ":$1"),
      handler: (request, reply) =>
        handle(endpoint, handlers[name] as unknown as Handler<Endpoint>, options, request, reply),
    });

  addMachineRoutes(app, options);
  addObjectRoute(app, options);
  addWebhookRoute(app, options);
  addGitRoutes(app, options);
  refuseOtherMethods(app);

  return app;
}

/** Returns the headers of all responses. */
function commonHeaders(requestId: string, isSecure: boolean): Record<string, string> {
  return {
    "x-request-id": requestId,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    ...(isSecure ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

/** Handles an API call. Checks authentication, plan, rate limit, project, query and body, in this order. */
async function handle(
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
  options: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { service } = options;
  const address = options.addressOf(request.raw);
  const origin = { requestId: request.id, address };
  const scope = await authenticateCaller(endpoint, options, request, address);

  // Looked up before the handler runs, which may delete the object.
  let organizationId =
    scope?.organizationId ??
    (isChange(endpoint) ? await organizationOfCall(service, readParams(request)) : undefined);
  let admission: Admission | undefined;
  let changed: readonly string[] = [];

  const act = async () => {
    if (endpoint.plan !== undefined && scope?.plan !== endpoint.plan)
      throw new AppError(
        "forbidden",
        `This requires the ${endpoint.plan} plan. Contact the service's operator.`,
      );
    admission = endpoint.rateLimit && (await requireRateLimit(endpoint.rateLimit, options, scope!, reply));
    if (endpoint.isIdempotent) checkIdempotencyKey(first(request.headers["idempotency-key"]));
    const call = await withInput(
      {
        service,
        scope,
        params: readParams(request),
        query: {},
        body: undefined,
        header: (name: string) => first(request.headers[name]),
        origin,
      } as unknown as Call<Endpoint>,
      options.docs,
      endpoint,
      request,
    );

    if (endpoint.method === "PATCH")
      changed = Object.keys((call.body as unknown as object | undefined) ?? {});
    const result = await (endpoint.method === "GET"
      ? options.reads.run(organizationId ?? "operator", () => handler(call))
      : handler(call));
    if (endpoint.organization === "created")
      organizationId = ((result instanceof Reply ? result.result : result) as unknown as { id: string }).id;
    // The organization's audit log was deleted with it, so the service's log records the deletion.
    if (endpoint.organization === "deleted")
      request.log.warn({ requestId: request.id, organizationId }, "organization deleted");
    return result;
  };

  const run: ActionRun = {
    isRead: endpoint.method === "GET",
    catchUp: isChange(endpoint) || endpoint.waitsForSites ? options.waitForSites : undefined,
    record: (outcome) =>
      recordCall(
        service,
        endpoint,
        { organizationId, scope, params: readParams(request), changed },
        outcome,
        origin,
      ),
    report: (error) => request.log.error({ requestId: request.id, err: error }, "audit log"),
  };

  try {
    // The events are sent while the handler runs, so there's nothing to wait for.
    if (endpoint.success.events) return await stream(reply, (await act()) as unknown as Events<unknown>);
    const result = await runAction(run, act, () => endpoint.success.status);
    if (result instanceof Reply) reply.headers(result.headers);
    reply.code(endpoint.success.status);
    return reply.send(result instanceof Reply ? result.result : result);
  } catch (error) {
    if (errorResponse(error).status >= 500) await admission?.uncount();
    throw error;
  }
}

/**
 * Whether a call counts as a change to an organization's data. Calls with assistant keys don't, whatever
 * their method is.
 */
function isChange({ method, caller }: Endpoint): boolean {
  return method !== "GET" && caller !== "assistant";
}

async function stream(reply: FastifyReply, events: Events<unknown>): Promise<void> {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  // The headers were sent: after an error the connection can only be closed.
  await sendEvents(reply.raw, events).catch((error: unknown) => {
    reply.log.error({ err: error }, "stream failed");
    reply.raw.destroy();
  });
}

async function authenticateCaller(
  endpoint: Endpoint,
  options: ServerOptions,
  request: FastifyRequest,
  address: string,
): Promise<Scope | undefined> {
  const { rawHeaders } = request.raw;
  const given = rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === "authorization",
  ).length;
  const token = given === 1 ? bearerToken(request.headers.authorization) : undefined;
  const network = networkOf(address);
  try {
    if (endpoint.caller === "operator") {
      // While a network is blocked, the correct token is refused, too, so that an attacker can't find out
      // which token is correct.
      const wait_s = Math.ceil(((options.guessers.get(network) ?? 0) - Date.now()) / 1_000);
      if (wait_s > 0) throw tooManyGuesses(wait_s);
      authenticateOperator(token, options.operatorToken);
      return undefined;
    }
    const scope = request.method === "GET" || request.method === "HEAD" ? "read" : "write";
    return await authenticateKey(options.service.db, token, {
      type: endpoint.caller,
      scope,
      role: endpoint.role ?? "admin",
      address,
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthorized" || token === undefined) throw error;
    // An API key sent to an operator endpoint is not counted as a guess of the operator token.
    const rule = endpoint.caller === "operator" && !token.startsWith("oct_") ? "operator-token" : "api-key";
    const { wait_s } = await options.service.rateLimit(rule, { address });
    if (wait_s > 0) {
      if (rule === "operator-token") {
        if (options.guessers.size > guessers_count) options.guessers.clear();
        options.guessers.set(network, Date.now() + wait_s * 1_000);
      }
      throw tooManyGuesses(wait_s);
    }
    throw error;
  }
}

function tooManyGuesses(wait_s: number): AppError {
  return new AppError("rate-limited", "Too many failed authentication attempts from your network", {
    details: [`Retry after ${plural(wait_s, "second")}`],
    retryAfter_s: wait_s,
  });
}

async function requireRateLimit(
  name: NonNullable<Endpoint["rateLimit"]>,
  { service, metrics }: ApiOptions,
  scope: Scope,
  reply: FastifyReply,
): Promise<Admission> {
  const { count, window_s } = rateRules[name].levels[0];
  const window: SlidingWindow = {
    name,
    quota: name === "analytics" ? service.settings.analyticsLimit_count : count,
    window_s,
  };

  const admission = await admit(service.db, scope.organizationId, window);
  reply.headers({
    "ratelimit-policy": `"${name}";q=${window.quota};w=${window.window_s}`,
    ratelimit: `"${name}";r=${admission.remaining};t=${admission.reset_s}`,
    "ratelimit-limit": String(window.quota),
    "ratelimit-remaining": String(admission.remaining),
    "ratelimit-reset": String(admission.reset_s),
  });

  if (admission.isAdmitted) return admission;
  metrics.rateLimited(name);
  const per = window.window_s === 3_600 ? "hour" : `${window.window_s} seconds`;
  throw new AppError(
    "rate-limited",
    `Rate limit exceeded: ${window.quota} requests per organization per ${per}`,
    {
      details: [`Retry after ${plural(admission.reset_s, "second")}`],
      retryAfter_s: admission.reset_s,
    },
  );
}

/**
 * Adds the site, query and body to the call. Checks the project first, so that errors in the input aren't
 * reported for another organization's project.
 */
async function withInput(
  call: Call<Endpoint>,
  docs: SiteDocs,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Call<Endpoint>> {
  const { projectId, domain } = call.params as Record<string, string>;
  let scope = call.scope as Scope | undefined;
  if (projectId !== undefined && scope) {
    await requireProject(call.service, scope, projectId);
    scope = { ...scope, checkedProjectId: projectId };
  }
  const site = endpoint.caller === "assistant" ? await docs.byDomain(domain!, scope!.projectId!) : undefined;
  const query = readQuery(new URL(request.url, "http://localhost").search, endpoint.query ?? {});
  const requireRights = async () => {
    await scope?.requireRights?.(call.service.db);
    if (projectId !== undefined && scope) await requireProject(call.service, scope, projectId);
  };

  const body = await readBody(endpoint, request, requireRights);
  return { ...call, scope, site, query, body } as Call<Endpoint>;
}

/** Reads the body, or returns it as a stream. Calls `requireRights` again when it has arrived. */
async function readBody(
  { body }: Endpoint,
  request: FastifyRequest,
  requireRights: () => Promise<void>,
): Promise<unknown> {
  if (!body) return undefined;
  const { "content-type": type, "content-length": length, "transfer-encoding": coding } = request.headers;
  // The content type of an empty JSON body isn't checked, so that the error names the missing properties.
  const isEmpty = type === undefined && coding === undefined && (length === undefined || length === "0");
  if (!(isEmpty && body.type === "application/json")) checkContentType(type, body.type);
  if (body.type === "application/json") {
    const { schema, most_bytes, allowsUnknown = false } = body;
    const isReceived = request.raw.complete;
    const value = await readJson(request.raw, schema, { most_bytes, allowsUnknown });
    if (!isReceived) await requireRights();
    return value;
  }

  expectLongBody(request.raw, limits.upload_ms);
  return checkedBody(request.raw.iterator({ destroyOnReturn: false }), requireRights);
}

/** Records the call in the audit log, with its outcome, if the endpoint has an action there. */
async function recordCall(
  service: Service,
  endpoint: Endpoint,
  about: {
    organizationId: string | undefined;
    scope: Scope | undefined;
    params: Record<string, string>;
    /** Names of the properties that the call changes. */
    changed: readonly string[];
  },
  outcome: AuditOutcome,
  origin: { requestId: string; address: string },
): Promise<void> {
  const { organizationId, scope, params, changed } = about;
  const action = recordedAction(endpoint);
  if (organizationId === undefined || action === undefined) return;
  const target = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? "");
  const metadata = changed.length ? { changed } : {};
  const event = { action, target, outcome, metadata, isRead: endpoint.method === "GET" };
  await appendAudit(service.db, organizationId, scope?.actor ?? "operator", event, origin);
}

function addMachineRoutes(app: FastifyInstance, { service, isReady }: ApiOptions): void {
  const description = JSON.stringify(describeApi(service.settings.url));
  app.get("/openapi.json", (_request, reply) =>
    reply
      .headers({ "content-type": "application/json; charset=utf-8", "access-control-allow-origin": "*" })
      .send(description),
  );
  app.get("/healthz", (_request, reply) => reply.send({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const ready = await isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
}

/**
 * Adds the route that serves objects by signed link. Supports range requests, so that interrupted downloads
 * can be resumed.
 */
function addObjectRoute(app: FastifyInstance, { service: { objects }, signer }: ApiOptions): void {
  app.get(`${linkPath}*`, async (request, reply) => {
    const link = readLink(signer, `${signer.url}${request.url}`, new Date());
    if (!link) throw new AppError("forbidden", "The link is invalid or has expired");
    const size = await objects.size(link.key);
    if (size === undefined) throw notFound();

    const range = requestedRange(request.headers.range, size);
    if (range === "unsatisfiable")
      throw new AppError("wrong-range", "Range not satisfiable", {
        headers: { "content-range": `bytes */${size}` },
      });

    const isHead = request.method === "HEAD";
    // Without a stream, Fastify would replace the length with 0.
    const stream = isHead ? Readable.from([]) : await objects.open(link.key, range);
    return reply
      .code(range ? 206 : 200)
      .headers({
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; filename="${link.fileName}"`,
        "content-length": range ? range.end - range.start + 1 : size,
        "accept-ranges": "bytes",
        ...(range ? { "content-range": `bytes ${range.start}-${range.end}/${size}` } : {}),
      })
      .send(stream);
  });
}

/** Adds the route that receives webhook deliveries from git hosts. */
function addWebhookRoute(app: FastifyInstance, { service, addressOf }: ApiOptions): void {
  const memory = new BodyMemory(limits.webhookBodies);
  app.post(webhookPath(":projectId"), async (request, reply) => {
    const { projectId } = readParams(request);
    const address = addressOf(request.raw);
    const { wait_s } = await service.rateLimit("webhook-sender", { address });
    if (wait_s > 0)
      throw new AppError("rate-limited", "Too many webhook deliveries from your network", {
        retryAfter_s: wait_s,
      });
    const result = await memory.use(request.raw, address, (chunks) =>
      receiveWebhook(service, projectId!, request.headers, chunks),
    );
    return reply.send({ result });
  });
}

/** Adds routes that respond to other methods of a known path with 405 and the allowed methods. */
function refuseOtherMethods(app: FastifyInstance): void {
  const known = new Map<string, Set<string>>();
  for (const { method, path } of Object.values(endpoints) as Endpoint[]) {
    const url = path.replace(/\{(\w+)\}/g, ":$1");
    const allowed = known.get(url) ?? new Set();
    known.set(url, allowed.add(method));
    if (method === "GET") allowed.add("HEAD");
  }

  for (const url of ["/openapi.json", "/healthz", "/readyz"]) known.set(url, new Set(["GET", "HEAD"]));

  for (const [url, allowed] of known) {
    const others = methods.filter((method) => !allowed.has(method));
    app.route({
      method: others,
      url,
      exposeHeadRoute: false,
      handler: () => {
        throw new AppError("wrong-method", "Method not allowed", {
          headers: { allow: [...allowed].join(", ") },
        });
      },
    });
  }
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
