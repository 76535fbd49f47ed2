/** Provides search, pages and the assistant of live sites to readers and the API. */

import type { Static } from "@sinclair/typebox";
import { mayRead, type Reader } from "../../base/access.ts";
import { fieldThat, invalid, notAvailable, notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { readSiteDomain, splitDomain } from "../../base/site-domain.ts";
import { readUlid } from "../../base/ulid.ts";
import { distinctSections, retrieve } from "../../engine/answer/retrieve.ts";
import { detectLanguage } from "../../engine/search/detect-language.ts";
import type { CompareMeaning } from "../../engine/search/meaning.ts";
import type { Passage, QueryTerm, SearchFilter, SearchHit } from "../../engine/search/search-hit.ts";
import type { FileCache } from "../../host/file-cache.ts";
import type { HostedSite, SiteDirectory } from "../../host/hosted-site.ts";
import { accessOf, fileAt } from "../../host/manifest-files.ts";
import { isOwnPath, pageAt, variantFor } from "../../host/page-paths.ts";
import type { Visitors } from "../../host/sign-in/visitor.ts";
import type { SiteSearches } from "../../host/site-search.ts";
import type { TablesOfSites } from "../../host/site-tables.ts";
import type { Events } from "../core/endpoint.ts";
import { defaultHost, type Service, siteUrl } from "../core/service.ts";
import { siteFeatures } from "../core/site-features.ts";
import type { RequestedSite } from "../http/call.ts";
import { type SiteProject, siteProject } from "../projects/site-project.ts";
import type { Assistant, Question } from "./assistant.ts";
import { compareMeaningIn } from "./compare-meaning.ts";
import type { AnswerEvent, AskBody } from "./contract.ts";
import { questionOf } from "./question-text.ts";

export interface SiteDocsOptions {
  service: Service;
  sites: SiteDirectory;
  files: FileCache;
  tables: TablesOfSites;
  searches: SiteSearches;
  assistant: Assistant;
  visitors: Visitors;
  /** Receives errors of the service. */
  report(error: unknown): void;
}

export interface DocsSearch {
  text: string;
  /** Maximum number of results. */
  limit: number;
  /** Whether the last word may be incomplete. */
  isTyping?: boolean;
  language?: string | undefined;
  filter: SearchFilter;
  /** Whether a hit can be in the results. Default: all hits can. */
  accepts?(hit: SearchHit): boolean;
}

export interface SectionResult {
  hit: SearchHit;
  passages: readonly Passage[];
  terms: readonly QueryTerm[];
  language: string;
}

/**
 * A caller who asks a question. `reader` is undefined if only public pages can be read. See `Question` for
 * the other properties.
 */
export type Asker = Pick<Question, "caller" | "asker" | "address"> & { reader: Reader | undefined };

type AskRequest = Static<typeof AskBody>;

/**
 * The content of live sites, for searches and questions. What a caller gets depends on the reader's access.
 */
export class SiteDocs {
  private readonly options: SiteDocsOptions;
  private readonly compareMeaning: CompareMeaning | undefined;

  constructor(options: SiteDocsOptions) {
    this.options = options;
    this.compareMeaning = compareMeaningIn(options.searches, options.service, options.report);
  }

  get service(): Service {
    return this.options.service;
  }

  get visitors(): Visitors {
    return this.options.visitors;
  }

  /**
   * Returns the project's live site, by its subdomain, default host or verified domain. Throws "not found"
   * for other domains, for previews, and if nothing is live.
   */
  async byDomain(text: string, projectId: string): Promise<RequestedSite> {
    const { service, sites, tables } = this.options;
    const { settings } = service;
    const domain = readSiteDomain(text.replace(/:\d{1,5}(?=\/|$)/, ""));
    if (domain === undefined) throw notFound();
    const { host: name, path } = splitDomain(domain);
    const host = name.includes(".") ? name : defaultHost(settings, name);
    const site = await sites.byHost(host, path);
    if (!site || site.isPreview || site.projectId !== projectId) throw notFound();
    const { basePath } = (await tables.of(site)).redirects;
    if (path !== "" && path !== basePath) throw notFound();
    const origin =
      host === name ? siteUrl(settings, host + basePath) : (await siteProject(service, projectId)).url;
    return { site, origin };
  }

  /**
   * Searches the sections that this reader may read. Returns the best first. `accepts` is applied to a
   * limited number of hits, so there can be fewer than `limit` results even if more sections match.
   */
  async search(
    { site }: RequestedSite,
    reader: Reader | undefined,
    search: DocsSearch,
  ): Promise<SectionResult[]> {
    const { text, limit, isTyping = false, language, filter, accepts } = search;
    const indexes = await this.options.searches.of(site, reader, language);
    const similar = isTyping ? undefined : await this.compareMeaning?.(indexes, text);
    const all = await Promise.all(
      indexes.map(async (index, place) => {
        const { hits, terms } = await index.search({
          text,
          limit: accepts ? limit * 5 : limit,
          isTyping,
          filter,
          similar: similar?.[place],
        });
        return (accepts ? hits.filter(accepts) : hits).map((hit) => ({ hit, terms, index }));
      }),
    );

    const best = distinctSections(all.flat()).slice(0, limit);
    return Promise.all(
      best.map(async ({ hit, terms, index }) => {
        const [passages = []] = await index.passages([hit]);
        return { hit, terms, passages, language: index.language };
      }),
    );
  }

  /**
   * Returns the path and Markdown of a page; undefined if the page doesn't exist or this reader may not read
   * it. `text`: path of the page, with or without an extension.
   */
  async page(
    { site }: RequestedSite,
    reader: Reader | undefined,
    text: string,
  ): Promise<{ path: string; content: string } | undefined> {
    const { files, tables } = this.options;
    const trimmed = text.replace(/[?#].*$/s, "").replace(/^\/+|\/+$/g, "");
    const path = trimmed.replace(/\.(?:md|html)$/, "").replace(/^index$/, "");
    const file = `${path || "index"}.md`;
    const table = await tables.of(site);
    const isPage =
      fileAt(site.manifest, `${path || "index"}.html`) && !table.redirects.htmlFiles.has(`${path}.html`);
    if (!isPage || !mayRead(accessOf(site, file), reader)) return undefined;
    const entry = fileAt(site.manifest, variantFor(file, site, table, reader) ?? file)!;
    return { path, content: (await files.whole(entry)).toString("utf8") };
  }

  /** Returns the text of a file. The caller must have checked that it exists and the reader may read it. */
  async text({ site }: RequestedSite, file: string): Promise<string> {
    return (await this.options.files.whole(fileAt(site.manifest, file)!)).toString("utf8");
  }

  /**
   * Validates the question and returns the events of its answer. Throws an AppError if the question isn't
   * valid, the site has no assistant, or too many answers are in progress.
   */
  async ask(
    requested: RequestedSite,
    { reader, caller, asker, address }: Asker,
    body: AskRequest,
  ): Promise<Events<AnswerEvent>> {
    const { service, assistant, tables, searches } = this.options;
    const { site, origin } = requested;
    const project = await siteProject(service, site.projectId);
    if (!this.hasAssistant(site, project)) throw notAvailable();

    const { id, text } = questionOf(body);
    const threadId = body.threadId ? readUlid(body.threadId) : undefined;
    if (body.threadId && threadId === undefined)
      throw invalid(
        "Invalid request body",
        fieldThat("threadId", "must be the conversation ID from the finish event of a previous answer"),
      );

    const { language, version } = body.filter ?? {};
    const table = await tables.of(site);
    const indexes = await searches.of(site, reader, language ?? detectLanguage(text));
    return assistant.ask({
      organization: project.organization,
      settings: project.assistant,
      projectId: site.projectId,
      caller,
      asker,
      ...(address === undefined ? {} : { address }),
      text,
      messageId: id,
      ...(threadId === undefined ? {} : { threadId }),
      ...(body.currentPath === undefined ? {} : { currentPath: body.currentPath }),
      ...(language === undefined ? {} : { language }),
      context: (body.context ?? []).map(({ type, value, path }) => ({
        type,
        value,
        ...(path === undefined ? {} : { path }),
      })),
      origin,
      isOwnPath: (path) => isOwnPath(site, table, reader, path),
      languages: indexes.map((index) => index.language),
      retrieve: (question, options) =>
        retrieve(indexes, question, {
          ...options,
          currentProduct: body.currentProduct,
          limit_sections: Math.min(
            body.retrievalPageSize ?? limits.retrieval_sections,
            limits.retrieval_sections,
          ),
          limit_chars: limits.retrieval_chars,
          filter: version === undefined ? {} : { version },
          compareMeaning: this.compareMeaning,
        }),
    });
  }

  /** Whether a path belongs to the site and this reader may read it. */
  async isOwnPath({ site }: RequestedSite, reader: Reader | undefined, path: string): Promise<boolean> {
    return isOwnPath(site, await this.options.tables.of(site), reader, path);
  }

  /**
   * Returns the path under which views of a page are counted. Undefined if there is no page at `path` that
   * this reader may read. `path`: path that a page's script sent, such as `/guides/keys`.
   */
  async pageAt(
    { site }: RequestedSite,
    reader: Reader | undefined,
    path: string,
  ): Promise<string | undefined> {
    const page = pageAt(path, site, await this.options.tables.of(site));
    return page && mayRead(accessOf(site, page.file), reader) ? page.path : undefined;
  }

  /** Whether the site has pages that don't require sign-in. */
  hasPublicPages(site: HostedSite): boolean {
    return this.options.searches.hasPublic(site);
  }

  hasAssistant({ isPreview }: HostedSite, { assistant }: SiteProject): boolean {
    return siteFeatures(this.options.service.settings, { isPreview, assistant }).assistant;
  }
}
