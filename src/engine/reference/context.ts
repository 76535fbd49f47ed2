/** Defines the input and the result of the renderer for reference pages. */

import type { RenderContext } from "../html/render-context.ts";
import type { linkProps } from "../html/safe-attributes.ts";
import type { Refs } from "../openapi/nodes/refs.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import type { SchemaRef } from "../openapi/schema/schema-view.ts";
import type { TocEntry } from "../page/table-of-contents.ts";
import type { FieldMarks } from "./field-marks.ts";

export interface ReferenceContext {
  refs: Refs;
  render: RenderContext;
  /** Renders a document's Markdown as safe HTML with marked URLs. Memoized. */
  markdown(text: string): string;
  /** Returns the attributes of a link with a URL from the document, and adds it to the page's links. */
  link(url: string): ReturnType<typeof linkProps>;
  /** Initial state of nested fields: `api.params.expanded`. */
  expanded: "all" | "closed";
  /** Keywords of schemas and parameters whose values are shown as pills: `api.params.post`. */
  postKeys: readonly string[];
  /** Labels with the versions in which fields changed, if that is known. */
  marks?: FieldMarks | undefined;
  /** Keys of the samples' languages, in order. */
  languages: readonly string[];
  /** Whether samples are generated, and whether they contain optional fields. */
  samples: { generated: boolean; optional: boolean };
  /** Whether to show the base URL even if there is only one. */
  showBaseUrl: boolean;
  playground: "interactive" | "simple" | "none";
  /**
   * Whether the playground requires sign-in. The playground button is hidden until the page's script knows
   * whether the reader has access.
   */
  isPlaygroundRestricted: boolean;
  /** Returns the URL, marked with `siteUrlMark`, of the page for a schema that is cut on this page. */
  schemaHref(cut: SchemaCut): string;
  /** Returns the root-relative URL of the Markdown of a schema that is cut on this page. */
  schemaMarkdownHref(cut: SchemaCut): string;
  /** Returns the URL, marked with `siteUrlMark`, of the page for an operation of the document. */
  operationHref(pointer: string): string;
  /** Whether samples in the page's text replace the generated request and response samples. */
  ownExamples: { request: boolean; response: boolean };
  /** HTML of the page's text or of `x-platform.content`, shown before the generated sections. */
  bodyHtml: string;
}

/** A schema that a page leaves out and links to. */
export interface SchemaCut {
  key: string;
  direction: Direction;
  schema: SchemaRef;
  name: string;
}

export interface RenderedReference {
  /**
   * HTML that precedes the samples in a one-column layout: the endpoint and, unless the page's text describes
   * the operation, that text and the operation's description. Empty for schemas.
   */
  lead: string;
  html: string;
  /** Samples for the right column. Empty if there are none. */
  aside: string;
  toc: TocEntry[];
  /** All ids of generated headings and fields. */
  anchors: string[];
  cuts: SchemaCut[];
}
