/** Reads the configuration, pages and sidebar of a Starlight site. */

import { type Files, readText } from "../../src/base/files.ts";
import type { Report } from "../../src/base/problem.ts";
import { titleFromSlug } from "../../src/base/title-from-slug.ts";
import { normalizePath } from "../../src/engine/paths.ts";
import {
  FolderNavigation,
  type ImportedEntry,
  type PagePlace,
  readPages,
  type SourcePage,
} from "./source-pages.ts";
import { configFile, LinkPages, levelOf, reportSetting, type SourceSite, socialsOf } from "./source-site.ts";
import {
  DynamicValue,
  isRecord,
  listAt,
  readStaticExport,
  StaticCall,
  textAt,
  valueAt,
} from "./static-values.ts";

const docsFolder = "src/content/docs";

/**
 * Reads a Starlight site and reports what can't be converted. If its configuration can't be read, uses
 * Starlight's defaults.
 */
export function starlightSite(files: Files, report: Report): SourceSite {
  const file = configFile(files, "astro.config") ?? "astro.config.mjs";
  const astro = files.size(file) > 0 ? readStaticExport(file, readText(files, file)!) : new DynamicValue();
  const call = listAt(astro, "integrations").find(
    (entry) => entry instanceof StaticCall && entry.name === "starlight",
  );
  const config = call instanceof StaticCall ? call.args[0] : new DynamicValue();
  if (!isRecord(config))
    reportSetting(
      report,
      file,
      config,
      "The settings of `starlight()` weren't imported, because they can't be read without running the file",
      "Set `name`, `logo` and `favicon` in docs.json.",
    );
  const pages = readPages(files, docsFolder, placeOf, report);
  const links = new LinkPages(pages);
  const labels = new Map<string, string>();
  const sidebar = valueAt(config, "sidebar");
  if (sidebar !== undefined && !Array.isArray(sidebar))
    reportSetting(
      report,
      file,
      sidebar,
      "The sidebar wasn't imported, because it can't be read without running the file",
      "The navigation was generated from the folders. Change it in docs.json.",
    );
  const locales = localesOf(config);
  const levels = locales.map((locale) => {
    const others = new Set(
      locales.map(({ folder }) => folder).filter((folder) => folder && folder !== locale.folder),
    );
    const folders = new FolderNavigation(pages, (folder) =>
      others.has(folder)
        ? undefined
        : {
            label: titleFromSlug(folder.slice(folder.lastIndexOf("/") + 1)),
            position: Number.MAX_VALUE,
            hasRoot: false,
          },
    );
    const reader = new SidebarReader(pages, folders, locale.folder, links, labels, file, report);
    return {
      language: locale.language,
      ...levelOf(Array.isArray(sidebar) ? reader.entries(sidebar) : folders.entries(locale.folder)),
    };
  });
  const { language: _, ...only } = levels[0]!;
  return {
    settings: settingsOf(files, config),
    navigation: levels.length > 1 ? { languages: levels } : only,
    pages,
    linkPages: links.pages,
    labels,
    docsFolder,
    base: `/${normalizePath("", textAt(astro, "base") ?? "") ?? ""}`.replace(/\/$/, ""),
    assetFolders: new Map([
      ["public", ""],
      ["src/assets", "assets"],
    ]),
    aliases: new Map([
      ["~/", "src/"],
      ["@/", "src/"],
      ["@assets/", "src/assets/"],
    ]),
    hasPlainMarkdown: true,
  };
}

interface Locale {
  folder: string;
  language: string;
}

/** Returns the languages of the site, the default one first. */
function localesOf(config: unknown): Locale[] {
  const locales = valueAt(config, "locales");
  if (!isRecord(locales) || Object.keys(locales).length === 0) return [{ folder: "", language: "en" }];
  const first = textAt(config, "defaultLocale") ?? "root";
  return Object.keys(locales)
    .sort((a, b) => Number(b === first || b === "root") - Number(a === first || a === "root"))
    .map((key) => ({
      folder: key === "root" ? "" : key,
      language: textAt(locales, key, "lang") ?? (key === "root" ? "en" : key),
    }));
}

function placeOf(relative: string, frontmatter: Record<string, unknown>): PagePlace {
  const path = relative
    .replace(/\.mdx?$/, "")
    .split("/")
    .map((part) =>
      part
        .toLowerCase()
        .replace(/\s/g, "-")
        .replace(/[^\p{L}\p{N}_-]/gu, ""),
    )
    .join("/");
  const sidebar = frontmatter.sidebar;
  const order = valueAt(sidebar, "order");
  return {
    id: path.replace(/(?:^|\/)index$/, ""),
    path,
    // An index page comes before pages without an order.
    position:
      typeof order === "number"
        ? order
        : /(?:^|\/)index$/.test(path)
          ? Number.MAX_SAFE_INTEGER
          : Number.MAX_VALUE,
    isListed: valueAt(sidebar, "hidden") !== true,
  };
}

