/** Moves quotation marks after bare URLs out of their links, which the parser makes a part of the URL. */

import type { Link, Parents, PhrasingContent, Root } from "mdast";

export function withoutQuotesInUrls(tree: Root, text: string): Root {
  if (!/["'“”‘’]/.test(text) || !/https?\\?:\/\/|www\./i.test(text)) return tree;
  const open: Parents[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    const children = node.children as PhrasingContent[];
    if (children.some((child) => quotesAfter(child, text)))
      node.children = children.flatMap((child) => splitLink(child, text)) as typeof node.children;
    for (const child of node.children) if ("children" in child) open.push(child);
  }

  return tree;
}

/** Returns the quotation marks at the end of a bare URL. */
function quotesAfter(node: PhrasingContent, text: string): string | undefined {
  if (node.type !== "link" || node.children.length !== 1 || node.children[0]!.type !== "text")
    return undefined;
  const quotes = quotesAtEnd(node.url);
  const start = node.position?.start.offset ?? 0;
  return quotes !== undefined && /^(?:https?\\?:|www\.)/i.test(text.slice(start, start + 8))
    ? quotes
    : undefined;
}

function splitLink(node: PhrasingContent, text: string): PhrasingContent[] {
  const quotes = quotesAfter(node, text);
  if (quotes === undefined) return [node];
  const link = node as Link;
  const shown = (link.children[0] as { value: string }).value;
  const url = { ...link, url: link.url.slice(0, -quotes.length) };
  const label = { type: "text" as const, value: shown.slice(0, -quotes.length) };
  return [
    { ...url, children: [label] },
    { type: "text", value: shown.slice(-quotes.length) },
  ];
}

function quotesAtEnd(url: string): string | undefined {
  let start = url.length;
  while (start > 0 && /["'“”‘’]/.test(url[start - 1]!)) start--;
  return start < url.length ? url.slice(start) : undefined;
}
