import type { Frontmatter } from "../config/frontmatter.ts";
import type { Raw } from "../openapi/refs.ts";
import type { Direction } from "../openapi/schema-view.ts";
import type { TocEntry } from "../render/page-view.ts";
import type { PageReference } from "./page-reference.ts";

/** A link or an image as it stands on a page, for the link check. */
export interface PageLink {
  /** Root-relative with its anchor (`/guides/start#install`), or an anchor on the same page. */
  address: string;
  kind: "link" | "image";
  line?: number;
  column?: number;
}

/** An entry of a changelog, for its feed. */
export interface FeedItem {
  id: string;
  title: string;
  description: string;
}

/** A schema that a page leaves to files that all pages share; enough to print it later. */
export interface StoredCut {
  id: string;
  file: string;
  pointers: string[];
  key: string;
  direction: Direction;
  name: string;
}

/** What the rest of a site needs to know of a page, small enough to hold for every page at once. */
export interface PageSummary {
  toc: TocEntry[];
  /** Every id on the page. */
  anchors: string[];
  links: PageLink[];
  /** First paragraph, for llms.txt when the page has no description. */
  firstWords: string;
  views: { title: string; icon?: string }[];
  updateTags: string[];
  feed: FeedItem[];
  /** Class names in the author's markup, for utility styles. */
  classNames: string[];
  hasDiagram: boolean;
  /** Ids of the scripts that bring the page's components to life. */
  islands: string[];
  /** Schemas that the page leaves to files that all pages share. */
  cuts: StoredCut[];
  /** The operation that the page describes itself, as an OpenAPI document. */
  described?: Raw;
}

/** The long parts of a page: kept apart, so that they need not all be in memory. */
export interface PageBody {
  /** HTML of a description that holds components; empty for one of text alone. */
  description: string;
  /** HTML that stands before the right column where there is one column only. */
  lead: string;
  /** HTML in which site-internal addresses carry a mark that the export resolves. */
  html: string;
  /** HTML of the right column, when the page has examples or a panel. */
  aside: string;
  /** Of the page's own text, with marks where its sections begin. */
  markdown: string;
  /** Markdown of the reference part. */
  reference: string;
}

/** Where a page may be seen. */
export interface Visibility {
  navigation: boolean;
  search: boolean;
  sitemap: boolean;
  llms: boolean;
  noindex: boolean;
}

export interface Page {
  /** Address without a leading slash; `` is the home page. */
  route: string;
  /** What the page is made from: its own file, or the OpenAPI document that it is generated from. */
  file: string;
  /** Under which its body is kept: the file, or the operation's place in its document. */
  key: string;
  /** What the reference part of the page shows. */
  reference?: PageReference;
  frontmatter: Frontmatter;
  title: string;
  summary: PageSummary;
  visibility: Visibility;
}

/** An entry of the navigation whose page lies elsewhere: a generated one with an address of its own. */
export function isElsewhere({ key, file, frontmatter }: Page): boolean {
  return key !== file && frontmatter.url !== undefined;
}
