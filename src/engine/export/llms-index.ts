/** Creates llms.txt, an index of the pages for language models, and more specific indexes of large sites. */

import { byCodeUnit } from "../../base/files.ts";
import { oneLine, plainLine } from "../../base/one-line.ts";
import { plural } from "../../base/plural.ts";
import { titleFromSlug } from "../../base/title-from-slug.ts";
import type { Division } from "../config/navigation-types.ts";
import { encodePath, markdownFile } from "../paths.ts";
import { originOf } from "../plan/absolute-urls.ts";
import type { Audiences } from "../plan/audiences.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import { specLinks } from "../plan/spec-download.ts";
import type { Site } from "../site/build-site.ts";
import { defaultChild, isPage, type NavNode, pagesBelow } from "../site/navigation/resolve-navigation.ts";
import type { Page } from "../site/page.ts";

/** Maximum length of an index in characters. Agents truncate longer files. */
const index_chars = 50_000;
/** Maximum length of a page's description in characters. */
const description_chars = 300;
/** Number of characters of an index that are reserved for headings. */
const headings_chars = 200;

/** A page in an index. `line`: its line in the index. */
interface Entry {
  route: string;
  line: string;
}

/**
 * Returns the texts of the indexes, by path. `llms.txt` is the first one. If not all pages fit, it links to
 * indexes of the largest folders, such as `guides/llms.txt`, which can link to further ones. The pages of a
 * folder that don't fit are in parts, such as `guides/llms-2.txt`.
 */
export function llmsIndexes(site: Site, target: ExportTarget, audiences: Audiences): Map<string, string> {
  const { settings } = site.config;
  const entries = llmsPages(site, audiences).map((page) => {
    const text = oneLine(page.frontmatter.description ?? page.summary.firstWords)
      .slice(0, description_chars)
      .trim();
    return {
      route: page.route,
      line: `- [${plainLine(page.title)}](${markdownUrl(page, site, target)})${text ? `: ${text}` : ""}`,
    };
  });

  const specs = specLinks(site, target).map(({ name, href }) => `- [${plainLine(name)}](${href})`);
  const external = externalLinks(site.navigation.root.division).map(
    ({ label, href }) => `- [${plainLine(label)}](${href})`,
  );
  const indexes = new Map<string, string>();
  const root = originOf(site, target) ?? "";
  addIndexes("", entries, {
    root,
    title: plainLine(settings.name),
    head: [...(settings.description ? [`> ${settings.description}`] : []), ...instructions(site)],
    tail: [...section("OpenAPI Specs", specs), ...section("Optional", external)],
    indexes,
  });
  return indexes;
}

interface IndexOptions {
  /** URL of the site, or empty. */
  root: string;
  title: string;
  /** Paragraphs after the title. */
  head: string[];
  /** Sections after the pages. */
  tail: string[];
  /** The map that the indexes are added to. */
  indexes: Map<string, string>;
}

/** Adds the indexes of a folder and of the folders below it. `folder` is empty or ends with a slash. */
function addIndexes(folder: string, entries: readonly Entry[], options: IndexOptions): void {
  const { root, title, head, tail, indexes } = options;
  const room = Math.max(index_chars - headings_chars - charsOf([title, ...head, ...tail]), index_chars / 2);
  const linkTo = (path: string, pages: readonly Entry[]) =>
    `- [${titleOf(path)}](${root}/${encodePath(path)}llms.txt): ${plural(pages.length, "page")}`;
  const { own, folders } = split(folder, entries, room, linkTo);
  const links = [...folders].map(([path, pages]) => linkTo(path, pages));

  const parts = partsOf(own, room - charsOf(links));
  const pathOf = (part: number) => `${folder}llms${part === 0 ? "" : `-${part + 1}`}.txt`;
  const more = parts
    .slice(1)
    .map(
      (part, index) =>
        `- [More pages](${root}/${encodePath(pathOf(index + 1))}): ${plural(part.length, "page")}`,
    );

  for (const [index, part] of parts.entries()) {
    const isFirst = index === 0;
    const text = [
      `# ${title}`,
      ...head,
      ...section("Docs", lines(part)),
      ...(isFirst ? [...section("Indexes", [...links, ...more]), ...tail] : []),
    ];
    indexes.set(pathOf(index), `${text.join("\n\n")}\n`);
  }

  for (const [path, below] of folders) {
    addIndexes(path, below, { ...options, title: `${title} - ${titleOf(path)}`, head: [], tail: [] });
  }
}

