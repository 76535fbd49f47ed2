/** What a site answers on its own host beside its pages: search, the assistant, what became of them, and a server for programs. */

import { Type } from "@sinclair/typebox";
import { invalid, notAvailable } from "../../base/app-error.ts";
import { readHostName } from "../../base/host-name.ts";
import { limits } from "../../base/limits.ts";
import { parseUrl } from "../../base/url.ts";
import { snippet } from "../../engine/search/mark-words.ts";
import type { EndpointVisit, SiteEndpointHandler } from "../../host/hosting.ts";
import { assistantFeedbackPath, assistantPath, eventsPath, feedbackPath, searchPath } from "../../layout/site-layout.ts";
import { giveFeedback } from "../assistant/answer-feedback.ts";
import { AskBody } from "../assistant/contract.ts";
import type { SiteDocs } from "../assistant/site-docs.ts";
import { siteUrl } from "../core/service.ts";
import { amendFeedback, recordFeedback } from "../feedback/record-feedback.ts";
import type { AskedSite } from "../http/call.ts";
import { sendEvents } from "../http/event-stream.ts";
import { askedProject } from "../projects/asked-project.ts";
import { recordSearches, type SearchEvent } from "../searches/searches.ts";
import type { TrafficTally } from "../traffic/traffic-tally.ts";
import { visitorKind } from "../traffic/visitor-kind.ts";
import { EventsBody, name, PageFeedbackBody, TurnFeedbackBody } from "./event-bodies.ts";
import { answerMcp } from "./mcp.ts";
import { checkMethod, checkOrigin, checkRates, checkReader, helper, readBody, sendJson } from "./site-endpoint.ts";

export interface SiteHelperOptions {
  docs: SiteDocs;
  tally: TrafficTally;
  /** Told of faults of ours. */
  report(error: unknown): void;
}

const SearchBody = Type.Object({
  query: Type.String({ maxLength: limits.searchText_chars }),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
  version: name,
  product: name,
  language: Type.Optional(Type.String({ maxLength: 35 })),
});

export function siteHelpers({ docs, tally, report }: SiteHelperOptions): ReadonlyMap<string, SiteEndpointHandler> {
  const { service } = docs;
  const { rateLimit } = service;
  const asked = ({ site, host }: EndpointVisit): AskedSite => ({ site, origin: siteUrl(service.settings, host) });
  const fromPage = (answer: (visit: EndpointVisit) => Promise<void>) =>
    helper(report, async (visit) => {
      checkMethod(visit, "POST");
      checkOrigin(visit);
      checkReader(visit, docs);
      await answer(visit);
    });

  const search = fromPage(async (visit) => {
    if (!service.settings.hasSearch) throw notAvailable();
    await checkRates(visit, rateLimit, "search");
    const { query: text, pageSize: limit = 10, version, product, language } = await readBody(visit, SearchBody);
    const filter = { ...(version === undefined ? {} : { version }), ...(product === undefined ? {} : { product }) };
    const found = await docs.search(asked(visit), visit.reader, { text, limit, isTyping: true, language, filter });
    sendJson(visit, 200, {
      results: found.map(({ hit, passages, terms, language: of }) => ({
        path: hit.route,
        anchor: hit.anchor,
        title: hit.title,
        headings: hit.headings,
        breadcrumbs: hit.breadcrumbs,
        ...(hit.method === undefined ? {} : { method: hit.method }),
        snippet: snippet(passages.find(({ number }) => number === hit.passage)?.text ?? "", terms, of, limits.snippet_chars),
      })),
    });
  });

  const ask = fromPage(async (visit) => {
    await checkRates(visit, rateLimit, "question");
    const body = await readBody(visit, AskBody);
    const { request, response, reader, address } = visit;
    const asker = docs.visitors.askerOf(request, response, reader);
    await sendEvents(response, await docs.ask(asked(visit), { reader, caller: "web", asker, address }, body));
  });

  /** Whether there is an assistant here: asked before its button is shown. */
  const isThere = async (visit: EndpointVisit) => {
    checkReader(visit, docs);
    if (!docs.hasAssistant(visit.site, await askedProject(service, visit.site.projectId))) throw notAvailable();
    visit.response.writeHead(204).end();
  };
  const assistant: SiteEndpointHandler = (visit) => (visit.request.method === "GET" ? helper(report, isThere)(visit) : ask(visit));

  const feedback = fromPage(async (visit) => {
    await checkRates(visit, rateLimit, "events");
    const { request, response, reader, site } = visit;
    const asker = docs.visitors.askerOf(request, response, reader);
    await giveFeedback(service, site.projectId, { ...(await readBody(visit, TurnFeedbackBody)), asker });
    visit.response.writeHead(204).end();
  });

  const pageFeedback = fromPage(async (visit) => {
    if (!service.settings.hasAnalytics || visit.site.isPreview) throw notAvailable();
    await checkRates(visit, rateLimit, "page-feedback");
    const body = await readBody(visit, PageFeedbackBody);
    const page = await docs.pageAt(asked(visit), visit.reader, body.path);
    if (page === undefined) throw invalid("Invalid request body", "path must be a page of this site");
    const { projectId } = visit.site;
    if ("helpful" in body && body.id !== undefined) {
      await amendFeedback(service, projectId, body.id, { ...body, path: page });
      return void visit.response.writeHead(204).end();
    }
    sendJson(visit, 201, { id: await recordFeedback(service, projectId, { ...body, path: page }) });
  });

  const events = fromPage(async (visit) => {
    await checkRates(visit, rateLimit, "events");
    const body = await readBody(visit, EventsBody);
    if (!visit.site.isPreview && service.settings.hasAnalytics) {
      const told: SearchEvent[] = [];
      // A page that is shown tells of itself once.
      const view = body.events.find((event) => event.type === "view");
      if (view) await countView(visit, view);
      for (const event of body.events)
        if (event.type === "view") continue;
        else if (event.type === "search") told.push({ query: event.query, resultsCount: event.results_count });
        else {
          const path = `/${event.path.replace(/[?#].*$/s, "").replace(/^\/+|\/+$/g, "")}`;
          if (await docs.isOwnPath(asked(visit), visit.reader, path)) told.push({ query: event.query, clickedPath: path });
        }
      await recordSearches(service, visit.site.projectId, "web", told);
    }
    visit.response.writeHead(204).end();
  });

  const countView = async (visit: EndpointVisit, { path, referrer }: { path: string; referrer?: string }) => {
    const userAgent = visit.request.headers["user-agent"] ?? "";
    const page = visitorKind(userAgent) === "human" ? await docs.pageAt(asked(visit), visit.reader, path) : undefined;
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
  };

  const mcp = helper(report, async (visit) => {
    checkMethod(visit, "POST");
    checkOrigin(visit);
    if (!service.settings.hasSearch || visit.site.isPreview) throw notAvailable();
    checkReader(visit, docs);
    await checkRates(visit, rateLimit, "mcp");
    await answerMcp(visit, asked(visit), docs);
  });

  return new Map([
    [`/${searchPath}`, search],
    [`/${assistantPath}`, assistant],
    [`/${assistantFeedbackPath}`, feedback],
    [`/${eventsPath}`, events],
    [`/${feedbackPath}`, pageFeedback],
    ["/mcp", mcp],
  ]);
}
