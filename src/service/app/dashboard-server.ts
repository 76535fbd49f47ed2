/**
 * Implements the HTTP server of the dashboard. Steps of a request: session, form token, access check,
 * handler, audit log, page.
 */

import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { AppError, invalid, notFound } from "../../base/app-error.ts";
import { isCrossOrigin } from "../../base/cross-origin.ts";
import { escapeHtml } from "../../base/html-text.ts";
import { limits } from "../../base/limits.ts";
import { parseUrl } from "../../base/url.ts";
import { themeInit } from "../../engine/frame/init-scripts.ts";
import { cardPage, cardPolicy } from "../../host/card-page.ts";
import { wantsHtml } from "../../host/request-headers.ts";
import { expectLongBody } from "../../io/guard-server.ts";
import { type NewMethod, newMethods } from "../accounts/new-methods.ts";
import { NewMethods } from "../accounts/new-methods-view.tsx";
import { sessionOf } from "../accounts/sessions.ts";
import { recordForUser } from "../accounts/user-audit.ts";
import { type AuditOutcome, appendAudit } from "../core/audit.ts";
import { mayActAs } from "../core/identity.ts";
import { mustProve } from "../core/proved-methods.ts";
import type { Scope } from "../core/scope.ts";
import { defaultHost, type Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { checkedBody } from "../http/checked-body.ts";
import { errorResponse, sendError } from "../http/error-response.ts";
import { readParams } from "../http/read-params.ts";
import { hasNul } from "../http/read-query.ts";
import { runAction } from "../http/run-action.ts";
import { listProjects, projectUrl } from "../projects/projects.ts";
import type { LinkedPages } from "../storage/linked-pages.ts";
import type { DashboardAssets } from "../ui/dashboard-assets.ts";
import type { DashboardCookies } from "../ui/dashboard-cookies.ts";
import type { DashboardResponse } from "../ui/dashboard-response.ts";
import { logoHref, proveHref } from "../ui/dashboard-urls.ts";
import { Document, type DocumentView } from "../ui/document.tsx";
import { ErrorPage, errorTitle } from "../ui/error-view.tsx";
import { FormTokens } from "../ui/form-token.ts";
import { SubmittedErrors, withErrorList } from "../ui/kit/form-errors.tsx";
import { noticeText } from "../ui/notices.ts";
import { readFileForm } from "../ui/read-file-form.ts";
import { readForm } from "../ui/read-form.ts";
import type { DashboardRoute } from "../ui/route.ts";
import type { MemberVisit, ProjectVisit, UserVisit, Visit } from "../ui/visit.ts";

/** Lifetime of the CSRF cookie of a visitor without a session. */
const formCookie_s = 24 * 3_600;

export interface DashboardOptions {
  service: Service;
  routes: readonly DashboardRoute[];
  assets: DashboardAssets;
  cookies: DashboardCookies;
  addressOf(request: FastifyRequest["raw"]): string;
  linkedPages: LinkedPages;
  /** Resolves when this process serves all committed changes to sites, or if it can't read them. */
  waitForSites(): Promise<void>;
}

const scriptHash = `'sha256-${createHash("sha256").update(themeInit(false)).digest("base64")}'`;

const headers = {
  "content-security-policy": `default-src 'none'; script-src 'self' ${scriptHash}; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  // With "no-referrer", browsers would send "Origin: null" with forms.
  "referrer-policy": "same-origin",
};

export function addDashboard(app: FastifyInstance, options: DashboardOptions): void {
  const tokens = new FormTokens(options.service.settings.secret);
  for (const route of options.routes)
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => serve(request, reply, route, options, tokens),
    });

  app.get("/dashboard/assets/:name", (request, reply) => {
    const asset = options.assets.file(readParams(request).name!);
    if (!asset) throw notFound();
    return reply
      .headers({
        "content-type": asset.type,
        "cache-control": "public, max-age=31536000, immutable",
        "cross-origin-resource-policy": "same-origin",
      })
      .send(asset.bytes);
  });

  const showMissing = (request: FastifyRequest, reply: FastifyReply) =>
    serve(request, reply, undefined, options, tokens);
  app.route({ method: ["GET", "POST"], url: "/dashboard/*", handler: showMissing });

  app.get("/", (request, reply) => {
    reply.header("vary", "Accept");
    if (!wantsHtml(request.headers.accept)) return sendError(reply, notFound());
    return reply.redirect("/dashboard", 302);
  });

  app.setNotFoundHandler((request, reply) =>
    wantsHtml(request.headers.accept) ? showMissing(request, reply) : sendError(reply, notFound()),
  );
}

/** Handles a request. `route` is undefined for an unknown path. */
async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  route: DashboardRoute | undefined,
  options: DashboardOptions,
  tokens: FormTokens,
): Promise<unknown> {
  const { service, cookies } = options;
  reply.headers(headers);
  const cookie = cookies.read(request.raw, "session");
  const session = cookie === undefined ? undefined : await sessionOf(service, cookie);
  const visit: Visit = {
    service,
    url: new URL(request.url, service.settings.url),
    params: request.params as Record<string, string>,
    form: new URLSearchParams(),
    origin: { requestId: request.id, address: options.addressOf(request.raw) },
    userAgent: request.headers["user-agent"] ?? "",
    session,
    cookie: (name) => cookies.read(request.raw, name),
    cookies: [],
    recorded: {},
  };

  // A form token belongs to the session or, before sign-in, to a random cookie.
  let owner = session ? cookie : cookies.read(request.raw, "form");
  let known: Visit = visit;
  let response: DashboardResponse;
  try {
    if (!route) throw notFound();
    readParams(request);
    if (hasNul(visit.url.searchParams))
      throw invalid("The URL contains a NUL character. Remove %00 and try again.");
    if (
      route.method === "POST" &&
      isCrossOrigin(request.headers, (origin) => origin.origin === new URL(service.settings.url).origin)
    )
      throw new AppError(
        "forbidden",
        "This form wasn't sent from the dashboard. Open the page in the dashboard and try again.",
      );
    const authorized = await authorize(route, visit, options);
    if ("kind" in authorized) response = authorized;
    else {
      known = authorized;
      const readInput = async () => {
        if (route.method !== "POST") return;
        const isReceived = request.raw.complete;
        if (route.hasFile) Object.assign(authorized, await readFileForm(request.raw));
        else authorized.form = await readForm(request.raw);
        const check = () => requireRights(route, visit, options, service.db);
        if (authorized.file) authorized.file = checkedBody(authorized.file, check);
        else if (!isReceived) await check();
        if (owner === undefined || !tokens.isOf(owner, authorized.form.get("_token")))
          throw new AppError("forbidden", "This form expired. Reload and try again.");
        authorized.form.delete("_token");
        if (authorized.file) expectLongBody(request.raw, limits.upload_ms);
      };
      response = await runHandler(route, authorized, readInput, options, request);
    }
  } catch (error) {
    response = errorPage(error, request, session !== undefined);
  }

  // A file that the handler didn't read isn't received to its end.
  if (known.file && !known.file.readableEnded) {
    known.file.destroy();
    reply.header("connection", "close");
  }

  if (visit.cookies.length) reply.header("set-cookie", visit.cookies);
  if (response.kind === "redirect") return sendRedirect(reply, response.to, request.method);

  if (response.kind === "image")
    return reply
      .headers({
        "content-type": response.type,
        // The URL contains a hash of the image.
        "cache-control": "private, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; sandbox",
      })
      .send(response.bytes);

  if (response.kind === "download")
    return reply
      .headers({
        "content-type": response.type,
        "content-disposition": `attachment; filename="${response.fileName}"`,
        "content-security-policy": "default-src 'none'; sandbox",
      })
      .send(response.body);

  if (owner === undefined) {
    owner = service.random(24).toString("base64url");
    reply.header("set-cookie", cookies.write("form", owner, formCookie_s));
  }

  // The challenge for bearer tokens is for API clients, so it isn't sent to browsers.
  const { "www-authenticate": _challenge, ...more } = response.headers ?? {};
  reply.headers(more);
  // Errors of the service are also shown without the database.
  const methods = session && response.status < 500 ? await newMethods(service, session) : [];
  const view = documentView(known, response, options, tokens.of(owner), methods);
  return reply.code(response.status).type("text/html; charset=utf-8").send(htmlOf(view, response));
}

/**
 * Redirects to a path of the dashboard, or to another origin. Chromium applies `form-action` to the redirects
 * after a form, so a form that leads to another origin gets a page that goes there.
 */
function sendRedirect(reply: FastifyReply, to: string, method: string): FastifyReply {
  if (method !== "POST" || to.startsWith("/")) return reply.code(303).header("location", to).send();
  const { host } = new URL(to);
  const url = escapeHtml(to);
  const html = cardPage({
    title: `Continue to ${host}`,
    headHtml: `<meta http-equiv="refresh" content="0; url=${url}">`,
    bodyHtml: `<a class="next" href="${url}">Continue</a>`,
  });
  return reply.header("content-security-policy", cardPolicy()).type("text/html; charset=utf-8").send(html);
}

function errorPage(error: unknown, request: FastifyRequest, isSignedIn: boolean): DashboardResponse {
  const { status, body, headers } = errorResponse(error);
  if (status >= 500) request.log.error({ requestId: request.id, err: error }, "request failed");
  const details = body.details?.map(({ message }) => message) ?? [];
  return {
    kind: "page",
    title: errorTitle(status),
    status,
    hasChart: false,
    headers,
    body: h(ErrorPage, { status, message: body.error, details, backTo: backOf(request), isSignedIn }),
  };
}

/**
 * Checks the role, reads the input and runs the handler. After a change, waits until this process serves the
 * change. Records members' changes, some of their reads, and users' successful changes to their accounts in
 * the audit log. Handlers of other routes record their changes themselves.
 */
async function runHandler(
  route: DashboardRoute,
  visit: Visit,
  readInput: () => Promise<void>,
  options: DashboardOptions,
  request: FastifyRequest,
): Promise<DashboardResponse> {
  const isRead = route.method === "GET";
  const record = async (outcome: AuditOutcome) => {
    const { action } = route;
    const target = visit.url.pathname;
    if (action === undefined) return;
    if (route.access === "user" && outcome === "200")
      return recordForUser(visit.service, visit.session!.user, { action, target, outcome }, visit.origin);
    if (!("about" in route)) return;
    const { scope } = visit as MemberVisit;
    const event = { action, target, outcome, metadata: visit.recorded, isRead };
    await appendAudit(visit.service.db, scope.organizationId, scope.actor, event, visit.origin);
  };

  try {
    checkRole(route, visit);
  } catch (error) {
    if (!isRead) await record(`${errorResponse(error).status}`);
    throw error;
  }

  // Errors in the input of people who may send it aren't recorded.
  await readInput();

  return runAction(
    {
      isRead,
      catchUp: !isRead || route.waitsForSites ? options.waitForSites : undefined,
      record,
      report: (error) => request.log.error({ requestId: request.id, err: error }, "audit log"),
    },
    () => (route.handle as (visit: Visit) => Promise<DashboardResponse>)(visit),
    (response) => (response.kind === "page" ? response.status : 200),
  );
}

/** Throws an AppError if the member's role doesn't include the role that the route requires. */
function checkRole(route: DashboardRoute, visit: Visit): void {
  if ("about" in route && !mayActAs((visit as MemberVisit).member.role, route.access))
    throw new AppError(
      "forbidden",
      `Only ${route.access === "admin" ? "admins" : "editors and admins"} of the organization can do this`,
    );
}

/**
 * Finds the organization and project that a route needs. Returns a redirect to sign-in if the route needs a
 * session and there is none, and to another page if the session must prove its sign-in method. Throws "not
 * found" if the user isn't a member of the organization, the project doesn't exist, or the route is for
 * operators and the user isn't one.
 */
async function authorize(
  route: DashboardRoute,
  visit: Visit,
  options: DashboardOptions,
): Promise<Visit | UserVisit | MemberVisit | ProjectVisit | DashboardResponse> {
  if (route.access === "anyone") return visit;
  const { session, service, params } = visit;
  if (!session) {
    const next =
      route.method === "GET" ? `?next=${encodeURIComponent(visit.url.pathname + visit.url.search)}` : "";
    return { kind: "redirect", to: `/dashboard/sign-in${next}` };
  }

  const userVisit: UserVisit = { ...visit, session };
  if (route.access === "operator" && !session.isOperator) throw notFound();
  if (route.access === "user" || route.access === "operator") return userVisit;

  const member = session.memberships.find(({ organizationId }) => organizationId === params.organizationId);
  if (!member) throw notFound();
  const { organizationId, plan } = member;
  if (mustProve(session, member)) return proofPage(route, organizationId);
  const scope: Scope = {
    organizationId,
    plan,
    actor: `member ${session.user.email}`,
    requireRights: (db) => requireRights(route, visit, options, db),
  };
  const projects = await listProjects(service, scope);
  const memberVisit: MemberVisit = { ...userVisit, member, scope, projects };
  const project = projects.find(({ id }) => id === params.projectId);
  if (route.about === "project" && !project) throw notFound();
  if (!project || route.about !== "project") return memberVisit;

  const host = defaultHost(service.settings, project.subdomain);
  const site = { host, url: projectUrl(service.settings, project) };
  return {
    ...memberVisit,
    scope: { ...scope, checkedProjectId: project.id },
    project,
    linkedPages: (paths) => options.linkedPages.of(site, paths),
  } satisfies ProjectVisit;
}

/** Reads the session and the role again. Throws an AppError if they no longer allow the request. */
async function requireRights(
  route: DashboardRoute,
  visit: Visit,
  options: DashboardOptions,
  db: Database,
): Promise<void> {
  const service = { ...visit.service, db };
  const session = await sessionOf(service, visit.cookie("session") ?? "");
  const authorized = await authorize(route, { ...visit, service, session }, options);
  if ("kind" in authorized)
    throw new AppError("forbidden", "Your session ended before the request was complete. Sign in again.");
  checkRole(route, authorized);
}

/**
 * Returns a redirect to the page where members prove their sign-in method. Throws an AppError for changes.
 */
function proofPage({ method }: DashboardRoute, organizationId: string): DashboardResponse {
  if (method === "GET") return { kind: "redirect", to: proveHref(organizationId) };
  throw new AppError(
    "forbidden",
    "Your organization requires a confirmed sign-in method. Open the organization to confirm yours, and try again.",
  );
}

function documentView(
  visit: Visit,
  { title, hasChart }: DashboardResponse & { kind: "page" },
  { assets }: DashboardOptions,
  formToken: string,
  methods: readonly NewMethod[],
) {
  const member = "member" in visit ? (visit as MemberVisit) : undefined;
  const project = "project" in visit ? (visit as ProjectVisit).project : undefined;
  const view: DocumentView = {
    title,
    styles: [assets.href("dashboard.css")],
    icon: assets.href("favicon.svg"),
    scripts: [assets.href("dashboard.js"), ...(hasChart ? [assets.href("charts.js")] : [])],
    formToken,
    notice: noticeText(visit.url.searchParams.get("done")),
    warning: methods.length > 0 && h(NewMethods, { methods }),
    user: visit.session && { ...visit.session.user, isOperator: visit.session.isOperator },
    organizations: (visit.session?.memberships ?? []).map(({ organizationId, organizationName }) => ({
      id: organizationId,
      name: organizationName,
    })),
    location: member && {
      organization: {
        id: member.member.organizationId,
        name: member.member.organizationName,
        logo: logoHref(member.member),
      },
      role: member.member.role,
      projects: member.projects,
      project: project && {
        id: project.id,
        name: project.name,
        url: projectUrl(visit.service.settings, project),
      },
      path: visit.url.pathname,
      features: {
        assistant: visit.service.settings.hasAssistant,
        analytics: visit.service.settings.hasAnalytics,
      },
    },
  };

  return view;
}

function htmlOf(view: DocumentView, { body, errors }: DashboardResponse & { kind: "page" }): string {
  const submission = errors && { details: errors.details, shown: new Map() };
  const html = renderToString(
    h(SubmittedErrors.Provider, { value: submission, children: h(Document, { view, children: body }) }),
  );
  return `<!doctype html>\n${submission ? withErrorList(html, submission) : html}\n`;
}

/** Returns the path and query of the dashboard page that the request came from; `/dashboard` if unknown. */
function backOf({ headers: { referer } }: FastifyRequest): string {
  const url = parseUrl(referer ?? "");
  return url?.pathname.startsWith("/dashboard") ? url.pathname + url.search : "/dashboard";
}
