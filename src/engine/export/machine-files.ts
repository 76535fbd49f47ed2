/** Creates files for crawlers, feed readers and language models. */

import { byCodeUnit } from "../../base/files.ts";
import { escapeHtml } from "../../base/html-text.ts";
import { plainLine } from "../../base/one-line.ts";
import { schemaPath } from "../../layout/site-layout.ts";
import { messagesOf } from "../i18n/locales.ts";
import { hashOfData } from "../incremental/hash-of-data.ts";
import { memo } from "../incremental/memo.ts";
import { type RunSize, runsOf } from "../incremental/runs.ts";
import { canonicalUrl, originOf } from "../plan/absolute-urls.ts";
import type { Audiences } from "../plan/audiences.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import { type FileContent, type FilePart, joinedParts } from "../plan/file-content.ts";
import type { Site } from "../site/build-site.ts";
import { entryDate } from "../site/navigation/entry-date.ts";
import { pagesInOrder } from "../site/navigation/pages-in-order.ts";
import type { Page, StoredCut } from "../site/page.ts";
import { fragmentsOf } from "../site/pages/compile-fragments.ts";
import { fragmentParts, linksBelow, markdownParts } from "../site/pages/page-markdown.ts";
import { alternates } from "../view/alternates.ts";
import { linkData } from "./file-keys.ts";
import { instructions, llmsPages, markdownUrl } from "./llms-index.ts";
import { RepeatedBlocks } from "./repeated-blocks.ts";

/** Number of pages whose text is kept together for llms-full.txt. */
const textRun_pages: RunSize = { min: 16, usual: 64, max: 256 };
/** Maximum number of items in an RSS feed. */
const rssItems_count = 15;

/** Returns the text of sitemap.xml. `changedAt`: returns when a file was last changed, in ISO 8601 format. */
export function sitemap(
  site: Site,
  target: ExportTarget,
  changedAt: (file: string) => string | undefined,
): string {
  let hasTranslations = false;
  const urls = pagesInOrder(site)
    // A page whose frontmatter has a canonical URL belongs in the sitemap of that URL's site.
    .filter((page) => page.visibility.sitemap && !page.frontmatter.canonical)
    .map((page) => {
      const translations = alternates(page, { site, target });
      if (translations.length) hasTranslations = true;
      const links = translations.map(
        ({ hreflang, href }) =>
          `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escapeHtml(href)}"/>`,
      );
      const url = canonicalUrl(page, { site, target }) ?? `/${encodeURI(page.route)}`;
      const { lastUpdatedDate } = page.frontmatter;
      const date = lastUpdatedDate === undefined ? changedAt(page.file) : entryDate(lastUpdatedDate);
      return `<url><loc>${escapeHtml(url)}</loc>${date === undefined ? "" : `<lastmod>${date}</lastmod>`}${links.join("")}</url>`;
    });

  const namespace = hasTranslations ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : "";
  return validXml(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${namespace}>\n${urls.join("\n")}\n</urlset>\n`,
  );
}

/**
 * Returns the text of robots.txt. Links to the sitemap only if the site's URL is known, because crawlers
 * ignore relative sitemap URLs.
 */
export function robots(site: Site, target: ExportTarget): string {
  const origin = originOf(site, target);
  const sitemapLine = origin === undefined ? "" : `\nSitemap: ${origin}/sitemap.xml\n`;
  return `User-agent: *\nContent-Signal: ai-train=yes, search=yes, ai-input=yes\nAllow: /\n${sitemapLine}`;
}

/**
 * Yields llms-full.txt in chunks of UTF-8: the full text of the pages, for language models. A chunk is valid
 * until the next one is requested.
 */
export function* llmsFullTxt(site: Site, target: ExportTarget, audiences: Audiences): Generator<Uint8Array> {
  const { settings } = site.config;
  const head = [
    `# ${plainLine(settings.name)}`,
    ...(settings.description ? [`> ${settings.description}`] : []),
    ...instructions(site),
  ];

  yield Buffer.from(`${head.join("\n\n")}\n`);
  // Links that start with the base path also depend on other pages and files.
  const { pages, basePath } = site.linkTargets;
  const linkInputs = basePath ? [hashOfData([[...pages.keys()], linkData(site.linkTargets)])] : [];
  const listed = llmsPages(site, audiences);
  for (const run of runsOf(listed, ({ route }) => route, textRun_pages)) {
    const inputs = run.map((page) => [page.route, page.title, site.bodies.version(page.storedName)]);
    const key = hashOfData([linkRoot(site, target), settings.markdown, inputs, ...linkInputs]);
    yield memo(site.store, `llms\n${run[0]!.route}`, key, () => {
      const blocks = new RepeatedBlocks();
      return joinedParts(run.flatMap((page) => llmsText(page, site, target, blocks)));
    });
  }

  if (settings.markdown?.schema === false) return;

  for (const id of fragmentsOf(listed, site)) {
    const source = `${originOf(site, target) ?? ""}/${schemaPath(id)}`;
    const head = `\n# ${plainLine(site.fragments.get(id)!.name)}\n\nSource: ${source}\n\n`;
    yield joinedParts([head, ...fragmentParts(id, site, linkRoot(site, target))]);
  }
}

