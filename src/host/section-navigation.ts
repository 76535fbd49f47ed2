/** Sends the items of a section's navigation that a reader may see, from a table in the export. */

import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import type { Reader } from "../base/access.ts";
import { ReadableItems } from "../engine/view/guarded-navigation.ts";

/**
 * Sends the navigation. The table is read in parts, because it can have several megabytes. The response is
 * 204 if no reader is signed in or there is no table.
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
