/** Finds the translations of a page, for `hreflang` links. */

import { canonicalUrl } from "../plan/absolute-urls.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import type { Site } from "../site/build-site.ts";
import { languageTag } from "../site/language-names.ts";
import type { Page } from "../site/page.ts";
import { defaultChild, isPage, type NavNode, type NavPage } from "../site/resolve-navigation.ts";
import { counterpart } from "./switch-target.ts";

interface Alternate {
  /** Language code, or `x-default`. */
  hreflang: string;
  href: string;
}

/**
 * Returns the URLs of a page's translations and of the page itself, by language. `x-default` is the page in
 * the site's default language. An empty list if the page has no translations or the site's URL is unknown.
 */
export function alternates(page: Page, context: { site: Site; target: ExportTarget }): Alternate[] {
  const position = context.site.navigation.positions.get(page.route);
  const here = position?.parent.chain.findLast(({ division }) => division.kind === "language");
  if (!position || !here?.parent || !isListed(page)) return [];

  const siblings = here.parent.children.filter(
    (child): child is NavNode => !isPage(child) && child.division.kind === "language",
  );

  const translations = siblings.flatMap((node): Alternate[] => {
    const other = node === here ? position : translationIn(node, here, position);
    const href = other && isListed(other.page) ? canonicalUrl(other.page, context) : undefined;
    if (href === undefined) return [];
    const isDefault = node === defaultChild(here.parent!);
    return [
      { hreflang: languageTag(node.division.label), href },
      ...(isDefault ? [{ hreflang: "x-default", href }] : []),
    ];
  });

  return new Set(translations.map(({ href }) => href)).size > 1 ? translations : [];
}

/**
 * Returns the translation of a page. Undefined if there is none, or if the page isn't the translation's
 * translation.
 */
function translationIn(node: NavNode, here: NavNode, position: NavPage): NavPage | undefined {
  if (node.division.hidden) return undefined;
  const other = counterpart(node, position);
  return other && counterpart(here, other)?.page === position.page ? other : undefined;
}

function isListed({ visibility, frontmatter }: Page): boolean {
  return visibility.sitemap && !frontmatter.canonical;
}
