/** Handles the endpoints on a site's host: search, assistant, feedback, events and MCP. */

import { Type } from "@sinclair/typebox";
import { AppError, fieldThat, invalid, notAvailable } from "../../base/app-error.ts";
import { readHostName } from "../../base/host-name.ts";
import { limits } from "../../base/limits.ts";
import { parseUrl } from "../../base/url.ts";
import { snippet } from "../../engine/search/snippet.ts";
import type { EndpointVisit, SiteEndpointHandler } from "../../host/hosting.ts";
import { bearerTokenOf } from "../../host/request-headers.ts";
import {
  assistantFeedbackPath,
  assistantPath,
  eventsPath,
  feedbackPath,
  handOverPath,
  mcpPath,
  protectedResourcePath,
  searchPath,
  serverCardPaths,
} from "../../layout/site-layout.ts";
import { saveAnswerFeedback } from "../assistant/answer-feedback.ts";
import { AskBody } from "../assistant/contract.ts";
import { recordHandOver } from "../assistant/hand-over.ts";
import type { SiteDocs } from "../assistant/site-docs.ts";
import { type Service, siteUrl } from "../core/service.ts";
import { amendFeedback, recordFeedback } from "../feedback/record-feedback.ts";
import type { RequestedSite } from "../http/call.ts";
import { sendEvents } from "../http/event-stream.ts";
import { siteProject } from "../projects/site-project.ts";
import { recordSearches, type SearchEvent } from "../searches/searches.ts";
import type { TrafficTally } from "../traffic/traffic-tally.ts";
import { visitorKind } from "../traffic/visitor-kind.ts";
import { answerMcp, serverCard } from "./mcp.ts";
import {
  AnswerFeedbackBody,
  EventsBody,
  HandOverBody,
  optionalText,
  PageFeedbackBody,
} from "./request-bodies.ts";
import {
  checkMethod,
  checkOrigin,
  checkRates,
  checkReader,
  endpointHandler,
  readBody,
  sendJson,
} from "./request-handling.ts";
import { alsoFromWidget } from "./widget-requests.ts";

/** Maximum length of a search result's snippet, in characters. */
const snippet_chars = 160;

export interface SiteEndpointsOptions {
  docs: SiteDocs;
  tally: TrafficTally;
  /** Receives internal errors. */
  report(error: unknown): void;
}

const SearchBody = Type.Object({
  query: Type.String({ maxLength: limits.searchText_chars }),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
  version: optionalText,
  product: optionalText,
  language: Type.Optional(Type.String({ maxLength: 35 })),
});

export function siteEndpoints(options: SiteEndpointsOptions): ReadonlyMap<string, SiteEndpointHandler> {
  return new SiteEndpoints(options).byPath();
}

class SiteEndpoints {
  private readonly options: SiteEndpointsOptions;
  private readonly service: Service;

  constructor(options: SiteEndpointsOptions) {
    this.options = options;
    this.service = options.docs.service;
  }

  byPath(): ReadonlyMap<string, SiteEndpointHandler> {
    const { report } = this.options;
    const ask = alsoFromWidget(this.fromPage((visit) => this.ask(visit)));
    const mcp = endpointHandler(report, (visit) => this.mcp(visit));
    const serverCard = endpointHandler(report, (visit) => this.serverCard(visit));
    const isEnabled = endpointHandler(report, (visit) => this.isAssistantEnabled(visit));
    return new Map([
      [`/${searchPath}`, this.fromPage((visit) => this.search(visit))],
      [`/${assistantPath}`, (visit) => (visit.request.method === "GET" ? isEnabled(visit) : ask(visit))],
      [`/${assistantFeedbackPath}`, alsoFromWidget(this.fromPage((visit) => this.answerFeedback(visit)))],
      [`/${handOverPath}`, alsoFromWidget(this.fromPage((visit) => this.handOver(visit)))],
      [`/${eventsPath}`, this.fromPage((visit) => this.pageEvents(visit))],
      [`/${feedbackPath}`, this.fromPage((visit) => this.pageFeedback(visit))],
      ...serverCardPaths.map((path) => [`/${path}`, serverCard] as const),
      [`/${mcpPath}`, mcp],
      [`/${mcpPath}/`, mcp],
    ]);
  }

