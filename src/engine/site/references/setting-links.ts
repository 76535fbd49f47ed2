/** Lists the links and pages in docs.json with their places in the file. */

import type { PositionOf } from "../../config/docs-json.ts";
import type { Division } from "../../config/navigation-types.ts";
import type { JsonPath, TextSpan } from "../../json-positions.ts";
import { normalizePath } from "../../paths.ts";
import type { Site } from "../build-site.ts";
import { linksInSettings } from "../navigation/check-links.ts";
import { type LinkedTarget, linkedTarget, type SourceTexts, type WrittenLink } from "./page-links.ts";

/** `placeOf`: see `readDocsJson`. */
export function linksOfSettings(
  site: Site,
  placeOf: PositionOf,
  texts: SourceTexts,
  isWanted: (target: LinkedTarget) => boolean,
): WrittenLink[] {
  const { settings, navigation } = site.config;
  const found: WrittenLink[] = [];
  const add = (
    path: JsonPath,
    written: string,
    use: WrittenLink["use"],
    target: LinkedTarget | undefined,
    more: Pick<WrittenLink, "address" | "redirect"> = {},
  ) => {
    if (!target || !isWanted(target)) return;
    const { file, line } = placeOf(path);
    for (const span of line === undefined ? [] : texts.of(file).wordsIn(line, written))
      found.push({ file, ...span, written, use, target, ...more });
  };

  const pageAt = (route: string) => {
    const page = site.pages.get(route);
    return page && { file: page.file, page };
  };
  for (const { path, route } of entriesOf(navigation)) {
    const at =
      typeof valueAt(settings, path) === "string"
        ? [path]
        : [
            [...path, "page"],
            [...path, "path"],
          ];
    for (const each of at) {
      const written = valueAt(settings, each);
      if (typeof written === "string") add(each, written.trim(), "entry", pageAt(route));
    }
  }

  const addUrl = (path: JsonPath, url: string, redirect?: number) => {
    const address = /^(?:[/#]|[a-z][a-z\d+.-]*:)/i.test(url) ? url : `/${url}`;
    const more = { address, ...(redirect === undefined ? {} : { redirect }) };
    const use = redirect === undefined ? "setting" : "redirect";
    add(path, url, use, linkedTarget(address, undefined, site), more);
  };

  for (const { address, path } of linksInSettings(settings)) addUrl(path, address);
  for (const [index, { destination }] of (settings.redirects ?? []).entries())
    addUrl(["redirects", index, "destination"], destination, index);

  for (const { path, text } of textsIn(settings)) {
    const file = normalizePath("", text);
    if (file !== undefined && file !== "" && site.files.paths.includes(file))
      add(path, text, "setting", { file });
  }
  return uniquePlaces(found);
}

/** Yields the pages in the navigation, with their paths in docs.json. */
function* entriesOf(division: Division): Generator<{ path: JsonPath; route: string }> {
  if (division.root !== undefined) yield { path: [...division.path, "root"], route: division.root };
  for (const child of [...division.global, ...division.children]) {
    if (child.kind === "page") yield child;
    else if (child.kind !== "operation") yield* entriesOf(child);
  }
}

function valueAt(settings: unknown, path: JsonPath): unknown {
  let value = settings;
  for (const key of path) value = (value as Record<string | number, unknown> | undefined)?.[key];
  return value;
}

/** Yields the texts of settings outside the navigation and the redirects, with their paths. */
function* textsIn(value: unknown, path: JsonPath = []): Generator<{ path: JsonPath; text: string }> {
  if (typeof value === "string") yield { path, text: value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inside] of Object.entries(value)) {
    if (path.length === 0 && key === "redirects") continue;
    yield* textsIn(inside, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** Removes links with the same place. */
export function uniquePlaces<Link extends TextSpan & { file: string }>(links: readonly Link[]): Link[] {
  return [...new Map(links.map((link) => [`${link.file}:${link.line}:${link.column}`, link])).values()];
}
