/**
 * The table of navigation entries with their access: the export writes it, and the host reads it and sends
 * the entries that a reader may see.
 */

import { type Access, mayRead, type Reader } from "../../base/access.ts";
import type { CompactGroup, CompactPage } from "./compact-tree.ts";

/**
 * A navigation entry with its access. A group is visible if one of its items is visible. `landing`: access of
 * the page that the group's title links to.
 */
export type GuardedItem =
  | { access: Access; page: CompactPage }
  | { group: CompactGroup; landing?: Access; items: GuardedItem[] };

/**
 * Yields the lines of a JSON array with these entries. The host reads them one by one. There is a line for
 * the start and the end of the array, for each page, and for the start and the end of each group.
 */
export function* navigationLines(items: readonly GuardedItem[]): Generator<string> {
  yield "[";
  yield* linesOf(items);
  yield "]";
}

function* linesOf(items: readonly GuardedItem[]): Generator<string> {
  for (const [index, item] of items.entries()) {
    const comma = index < items.length - 1 ? "," : "";
    if ("page" in item) yield JSON.stringify(item) + comma;
    else {
      yield JSON.stringify({ ...item, items: [] }).slice(0, -groupEnd.length);
      yield* linesOf(item.items);
      yield groupEnd + comma;
    }
  }
}

const groupEnd = "]}";

/** Converts the lines of a table, one by one, to the JSON of the items that a reader may see. */
export class ReadableItems {
  private readonly reader: Reader;
  /**
   * Groups around the next line. Groups without pages that the reader may see are left out, since their names
   * would reveal content.
   */
  private readonly groups: { start: string; isWritten: boolean }[] = [];
  private isFirst = true;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  read(line: string): string {
    if (line === "[" || line === "]") return line;
    if (line.startsWith("]")) return this.end();

    // Older exports have tables with one line.
    if (line.startsWith("["))
      return [...navigationLines(JSON.parse(line) as GuardedItem[])].map((part) => this.read(part)).join("");
    const isGroup = line.endsWith("[");
    const item = JSON.parse(isGroup ? `${line}]}` : line.replace(/,$/, "")) as GuardedItem;
    if ("page" in item) return mayRead(item.access, this.reader) ? this.write(JSON.stringify(item.page)) : "";

    const { p: landing, ...group } = item.group;
    const opens = landing !== undefined && item.landing !== undefined && mayRead(item.landing, this.reader);
    const start = JSON.stringify({ ...group, ...(opens ? { p: landing } : {}), c: [] }).slice(
      0,
      -"]}".length,
    );

    this.groups.push({ start, isWritten: false });
    return opens ? this.write("") : "";
  }

  /** Returns an item, after the starts of the groups around it that weren't written yet. */
  private write(item: string): string {
    let text = "";
    for (const group of this.groups)
      if (!group.isWritten) {
        text += this.separated(group.start);
        group.isWritten = true;
        this.isFirst = true;
      }
    return item === "" ? text : text + this.separated(item);
  }

  private separated(item: string): string {
    const text = this.isFirst ? item : `,${item}`;
    this.isFirst = false;
    return text;
  }

  private end(): string {
    if (!this.groups.pop()!.isWritten) return "";
    this.isFirst = false;
    return "]}";
  }
}