function settingsOf(files: Files, config: unknown): Record<string, unknown> {
  /** Returns the new URL of a file in `src/assets` or `public`. */
  const served = (path: string | undefined) => {
    const found = path && normalizePath("", path);
    if (!found) return undefined;
    if (found.startsWith("src/assets/") && files.size(found) > 0) return `/${found.slice("src/".length)}`;
    const inPublic = found.replace(/^public\//, "");
    return files.size(`public/${inPublic}`) > 0 ? `/${inPublic}` : undefined;
  };
  const light = served(textAt(config, "logo", "src") ?? textAt(config, "logo", "light"));
  const dark = served(textAt(config, "logo", "dark")) ?? light;
  const favicon = served(textAt(config, "favicon") ?? "/favicon.svg");
  const description = textAt(config, "description");
  const social = valueAt(config, "social");
  const urls = isRecord(social)
    ? Object.keys(social).map((key) => textAt(social, key))
    : listAt(social).map((entry) => textAt(entry, "href"));
  const socials = socialsOf(urls);
  const title = valueAt(config, "title");
  return {
    name:
      textAt(config, "title") ??
      (isRecord(title) ? textAt(title, Object.keys(title)[0] ?? "") : undefined) ??
      "Documentation",
    ...(description ? { description } : {}),
    colors: { primary: "#2F5BD7" },
    ...(light && dark ? { logo: { light, dark } } : {}),
    ...(favicon ? { favicon } : {}),
    ...(Object.keys(socials).length ? { footer: { socials } } : {}),
  };
}

/** Converts the entries of `sidebar` for one language. */
class SidebarReader {
  private readonly byId: ReadonlyMap<string, SourcePage>;

  constructor(
    pages: readonly SourcePage[],
    private readonly folders: FolderNavigation,
    private readonly locale: string,
    private readonly links: LinkPages,
    private readonly labels: Map<string, string>,
    private readonly file: string,
    private readonly report: Report,
  ) {
    this.byId = new Map(pages.map((page) => [page.path.replace(/(?:^|\/)index$/, ""), page]));
  }

  entries(items: readonly unknown[]): ImportedEntry[] {
    return items.flatMap((item) => this.entry(item));
  }

  private entry(item: unknown): ImportedEntry[] {
    const label = textAt(item, "label");
    const slug = typeof item === "string" ? item : (valueAt(item, "slug") as unknown);
    if (typeof slug === "string") return this.page(slug, label, undefined);
    const link = textAt(item, "link");
    if (link) return this.page(link.replace(/[?#].*$/, ""), label, link);
    const directory = textAt(item, "autogenerate", "directory");
    const isGroup = directory !== undefined || Array.isArray(valueAt(item, "items"));
    if (!isGroup) {
      reportSetting(
        this.report,
        this.file,
        item,
        "A sidebar entry wasn't imported, because it can't be read without running the file",
        "Add the entry to `navigation` in docs.json.",
      );
      return [];
    }
    const pages =
      directory === undefined
        ? this.entries(listAt(item, "items"))
        : this.folders.entries(normalizePath(this.locale, directory) ?? "");
    const tag = textAt(item, "badge") ?? textAt(item, "badge", "text");
    return pages.length
      ? [{ group: label ?? titleFromSlug(directory ?? "More"), ...(tag ? { tag } : {}), pages }]
      : [];
  }

  /**
   * Returns the entry for the page with a slug, or for a new page that links to a URL outside the imported
   * pages. Empty if there is neither.
   */
  private page(slug: string, label: string | undefined, link: string | undefined): ImportedEntry[] {
    const isExternal = link !== undefined && /^[a-z][a-z0-9+.-]*:/i.test(link);
    const page = isExternal
      ? undefined
      : this.byId.get(normalizePath(this.locale, slug.replace(/^\/+/, "")) ?? "");
    if (page) {
      if (label && !this.locale) this.labels.set(page.path, label);
      return [page.path];
    }
    if (link !== undefined && label) return [this.links.add(label, link)];
    if (!this.locale)
      reportSetting(
        this.report,
        this.file,
        undefined,
        `The sidebar refers to the page "${slug}", which wasn't imported`,
        "Add the entry to `navigation` in docs.json.",
      );
    return [];
  }
}
