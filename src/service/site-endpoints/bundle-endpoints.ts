/**
 * Handles the endpoints of a bundle server: the assistant, which quotes pages of the bundle, and analytics
 * and feedback, which are written to an event log. Needs no database, language model or other hosts.
 */

import { LRUCache } from "lru-cache";
import { fieldThat, invalid, notAvailable } from "../../base/app-error.ts";
import { readHostName } from "../../base/host-name.ts";
import { limits } from "../../base/limits.ts";
import { rateLimitInMemory } from "../../base/rate-limit.ts";
import { readUlid } from "../../base/ulid.ts";
import { parseUrl } from "../../base/url.ts";
import { visitorOf } from "../../base/visitor-network.ts";
import type { EventLog } from "../../bundle/event-log.ts";
import { retrieve } from "../../engine/answer/retrieve.ts";
import { detectLanguage } from "../../engine/search/detect-language.ts";
import type { EndpointVisit, SiteEndpointHandler } from "../../host/hosting.ts";
import { isOwnPath, pageAt } from "../../host/page-paths.ts";
import type { SiteSearches } from "../../host/site-search.ts";
import type { TablesOfSites } from "../../host/site-tables.ts";
import {
  assistantFeedbackPath,
  assistantPath,
  eventsPath,
  feedbackPath,
  handOverPath,
} from "../../layout/site-layout.ts";
import { AnswerText, type SendEvent } from "../assistant/answer-text.ts";
import { AskBody } from "../assistant/contract.ts";
import { questionOf } from "../assistant/question-text.ts";
import { sendEvents } from "../http/event-stream.ts";
import { visitorKind } from "../traffic/visitor-kind.ts";
import { AnswerFeedbackBody, EventsBody, HandOverBody, PageFeedbackBody } from "./request-bodies.ts";
import {
  checkMethod,
  checkOrigin,
  checkRates,
  endpointHandler,
  readBody,
  sendJson,
} from "./request-handling.ts";
import { alsoFromWidget } from "./widget-requests.ts";

/** Maximum number of threads that are kept in memory for follow-up questions. */
const bundleThreads_count = 1_000;
/** Maximum number of questions that are kept per thread. */
const bundleThread_questions = 5;

export interface BundleEndpointsOptions {
  tables: TablesOfSites;
  searches: SiteSearches;
  events: EventLog;
  ulid(): string;
  report(error: unknown): void;
}

export function bundleEndpoints(options: BundleEndpointsOptions): ReadonlyMap<string, SiteEndpointHandler> {
  return new BundleEndpoints(options).byPath();
}

class BundleEndpoints {
  private readonly options: BundleEndpointsOptions;
  private readonly rateLimit = rateLimitInMemory();
  /** Questions by visitor and thread. */
  private readonly threads = new LRUCache<string, string[]>({ max: bundleThreads_count });

  constructor(options: BundleEndpointsOptions) {
    this.options = options;
  }

  byPath(): ReadonlyMap<string, SiteEndpointHandler> {
    const ask = alsoFromWidget(this.fromPage("assistant", (visit) => this.ask(visit)));
    /** Responds with 204 if the assistant is enabled, and otherwise with an error. */
    const isEnabled = endpointHandler(this.options.report, async ({ site, response }) => {
      if (site.features?.assistant !== true) throw notAvailable();
      response.writeHead(204).end();
    });
    return new Map([
      [`/${assistantPath}`, (visit) => (visit.request.method === "GET" ? isEnabled(visit) : ask(visit))],
      [
        `/${assistantFeedbackPath}`,
        alsoFromWidget(this.fromPage("analytics", (visit) => this.answerFeedback(visit))),
      ],
      [`/${handOverPath}`, alsoFromWidget(this.fromPage("analytics", (visit) => this.handOver(visit)))],
      [`/${eventsPath}`, this.fromPage("analytics", (visit) => this.pageEvents(visit))],
      [`/${feedbackPath}`, this.fromPage("analytics", (visit) => this.pageFeedback(visit))],
    ]);
  }

  private fromPage(
    feature: "assistant" | "analytics",
    answer: (visit: EndpointVisit) => Promise<void>,
  ): SiteEndpointHandler {
    return endpointHandler(this.options.report, async (visit) => {
      if (visit.site.features?.[feature] !== true) throw notAvailable();
      checkMethod(visit, "POST");
      checkOrigin(visit);
      await answer(visit);
    });
  }

  private record({ site, address }: EndpointVisit, event: Record<string, unknown>): void {
    if (site.features?.analytics === true) this.options.events.add(event, address);
  }

