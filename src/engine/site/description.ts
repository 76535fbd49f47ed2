import { componentNamed, componentNames } from "../components/components.ts";
import type { ContentNode } from "../content.ts";
import { hasComponentTags, type TagComponents, withoutComponentTags } from "../mdx/component-tags.ts";
import { plainMarkdown } from "../mdx/plain-markdown.ts";

/** The built-in components that a description may use. */
const descriptionComponents: TagComponents = new Map(
  componentNames(({ isPageOnly }) => !isPageOnly).map((name) => [name, componentNamed(name)?.display === "inline" ? "inline" : "block"]),
);

/** A description with components: its content, and its text without components. */
export function splitDescription(text: string | undefined): { content: ContentNode[]; text: string } | undefined {
  if (text === undefined || !hasComponentTags(text, descriptionComponents)) return undefined;
  return { content: plainMarkdown(text, descriptionComponents), text: withoutComponentTags(text, descriptionComponents) };
}

/** A description as content. `isRemote`: from a remote document, so without components. */
export function descriptionContent(text: string, isRemote: boolean): ContentNode[] {
  return plainMarkdown(text, isRemote ? undefined : descriptionComponents);
}
