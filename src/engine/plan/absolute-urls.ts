/** Creates the absolute URLs of a site and its pages. */

import type { Site } from "../site/build-site.ts";
import type { Page } from "../site/page.ts";
import type { ExportTarget } from "./export-target.ts";

/**
 * Returns the canonical URL of a page: the one in its frontmatter, or else the page's absolute URL. Undefined
 * if neither is known.
 */
export function canonicalUrl(
  page: Page,
  { site, target }: { site: Site; target: ExportTarget },
): string | undefined {
  if (page.frontmatter.canonical) return page.frontmatter.canonical;
  const base = originOf(site, target);
  if (base === undefined) return undefined;
  const slash = site.config.settings.seo?.trailingSlash && page.route ? "/" : "";
  return `${base}/${encodeURI(page.route)}${slash}`.replace(
    /\/$/,
    page.route && slash ? "/" : page.route ? "" : "/",
  );
}

/**
 * Returns the site's URL without a trailing slash: the `canonical` meta tag in docs.json if it's an absolute
 * URL, or else the target's origin. Undefined if there is neither.
 */
export function originOf(site: Site, target: ExportTarget): string | undefined {
  const canonical = site.config.settings.seo?.metatags?.canonical;
  return (
    typeof canonical === "string" && /^https?:\/\//.test(canonical) ? canonical : target.origin
  )?.replace(/\/+$/, "");
}
