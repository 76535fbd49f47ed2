/** Determines the title of a page. */

import { titleFromSlug } from "../../base/title-from-slug.ts";
import type { Frontmatter } from "../config/frontmatter.ts";
import { type ContentNode, textOf } from "../content.ts";
import { titleIn } from "../openapi/operation.ts";
import { ownText } from "../openapi/refs.ts";
import { documentTitle } from "./document-overview.ts";
import type { PageReference } from "./page-reference.ts";

export function titleOfReference(reference: PageReference | undefined): string | undefined {
  if (reference?.kind === "document") return documentTitle(reference.document);
  if (reference?.kind === "schema") return ownText(reference.schema.value, "title") ?? reference.name;
  return (reference && titleIn(reference.entry.kind, reference.entry.node.value)) || undefined;
}

export function titleOfRoute(route: string): string {
  return titleFromSlug(route.split("/").at(-1) || "home");
}

/**
 * Returns the title of a page: the title in the frontmatter, or else the level-1 heading at the start of the
 * page, or else `fallback`. If the heading is the title, removes it from the body.
 */
export function splitTitle(
  nodes: ContentNode[],
  frontmatter: Frontmatter,
  fallback: string,
): { title: string; body: ContentNode[] } {
  const index = nodes.findIndex((node) => typeof node !== "string" || node.trim() !== "");
  const first = nodes[index];
  const heading =
    first !== undefined && typeof first !== "string" && first.name === "h1"
      ? textOf(first).trim()
      : undefined;
  const isTitle = heading !== undefined && (frontmatter.title === undefined || frontmatter.title === heading);
  return {
    title: frontmatter.title ?? heading ?? fallback,
    body: isTitle ? nodes.toSpliced(index, 1) : nodes,
  };
}
