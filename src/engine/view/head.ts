/**
 * Creates the content of `<head>`: title, icons, and metadata for search engines, link previews and feed
 * readers.
 */

import { escapeHtml } from "../../base/html-text.ts";
import { faviconPath } from "../../layout/site-layout.ts";
import { renderedText } from "../page/inline-html.tsx";
import { safeHref } from "../page/safe-href.ts";
import { feedFile, folderOf, markdownFile } from "../paths.ts";
import { canonicalUrl, originOf } from "../plan/absolute-urls.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import type { PageUrls } from "../plan/page-urls.ts";
import type { Site } from "../site/build-site.ts";
import { fileAddress, isServedOrExternal } from "../site/navigation/link-targets.ts";
import type { Page } from "../site/page.ts";
import { alternates } from "./alternates.ts";

interface HeadContext {
  site: Site;
  target: ExportTarget;
  urls: PageUrls;
}

/**
 * Matches the names of meta tags whose content is a URL. A tag is left out if its URL has an unsafe scheme.
 */
const isUrlTag = /^(?:og|twitter):(?:url|(?:image|video|audio|player)(?::(?:url|secure_url|src|stream))?)$/;

export function headHtml(
  page: Page,
  crumbs: readonly { label: string; href?: string }[],
  context: HeadContext,
): string {
  const { site, urls } = context;
  const { settings } = site.config;
  const { frontmatter } = page;
  const canonical = canonicalUrl(page, context);
  const title = pageTitle(page, settings.name);
  const source =
    frontmatter.description ?? ((page.reference && page.summary.firstWords) || settings.description);
  const description = source && renderedText(source);
  const robots = page.visibility.noindex ? "noindex" : undefined;

  const tags = new Map<string, string | undefined>([
    ["description", description],
    ["robots", robots],
    ["generator", "Octavo"],
    ["application-name", settings.name],
    ["theme-color", settings.colors.primary],
    ["og:type", "website"],
    ["og:site_name", settings.name],
    ["og:title", frontmatter.title ?? title],
    ["og:description", description],
    ["og:url", canonical],
    ["twitter:card", "summary_large_image"],
  ]);

  for (const [name, value] of Object.entries(settings.seo?.metatags ?? {}))
    if (name !== "canonical") tags.set(name, String(value));
  for (const [name, value] of folderTags(page, site)) tags.set(name, value);
  if (frontmatter.keywords) tags.set("keywords", frontmatter.keywords.join(", "));
  if (frontmatter.starterQuestions)
    tags.set("octavo:questions", frontmatter.starterQuestions.slice(0, 3).join("\n"));

  for (const [name, value] of Object.entries(frontmatter)) {
    if ((/^(?:og|twitter|article|fb):/.test(name) || name === "robots") && typeof value !== "object")
      tags.set(name, String(value));
  }

  tags.set("twitter:title", tags.get("twitter:title") ?? tags.get("og:title"));
  tags.set("twitter:description", tags.get("twitter:description") ?? tags.get("og:description"));

  for (const name of ["og:image", "twitter:image"]) {
    const image = tags.get(name) ?? tags.get("og:image");
    if (image)
      tags.set(
        name,
        /^https?:/i.test(image)
          ? image
          : (context.target.origin ?? "") + fileAddress(image, folderOf(page.file), site.linkTargets),
      );
  }

  if (tags.get("og:image")) {
    tags.set("og:image:width", tags.get("og:image:width") ?? "1200");
    tags.set("og:image:height", tags.get("og:image:height") ?? "630");
  }

  const out = [`<title>${escapeHtml(title)}</title>`];
  for (const [name, value] of tags) {
    if (value && !(isUrlTag.test(name) && safeHref(value) === "#"))
      out.push(
        `<meta ${/^(?:og|article|fb):/.test(name) ? "property" : "name"}="${escapeHtml(name)}" content="${escapeHtml(value)}">`,
      );
  }

  if (canonical) out.push(link("canonical", canonical));
  for (const { hreflang, href } of alternates(page, context))
    out.push(`<link rel="alternate" hreflang="${hreflang}" href="${escapeHtml(href)}">`);
  out.push(...iconLinks(site, urls), link("sitemap", urls.file("sitemap.xml"), "application/xml"));
  // The link relation of llms.txt, version 2.
  out.push(link("describedby", urls.file("llms.txt"), "text/markdown"));
  if (page.visibility.llms) out.push(link("alternate", urls.file(markdownFile(page.route)), "text/markdown"));
  if (page.summary.feed.length)
    out.push(link("alternate", urls.file(feedFile(page.route)), "application/rss+xml"));

  const origin = originOf(site, context.target);

  // A page can have a canonical URL even if the site's URL is unknown.
  if (!page.visibility.noindex && canonical && origin)
    out.push(jsonLd(page, crumbs, { canonical, origin }, site));
  return out.join("");
}

