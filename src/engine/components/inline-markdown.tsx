import type { ComponentChildren } from "preact";
import { shown } from "../html/prop-values.ts";
import { linkProps } from "../html/safe-attributes.ts";

const pattern =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|(?<!\w)_([^_\s][^_]*)_(?!\w)|\[([^\]]*)\]\(([^()\s]*)\)/g;

/**
 * Renders the Markdown in a prop such as a caption: code, emphasis and links. Text of more than 5,000
 * characters, and content that isn't text, is rendered unchanged.
 */
export function InlineMarkdown({ value }: { value: unknown }) {
  const content = shown(value);
  return <>{typeof content === "string" ? parse(content, 0) : content}</>;
}

function parse(source: string, depth: number): ComponentChildren[] {
  if (depth > 3 || source.length > 5_000) return [source];
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of source.matchAll(pattern)) {
    const [whole, code, strong, strongToo, em, emToo, label, href] = match;
    parts.push(source.slice(end, match.index));
    end = match.index + whole.length;
    if (code !== undefined) parts.push(<code>{code}</code>);
    else if (label !== undefined) parts.push(<a {...linkProps(href)}>{parse(label, depth + 1)}</a>);
    else if (strong ?? strongToo) parts.push(<strong>{parse((strong ?? strongToo)!, depth + 1)}</strong>);
    else parts.push(<em>{parse((em ?? emToo)!, depth + 1)}</em>);
  }

  parts.push(source.slice(end));
  return parts;
}