  private async ask(visit: EndpointVisit): Promise<void> {
    await checkRates(visit, this.rateLimit, "question");
    const { site, request, basePath } = visit;
    const body = await readBody(visit, AskBody);
    const { text: question } = questionOf(body);
    const messageId = this.options.ulid();
    const threadId = (body.threadId && readUlid(body.threadId)) || messageId;
    const earlier = this.addToThread(visit.address, threadId, question);
    const table = await this.options.tables.of(site);
    const { language } = body.filter ?? {};
    const indexes = await this.options.searches.of(site, undefined, language ?? detectLanguage(question));
    const retrieved = await retrieve(indexes, question, {
      earlier,
      currentProduct: body.currentProduct,
      limit_sections: limits.retrieval_sections,
      limit_chars: limits.retrieval_chars,
      filter: body.filter?.version === undefined ? {} : { version: body.filter.version },
    });

    // The Origin header contains the scheme, which a server behind a proxy doesn't know. The widget replaces
    // the scheme with that of its script.
    const ownOrigin = visit.isWidget ? undefined : request.headers.origin;
    const origin = (ownOrigin ?? `http://${request.headers.host}`) + basePath;
    await sendEvents(visit.response, async (send: SendEvent) => {
      send({ type: "start", messageId });

      const answer = new AnswerText({
        origin,
        isOwnPath: (path) => isOwnPath(site, table, undefined, path),
        question,
        language,
        retrieved,
        send,
      });

      const { kind, isCovered, sections } = answer.reply();
      answer.close();
      const isClarifying = kind === "question";
      const sources = answer.sources(sections);
      for (const [index, source] of sources.entries())
        send({ type: "source-url", sourceId: String(index + 1), ...source });
      const resolutionStatus = isCovered ? "answered" : "unanswered";
      const responseType = isClarifying ? "clarifying_question" : "answer";

      this.record(visit, {
        type: "question",
        id: messageId,
        query: question,
        resolutionStatus,
        path: body.currentPath,
      });

      const choices =
        isClarifying && retrieved.choices
          ? { choices: retrieved.choices.options.map(({ name }) => name) }
          : {};

      send({
        type: "finish",
        messageMetadata: { threadId, resolutionStatus, responseType, answerKind: kind, ...choices },
      });
    });
  }

  /** Adds the question to the visitor's thread and returns the thread's earlier questions. */
  private addToThread(address: string, threadId: string, question: string): string[] {
    const key = `${visitorOf(address)} ${threadId}`;
    const earlier = this.threads.get(key) ?? [];
    this.threads.set(key, [...earlier, question].slice(-bundleThread_questions));
    return earlier;
  }

  private async answerFeedback(visit: EndpointVisit): Promise<void> {
    await checkRates(visit, this.rateLimit, "page-feedback");
    this.record(visit, { type: "answer-feedback", ...(await readBody(visit, AnswerFeedbackBody)) });
    visit.response.writeHead(204).end();
  }

  private async handOver(visit: EndpointVisit): Promise<void> {
    await checkRates(visit, this.rateLimit, "page-feedback");
    this.record(visit, { type: "hand-over", ...(await readBody(visit, HandOverBody)) });
    visit.response.writeHead(204).end();
  }

  private async pageFeedback(visit: EndpointVisit): Promise<void> {
    await checkRates(visit, this.rateLimit, "page-feedback");
    const body = await readBody(visit, PageFeedbackBody);
    const page = pageAt(body.path, visit.site, await this.options.tables.of(visit.site));
    if (!page) throw invalid("Invalid request body", fieldThat("path", "must be a page on this site"));
    const isAmended = "id" in body && body.id !== undefined;
    const id = isAmended ? body.id : this.options.ulid();
    this.record(visit, { type: "feedback", ...body, id, path: page.path });
    if (isAmended) visit.response.writeHead(204).end();
    else sendJson(visit, 201, { id });
  }

  private async pageEvents(visit: EndpointVisit): Promise<void> {
    await checkRates(visit, this.rateLimit, "events");
    const body = await readBody(visit, EventsBody);
    const table = await this.options.tables.of(visit.site);

    // Only the first view in a request is counted.
    const view = body.events.find((event) => event.type === "view");
    const page = view && pageAt(view.path, visit.site, table);
    if (page && visitorKind(visit.request.headers["user-agent"] ?? "") === "human") {
      const from =
        view.referrer === undefined
          ? undefined
          : readHostName(parseUrl(view.referrer)?.hostname || view.referrer);
      this.record(visit, { type: "view", path: page.path, referrer: from === visit.host ? undefined : from });
    }

    for (const event of body.events) {
      if (event.type === "search")
        this.record(visit, { type: "search", query: event.query, resultsCount: event.results_count });
      if (event.type !== "search-click") continue;
      const clicked = pageAt(event.path, visit.site, table);
      if (clicked) this.record(visit, { type: "search-click", query: event.query, path: clicked.path });
    }

    visit.response.writeHead(204).end();
  }
}