  private fromPage(answer: (visit: EndpointVisit) => Promise<void>): SiteEndpointHandler {
    return endpointHandler(this.options.report, async (visit) => {
      checkMethod(visit, "POST");
      checkOrigin(visit);
      checkReader(visit, this.options.docs);
      await answer(visit);
    });
  }

  private requestedSite({ site, host, basePath }: EndpointVisit): RequestedSite {
    return { site, origin: siteUrl(this.service.settings, host + basePath) };
  }

  private async search(visit: EndpointVisit): Promise<void> {
    if (!this.service.settings.hasSearch) throw notAvailable();
    await checkRates(visit, this.service.rateLimit, "search");

    const {
      query: text,
      pageSize: limit = 10,
      version,
      product,
      language,
    } = await readBody(visit, SearchBody);

    const filter = {
      ...(version === undefined ? {} : { version }),
      ...(product === undefined ? {} : { product }),
    };

    const options = { text, limit, isTyping: true, language, filter };
    const results = await this.options.docs.search(this.requestedSite(visit), visit.reader, options);
    sendJson(visit, 200, {
      results: results.map(({ hit, passages, terms, language: sectionLanguage }) => ({
        path: hit.route,
        anchor: hit.anchor,
        title: hit.title,
        headings: hit.headings,
        breadcrumbs: hit.breadcrumbs,
        ...(hit.method === undefined ? {} : { method: hit.method }),
        snippet: snippet(
          passages.find(({ number }) => number === hit.passage)?.text ?? "",
          terms,
          sectionLanguage,
          snippet_chars,
        ),
      })),
    });
  }

  private async ask(visit: EndpointVisit): Promise<void> {
    const { docs } = this.options;
    await checkRates(visit, this.service.rateLimit, "question");
    const body = await readBody(visit, AskBody);
    const { response, reader, address } = visit;
    const asker = docs.visitors.visitorHash(visit);
    await sendEvents(
      response,
      await docs.ask(this.requestedSite(visit), { reader, caller: "web", asker, address }, body),
    );
  }

  /** Responds with 204 if the assistant is enabled, and otherwise with an error. */
  private async isAssistantEnabled(visit: EndpointVisit): Promise<void> {
    const { docs } = this.options;
    checkReader(visit, docs);
    if (!docs.hasAssistant(visit.site, await siteProject(this.service, visit.site.projectId)))
      throw notAvailable();
    visit.response.writeHead(204).end();
  }

  private async answerFeedback(visit: EndpointVisit): Promise<void> {
    await checkRates(visit, this.service.rateLimit, "events");
    const { site } = visit;
    const asker = this.options.docs.visitors.visitorHash(visit);
    const { turnId, ...feedback } = await readBody(visit, AnswerFeedbackBody);
    await saveAnswerFeedback(this.service, site.projectId, { messageId: turnId, ...feedback, asker });
    visit.response.writeHead(204).end();
  }

  private async handOver(visit: EndpointVisit): Promise<void> {
    await checkRates(visit, this.service.rateLimit, "events");
    const asker = this.options.docs.visitors.visitorHash(visit);
    const { turnId: messageId } = await readBody(visit, HandOverBody);
    await recordHandOver(this.service, visit.site.projectId, { messageId, asker });
    visit.response.writeHead(204).end();
  }

  private async pageFeedback(visit: EndpointVisit): Promise<void> {
    const { service } = this;
    if (!service.settings.hasAnalytics || visit.site.isPreview) throw notAvailable();
    await checkRates(visit, service.rateLimit, "page-feedback");
    const body = await readBody(visit, PageFeedbackBody);
    const page = await this.options.docs.pageAt(this.requestedSite(visit), visit.reader, body.path);
    if (page === undefined)
      throw invalid("Invalid request body", fieldThat("path", "must be a page on this site"));
    const { projectId } = visit.site;
    if ("helpful" in body && body.id !== undefined) {
      await amendFeedback(service, projectId, body.id, { ...body, path: page });
      return void visit.response.writeHead(204).end();
    }
    sendJson(visit, 201, { id: await recordFeedback(service, projectId, { ...body, path: page }) });
  }

