/**
 * Finds active content in Markdown: HTML, images, foreign links and URLs that a renderer would turn into
 * links.
 */

import type { Nodes } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

const parser = unified().use(remarkParse).use(remarkGfm);

/** Returns node types and URLs of active content. `isOwn`: whether a URL belongs to the site. */
export function liveIn(markdown: string, isOwn: (url: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (node: Nodes) => {
    if (
      [
        "html",
        "image",
        "imageReference",
        "linkReference",
        "definition",
        "footnoteReference",
        "footnoteDefinition",
      ].includes(node.type)
    )
      found.push(node.type);
    if (node.type === "link" && !isOwn(node.url)) found.push(`link ${node.url}`);
    if (node.type === "text" && /https?:\/\/|\bwww\./i.test(node.value)) found.push(`text ${node.value}`);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(parser.parse(markdown));
  return found;
}
