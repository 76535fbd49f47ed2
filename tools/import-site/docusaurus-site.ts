/** Reads the configuration, pages and sidebars of a Docusaurus site. */

import { parse } from "yaml";
import { type Files, readText } from "../../src/base/files.ts";
import type { Report } from "../../src/base/problem.ts";
import { titleFromSlug } from "../../src/base/title-from-slug.ts";
import { normalizePath } from "../../src/engine/paths.ts";
import {
  FolderNavigation,
  type ImportedEntry,
  type ImportedGroup,
  type PagePlace,
  readPages,
  type SourcePage,
} from "./source-pages.ts";
import { configFile, LinkPages, levelOf, reportSetting, type SourceSite, socialsOf } from "./source-site.ts";
import { DynamicValue, isRecord, listAt, readStaticExport, textAt, valueAt } from "./static-values.ts";

/**
 * Reads a Docusaurus site and reports what can't be converted. If its configuration can't be read, uses
 * Docusaurus's defaults.
 */
export function docusaurusSite(files: Files, report: Report): SourceSite {
  const file = configFile(files, "docusaurus.config");
  const config = file ? readStaticExport(file, readText(files, file)!) : new DynamicValue();
  const configName = file ?? "docusaurus.config.js";
  if (config instanceof DynamicValue)
    reportSetting(
      report,
      configName,
      config,
      "The configuration wasn't imported, because it can't be read without running it",
      "Set `name`, `logo` and `favicon` in docs.json.",
    );
  const options = docsOptions(config);
  const docsFolder = normalizePath("", textAt(options, "path") ?? "docs") ?? "docs";
  const base = `/${normalizePath("", textAt(options, "routeBasePath") ?? "docs") ?? "docs"}`.replace(
    /\/$/,
    "",
  );
  const pages = readPages(files, docsFolder, placeOf, report);
  const links = new LinkPages(pages);
  const labels = new Map<string, string>();
  const folders = new FolderNavigation(pages, (folder) => categoryOf(files, docsFolder, folder));
  const sidebarFile =
    files.paths.find((path) => path === normalizePath("", textAt(options, "sidebarPath") ?? "")) ??
    configFile(files, "sidebars");
  const sidebars = sidebarFile ? readStaticExport(sidebarFile, readText(files, sidebarFile)!) : undefined;
  if (sidebars instanceof DynamicValue)
    reportSetting(
      report,
      sidebarFile!,
      sidebars,
      "The sidebars weren't imported, because they can't be read without running the file",
      "The navigation was generated from the folders. Change it in docs.json.",
    );
  const reader = new SidebarReader(pages, folders, links, labels, sidebarFile ?? "sidebars.js", report);
  reportFolders(files, report);
  if (listAt(config, "themeConfig", "footer", "links").length)
    reportSetting(
      report,
      configName,
      undefined,
      "The footer's links weren't imported, except for social media links",
      "Add them to `footer.links` in docs.json.",
    );
  return {
    settings: settingsOf(files, config),
    navigation: isRecord(sidebars) ? reader.navigation(sidebars, config) : levelOf(folders.entries("")),
    pages,
    linkPages: links.pages,
    labels,
    docsFolder,
    base,
    assetFolders: new Map([["static", ""]]),
    aliases: new Map([["@site/", ""]]),
    hasPlainMarkdown: false,
  };
}

/** Returns the options of the docs plugin in the preset. Undefined if there are none. */
function docsOptions(config: unknown): unknown {
  const preset = listAt(config, "presets").find((entry) => valueAt(entry, 1, "docs") !== undefined);
  return valueAt(preset, 1, "docs");
}

/** Matches a file name that starts with a number, unless the number is part of a date or a version. */
const prefix = /^(?!\d+[-_.]\d+)(\d+)\s*[-_.]+\s*([^-_.\s].*)$/;

function placeOf(relative: string, frontmatter: Record<string, unknown>): PagePlace {
  const parts = relative.replace(/\.mdx?$/, "").split("/");
  const names = parts.map((part) => prefix.exec(part)?.[2] ?? part);
  const name = names.pop()!;
  const number = prefix.exec(parts.at(-1)!)?.[1];
  const isIndex = /^(?:index|readme)$/i.test(name) || name === names.at(-1);
  const { id, sidebar_position: position } = frontmatter;
  const idName = typeof id === "string" ? id : name;
  return {
    id: [...names, idName].join("/"),
    path: [...names, isIndex ? "index" : idName].join("/"),
    position: typeof position === "number" ? position : number ? Number(number) : Number.MAX_VALUE,
    isListed: frontmatter.unlisted !== true,
  };
}

function categoryOf(files: Files, docsFolder: string, folder: string) {
  const file = ["json", "yml", "yaml"]
    .map((end) => `${docsFolder}/${folder}/_category_.${end}`)
    .find((path) => files.size(path) > 0);
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  const number = prefix.exec(name)?.[1];
  let category: unknown;
  try {
    category = file && parse(readText(files, file)!, { maxAliasCount: 20, logLevel: "error" });
  } catch {
    category = undefined;
  }
  const position = valueAt(category, "position");
  return {
    label: textAt(category, "label") ?? titleFromSlug(prefix.exec(name)?.[2] ?? name),
    position: typeof position === "number" ? position : number ? Number(number) : Number.MAX_VALUE,
    hasRoot: true,
  };
}

