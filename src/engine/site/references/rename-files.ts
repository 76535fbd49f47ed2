/** Changes links for files of the documentation folder that get new paths. */

import { percentDecoded } from "../../../base/url.ts";
import { rootRelativeUrl } from "../../page/root-relative-urls.ts";
import {
  encodePath,
  folderOf,
  isIndexEntry,
  isPageFile,
  normalizePath,
  routeOfEntry,
  routeOfFile,
} from "../../paths.ts";
import { withoutBasePath } from "../navigation/link-targets.ts";
import { editRedirects } from "./edit-redirects.ts";
import { linksTo, pagesWithLinks, type SearchedSite } from "./find-references.ts";
import { linksOfPage, SourceTexts, type WrittenLink } from "./page-links.ts";
import { uniquePlaces } from "./setting-links.ts";
import type { SourceEdit } from "./source-edit.ts";

/** New paths of files, by their path. */
export type Moves = ReadonlyMap<string, string>;

/**
 * Returns the edits that keep all links working when files move: of links, imports, and entries of docs.json,
 * and redirects from the earlier URLs of pages. Edits of a moved file are for its earlier path.
 */
export function editsForMoves(moves: Moves, read: SearchedSite): SourceEdit[] {
  const { site } = read;
  const texts = new SourceTexts(site);
  const files = new Set(moves.keys());
  const links = linksTo({ files, has: () => true }, read, texts);
  const around = pagesWithLinks(({ file }) => files.has(file), files, read);
  const moved = [...site.pages.values()].filter(({ file }) => files.has(file));
  const own = uniquePages([...around, ...moved]).flatMap((page) =>
    linksOfPage(page, read, texts, () => true).filter(({ file }) => files.has(file)),
  );

  const kept = new Set(site.files.paths.map((path) => moves.get(path) ?? path));
  const exists = (path: string) =>
    ["", ".mdx", ".md", "/index.mdx", "/index.md"].some((ending) => kept.has(path + ending));
  const texted = textsOfLinks([...links, ...own], (link) => newText(link, moves, read, exists));
  const edits = uniquePlaces([...links, ...own]).flatMap((link): SourceEdit[] => {
    const text = texted.get(placeOf(link));
    if (link.use === "redirect" || text === undefined || text === link.written) return [];
    const { file, line, column, length } = link;
    return [{ file, line, column, endLine: line, endColumn: column + length, text }];
  });

  const destinations = new Map(
    links.flatMap((link) => {
      const text = texted.get(placeOf(link));
      return link.redirect === undefined || text === undefined ? [] : [[link.redirect, text] as const];
    }),
  );
  return [...edits, ...editRedirects({ moves: routesOf(moves, read), destinations }, read)];
}

function uniquePages<Page extends { storedName: string }>(pages: readonly Page[]): Page[] {
  return [...new Map(pages.map((page) => [page.storedName, page])).values()];
}

function placeOf({ file, line, column }: WrittenLink): string {
  return `${file}:${line}:${column}`;
}

/**
 * Returns the new text of each link. A link in a snippet of several pages is made root-relative if the pages
 * need different texts.
 */
function textsOfLinks(
  links: readonly WrittenLink[],
  textFor: (link: WrittenLink) => { text: string; rooted: string },
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const link of links) {
    const place = placeOf(link);
    const { text, rooted } = textFor(link);
    const other = texts.get(place);
    texts.set(place, other === undefined || other === text ? text : rooted);
  }
  return texts;
}

/** Returns the new and earlier routes of the pages that move to another route. */
function routesOf(moves: Moves, { site }: SearchedSite): Map<string, string> {
  return new Map(
    [...site.pages.values()].flatMap(({ file, storedName, route }) => {
      const next = file === storedName ? moves.get(file) : undefined;
      return next === undefined || !isPageFile(next) || routeOfFile(next) === route
        ? []
        : [[route, routeOfFile(next)] as const];
    }),
  );
}

/** `rooted`: the text as a root-relative URL. */
function newText(
  link: WrittenLink,
  moves: Moves,
  read: SearchedSite,
  exists: (path: string) => boolean,
): { text: string; rooted: string } {
  const { written, target, use } = link;
  const next = moves.get(target.file) ?? target.file;
  const same = (text: string) => ({ text, rooted: text });
  if (use === "entry") return same(newEntry(written, next));
  if (use === "snippet") return same(moves.has(target.file) ? newSnippet(written, next) : written);
  if (use === "import") return same(newImport(link, next, moves));

  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(written)!;
  if (path === "") return same(written);
  const base = baseOf(path, link, read);
  const isMoved = moves.has(target.file) && base !== undefined;
  const rooted = isMoved ? newUrl(path, base, next, link) + rest : (link.address ?? written);
  if (path.startsWith("/") || !link.place) return same(isMoved ? rooted : written);

  const place = {
    ...link.place,
    page: moves.get(link.place.page) ?? link.place.page,
    file: moves.get(link.place.file) ?? link.place.file,
  };
  const address = link.address ?? "";
  const expected = isMoved ? `${base}/${target.page ? routeOfFile(next) : next}` : pathOf(address);
  const resolves = (text: string) =>
    pathOf(rootRelativeUrl(text, place, exists, isPageFile(pathOf(address)))) === expected;
  const staysInside = normalizePath(folderOf(place.page), path) !== undefined;
  const others = relativeUrls(path, expected.slice(1), place.page).map((url) => url + rest);
  const text = [...(staysInside ? [written] : []), ...others].find(resolves);
  return { text: text ?? rooted, rooted };
}

