/** Absolute URLs of a site and of its pages. */

import type { Site } from "../site/build-site.ts";
import type { Page } from "../site/site-page.ts";
import type { ExportTarget } from "./export-target.ts";

/** The canonical URL of a page: the one in its frontmatter, else its absolute URL. Undefined if neither is known. */
export function canonicalUrl(page: Page, { site, target }: { site: Site; target: ExportTarget }): string | undefined {
  if (page.frontmatter.canonical) return page.frontmatter.canonical;
  const base = originOf(site, target);
  if (base === undefined) return undefined;
  const slash = site.config.settings.seo?.trailingSlash && page.route ? "/" : "";
  return `${base}/${encodeURI(page.route)}${slash}`.replace(/\/$/, page.route && slash ? "/" : page.route ? "" : "/");
}

/** The site's URL without a trailing slash: the `canonical` meta tag in docs.json, else the target's origin. Undefined without either. */
export function originOf(site: Site, target: ExportTarget): string | undefined {
  const canonical = site.config.settings.seo?.metatags?.canonical;
  return (typeof canonical === "string" && /^https?:\/\//.test(canonical) ? canonical : target.origin)?.replace(/\/+$/, "");
}
