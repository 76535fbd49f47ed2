/** What a reference page is made with, and what comes out of it. */

import type { RenderContext } from "../../html/render-context.ts";
import type { Refs } from "../../openapi/refs.ts";
import type { Direction, SchemaRef } from "../../openapi/schema-view.ts";
import type { TocEntry } from "../page-view.ts";

export interface ReferenceContext {
  refs: Refs;
  render: RenderContext;
  /** Markdown of a document → safe HTML with marked addresses (no JSX, no expressions). Cached by the caller. */
  markdown(text: string): string;
  /** Nested fields at first: `api.params.expanded`. */
  expanded: "all" | "closed";
  /** Fields of a schema whose values are shown as pills: `api.params.post`. */
  postKeys: readonly string[];
  /** Keys of the samples' languages, in order. */
  languages: readonly string[];
  /** Whether samples are generated, and whether they hold optional fields. */
  samples: { generated: boolean; optional: boolean };
  /** The base URL is shown although there is only one. */
  showBaseUrl: boolean;
  playground: "interactive" | "simple" | "none";
  /** Not every reader of the page may use it: the button is hidden until the page's script knows who reads. */
  isPlaygroundGated: boolean;
  /** Marked address of the page that shows a schema which is cut off here, for readers without script. */
  schemaHref(cut: SchemaCut): string;
  /** Hand-written samples in the page's own text take the place of generated ones. */
  ownExamples: { request: boolean; response: boolean };
  /** HTML of x-platform.content / the page's own MDX body: goes before the generated sections. */
  bodyHtml: string;
}

/** A schema that a page names and leaves to a page of its own. */
export interface SchemaCut {
  key: string;
  direction: Direction;
  schema: SchemaRef;
  name: string;
}

export interface RenderedReference {
  /** What stands before the samples where there is one column: the endpoint and what it is about. */
  lead: string;
  html: string;
  /** Samples for the right column; empty when there are none. */
  aside: string;
  toc: TocEntry[];
  /** Every id on the page that a link may lead to. */
  anchors: string[];
  cuts: SchemaCut[];
}
