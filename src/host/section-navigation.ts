/** Sends the items of a section's navigation that a reader may see, from a table in the export. */

import type { ServerResponse } from "node:http";
import { mayRead, type Reader } from "../base/access.ts";
import type { GuardedItem } from "../engine/export/reader-navigation.ts";
import type { CompactItem } from "../engine/site/compact-tree.ts";

/** Sends the navigation. The response is 204 if no reader is signed in or there is no table. */
export function sendReaderNavigation(response: ServerResponse, table: Buffer | undefined, reader: Reader | undefined): void {
  response.setHeader("cache-control", "private, no-store");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("vary", "Cookie");
  if (!reader || !table) return void response.writeHead(204).end();
  const text = JSON.stringify(readable(JSON.parse(table.toString()) as GuardedItem[], reader));
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.writeHead(200, { "content-length": Buffer.byteLength(text) }).end(text);
}

function readable(items: readonly GuardedItem[], reader: Reader): CompactItem[] {
  return items.flatMap((item): CompactItem[] => {
    if ("page" in item) return mayRead(item.access, reader) ? [item.page] : [];
    const { p: landing, ...group } = item.group;
    const opens = landing !== undefined && item.landing !== undefined && mayRead(item.landing, reader);
    const below = readable(item.items, reader);
    // Groups without pages that the reader may see are left out, since their names would reveal content.
    return below.length || opens ? [{ ...group, ...(opens ? { p: landing } : {}), c: below }] : [];
  });
}