/** Returns the decoded path of a root-relative URL, without `.html` or a slash at its end. */
function pathOf(url: string): string {
  return percentDecoded(url.replace(/[?#].*$/s, "")).replace(/(.)\/+$|\.html$/, "$1");
}

/**
 * Returns the part of a URL's path before the path of its target. Undefined if the URL leads to the target in
 * another way, such as through a redirect.
 */
function baseOf(path: string, { target, address }: WrittenLink, { site }: SearchedSite): string | undefined {
  const { basePath } = site.linkTargets;
  const full = percentDecoded((address ?? path).replace(/[?#].*$/s, ""))
    .normalize("NFC")
    .replace(/^\/+/, "");
  const isTarget = (text: string) =>
    target.page ? routeOfEntry(text.replace(/\.html$/, "")) === target.page.route : text === target.file;
  for (const text of [full, full.toLowerCase()]) {
    if (isTarget(text)) return "";
    const inside = withoutBasePath(text, basePath);
    if (inside !== text && isTarget(inside)) return `/${basePath}`;
  }
  return undefined;
}

/** Returns a root-relative URL in the style of another one: with its extension, and the slash at its end. */
function newUrl(path: string, base: string, next: string, { target, use }: WrittenLink): string {
  const lead = use === "url" || path.startsWith("/") ? "/" : "";
  if (!target.page) return `${base}${lead || (base && "/")}${encodePath(next)}`;
  const extension = /\.(?:mdx?|html)$/.exec(path)?.[0] ?? "";
  const own = /\.mdx?$/.exec(next)?.[0] ?? "";
  const name = extension === "" ? routeOfFile(next) : next.replace(/\.mdx?$/, "");
  const ending = extension === ".html" || extension === "" ? extension : own;
  const slash = extension === "" && name !== "" && path.endsWith("/") ? "/" : "";
  return `${base}${base ? "/" : lead}${encodePath(name + ending)}${slash}`;
}

/** Returns relative URLs for a path, in the style of another URL first. `page`: the file of the page. */
function relativeUrls(written: string, target: string, page: string): string[] {
  const folder = folderOf(page);
  const isDotted = written.startsWith("./");
  const extension = /\.(?:mdx?|html)$/.exec(written)?.[0] ?? "";
  const ending = isPageFile(target) ? "" : extension;
  const slash = written.endsWith("/") && ending === "" ? "/" : "";
  const folders = isIndexEntry(page) ? [folder, folderOf(folder)] : [folder];
  return folders.flatMap((from) => {
    const relative = encodePath(relativePath(from, target));
    if (relative === "") return [];
    const dotted = relative.startsWith("../") ? relative : `./${relative}`;
    const texts = isDotted ? [dotted, relative] : [relative, dotted];
    return texts.map((text) => text + ending + slash);
  });
}

/** Returns the path from a folder to a file or route. */
function relativePath(folder: string, target: string): string {
  const from = folder.split("/").filter(Boolean);
  const to = target.split("/");
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}

/** Returns an entry of the navigation for a page's file, in the style of another entry. */
function newEntry(written: string, next: string): string {
  const lead = /^(?:\.?\/)*/.exec(written)![0];
  const extension = /\.mdx?$/.test(written) ? next.slice(next.lastIndexOf(".")) : "";
  const name = next.replace(/\.mdx?$/, "");
  const isIndex = isIndexEntry(written) || extension !== "";
  return lead + (isIndex ? name : routeOfFile(next) || "index") + extension;
}

function newSnippet(written: string, next: string): string {
  const name = next.replace(/^_?snippets\//, "");
  return hasExtension(written) ? name : withoutExtension(name);
}

function newImport({ written, file, target }: WrittenLink, next: string, moves: Moves): string {
  const isMoved = moves.has(target.file);
  const from = folderOf(moves.get(file) ?? file);
  if (!isMoved && (written.startsWith("/") || from === folderOf(file))) return written;
  const [, path = "", raw = ""] = /^(.*?)(\?raw)?$/s.exec(written)!;
  const name = hasExtension(path) ? next : withoutExtension(next);
  if (path.startsWith("/")) return `/${name}${raw}`;
  const relative = relativePath(from, name);
  return (relative.startsWith("../") || !path.startsWith(".") ? relative : `./${relative}`) + raw;
}

const hasExtension = (path: string) => /\.\w+$/.test(path);
const withoutExtension = (path: string) => path.replace(/(?:\/index)?\.\w+$/, "");
