/** Sends the items of a section's navigation that a reader may see, from a table in the export. */

import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { mayRead, type Reader } from "../base/access.ts";
import { type GuardedItem, navigationLines } from "../engine/view/guarded-navigation.ts";

/**
 * Sends the navigation. The table is read in parts, because it can have several megabytes. The response is 204 if no reader is signed in or
 * there is no table.
 */
export async function sendReaderNavigation(
  response: ServerResponse,
  table: AsyncIterable<Buffer> | undefined,
  reader: Reader | undefined,
): Promise<void> {
  response.setHeader("cache-control", "private, no-store");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("vary", "Cookie");
  if (!reader || !table) return void response.writeHead(204).end();
  response.setHeader("content-type", "application/json; charset=utf-8");
  // The reader may disconnect, or the table may fail to load.
  await pipeline(Readable.from(readable(table, reader)), response).catch(() => response.destroy());
}

async function* readable(table: AsyncIterable<Buffer>, reader: Reader): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  const items = new ReadableItems(reader);
  let rest = "";
  for await (const chunk of table) {
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop()!;
    const text = lines.map((line) => items.read(line)).join("");
    if (text !== "") yield text;
  }
}

/** Converts the lines of a table to the JSON of the items that a reader may see. */
class ReadableItems {
  private readonly reader: Reader;
  /** Groups around the next line. Groups without pages that the reader may see are left out, since their names would reveal content. */
  private readonly groups: { start: string; isWritten: boolean }[] = [];
  private isFirst = true;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  read(line: string): string {
    if (line === "[" || line === "]") return line;
    if (line.startsWith("]")) return this.end();
    // Older exports have tables with one line.
    if (line.startsWith("[")) return [...navigationLines(JSON.parse(line) as GuardedItem[])].map((part) => this.read(part)).join("");
    const isGroup = line.endsWith("[");
    const item = JSON.parse(isGroup ? `${line}]}` : line.replace(/,$/, "")) as GuardedItem;
    if ("page" in item) return mayRead(item.access, this.reader) ? this.write(JSON.stringify(item.page)) : "";
    const { p: landing, ...group } = item.group;
    const opens = landing !== undefined && item.landing !== undefined && mayRead(item.landing, this.reader);
    const start = JSON.stringify({ ...group, ...(opens ? { p: landing } : {}), c: [] }).slice(0, -"]}".length);
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
