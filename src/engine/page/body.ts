/**
 * Types of the body of a page or a shared schema: text with holes, which each export fills differently. URLs
 * of the site and content that some exports replace are holes. They are recorded once, when a body has been
 * rendered, and kept with the text for later builds.
 */

/**
 * The long texts of a page or a shared schema. The bodies of all pages are not in memory at the same time.
 */
export interface PageBody {
  /** HTML of a description with components; empty for other descriptions. Its URLs are marked. */
  description: string;
  /** HTML that comes before the right column's content in a layout with one column. */
  lead: string;
  /** HTML of the page's main column. */
  html: string;
  /** HTML of the right column; empty if the page has none. */
  aside: string;
  /** Markdown of the page's own text, with section marks. */
  markdown: string;
  /** Markdown of the generated API reference, without whitespace at its start and end. */
  reference: string;
  /** Table of contents: `TocEntry[]` as JSON. Empty if there is none. */
  toc: string;
  /** `RecordedParts` as JSON. */
  holes: string;
}

/** A body whose URLs are marked with `siteUrlMark`. */
export type RenderedBody = Omit<PageBody, "holes">;

/** Parts of a body with holes. */
export type HtmlPart = "lead" | "html" | "aside";

export type RecordedParts = Readonly<Record<HtmlPart, RecordedPart>>;

/** What an export has to know about a part of a body besides its text. */
export interface RecordedPart {
  holes: readonly Hole[];
  /** The different values of `style` attributes, as in the HTML. */
  styles: readonly string[];
}

export interface Hole {
  /** `content`: an element or a start tag that can load files, such as an image, a frame or a style sheet. */
  kind: "url" | "content";
  /** Position in the text, in bytes. */
  at: number;
  /** A root-relative URL or a fragment, not escaped. Of content, the HTML, whose URLs are marked. */
  value: string;
  /** Whether content is in a link. */
  isInLink?: boolean;
}

export type EmbeddedKind = "image" | "media" | "frame";

/** Origins such as `https://cdn.example.com`, by kind of content. Kinds that have no origin are absent. */
export type EmbeddedHosts = Partial<Record<EmbeddedKind, string[]>>;
