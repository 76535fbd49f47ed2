/** Types for the definition of a built-in component. */

import type { VNode } from "preact";
import type { SourcePosition } from "../../base/problem.ts";
import type { ContentElement, ContentNode } from "../content.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import type { RenderContext } from "../html/render-context.ts";
import type { TocContext } from "./toc-context.ts";

/** Renders a component. Props are untrusted. */
export type Component = (props: AuthorProps) => VNode | null;

/** Definition of a built-in component. */
export interface ComponentDefinition {
  render: Component;
  /**
   * Names of the props, separated by spaces. Others are reported. Absent if the component has props with any
   * names.
   */
  props?: string;
  /** Props that authors must set. */
  requiredProps?: readonly string[];
  /** Whether the required props are optional if there is content. */
  canHaveContentInstead?: true;
  /** Set if the component only shows its content: what to do instead. */
  ineffective?: string;
  /** `inline`: part of a line of text. `transparent`: behaves like its content. Default: a block. */
  display?: "inline" | "transparent";
  /** Whether runs of at least two texts and inline elements among the children are wrapped in `<p>`. */
  wrapsText?: boolean;
  /** Whether the component can't be used in descriptions (of pages, and in OpenAPI documents). */
  isPageOnly?: boolean;
  /** Whether the component is shown in the right column of the page. Pages without this column omit it. */
  isAside?: boolean;
  /** Set if the component documents a field of a request or of a response. */
  field?: "request" | "response";
  /** Returns the context of the children. */
  inside?(node: ContentElement): InsideComponent;
  /** Returns props that the renderer adds. They override the author's props. */
  derivedProps?(node: ContentElement, source: PropSource): Record<string, unknown>;
  anchors?: AnchorRules;
  /** How the component is written as Markdown. Default: only its children. */
  markdown?: MarkdownRules;
}

/** Properties of the components around a node. */
export interface InsideComponent {
  /**
   * Whether the node is inside a link. A link inside a link becomes a `<span>`, and images can't be enlarged.
   */
  link?: boolean;
  /** Whether the node is inside a Frame, where videos with `autoPlay` are muted and loop by default. */
  frame?: boolean;
  /** The `titleSize` of the innermost Steps around the node. */
  stepSize?: string;
}

/** Data that `derivedProps` can use. */
interface PropSource {
  /** Properties of the components around the component. */
  around: InsideComponent;
  iconLibrary: RenderContext["iconLibrary"];
  /** Source position of the component. Used to report problems. */
  place: SourcePosition;
  toMarkdown(nodes: readonly ContentNode[]): string;
}

/** Determines the id of a component and the entries in the table of contents for it and its children. */
export interface AnchorRules {
  /**
   * Returns the id of a component that acts as a heading, and can add the component to the table of contents.
   * Undefined if it gets no id. Headings claim ids before blocks.
   */
  idOfHeading?(node: ContentElement, toc: TocWriter, around: TocContext): string | undefined;
  /** Returns the id of a component that doesn't act as a heading. Undefined if it gets no id. */
  idOfBlock?(node: ContentElement, claim: ClaimId): string | undefined;
  /** Returns the context of the children. */
  inside?(node: ContentElement, around: TocContext): TocContext;
}

/**
 * Reserves an unused id and returns it: `id`, or `id` with a numeric suffix that starts at `firstSuffix`
 * (default 2).
 */
type ClaimId = (id: string, firstSuffix?: number) => string;

/** Reserves ids and collects the entries of the table of contents. */
export interface TocWriter {
  /** Whether headings and steps without an `id` get one from their title. */
  isAutomatic: boolean;
  claim: ClaimId;
  add(id: string, text: string, level: number, around: TocContext): void;
}

/** Writes a component as Markdown. */
export interface MarkdownRules {
  /** Writes the component as a Markdown block. */
  block?(node: ContentElement, writer: MarkdownWriter, depth: number): string;
  /** Writes the component inside a line of Markdown text. */
  inline?(node: ContentElement, writer: MarkdownWriter, depth: number): string;
  /** Whether the component is inline. Default: determined by `display`. */
  isInline?(node: ContentElement): boolean;
}

/**
 * Writes content as Markdown. `depth`: nesting depth of the content; content that is nested too deeply is
 * omitted.
 */
export interface MarkdownWriter {
  blocks(nodes: readonly ContentNode[], depth: number): string;
  block(node: ContentElement, depth: number): string;
  inline(nodes: readonly ContentNode[], depth: number): string;
  link(node: ContentElement, depth: number): string;
  /** Escapes a URL for Markdown. Adds the site's origin to a root-relative URL, if the origin is known. */
  url(href: string): string;
  /**
   * Adds section marks around a block that has an id, unless the writer adds none. `level`: default
   * `blockLevel`.
   */
  section(node: ContentElement, body: string, level?: number): string;
  /** Returns a writer that doesn't add section marks. */
  unmarked(): MarkdownWriter;
}
