/** Hands out one stored file: whole, in part, packed, or not at all when the reader has it. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ManifestEntry } from "../layout/site-manifest.ts";
import type { FileCache } from "./file-cache.ts";
import type { SiteDirectory } from "./hosted-site.ts";
import { askedRange, isKnown, packedForm } from "./negotiate.ts";

export interface FileStore {
  directory: SiteDirectory;
  cache: FileCache;
}

/** `status` 404 is the page for unknown addresses: it is never cut, nor known already. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  entry: ManifestEntry,
  { directory, cache }: FileStore,
  { status, type }: { status: 200 | 404; type: string },
): Promise<void> {
  const { headers, method } = request;
  const isWhole = status !== 200 || headers.range === undefined || method === "HEAD";
  // A part is one of the plain bytes: packed ones differ from host to host.
  const encoding = isWhole ? packedForm(one(headers["accept-encoding"]), entry.encodings) : undefined;
  const size = encoding ? entry.encodings[encoding]! : entry.bytes;
  const etag = `"${entry.hash.slice(0, 32)}${encoding ? `-${encoding}` : ""}"`;
  response.setHeader("content-type", type);
  if (encoding) response.setHeader("content-encoding", encoding);
  if (status === 200) {
    response.setHeader("etag", etag);
    response.setHeader("accept-ranges", "bytes");
    if (isKnown(headers["if-none-match"], etag)) {
      response.removeHeader("content-type");
      return void response.writeHead(304).end();
    }
  }
  const ifRange = one(headers["if-range"]);
  const range = isWhole || (ifRange !== undefined && ifRange !== etag) ? undefined : askedRange(headers.range, size);
  if (range === "unsatisfiable") return void response.writeHead(416, { "content-range": `bytes */${size}`, "content-length": 0 }).end();
  const length = range ? range.end - range.start + 1 : size;
  const made = { "content-length": length, ...(range ? { "content-range": `bytes ${range.start}-${range.end}/${size}` } : {}) };
  if (method === "HEAD" || length === 0) return void response.writeHead(range ? 206 : status, made).end();
  const held = cache.read(entry, encoding);
  if (held) {
    const bytes = held instanceof Promise ? await held : held;
    response.writeHead(range ? 206 : status, made);
    return void response.end(range ? bytes.subarray(range.start, range.end + 1) : bytes);
  }
  const stream = await directory.open(entry, encoding, range);
  response.writeHead(range ? 206 : status, made);
  // A reader who leaves is no fault.
  await pipeline(stream, response).catch(() => response.destroy());
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}