function settingsOf(files: Files, config: unknown): Record<string, unknown> {
  const served = (path: string | undefined) => {
    const found = path && normalizePath("", path);
    return found && files.size(`static/${found}`) > 0 ? `/${found}` : undefined;
  };
  const items = listAt(config, "themeConfig", "navbar", "items");
  const footer = listAt(config, "themeConfig", "footer", "links").flatMap((column) =>
    listAt(column, "items"),
  );
  const light = served(textAt(config, "themeConfig", "navbar", "logo", "src"));
  const dark = served(textAt(config, "themeConfig", "navbar", "logo", "srcDark"));
  const favicon = served(textAt(config, "favicon"));
  const description = textAt(config, "tagline");
  const links = items.flatMap((item) => {
    const [label, href] = [textAt(item, "label"), textAt(item, "href")];
    return label && href && /^https?:/.test(href) ? [{ label, href }] : [];
  });
  const socials = socialsOf([...items, ...footer].map((item) => textAt(item, "href")));
  const css = readText(files, "src/css/custom.css") ?? "";
  return {
    name: textAt(config, "themeConfig", "navbar", "title") ?? textAt(config, "title") ?? "Documentation",
    ...(description ? { description } : {}),
    colors: { primary: /--ifm-color-primary:\s*(#[0-9a-f]{6})\b/i.exec(css)?.[1] ?? "#2F5BD7" },
    ...(light ? { logo: { light, dark: dark ?? light } } : {}),
    ...(favicon ? { favicon } : {}),
    ...(links.length ? { navbar: { links } } : {}),
    ...(Object.keys(socials).length ? { footer: { socials } } : {}),
  };
}

/** Reports folders with content that isn't imported. */
function reportFolders(files: Files, report: Report): void {
  const folders: [folder: string, message: string, hint: string][] = [
    ["blog", "The blog wasn't imported", "Create a changelog with `<Update>`, or keep the blog elsewhere."],
    [
      "i18n",
      "The translations weren't imported",
      "Import each language into its own folder, and add `languages` to the navigation.",
    ],
    [
      "versioned_docs",
      "Old versions weren't imported",
      "Import each version into its own folder, and add `versions` to the navigation.",
    ],
    [
      "src/pages",
      "The pages in src/pages weren't imported",
      "Rewrite them as MDX pages with `mode: custom`.",
    ],
  ];
  for (const [folder, message, hint] of folders)
    if (files.paths.some((path) => path.startsWith(`${folder}/`)))
      reportSetting(report, folder, undefined, message, hint);
}

/** Converts the entries of `sidebars.js`. */
class SidebarReader {
  private readonly byId: ReadonlyMap<string, SourcePage>;

  constructor(
    pages: readonly SourcePage[],
    private readonly folders: FolderNavigation,
    private readonly links: LinkPages,
    private readonly labels: Map<string, string>,
    private readonly file: string,
    private readonly report: Report,
  ) {
    this.byId = new Map(pages.map((page) => [page.id, page]));
  }

  /** Returns the navigation for docs.json. Several sidebars become tabs. */
  navigation(sidebars: Record<string, unknown>, config: unknown): Record<string, unknown> {
    const items = listAt(config, "themeConfig", "navbar", "items");
    const tabs = Object.entries(sidebars).flatMap(([id, sidebar]) => {
      const entries = this.entries(sidebar);
      const label = items
        .map((item) => (textAt(item, "sidebarId") === id ? textAt(item, "label") : undefined))
        .find(Boolean);
      return entries.length
        ? [{ tab: label ?? titleFromSlug(id.replace(/Sidebar$/, "")), ...levelOf(entries) }]
        : [];
    });
    if (tabs.length > 1) return { tabs };
    const { tab: _, ...level } = tabs[0] ?? { tab: "", ...levelOf(this.folders.entries("")) };
    return level;
  }

  private entries(value: unknown): ImportedEntry[] {
    if (Array.isArray(value)) return value.flatMap((item) => this.entry(item));
    if (isRecord(value) && value.type === undefined)
      return Object.entries(value).map(([label, items]) => ({ group: label, pages: this.entries(items) }));
    return this.entry(value);
  }

  private entry(item: unknown): ImportedEntry[] {
    if (typeof item === "string") return this.page(item, undefined);
    const [type, label, href] = [textAt(item, "type"), textAt(item, "label"), textAt(item, "href")];
    if (type === "doc" || type === "ref") return this.page(textAt(item, "id") ?? "", label);
    if (type === "autogenerated")
      return this.folders.entries(normalizePath("", textAt(item, "dirName") ?? ".") ?? "");
    if (type === "link" && label && href) return [this.links.add(label, href)];
    if (type === "category") return this.category(item, label ?? "More");
    if (isRecord(item) && type === undefined) return this.entries(item);
    this.leaveOut(
      item,
      type
        ? `A sidebar entry of type "${type}" wasn't imported`
        : "A sidebar entry wasn't imported, because it can't be read without running the file",
    );
    return [];
  }

  private category(item: unknown, label: string): ImportedGroup[] {
    const root =
      textAt(item, "link", "type") === "doc"
        ? this.page(textAt(item, "link", "id") ?? "", undefined)[0]
        : undefined;
    const pages = this.entries(valueAt(item, "items")).filter((entry) => entry !== root);
    if (pages.length === 0 && typeof root !== "string") return [];
    return [
      {
        group: label,
        ...(typeof root === "string" ? { root } : {}),
        ...(valueAt(item, "collapsed") === false ? { expanded: true } : {}),
        pages: pages.length ? pages : [root!],
      },
    ];
  }

  private page(id: string, label: string | undefined): ImportedEntry[] {
    const page = this.byId.get(id);
    if (!page) {
      this.leaveOut(undefined, `The sidebar refers to the page "${id}", which wasn't imported`);
      return [];
    }
    if (label) this.labels.set(page.path, label);
    return [page.path];
  }

  private leaveOut(value: unknown, message: string): void {
    reportSetting(this.report, this.file, value, message, "Add the entry to `navigation` in docs.json.");
  }
}
