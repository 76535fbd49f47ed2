/** Changes links for a heading whose text, and therefore id, changes. */

import { percentDecoded } from "../../../base/url.ts";
import type { Page } from "../page.ts";
import { linksTo, type SearchedSite } from "./find-references.ts";
import type { LinkedTarget } from "./page-links.ts";
import type { SourceEdit } from "./source-edit.ts";

/** Where the text of a heading is in a line. `start` and `end`: its characters, from 0 on. */
export interface HeadingText {
  start: number;
  end: number;
}

/** Finds the text of a heading in a line, without its custom id. Undefined if the line has none. */
export function headingTextIn(line: string): HeadingText | undefined {
  const [, lead, title] = /^( {0,3}#{1,6}[ \t]+)(\S(?:.*\S)?)[ \t]*$/.exec(line) ?? [];
  if (lead === undefined || title === undefined) return undefined;
  const text = title.replace(/[ \t]+#+$/, "").replace(/[ \t]*\{#[^{}]*\}$/, "");
  return text === "" ? undefined : { start: lead.length, end: lead.length + text.length };
}

/**
 * Returns the edits of links for anchors that differ between two builds of a site. Undefined if the pages
 * don't have the same headings, so that their anchors can't be compared.
 */
export function editsForAnchors(
  read: SearchedSite,
  after: ReadonlyMap<string, Page>,
): SourceEdit[] | undefined {
  const changes = new Map<string, Map<string, string>>();
  const files = new Set<string>();
  for (const page of read.site.pages.values()) {
    const changed = changedIds(page, after.get(page.route));
    if (!changed) return undefined;
    if (changed.size === 0) continue;
    changes.set(page.route, changed);
    files.add(page.file);
  }

  const newId = ({ page, id }: LinkedTarget) =>
    page && id !== undefined ? changes.get(page.route)?.get(id) : undefined;
  const links = linksTo({ files, has: (target) => newId(target) !== undefined }, read);
  return links.flatMap(({ file, line, column, length, written, target }) => {
    const hash = written.indexOf("#");
    const id = newId(target)!;
    // A redirect can add the anchor.
    if (hash < 0 || percentDecoded(written.slice(hash + 1)) === id) return [];
    const start = column + hash + 1;
    return [{ file, line, column: start, endLine: line, endColumn: column + length, text: inUrl(id) }];
  });
}

/** Returns the ids of a page that change, by their earlier id. Undefined if the numbers of ids differ. */
function changedIds({ summary }: Page, after: Page | undefined): Map<string, string> | undefined {
  if (summary.anchors === after?.summary.anchors) return new Map();
  const [before, now] = [summary.anchors.split("\n"), after?.summary.anchors.split("\n") ?? []];
  if (before.length !== now.length) return undefined;
  return new Map(before.flatMap((id, index) => (id === now[index] ? [] : [[id, now[index]!] as const])));
}

/** Encodes the characters of an id that would end a link. */
function inUrl(id: string): string {
  return id.replace(/[%\s()<>"'`{}\\]/g, (character) =>
    character === "("
      ? "%28"
      : character === ")"
        ? "%29"
        : character === "'"
          ? "%27"
          : encodeURIComponent(character),
  );
}
