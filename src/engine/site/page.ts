/** Types of a site's page: the result of compiling the page, and where the page is listed. */

import type { Frontmatter } from "../config/frontmatter.ts";
import type { Raw } from "../openapi/nodes/refs.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import type { EmbeddedHosts } from "../page/body.ts";
import type { Audience } from "./audience.ts";
import type { AccessibilityFlaw } from "./pages/accessibility-flaws.ts";
import type { PageReference } from "./sources/page-reference.ts";

/** A link or image on a page, for the link check. */
export interface PageLink {
  /** Root-relative URL with its anchor (`/guides/start#install`), or an anchor on the same page. */
  address: string;
  kind: "link" | "image" | "script" | "style";
  /** The OpenAPI document that contains the link. Absent for a link in the page's own text. */
  file?: string;
  line?: number;
  column?: number;
}

/** An item in the RSS feed of a changelog. */
export interface FeedItem {
  id: string;
  title: string;
  description: string;
  /** Date in the entry's label or description, such as `2026-09-01`. Absent if there is none. */
  date?: string;
}

/** A schema that a page omits because it is in files that pages share. */
export interface StoredCut {
  /**
   * Unique name of the schema, and name of its `.js`, `.html`, and `.md` files without the extension. See
   * `schemaPath`.
   */
  id: string;
  /** Path or URL of the OpenAPI document. */
  file: string;
  /** Pointers to the nodes that form the schema. */
  pointers: string[];
  /** Key of the schema's view. */
  key: string;
  direction: Direction;
  name: string;
}

/**
 * A schema that pages share and that has to be compiled, and the route of the first page that contains it.
 */
export interface FragmentTask {
  cut: StoredCut;
  route: string;
}

/**
 * Data of a page that other parts of the site need. Must be small, since the summaries of all pages are in
 * memory.
 */
export interface PageSummary {
  /**
   * Ids of the elements on the page that links can refer to, separated by line breaks. One text needs less
   * memory than many.
   */
  anchors: string;
  links: PageLink[];
  /**
   * Root-relative URLs of further files that the page's HTML and scripts refer to. Absent if there are none.
   */
  files?: string[];
  /** Root-relative URLs of the files that the page imports, such as JSON files. Absent if there are none. */
  imports?: string[];
  /**
   * At most 300 characters of the first paragraph of the operation's description, or else of the page. Used
   * for llms.txt and meta tags if the page has no description.
   */
  firstWords: string;
  views: { title: string; icon?: string }[];
  updateTags: string[];
  feed: FeedItem[];
  /** Class names in the author's markup, for utility classes. */
  classNames: string[];
  /** Parts of Mermaid that draw the page's diagrams (`ParsedDiagrams.parts`). Empty if there are none. */
  diagramParts: string[];
  /**
   * Hosts of external content that the page embeds. Null if the page doesn't load any content, including
   * content of the site itself.
   */
  hosts: EmbeddedHosts | null;
  /** Ids of the scripts of the page's interactive components. */
  islands: string[];
  /** Whether the page's text contains values of `user`. */
  hasReaderText?: true;
  /** Schemas that the page omits. */
  cuts: StoredCut[];
  /**
   * The other audiences for which the page's content is different. Absent if it's the same for all audiences.
   */
  audiences?: Audience[];
  /** What makes the page hard to use with a screen reader. Absent if nothing was found. */
  accessibility?: AccessibilityFlaw[];
  /** The operation that the page's own text describes, as an OpenAPI document. Absent for other pages. */
  described?: Raw;
}

/** Where a page is listed, and whether search engines must not index the page. */
export interface Visibility {
  navigation: boolean;
  search: boolean;
  sitemap: boolean;
  llms: boolean;
  noindex: boolean;
}

export interface Page {
  /** Path without a leading slash; empty for the home page. */
  route: string;
  /** The page's file, or the OpenAPI document that the page is generated from. */
  file: string;
  /** Name of the page in `PageBodies`: its file, or for a generated page the document, pointer and route. */
  storedName: string;
  /** The operation or schema that the page shows. */
  reference?: PageReference;
  frontmatter: Frontmatter;
  title: string;
  summary: PageSummary;
  visibility: Visibility;
  /**
   * The page for other audiences, if its content depends on the reader. This object is the page for visitors
   * who aren't signed in.
   */
  variants?: readonly { audience: Audience; page: Page }[];
}

/** Whether a generated page is only a navigation entry that links to an external URL. */
export function isExternalPage({ storedName, file, frontmatter }: Page): boolean {
  return storedName !== file && frontmatter.url !== undefined;
}
