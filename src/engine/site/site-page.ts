import type { Frontmatter } from "../config/frontmatter.ts";
import type { Raw } from "../openapi/refs.ts";
import type { Direction } from "../openapi/schema-view.ts";
import type { TocEntry } from "../render/page-view.ts";
import type { PageReference } from "./page-reference.ts";

/** A link or an image of a page, for the link check. */
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

/** A schema that a page leaves out, because it is in files that pages share. */
export interface StoredCut {
  id: string;
  file: string;
  pointers: string[];
  key: string;
  direction: Direction;
  name: string;
}

/** Data of a page that other parts of the site need. Small, since it is in memory for all pages. */
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
  /** Ids of the scripts of the page's interactive components. */
  islands: string[];
  /** Schemas that the page leaves out. */
  cuts: StoredCut[];
  /** The operation that the page describes itself, as an OpenAPI document. */
  described?: Raw;
}

/** The long texts of a page, which are not all in memory at once. */
export interface PageBody {
  /** HTML of a description with components; empty for other descriptions. */
  description: string;
  /** HTML before the content of the right column in a layout with one column. */
  lead: string;
  /** HTML with marked root-relative URLs (`siteUrlMark`), which the export resolves. */
  html: string;
  /** HTML of the right column; empty without examples or a panel. */
  aside: string;
  /** Markdown of the page's own text, with marks at the start of sections. */
  markdown: string;
  /** Markdown of the reference part. */
  reference: string;
}

/** Where a page is listed. */
export interface Visibility {
  navigation: boolean;
  search: boolean;
  sitemap: boolean;
  llms: boolean;
  noindex: boolean;
}

export interface Page {
  /** Path without a leading slash; `` is the home page. */
  route: string;
  /** The source: the page's file, or the OpenAPI document that it is generated from. */
  file: string;
  /** Key of its body in the page cache: the file, or document, pointer and route of an operation. */
  key: string;
  /** The operation or schema that the page shows. */
  reference?: PageReference;
  frontmatter: Frontmatter;
  title: string;
  summary: PageSummary;
  visibility: Visibility;
}

/** Whether a generated page is only a navigation entry that links to an external URL. */
export function isExternalPage({ key, file, frontmatter }: Page): boolean {
  return key !== file && frontmatter.url !== undefined;
}
