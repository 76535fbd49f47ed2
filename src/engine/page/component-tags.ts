/**
 * Finds, parses, rewrites and removes tags of built-in components in Markdown that is not MDX, such as
 * descriptions.
 */

import { escapeHtml, unescapeHtml } from "../../base/html-text.ts";
import { withoutVisibility } from "../access-words.ts";

const attribute = /\s+([A-Za-z][\w-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\{[^{}]*\})))?/g;
const tagSource =
  /<(\/?)([A-Z]\w*(?:\.[A-Z]\w*)?)((?:\s+[A-Za-z][\w-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{[^{}]*\}))?)*)\s*(\/?)>/
    .source;

/** Allowed components by name, and whether each one is inline or a block. */
export type TagComponents = ReadonlyMap<string, "inline" | "block">;

export interface ComponentTag {
  name: string;
  kind: "open" | "close" | "empty";
  attributes: {
    type: "mdxJsxAttribute";
    name: string;
    value: string | null | { type: "mdxJsxAttributeValueExpression"; value: string };
  }[];
}

/** Parses a tag in the format that `prepareTags` writes. Undefined for any other text. */
export function componentTag(text: string): ComponentTag | undefined {
  const match = new RegExp(`^${tagSource}$`).exec(text);
  if (!match) return undefined;
  const [, slash, name, attributes, empty] = match;
  return {
    name: name!,
    kind: slash ? "close" : empty ? "empty" : "open",
    attributes: [...attributes!.matchAll(attribute)].map(([, key, written]) => {
      const value = written === undefined ? null : unescapeHtml(written);
      const isExpression = value !== null && /^\{[^{}]*\}$/.test(value);
      return {
        type: "mdxJsxAttribute" as const,
        name: key!,
        value: isExpression
          ? { type: "mdxJsxAttributeValueExpression" as const, value: value.slice(1, -1) }
          : value,
      };
    }),
  };
}

/** Writes a tag on a single line, so that Markdown parses it as HTML. */
function htmlTag([, slash, name, attributes, empty]: RegExpExecArray): string {
  const written = [...attributes!.matchAll(attribute)].map(([, key, double, single, braces]) => {
    const value = double ?? single ?? braces;
    return value === undefined ? ` ${key}` : ` ${key}="${escapeHtml(value).replace(/\s+/g, " ")}"`;
  });
  return `<${slash}${name}${written.join("")}${empty ? " /" : ""}>`;
}

export function hasComponentTags(text: string, components: TagComponents): boolean {
  for (const [, name] of text.matchAll(/<\/?([A-Z]\w*(?:\.[A-Z]\w*)?)[\s/>]/g))
    if (components.has(name!)) return true;
  return false;
}

/** Removes the tags of these components, repeated spaces, and whitespace at the start and end. */
export function withoutComponentTags(text: string, components: TagComponents): string {
  return withoutVisibility(text)
    .replace(new RegExp(tagSource, "g"), (tag, _, name: string) => (components.has(name) ? " " : tag))
    .replace(/ {2,}/g, " ")
    .trim();
}

/**
 * Rewrites component tags as HTML. Puts the tags of block components between empty lines, so that the content
 * between them is parsed as Markdown.
 */
export function prepareTags(text: string, components: TagComponents): string {
  // Skips code, and table rows, which can't contain blocks.
  const parts = text.split(
    /(^[ \t]*(?:```|~~~)[\s\S]*?^[ \t]*(?:```|~~~)[^\n]*$|`[^`\n]+`|^[ \t]*\|[^\n]*$)/m,
  );
  let depth = 0;
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      let out = "";
      let end = 0;
      for (const match of part.matchAll(new RegExp(tagSource, "g"))) {
        const [whole, slash, name, , empty] = match;
        if (!components.has(name!)) continue;
        out += dedent(part.slice(end, match.index), depth);
        end = match.index + whole.length;
        out += components.get(name!) === "inline" ? htmlTag(match) : `\n\n${htmlTag(match)}\n\n`;
        if (components.get(name!) === "inline") continue;
        depth = Math.max(0, depth + (slash ? -1 : empty ? 0 : 1));
      }
      return out + dedent(part.slice(end), depth);
    })
    .join("");
}

/** Removes the common indentation of text inside a component. Markdown would parse indented text as code. */
function dedent(text: string, depth: number): string {
  if (depth === 0) return text;
  const indents = [...text.matchAll(/^([ \t]*)\S/gm)].map(([, indent]) => indent!.length);
  const least = Math.min(...(text.startsWith("\n") ? indents : indents.slice(1)), 100);
  return least === 100 ? text : text.replace(new RegExp(`^[ \\t]{${least}}`, "gm"), "");
}
