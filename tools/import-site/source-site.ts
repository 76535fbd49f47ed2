/**
 * Types of the data that an importer reads from a site before it converts the pages, and helpers for reading
 * the data.
 */

import type { Files } from "../../src/base/files.ts";
import { problem, type Report } from "../../src/base/problem.ts";
import type { ImportedEntry, SourcePage } from "./source-pages.ts";
import { DynamicValue } from "./static-values.ts";

export interface SourceSite {
  /** Settings for docs.json, without the theme, the navigation and the redirects. */
  settings: Record<string, unknown>;
  navigation: Record<string, unknown>;
  pages: SourcePage[];
  /**
   * Links in the sidebar that don't lead to an imported page, by the path of the page that is created for the
   * link.
   */
  linkPages: Map<string, { title: string; url: string }>;
  /** Labels of pages in the sidebar, by path. */
  labels: Map<string, string>;
  /** Folder of the pages. */
  docsFolder: string;
  /** Prefix of the old site's page URLs, such as `/docs`. Empty for none. */
  base: string;
  /** Folders whose files are copied: folder in the old site → folder in the new one. */
  assetFolders: ReadonlyMap<string, string>;
  /** Import aliases: prefix → folder in the old site. */
  aliases: ReadonlyMap<string, string>;
  /** Whether `.md` files are Markdown without JSX. */
  hasPlainMarkdown: boolean;
}

/**
 * Finds the path of a configuration file at the root of a site: `astro.config` → `astro.config.mjs`.
 * Undefined if there is none.
 */
export function configFile(files: Files, name: string): string | undefined {
  return files.paths.find(
    (path) => path.startsWith(`${name}.`) && /^[^/]+\.(?:js|mjs|cjs|ts|mts|cts|json)$/.test(path),
  );
}

/**
 * Reports a setting that isn't imported. `value`: the setting's value. If that is a `DynamicValue`, the
 * problem has its line.
 */
export function reportSetting(
  report: Report,
  file: string,
  value: unknown,
  message: string,
  hint: string,
): void {
  const line = value instanceof DynamicValue ? value.line : undefined;
  report(problem("import-left-out", { file, ...(line ? { line } : {}) }, message, hint));
}

/**
 * Collects the links of a sidebar that don't lead to an imported page. A page that only has a title and a URL
 * is created for each link.
 */
export class LinkPages {
  readonly pages = new Map<string, { title: string; url: string }>();
  /** Paths of the imported pages, in lower case. */
  private readonly taken: ReadonlySet<string>;

  constructor(imported: readonly SourcePage[]) {
    this.taken = new Set(imported.map(({ path }) => path.toLowerCase()));
  }

  /** Adds a page for a link. Returns the path of the page. */
  add(title: string, url: string): string {
    const slug =
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 60) || "link";
    let path = `links/${slug}`;
    for (let i = 2; this.pages.has(path) || this.taken.has(path); i++) path = `links/${slug}-${i}`;
    this.pages.set(path, { title, url });
    return path;
  }
}

/**
 * Creates a level of the navigation in docs.json: `groups` if all entries are groups, and otherwise `pages`.
 */
export function levelOf(entries: readonly ImportedEntry[]): Record<string, unknown> {
  return entries.length > 0 && entries.every((entry) => typeof entry !== "string")
    ? { groups: entries }
    : { pages: entries };
}

const socialHosts: Record<string, string> = {
  "github.com": "github",
  "discord.gg": "discord",
  "discord.com": "discord",
  "discordapp.com": "discord",
  "x.com": "x",
  "twitter.com": "x",
  "youtube.com": "youtube",
  "linkedin.com": "linkedin",
  "reddit.com": "reddit",
  "bsky.app": "bluesky",
  "facebook.com": "facebook",
  "instagram.com": "instagram",
  "t.me": "telegram",
};

/** Returns the first URL of each social network, by platform. */
export function socialsOf(urls: readonly (string | undefined)[]): Record<string, string> {
  const out: Record<string, string> = {};
  for (const url of urls) {
    const host = /^https:\/\/(?:www\.)?([^/?#]+)/.exec(url ?? "")?.[1];
    const platform = host && Object.hasOwn(socialHosts, host) ? socialHosts[host]! : undefined;
    if (platform) out[platform] ??= url!;
  }
  return out;
}
