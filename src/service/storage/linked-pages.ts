/** Finds the titles and URLs of a live site's pages, for lists that only contain paths. */

import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { mayRead } from "../../base/access.ts";
import { pathBelow } from "../../base/base-path.ts";
import type { SiteDirectory } from "../../host/hosted-site.ts";
import { accessOf, fileAt } from "../../host/manifest-files.ts";
import { pageAt } from "../../host/page-paths.ts";
import type { TablesOfSites } from "../../host/site-tables.ts";
import type { ManifestEntry } from "../../layout/site-manifest.ts";

/** A page of the live site. */
export interface LinkedPage {
  url: string;
  /** Title of the page. Undefined if the page is restricted to reader groups, or its title is unknown. */
  title: string | undefined;
}

/** Maximum number of cached titles, of all sites. */
const titles_count = 20_000;
/** Number of bytes that are read from a page's Markdown to find the title, which is in the first line. */
const titleLine_bytes = 400;
/** Maximum number of files that are read at the same time for one list. */
const reads_count = 8;

export class LinkedPages {
  private readonly sites: SiteDirectory;
  private readonly tables: TablesOfSites;
  /** Titles by content hash. An empty string means that the title is unknown. */
  private readonly titles = new LRUCache<string, string>({ max: titles_count });

  constructor(sites: SiteDirectory, tables: TablesOfSites) {
    this.sites = sites;
    this.tables = tables;
  }

  /**
   * Returns the pages at the given paths, by path. A path can have a query and a fragment, and start with the
   * path that the site is below. Paths without a page are left out. If the object store can't be read, some
   * or all pages are missing. `host`: default host of the site. `url`: base URL of the links.
   */
  async of(
    { host, url }: { host: string; url: string },
    paths: Iterable<string>,
  ): Promise<ReadonlyMap<string, LinkedPage>> {
    const found = new Map<string, LinkedPage>();
    const limit = pLimit(reads_count);
    try {
      const site = await this.sites.byHost(host, "/");
      if (!site) return found;
      const tables = await this.tables.of(site);
      const read = async (path: string) => {
        const page = pageAt(pathBelow(path, tables.redirects.basePath) ?? path, site, tables);
        if (!page) return;
        const markdown = page.file.replace(/\.html$/, ".md");
        const entry = mayRead(accessOf(site, markdown), { groups: [] })
          ? fileAt(site.manifest, markdown)
          : undefined;
        const route = page.path.split("/").map(encodeURIComponent).join("/");
        found.set(path, { url: url + route, title: (entry && (await this.titleOf(entry))) || undefined });
      };
      await Promise.all([...new Set(paths)].map((path) => limit(read, path)));
    } catch {
      // The lists are useful without titles.
    }

    return found;
  }

  private async titleOf(entry: ManifestEntry): Promise<string> {
    const cached = this.titles.get(entry.hash);
    if (cached !== undefined) return cached;
    if (entry.bytes === 0) return "";
    const chunks: Buffer[] = [];
    const end = Math.min(entry.bytes, titleLine_bytes) - 1;
    for await (const chunk of await this.sites.open(entry, undefined, { start: 0, end }))
      chunks.push(chunk as Buffer);
    const title = /^# (.+)\n/.exec(Buffer.concat(chunks).toString())?.[1]?.trim() ?? "";
    this.titles.set(entry.hash, title);
    return title;
  }
}