/**
 * Returns the pages that an index lists itself, and those of the folders that have an index of their own:
 * the largest ones, until the rest fits. If the links to these indexes would need too much room, there are
 * none.
 */
function split(
  folder: string,
  entries: readonly Entry[],
  room: number,
  linkTo: (path: string, pages: readonly Entry[]) => string,
): { own: readonly Entry[]; folders: ReadonlyMap<string, readonly Entry[]> } {
  let rest = charsOf(lines(entries));
  const folders = new Map<string, readonly Entry[]>();
  if (rest <= room) return { own: entries, folders };

  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const end = entry.route.indexOf("/", folder.length);
    if (end < 0) continue;
    const path = entry.route.slice(0, end + 1);
    const group = groups.get(path);
    if (group) group.push(entry);
    else groups.set(path, [entry]);
  }

  const sizes = [...groups].map(([path, group]) => ({ path, group, chars: charsOf(lines(group)) }));
  let links = 0;
  for (const { path, group, chars } of sizes.sort((a, b) => b.chars - a.chars)) {
    if (rest <= room) break;
    const link = linkTo(path, group).length + 1;
    rest += link - chars;
    links += link;
    folders.set(path, group);
  }

  if (links > room / 2) return { own: entries, folders: new Map() };
  const isBelow = ({ route }: Entry) => folders.has(route.slice(0, route.indexOf("/", folder.length) + 1));
  return { own: entries.filter((entry) => !isBelow(entry)), folders };
}

/** Divides the pages into parts that fit. There is always a first part. */
function partsOf(entries: readonly Entry[], room: number): Entry[][] {
  const parts: Entry[][] = [[]];
  let used = 0;
  for (const entry of entries) {
    used += entry.line.length + 1;
    if (used > room && parts.at(-1)!.length > 0) {
      parts.push([]);
      used = entry.line.length + 1;
    }
    parts.at(-1)!.push(entry);
  }
  return parts;
}

/** Returns a folder's name as a title. */
function titleOf(folder: string): string {
  return titleFromSlug(folder.split("/").at(-2)!);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length ? [`## ${title}`, lines.join("\n")] : [];
}

function lines(entries: readonly Entry[]): string[] {
  return entries.map(({ line }) => line);
}

/** Length of lines with their line breaks. */
function charsOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/**
 * Returns the pages for language models, in order: first those of the default version and language, then
 * those outside versions and languages.
 */
export function llmsPages(site: Site, audiences: Audiences): Page[] {
  let node: NavNode = site.navigation.root;
  for (;;) {
    const first = node.children[0];
    if (!first || isPage(first) || !["language", "version"].includes(first.division.kind)) break;
    node = defaultChild(node)!;
  }

  const listed = [...pagesBelow(node, { includeHidden: true })].map((position) => position.page);

  const others = [...site.pages.values()].filter((page) => {
    const position = site.navigation.positions.get(page.route);
    return !position?.parent.chain.some(
      (step) => step.division.kind === "language" || step.division.kind === "version",
    );
  });

  const ordered = [...new Set([...listed, ...others.sort((a, b) => byCodeUnit(a.title, b.title))])];
  return ordered
    .filter((page) => page.visibility.llms && !page.frontmatter.url)
    .map((page) => audiences.variantIn(page));
}

function externalLinks(division: Division): { label: string; href: string }[] {
  const own =
    division.href && /^https?:/.test(division.href) && !division.hidden
      ? [{ label: division.label, href: division.href }]
      : [];
  const below = [...division.global, ...division.children].flatMap((child) =>
    child.kind === "page" || child.kind === "operation" ? [] : externalLinks(child),
  );
  return [...new Map([...own, ...below].map((link) => [link.href, link])).values()];
}

export function markdownUrl(page: Page, site: Site, target: ExportTarget): string {
  return `${originOf(site, target) ?? ""}/${encodeURI(markdownFile(page.route))}`;
}

/** Returns the author's instructions for language models as a quote, or nothing. */
export function instructions(site: Site): string[] {
  const { instructions: texts } = site.config.settings.markdown ?? {};
  const list = typeof texts === "string" ? [texts] : (texts ?? []);
  return list.length
    ? [["> **Agent instructions**", ...list.flatMap((text) => text.split("\n"))].join("\n> ")]
    : [];
}
