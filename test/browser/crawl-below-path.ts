/**
 * Follows every link, asset, form and redirect of a site in a browser, and checks that all of them stay below
 * the site's path.
 */

import type { Page } from "playwright-core";
import { send } from "../service/service.ts";
import { type Complaints, settled } from "./chromium.ts";

/** Matches the target of a redirect page, for hosts without redirects. */
const refresh = /http-equiv="refresh" content="0; url=([^"]+)"/;

/** What a crawl found. URLs have no origin. */
export interface Crawl {
  /** Requested URLs outside of the path, and links to them, with the page that contains them. */
  outside: string[];
  /** URLs on the host with an error status. */
  broken: string[];
  pages: Set<string>;
  files: Set<string>;
}

/** Types of files whose text contains URLs. */
const textType = /^(?:text\/(?:markdown|plain|xml)|application\/(?:xml|rss\+xml))/;

export interface CrawledSite {
  /** URL of the host. */
  origin: string;
  basePath: string;
  /** URL that the site was built for. */
  siteUrl: string;
  /**
   * Whether to follow links in Markdown, feeds and sitemaps. Without a URL of the site, they contain paths
   * from the root of the host.
   */
  hasTextLinks?: boolean;
}

/** Crawls the site, beginning at the page that the browser shows. */
export async function crawlBelowPath(
  page: Page,
  { origin, basePath, siteUrl, hasTextLinks = true }: CrawledSite,
): Promise<Crawl> {
  const crawl: Crawl = { outside: [], broken: [], pages: new Set(), files: new Set() };
  const isInside = (path: string) => path === basePath || path.startsWith(`${basePath}/`);
  const waiting: string[] = [page.url()];
  const seen = new Set<string>();
  /** Adds a link on a page. Links to other hosts aren't followed. */
  const follow = (link: string, from: string) => {
    const url = new URL(
      link.startsWith(siteUrl) ? origin + basePath + link.slice(siteUrl.length) : link,
      from,
    );
    if (url.origin !== origin) return;
    if (!isInside(url.pathname)) crawl.outside.push(`${from.slice(origin.length)} → ${url.pathname}`);
    else waiting.push(url.origin + url.pathname + url.search);
  };
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin === origin && !isInside(url.pathname)) crawl.outside.push(`request: ${url.pathname}`);
  });
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    if (seen.has(url)) continue;
    seen.add(url);
    const path = url.slice(origin.length);
    const { status, headers, text } = await request(page, url);
    const type = String(headers["content-type"] ?? "");
    if (status >= 400) crawl.broken.push(`${status} ${path}`);
    else if (headers.location !== undefined) follow(String(headers.location), url);
    else if (refresh.test(text)) follow(refresh.exec(text)![1]!, url);
    else if (type.startsWith("text/html")) {
      crawl.pages.add(path);
      await page.goto(url);
      await settled(page);
      for (const link of await linksOf(page)) follow(link, page.url());
    } else {
      crawl.files.add(path);
      if (hasTextLinks && textType.test(type)) for (const link of linksIn(text)) follow(link, url);
    }
  }
  return crawl;
}

/**
 * Requests a URL of this machine with the browser's cookies. Host names don't have to be known to the system.
 * Redirects aren't followed.
 */
async function request(page: Page, url: string) {
  const { host, port, pathname, search } = new URL(url);
  const cookie = (await page.context().cookies(url)).map(({ name, value }) => `${name}=${value}`).join("; ");
  const headers = { accept: "text/html,*/*", ...(cookie ? { cookie } : {}) };
  return send({ port: Number(port), path: pathname + search, host, headers });
}

/** All URLs in attributes of the page, resolved as the browser does. */
function linksOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const names = ["href", "src", "action", "formaction", "poster", "data-disk", "data-src"];
    const found: string[] = [];
    for (const name of names)
      for (const element of document.querySelectorAll(`[${name}]`)) {
        const text = element.getAttribute(name)!;
        if (text !== "" && !/^(?:data|blob|mailto|javascript):|^#/.test(text))
          found.push(new URL(text, document.baseURI).href);
      }
    return found;
  });
}

/** URLs in the text of Markdown, a feed, a sitemap or robots.txt. */
function linksIn(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|<(?:loc|link)>([^<]+)</g)].map(
    ([, markdown, xml]) => (markdown ?? xml)!,
  );
  return [...links, ...[...text.matchAll(/^Sitemap: (\S+)$/gm)].map(([, url]) => url!)];
}

/** Removes the complaints about pages that are requested to be missing. */
export function exceptMissing(complaints: Complaints, path: string): void {
  complaints.list = complaints.list.filter((line) => !line.includes(path) && !/status of 404/.test(line));
}
