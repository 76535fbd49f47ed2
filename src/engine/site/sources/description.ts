/** Reads descriptions from frontmatter and OpenAPI documents, which can contain components. */

import { oneLine } from "../../../base/one-line.ts";
import { hasVisibility } from "../../access-words.ts";
import { componentNamed, componentNames } from "../../components/components.ts";
import { type ContentNode, textOf } from "../../content.ts";
import { hasComponentTags, type TagComponents, withoutComponentTags } from "../../page/component-tags.ts";
import { plainMarkdown } from "../../page/plain-markdown.ts";
import { alert } from "../../page/render-content.tsx";

/** The built-in components that descriptions can use. */
const descriptionComponents: TagComponents = new Map(
  componentNames(({ isPageOnly }) => !isPageOnly).map((name) => [
    name,
    componentNamed(name)?.display === "inline" ? "inline" : "block",
  ]),
);

/**
 * Splits a description that has components into its content and its text without components. Undefined for
 * other descriptions.
 */
export function splitDescription(
  text: string | undefined,
): { content: ContentNode[]; text: string } | undefined {
  if (text === undefined || !(hasComponentTags(text, descriptionComponents) || hasVisibility(text)))
    return undefined;
  return {
    content: plainMarkdown(text, descriptionComponents),
    text: withoutComponentTags(text, descriptionComponents),
  };
}

/**
 * Converts a description to content. `isRemote`: the description is from a remote document and can't use
 * components.
 */
export function descriptionContent(text: string, isRemote: boolean): ContentNode[] {
  return plainMarkdown(text, isRemote ? undefined : descriptionComponents);
}

/**
 * Returns the text of a paragraph on one line, up to 300 characters. Without the mark of an alert, such as
 * `[!NOTE]`.
 */
export function paragraphStart(paragraph: ContentNode): string {
  return oneLine(textOf(paragraph).replace(alert, "")).slice(0, 300);
}
