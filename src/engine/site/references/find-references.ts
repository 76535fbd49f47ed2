/** Finds the places that refer to a page, an anchor, a file, or an operation. */

import { readText } from "../../../base/files.ts";
import type { PositionOf } from "../../config/docs-json.ts";
import type { Division, NavOperation } from "../../config/navigation-types.ts";
import { operationLabel } from "../../openapi/request/operation-list.ts";
import { folderOf, isPageFile } from "../../paths.ts";
import { fileAddress } from "../navigation/link-targets.ts";
import type { Page } from "../page.ts";
import {
  type LinkedTarget,
  linkedTarget,
  linksOfPage,
  type ReadSite,
  SourceTexts,
  type WrittenLink,
} from "./page-links.ts";
import { linksOfSettings, uniquePlaces } from "./setting-links.ts";

export interface SearchedSite extends ReadSite {
  placeOf: PositionOf;
}

/** Links with these targets are found. `files`: the files of the targets. */
export interface WantedTargets {
  files: ReadonlySet<string>;
  has(target: LinkedTarget): boolean;
}

export function linksTo(
  wanted: WantedTargets,
  read: SearchedSite,
  texts = new SourceTexts(read.site),
): WrittenLink[] {
  const { site, placeOf } = read;
  const has = (target: LinkedTarget) => wanted.files.has(target.file) && wanted.has(target);
  const pages = pagesWithLinks(has, wanted.files, read);
  return uniquePlaces([
    ...linksOfSettings(site, placeOf, texts, has),
    ...pages.flatMap((page) => linksOfPage(page, read, texts, has)),
    ...[...site.pages.values()].flatMap((page) => linksInFrontmatter(page, read, texts, has)),
  ]);
}

/** Returns the pages that have links to a target, or that can include one of the files. */
export function pagesWithLinks(
  has: (target: LinkedTarget) => boolean,
  files: ReadonlySet<string>,
  { site }: ReadSite,
): Page[] {
  const known = new Map<string, boolean>();
  const isWanted = (address: string, page: Page) => {
    const key = address.startsWith("#") ? `${page.route}${address}` : address;
    let result = known.get(key);
    if (result === undefined) {
      const target = linkedTarget(address, page, site);
      known.set(key, (result = target !== undefined && has(target)));
    }
    return result;
  };

  const including = filesThatInclude(files, site.files);
  return [...site.pages.values()].filter((page) => {
    const { links } = (page.variants?.at(-1)?.page ?? page).summary;
    return including.has(page.file) || links.some(({ address }) => isWanted(address, page));
  });
}

/** Returns the Markdown and code files whose text has the name of one of the files, or of such a file. */
function filesThatInclude(files: ReadonlySet<string>, all: ReadSite["site"]["files"]): Set<string> {
  const found = new Set<string>();
  const has = (text: string, name: string) =>
    [`${name}.`, `${name}"`, `${name}'`].some((part) => text.includes(part));
  const texts = all.paths
    .filter((path) => isPageFile(path) || /\.[cm]?[jt]sx?$/.test(path))
    .map((path) => ({ path, text: readText(all, path) ?? "" }))
    .filter(({ text }) => /\b(?:import|from)\b|<Snippet/.test(text));
  for (let names = [...files].map(stemOf); names.length > 0; ) {
    const next = texts.filter(({ path, text }) => !found.has(path) && names.some((name) => has(text, name)));
    for (const { path } of next) found.add(path);
    names = next.filter(({ path }) => /(?:^|\/)_?snippets?\//.test(path)).map(({ path }) => stemOf(path));
  }
  return found;
}

/** Returns the name of a file without its extension. */
function stemOf(file: string): string {
  return file
    .slice(folderOf(file).length)
    .replace(/^\//, "")
    .replace(/\.\w+$/, "");
}

function linksInFrontmatter(
  page: Page,
  { site }: ReadSite,
  texts: SourceTexts,
  has: (target: LinkedTarget) => boolean,
): WrittenLink[] {
  if (page.storedName !== page.file) return [];
  const { file, frontmatter } = page;
  const { related, ...others } = frontmatter;
  const paths = textsOf(others).filter((text) => /^\.{0,2}\/|\.\w+$/.test(text));
  return [...textsOf(related), ...paths].flatMap((written): WrittenLink[] => {
    const address = fileAddress(written, folderOf(file), site.linkTargets);
    const target = /^[#\s]|\s/.test(written) ? undefined : linkedTarget(address, page, site);
    if (!target || !has(target)) return [];
    const lines = texts.of(file).lines;
    const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
    return lines.slice(0, Math.max(0, end)).flatMap((_, index) =>
      texts
        .of(file)
        .wordsIn(index + 1, written)
        .map((span) => ({ file, ...span, written, use: "setting" as const, address, target })),
    );
  });
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** A place that names an operation, such as `GET /users`. */
export type OperationPlace = Pick<WrittenLink, "file" | "line" | "column" | "length">;

/** Finds the pages and navigation entries for an operation, and the links to its pages. */
export function operationReferences(label: string, read: SearchedSite): OperationPlace[] {
  const { site, placeOf } = read;
  const pages = [...site.pages.values()].filter(
    ({ reference }) => reference?.kind === "operation" && operationLabel(reference.entry) === label,
  );
  const texts = new SourceTexts(site);
  const own = pages.flatMap(({ file, storedName, frontmatter }): OperationPlace[] => {
    const written = frontmatter.openapi;
    if (storedName !== file || written === undefined) return [];
    const line = texts.of(file).lines.findIndex((text) => /^["']?openapi["']?\s*:/.test(text)) + 1;
    const column = texts.of(file).lines[line - 1]?.indexOf(written) ?? -1;
    return column < 0 ? [] : [{ file, line, column: column + 1, length: written.length }];
  });

  const entries = operationEntries(site.config.navigation)
    .filter(({ text }) => text === label || text.endsWith(` ${label}`))
    .flatMap(({ path }): OperationPlace[] => {
      const { file, line, column = 1, length = 1 } = placeOf(path);
      return line === undefined ? [] : [{ file, line, column, length }];
    });

  const routes = new Set(pages.map(({ route }) => route));
  const files = new Set(pages.map(({ file }) => file));
  const links = linksTo({ files, has: ({ page }) => page !== undefined && routes.has(page.route) }, read);
  return uniquePlaces([...entries, ...own, ...links]);
}

function operationEntries({ children }: Division): NavOperation[] {
  return children.flatMap((child) => {
    if (child.kind === "operation") return [child];
    return child.kind === "page" ? [] : operationEntries(child);
  });
}
