import type { VNode } from "preact";
import type { Place } from "../../base/problem.ts";
import type { ContentElement, ContentNode } from "../content.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import type { RenderContext } from "../html/render-context.ts";
import type { TocContext } from "./toc-context.ts";

/** Prints a component as HTML. It trusts none of its props. */
export type Component = (props: AuthorProps) => VNode | null;

/** Everything about a component that pages may use without importing it. */
export interface ComponentDefinition {
  render: Component;
  /** Props that authors must set. */
  requiredProps?: readonly string[];
  /** `inline`: part of a line of text. `transparent`: as its content. Default: a block. */
  display?: "inline" | "transparent";
  /** Runs of text and inline elements among its children become paragraphs. */
  wrapsText?: boolean;
  /** Belongs to a whole page, so descriptions can't contain it. */
  isPageOnly?: boolean;
  /** Moves to the right column of a page. */
  isAside?: boolean;
  /** Documents a field of a request or of a response. */
  field?: "request" | "response";
  /** What its children are inside of: a link has no links inside, and a frame plays its videos. */
  inside?: { link?: true; frame?: true };
  /** Props that the renderer adds to those of the author. */
  derivedProps?(node: ContentElement, source: PropSource): Record<string, unknown>;
  anchors?: AnchorRules;
  /** Default: its children. */
  markdown?: MarkdownRules;
}

export interface PropSource {
  iconLibrary: RenderContext["iconLibrary"];
  /** Where the component is written. */
  place: Place;
  toMarkdown(nodes: readonly ContentNode[]): string;
}

/** Ids that links can lead to, and entries of the table of contents. */
export interface AnchorRules {
  /** The id of a component that is a heading of its page. These choose before blocks do. */
  idOfHeading?(node: ContentElement, toc: TocWriter, around: TocContext): string | undefined;
  /** The id of another component. */
  idOfBlock?(node: ContentElement, claim: ClaimId): string | undefined;
  /** The context of its children. */
  inside?(node: ContentElement, around: TocContext): TocContext;
}

/** Returns a free id: `wanted`, or `wanted` with a number that starts at `firstSuffix` (2). */
export type ClaimId = (wanted: string, firstSuffix?: number) => string;

export interface TocWriter {
  /** Whether titles get ids without an author asking for them. */
  isAutomatic: boolean;
  claim: ClaimId;
  add(id: string, text: string, level: number, around: TocContext): void;
}

/** The Markdown twin of a component. */
export interface MarkdownRules {
  /** As a block. */
  block?(node: ContentElement, writer: MarkdownWriter, depth: number): string;
  /** Within a line of text. */
  inline?(node: ContentElement, writer: MarkdownWriter, depth: number): string;
  /** Default: as `display` says. */
  isInline?(node: ContentElement): boolean;
}

export interface MarkdownWriter {
  blocks(nodes: readonly ContentNode[], depth: number): string;
  block(node: ContentElement, depth: number): string;
  inline(nodes: readonly ContentNode[], depth: number): string;
  link(node: ContentElement, depth: number): string;
  /** A URL that works outside of the site. */
  url(href: string): string;
  /** A block as a section of its page. */
  section(node: ContentElement, body: string, level?: number): string;
  /** The same writer without marks of sections. */
  unmarked(): MarkdownWriter;
}
