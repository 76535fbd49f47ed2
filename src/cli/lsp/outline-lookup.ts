/** Finds pages, files, operations, and headings of a site. */

import { percentDecoded } from "../../base/url.ts";
import type { OutlinedOperation, OutlinedPage, SiteOutline } from "../../builder/site-outline.ts";
import { slugOf } from "../../engine/html/anchor-ids.ts";
import { codeLinesOf } from "../../engine/page/prepare-mdx.ts";
import { folderOf, normalizePath, routeOfEntry } from "../../engine/paths.ts";

export interface LinkedPlace {
  page?: OutlinedPage;
  /** Path of a file that isn't a page. */
  file?: string;
  anchor: string;
}

/** Finds the target of a link in a file. Undefined if the site has no such page or file. */
export function linkedPlace(link: string, from: string, outline: SiteOutline): LinkedPlace | undefined {
  const [, written = "", anchor = ""] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(link) ?? [];
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(written)) return undefined;
  if (written === "") {
    const page = outline.pages.find(({ file }) => file === from);
    return page && { page, anchor: percentDecoded(anchor) };
  }

  const path = normalizePath(folderOf(from), percentDecoded(written));
  if (path === undefined) return undefined;
  const route = routeOfEntry(path);
  const page = outline.pages.find((other) => other.route === route);
  if (page) return { page, anchor: percentDecoded(anchor) };
  return outline.files.includes(path) ? { file: path, anchor: "" } : undefined;
}

/** Finds an imported file, or a file in the folder for snippets. */
export function importedFile(name: string, from: string, outline: SiteOutline): string | undefined {
  const paths = [normalizePath(folderOf(from), name), normalizePath("", name), `snippets/${name}`];
  return paths.find((path) => path !== undefined && outline.files.includes(path));
}

/** Finds the operation that a text such as `GET /users` or `openapi.yaml GET /users` names. */
export function operationNamed(
  text: string,
  outline: SiteOutline,
): { file: string; operation: OutlinedOperation } | undefined {
  const label = text.trim().replace(/\s+/g, " ");
  for (const { file, operations } of outline.documents)
    for (const operation of operations)
      if (label === operation.label || label.endsWith(` ${operation.label}`)) return { file, operation };
  return undefined;
}

/** A heading in the text of a page. */
export interface TextHeading {
  title: string;
  level: number;
  /** Starts at 0. */
  line: number;
}

/** Returns the last line of a page's frontmatter, from 0 on. -1 if there is none. */
export function frontmatterEnd(lines: readonly string[]): number {
  if (!/^\uFEFF?---[ \t]*$/.test(lines[0] ?? "")) return -1;
  return lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
}

/** Returns the headings of a page, without those in code fences. */
export function headingsIn(lines: readonly string[]): TextHeading[] {
  const code = codeLinesOf(lines);
  const start = frontmatterEnd(lines) + 1;
  return lines.slice(start).flatMap((text, index): TextHeading[] => {
    const line = start + index;
    const [, level, rest] = /^ {0,3}(#{1,6})\s+(\S.*)$/.exec(text) ?? [];
    if (level === undefined || code.has(line + 1)) return [];
    return [{ title: plainTitle(rest!), level: level.length, line }];
  });
}

/** Returns the line of the element with an id: a heading, or an element with this id or title. Default: 0. */
export function lineOfAnchor(anchor: string, lines: readonly string[]): number {
  if (anchor === "") return 0;
  const written = lines.findIndex((line) => line.includes(`id="${anchor}"`) || line.includes(`{#${anchor}}`));
  if (written >= 0) return written;
  const named = [
    ...headingsIn(lines),
    ...lines.flatMap((text, line) => {
      const title = /\stitle="([^"]+)"/.exec(text.slice(0, 2_000))?.[1];
      return title === undefined ? [] : [{ title, line }];
    }),
  ].sort((a, b) => a.line - b.line);
  const [, base, number] = /^(.*?)(?:-(\d+))?$/s.exec(anchor)!;
  const exact = named.find(({ title }) => slugOf(title) === anchor);
  const repeated = named.filter(({ title }) => slugOf(title) === base)[Number(number) - 1];
  return (exact ?? repeated)?.line ?? 0;
}

function plainTitle(text: string): string {
  return text
    .replace(/\s*\{#[^{}]*\}\s*$/, "")
    .replace(/\s+#+\s*$/, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "");
}
