/** Lists the links and images of content, for the link check. */

import { type ContentElement, type ContentNode, visitElements } from "../../content.ts";
import { safeUrl } from "../../html/safe-attributes.ts";
import type { PageLink } from "../page.ts";

/** Returns the links and images of content within the site. */
export function linksIn(nodes: readonly ContentNode[]): PageLink[] {
  const links: PageLink[] = [];
  visitElements(nodes, (node) => {
    links.push(...linksOf(node));
  });
  return links;
}

/** Returns the URLs within the site in an element's attributes, and those of links with unsafe schemes. */
export function linksOf({ name: element, props, line, column }: ContentElement): PageLink[] {
  const links: PageLink[] = [];
  const place = line ? { line, ...(column === undefined ? {} : { column }) } : {};
  for (const name of ["href", "src", "poster", "img"] as const) {
    const address = props[name];
    if (typeof address !== "string" || address === "#") continue;
    const isUnsafe = name === "href" && safeUrl(address) === undefined;
    if (!isUnsafe && !/^[/#](?!\/)/.test(address)) continue;
    links.push({ address, kind: linkKind(element, name), ...place });
  }

  for (const set of [props.srcSet, props.srcset])
    for (const address of typeof set === "string"
      ? set.split(/\s+/).map((part) => part.replace(/,$/, ""))
      : [])
      if (/^\/(?!\/)/.test(address)) links.push({ address, kind: "image", ...place });

  return links;
}

/** Returns the kind of the URL in an attribute of an element. */
function linkKind(element: string, attribute: string): PageLink["kind"] {
  if (element === "script") return "script";
  if (attribute !== "href") return "image";
  return element === "link" ? "style" : "link";
}