  private async pageEvents(visit: EndpointVisit): Promise<void> {
    await checkRates(visit, this.service.rateLimit, "events");
    const body = await readBody(visit, EventsBody);

    if (!visit.site.isPreview && this.service.settings.hasAnalytics) {
      const searches: SearchEvent[] = [];
      // Only the first view in a request is counted.
      const view = body.events.find((event) => event.type === "view");
      if (view) await this.countView(visit, view);
      for (const event of body.events)
        if (event.type === "view") continue;
        else if (event.type === "search")
          searches.push({ query: event.query, resultsCount: event.results_count });
        else {
          const path = `/${event.path.replace(/[?#].*$/s, "").replace(/^\/+|\/+$/g, "")}`;
          const isOwn = await this.options.docs.isOwnPath(this.requestedSite(visit), visit.reader, path);
          if (isOwn) searches.push({ query: event.query, clickedPath: path });
        }
      await recordSearches(this.service, visit.site.projectId, "web", searches);
    }

    visit.response.writeHead(204).end();
  }

  private async countView(
    visit: EndpointVisit,
    { path, referrer }: { path: string; referrer?: string },
  ): Promise<void> {
    const { docs, tally } = this.options;
    const userAgent = visit.request.headers["user-agent"] ?? "";
    const page =
      visitorKind(userAgent) === "human"
        ? await docs.pageAt(this.requestedSite(visit), visit.reader, path)
        : undefined;

    if (page === undefined) return;
    const from = referrer === undefined ? undefined : readHostName(parseUrl(referrer)?.hostname || referrer);
    const { address, host } = visit;
    tally.add({
      projectId: visit.site.projectId,
      path: page,
      kind: "human",
      address,
      userAgent,
      referrer: from === host ? undefined : from,
    });
  }

  /** Sends the server card. Pages of other origins may read it. */
  private async serverCard(visit: EndpointVisit): Promise<void> {
    checkMethod(visit, "GET", "HEAD");
    this.checkMcp(visit);
    checkReader(visit, this.options.docs);
    visit.response.setHeader("access-control-allow-origin", "*");
    visit.response.setHeader("cross-origin-resource-policy", "cross-origin");
    const type = "application/mcp-server-card+json";
    sendJson(visit, 200, serverCard({ visit, site: this.requestedSite(visit) }), {}, type);
  }

  /** Throws an AppError if the site has no MCP server. */
  private checkMcp({ site }: EndpointVisit): void {
    if (!this.service.settings.hasSearch || site.isPreview) throw notAvailable();
  }

  /**
   * Throws an AppError that makes clients connect to a reader's account: if the access token is invalid, if
   * there are no public pages, or if the URL of the server asks for it.
   */
  private checkMcpReader(visit: EndpointVisit): void {
    const { site, reader, request, host, basePath } = visit;
    if (!site.signIn || reader) return;
    const hasToken = bearerTokenOf(request) !== undefined;
    const isAsked = new URLSearchParams(request.url?.replace(/^[^?]*/s, "")).has("sign-in");
    if (!hasToken && !isAsked && this.options.docs.hasPublicPages(site)) return;
    const metadata = siteUrl(this.service.settings, `${host}${basePath}/${protectedResourcePath}`);
    const error = hasToken ? ', error="invalid_token"' : "";
    throw new AppError("sign-in", "Sign in to use this site", {
      headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"${error}` },
    });
  }

  private async mcp(visit: EndpointVisit): Promise<void> {
    const { docs } = this.options;
    checkMethod(visit, "POST");
    checkOrigin(visit);
    this.checkMcp(visit);
    this.checkMcpReader(visit);
    await checkRates(visit, this.service.rateLimit, "mcp");
    await answerMcp(visit, this.requestedSite(visit), docs);
  }
}