/**
 * Returns a text for AI agents that read the page's HTML: the URL of llms.txt, which is absolute if the
 * site's URL is known. The head names the page's Markdown.
 */
export function agentHint({ site, target, urls }: HeadContext): string {
  const origin = originOf(site, target);
  return `For AI agents: ${origin === undefined ? urls.root || "./" : `${origin}/`}llms.txt lists all pages.`;
}

function pageTitle(page: Page, siteName: string): string {
  return page.title === siteName ? siteName : `${page.title} - ${siteName}`;
}

function folderTags(page: Page, site: Site): [string, string][] {
  const rules = site.config.settings.seo?.paths ?? [];
  return rules
    .filter((rule) => `/${page.route}/`.startsWith(`/${rule.path.replace(/^\/|\/$/g, "")}/`))
    .sort((a, b) => a.path.length - b.path.length)
    .flatMap((rule) => Object.entries(rule.metatags));
}

function link(rel: string, href: string, type?: string): string {
  return `<link rel="${rel}"${type ? ` type="${type}"` : ""} href="${escapeHtml(href)}">`;
}

/** Returns the favicon in docs.json. Undefined if there is none or a file is missing. */
export function ownFavicon(site: Site): Site["config"]["settings"]["favicon"] {
  const { favicon } = site.config.settings;
  const urls = typeof favicon === "object" ? [favicon.light, favicon.dark] : [favicon];
  return urls.every((address) => address && isServedOrExternal(address, site.linkTargets))
    ? favicon
    : undefined;
}

/**
 * Returns the content of `<head>` for a page that isn't part of the documentation: title, icons and
 * `noindex`.
 */
export function plainHead(title: string, site: Site, urls: PageUrls): string {
  return [
    `<title>${escapeHtml(title)}</title>`,
    '<meta name="robots" content="noindex">',
    ...iconLinks(site, urls),
  ].join("");
}

function iconLinks(site: Site, urls: PageUrls): string[] {
  const favicon = ownFavicon(site);
  if (!favicon) return [link("icon", urls.file(faviconPath), "image/svg+xml")];
  if (typeof favicon === "string") return [`<link rel="icon" href="${escapeHtml(urls.link(favicon).href)}">`];
  return (["light", "dark"] as const).map(
    (mode) =>
      `<link rel="icon" href="${escapeHtml(urls.link(favicon[mode]).href)}" media="(prefers-color-scheme:${mode})">`,
  );
}

function jsonLd(
  page: Page,
  crumbs: readonly { label: string }[],
  { canonical, origin }: { canonical: string; origin: string },
  site: Site,
): string {
  const { settings } = site.config;
  const own = settings.seo?.organization;
  const organization = {
    "@type": "Organization",
    "@id": own?.id ?? `${origin}/#organization`,
    name: own?.name ?? settings.name,
    url: own?.url ?? origin,
    ...(own?.legalName ? { legalName: own.legalName } : {}),
    ...(own?.logo ? { logo: own.logo } : {}),
    ...(own?.sameAs ? { sameAs: own.sameAs } : {}),
  };

  const publisher = { "@id": organization["@id"] };
  const graph = [
    organization,
    { "@type": "WebSite", "@id": `${origin}/#website`, url: origin, name: settings.name, publisher },
    {
      "@type": "WebPage",
      "@id": canonical,
      url: canonical,
      name: page.title,
      isPartOf: { "@id": `${origin}/#website` },
    },
    {
      "@type": "BreadcrumbList",
      itemListElement: [...crumbs.map((crumb) => crumb.label), page.title].map((name, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name,
      })),
    },
    {
      "@type": page.frontmatter.api || page.frontmatter.openapi ? "APIReference" : "TechArticle",
      headline: page.title,
      ...(page.frontmatter.description ? { description: page.frontmatter.description } : {}),
      url: canonical,
      publisher,
    },
  ];

  return `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replace(/</g, "\\u003c")}</script>`;
}
