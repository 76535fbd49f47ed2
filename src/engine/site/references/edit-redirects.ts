/** Changes the redirects in docs.json, and keeps the formatting of the file. */

import { readText } from "../../../base/files.ts";
import { limits } from "../../../base/limits.ts";
import { percentDecoded } from "../../../base/url.ts";
import { type JsonPath, JsonPositions } from "../../json-positions.ts";
import { encodePath, routeOfEntry } from "../../paths.ts";
import type { SearchedSite } from "./find-references.ts";
import { editOfRange, type SourceEdit } from "./source-edit.ts";

export interface RedirectChanges {
  /** New routes of pages, by their route. */
  moves: ReadonlyMap<string, string>;
  /** New destinations of redirects, by index. */
  destinations: ReadonlyMap<number, string>;
}

interface Added {
  source: string;
  destination: string;
}

interface Range {
  start: number;
  end: number;
}

/**
 * Adds redirects for pages with new routes, changes the destinations of others, and removes redirects that
 * would have the path of a page.
 */
export function editRedirects({ moves, destinations }: RedirectChanges, read: SearchedSite): SourceEdit[] {
  const { site, placeOf } = read;
  const redirects = site.config.settings.redirects ?? [];
  if (moves.size === 0 && destinations.size === 0) return [];
  const { file } = placeOf(["redirects"]);
  const text = readText(site.files, file) ?? "";

  const taken = new Set(moves.values());
  const routes = redirects.map(({ source }) =>
    isPattern(source) ? undefined : routeOfEntry(percentDecoded(source)),
  );
  const kept = routes.flatMap((route, index) => (route !== undefined && taken.has(route) ? [] : [index]));
  const known = new Set(kept.map((index) => routes[index]));
  const added = [...moves]
    .filter(([route]) => !taken.has(route) && !known.has(route) && !isPattern(route))
    .slice(0, Math.max(0, limits.redirects.count - kept.length))
    .map(([route, next]) => ({ source: `/${encodePath(route)}`, destination: `/${encodePath(next)}` }));

  const positions = new JsonPositions(text);
  const path: JsonPath = text.trimStart().startsWith("[") ? [] : ["redirects"];
  const list = positions.rangeOf(path);
  if (!list) return added.length > 0 ? addKey(file, text, added) : [];
  if (text[list.start] !== "[") return [];
  const elements = redirects.map((_, index) => positions.rangeOf([...path, index])!);
  const changed = kept.flatMap((index) => {
    const destination = destinations.get(index);
    const range = positions.rangeOf([...path, index, "destination"]);
    return destination === undefined || !range
      ? []
      : editOfRange(file, text, range, JSON.stringify(destination));
  });
  return [...changed, ...resized(file, text, list, elements, kept, added)];
}

function isPattern(source: string): boolean {
  return /[:*?#]/.test(source);
}

/** Removes the elements of a list that aren't kept, and adds others after the last one. */
function resized(
  file: string,
  text: string,
  list: Range,
  elements: readonly Range[],
  kept: readonly number[],
  added: readonly Added[],
): SourceEdit[] {
  const isKept = new Set(kept);
  const last = kept.at(-1) ?? -1;
  const edits: SourceEdit[] = [];
  for (let index = 0; index < last; index++) {
    if (isKept.has(index)) continue;
    let next = index + 1;
    while (!isKept.has(next)) next++;
    const { start } = elements[index]!;
    edits.push(...editOfRange(file, text, { start, end: elements[next]!.start }, ""));
    index = next;
  }

  if (elements.length === 0) {
    const replaced = listText(added, indentAt(text, list.start), text.includes("\n"));
    return added.length > 0 ? editOfRange(file, text, list, replaced) : [];
  }
  const like = text.slice(elements.at(-1)!.start, elements.at(-1)!.end);
  const between =
    elements.length > 1
      ? text.slice(elements.at(-2)!.end, elements.at(-1)!.start)
      : `,${text.slice(list.start + 1, elements[0]!.start)}`;
  const joined = added.map((each) => redirectLike(each, like)).join(between);
  const tail = {
    start: last < 0 ? elements[0]!.start : elements[last]!.end,
    end: elements.at(-1)!.end,
  };
  return [...edits, ...editOfRange(file, text, tail, last < 0 || joined === "" ? joined : between + joined)];
}

/** Returns a redirect with the formatting of another one. */
function redirectLike({ source, destination }: Added, like: string): string {
  const colon = /"\s*:\s/.test(like) ? ": " : ":";
  const fields = [
    `"source"${colon}${JSON.stringify(source)}`,
    `"destination"${colon}${JSON.stringify(destination)}`,
  ];
  const indent = /\n([ \t]*)\S/.exec(like)?.[1];
  if (indent !== undefined) {
    const close = /\n([ \t]*)\}$/.exec(like)?.[1] ?? "";
    return `{\n${indent}${fields.join(`,\n${indent}`)}\n${close}}`;
  }
  const space = /^\{\s/.test(like) ? " " : "";
  return `{${space}${fields.join(/,\s/.test(like) ? ", " : ",")}${space}}`;
}

/** Adds the key `redirects` at the end of an object. */
function addKey(file: string, text: string, added: readonly Added[]): SourceEdit[] {
  const close = text.lastIndexOf("}");
  const before = text.slice(0, Math.max(0, close)).trimEnd();
  if (close < 0) return [];
  const indent = /\n([ \t]+)"/.exec(text)?.[1];
  const comma = /[{,]$/.test(before) ? "" : ",";
  const start = indent === undefined ? `${comma} ` : `${comma}\n${indent}`;
  const list = listText(added, indent ?? "", indent !== undefined);
  const at = before.length;
  return editOfRange(file, text, { start: at, end: at }, `${start}"redirects": ${list}`);
}

/** `indent`: indentation of the line that has the list. */
function listText(added: readonly Added[], indent: string, hasLines: boolean): string {
  const texts = added.map((each) => redirectLike(each, '{ "": "", "" }'));
  if (!hasLines) return `[${texts.join(", ")}]`;
  const inner = indent + (indent.includes("\t") ? "\t" : indent || "  ");
  return `[\n${inner}${texts.join(`,\n${inner}`)}\n${indent}]`;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset) + 1))![0];
}
