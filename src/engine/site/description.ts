import type { ContentNode } from "../content.ts";
import { hasComponentTags, withoutComponentTags } from "../mdx/component-tags.ts";
import { plainMarkdown } from "../mdx/plain-markdown.ts";
import { components } from "../render/components.ts";

/** What belongs to a whole page: its right column, its scripts, its parts that are shown one at a time. */
const pageOnly = new Set(
  "Banner Heading Island MDX Mermaid Panel ProblemBox RequestExample ResponseExample Snippet Update Variation View Visibility".split(" "),
);

/** The built-in components that a description may use. */
const descriptionComponents: ReadonlySet<string> = new Set(Object.keys(components).filter((name) => !pageOnly.has(name)));

/** The description of a page whose frontmatter uses components: its content, and its text for where only words fit. */
export function splitDescription(text: string | undefined): { content: ContentNode[]; words: string } | undefined {
  if (text === undefined || !hasComponentTags(text, descriptionComponents)) return undefined;
  return { content: plainMarkdown(text, descriptionComponents), words: withoutComponentTags(text, descriptionComponents) };
}

/** A description as content. `isRemote`: it comes from a document by URL, which may format its text and no more. */
export function descriptionContent(text: string, isRemote: boolean): ContentNode[] {
  return plainMarkdown(text, isRemote ? undefined : descriptionComponents);
}
