/** What is live in a Markdown text: whatever a renderer would make something of that a browser follows, loads or runs. */
import type { Nodes } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

const parser = unified().use(remarkParse).use(remarkGfm);

/** Kinds and addresses; `isOwn` says which links are the site's. */
export function liveIn(markdown: string, isOwn: (url: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (node: Nodes) => {
    if (["html", "image", "imageReference", "linkReference", "definition", "footnoteReference", "footnoteDefinition"].includes(node.type))
      found.push(node.type);
    if (node.type === "link" && !isOwn(node.url)) found.push(`link ${node.url}`);
    if (node.type === "text" && /https?:\/\/|\bwww\./i.test(node.value)) found.push(`text ${node.value}`);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(parser.parse(markdown));
  return found;
}