/** Blocks of the page's reference that earlier pages in `blocks` contain are replaced by links. */
function llmsText(page: Page, site: Site, target: ExportTarget, blocks: RepeatedBlocks): FilePart[] {
  const { description } = page.frontmatter;
  const url = markdownUrl(page, site, target).replace(/\.md$/, "");
  const head = `\n# ${plainLine(page.title)}\n\nSource: ${url}\n\n${description ? `${description}\n\n` : ""}`;
  const { sameAs } = messagesOf(site.languageOf(page.route)).site;
  const parts = markdownParts(page, site, linkRoot(site, target)).map((part) =>
    typeof part === "string"
      ? part
      : blocks.replaceIn(part.toString(), { title: plainLine(page.title), url, sameAs }),
  );
  return [head, ...parts, "\n"];
}

/** Returns the content of a page's Markdown file. */
export function markdownText(page: Page, site: Site, target: ExportTarget): FileContent {
  const { description } = page.frontmatter;
  const head = [
    `# ${plainLine(page.title)}`,
    `> Index of this documentation: [llms.txt](${linkRoot(site, target)}/llms.txt)`,
    ...(description ? [`> ${description}`] : []),
    ...instructions(site),
  ].join("\n\n");
  const parts = markdownParts(page, site, linkRoot(site, target));
  return [head, ...(parts.length ? ["\n\n", ...parts] : []), "\n"];
}

/** Returns the content of the Markdown file of a schema that pages share. */
export function schemaText({ id, name }: StoredCut, site: Site, target: ExportTarget): FileContent {
  return [`# ${plainLine(name)}\n\n`, ...fragmentParts(id, site, linkRoot(site, target))];
}

export function feed(page: Page, site: Site, target: ExportTarget): string {
  const url = canonicalUrl(page, { site, target }) ?? `/${encodeURI(page.route)}`;
  const items = page.summary.feed.slice(0, rssItems_count).map((item) => {
    const link = escapeHtml(`${url}#${encodeURIComponent(item.id)}`);
    const date = item.date === undefined ? "" : `<pubDate>${feedDate(item.date)}</pubDate>`;
    return `<item><title>${escapeHtml(plainLine(item.title))}</title><link>${link}</link><guid isPermaLink="true">${link}</guid>${date}<description>${escapeHtml(absoluteLinks(linksBelow(item.description, "", site.linkTargets), originOf(site, target)))}</description></item>`;
  });
  const title = escapeHtml(plainLine(`${site.config.settings.name} - ${page.title}`));
  const newest = page.summary.feed
    .flatMap(({ date }) => date ?? [])
    .sort(byCodeUnit)
    .at(-1);
  const built = newest === undefined ? "" : `<lastBuildDate>${feedDate(newest)}</lastBuildDate>`;
  return validXml(
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${title}</title><link>${escapeHtml(url)}</link><description>${escapeHtml(page.frontmatter.description ?? page.title)}</description>${built}\n${items.join("\n")}\n</channel></rss>\n`,
  );
}

/** Drops the characters that XML 1.0 forbids. */
function validXml(xml: string): string {
  return xml.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
}

/** Returns a date in the format of RSS. */
function feedDate(date: string): string {
  return new Date(date).toUTCString();
}

/** Makes root-relative links absolute, since feed readers can't resolve them. */
function absoluteLinks(markdown: string, origin: string | undefined): string {
  return origin ? markdown.replaceAll("](/", `](${origin}/`) : markdown;
}

/** Returns the start of root-relative links in Markdown: the site's URL, or nothing if it's unknown. */
function linkRoot(site: Site, target: ExportTarget): string {
  return originOf(site, target) ?? "";
}
