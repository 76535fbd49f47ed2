import type { VNode } from "preact";
import type { SourcePosition } from "../../base/problem.ts";
import type { ContentElement, ContentNode } from "../content.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import type { RenderContext } from "../html/render-context.ts";
import type { TocContext } from "./toc-context.ts";

/** Renders a component to HTML. Props are untrusted. */
export type Component = (props: AuthorProps) => VNode | null;

/** Definition of a built-in component. */
export interface ComponentDefinition {
  render: Component;
  /** Props that authors must set. */
  requiredProps?: readonly string[];
  /** `inline`: part of a line of text. `transparent`: as its content. Default: a block. */
  display?: "inline" | "transparent";
  /** Wrap inline runs of its children in paragraphs. */
  wrapsText?: boolean;
  /** Belongs to a whole page, so descriptions can't contain it. */
  isPageOnly?: boolean;
  /** Moves to the right column of a page. */
  isAside?: boolean;
  /** Documents a field of a request or of a response. */
  field?: "request" | "response";
  /** Context of its children: a link contains no links, and videos in a frame can play automatically. */
  inside?: { link?: true; frame?: true };
  /** Props that the renderer adds to those of the author. */
  derivedProps?(node: ContentElement, source: PropSource): Record<string, unknown>;
  anchors?: AnchorRules;
  /** Default: its children. */
  markdown?: MarkdownRules;
}

export interface PropSource {
  iconLibrary: RenderContext["iconLibrary"];
  /** Source position of the component. */
  place: SourcePosition;
  toMarkdown(nodes: readonly ContentNode[]): string;
}

/** Ids for links, and entries of the table of contents. */
export interface AnchorRules {
  /** The id of a component that acts as a heading. Headings claim ids before blocks. */
  idOfHeading?(node: ContentElement, toc: TocWriter, around: TocContext): string | undefined;
  /** The id of another component. */
  idOfBlock?(node: ContentElement, claim: ClaimId): string | undefined;
  /** The context of its children. */
  inside?(node: ContentElement, around: TocContext): TocContext;
}

/** Returns an unused id: `id`, or `id` with a number that starts at `firstSuffix` (default 2). */
export type ClaimId = (id: string, firstSuffix?: number) => string;

export interface TocWriter {
  /** Whether titles get ids automatically. */
  isAutomatic: boolean;
  claim: ClaimId;
  add(id: string, text: string, level: number, around: TocContext): void;
}

/** Markdown of a component. */
export interface MarkdownRules {
  /** Markdown as a block. */
  block?(node: ContentElement, writer: MarkdownWriter, depth: number): string;
  /** Markdown inside a line of text. */
  inline?(node: ContentElement, writer: MarkdownWriter, depth: number): string;
  /** Default: by `display`. */
  isInline?(node: ContentElement): boolean;
}

export interface MarkdownWriter {
  blocks(nodes: readonly ContentNode[], depth: number): string;
  block(node: ContentElement, depth: number): string;
  inline(nodes: readonly ContentNode[], depth: number): string;
  link(node: ContentElement, depth: number): string;
  /** A URL that works outside the site. */
  url(href: string): string;
  /** A block as a section of its page. */
  section(node: ContentElement, body: string, level?: number): string;
  /** The same writer without marks of sections. */
  unmarked(): MarkdownWriter;
}
