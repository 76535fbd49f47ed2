/** Sends a stored file: the whole file, a compressed version or a range, or 304 if the client has it. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ManifestEntry } from "../layout/site-manifest.ts";
import { cacheKey, type FileCache } from "./file-cache.ts";
import type { SiteDirectory } from "./hosted-site.ts";
import { contentEncoding, isNotModified, requestedRange } from "./request-headers.ts";

export interface FileStore {
  directory: SiteDirectory;
  cache: FileCache;
}

/**
 * Sends a file. With `status` 404, for the "page not found" page, range and conditional headers are ignored.
 * Returns the file's key in the cache if the body is a whole file from the cache.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  entry: ManifestEntry,
  { directory, cache }: FileStore,
  { status, type }: { status: 200 | 404; type: string },
): Promise<string | undefined> {
  const { headers, method } = request;
  const isWhole = status !== 200 || headers.range === undefined || method === "HEAD";

  // Ranges refer to the uncompressed file: those of a compressed one would refer to its bytes (RFC 9110, 14),
  // which differ between hosts.
  const encoding = isWhole
    ? contentEncoding(headerText(headers["accept-encoding"]), entry.encodings)
    : undefined;
  const size = encoding ? entry.encodings[encoding]! : entry.bytes;
  const etag = `"${entry.hash.slice(0, 32)}${encoding ? `-${encoding}` : ""}"`;
  response.setHeader("content-type", type);
  if (encoding) response.setHeader("content-encoding", encoding);

  if (status === 200) {
    response.setHeader("etag", etag);
    response.setHeader("accept-ranges", "bytes");
    if (isNotModified(headers["if-none-match"], etag)) {
      // They describe a body (RFC 9110, section 15.4.5).
      response.removeHeader("content-type");
      response.removeHeader("content-encoding");
      response.writeHead(304).end();
      return undefined;
    }
  }

  const ifRange = headerText(headers["if-range"]);
  const range =
    isWhole || (ifRange !== undefined && ifRange !== etag) ? undefined : requestedRange(headers.range, size);
  if (range === "unsatisfiable") {
    response.writeHead(416, { "content-range": `bytes */${size}`, "content-length": 0 }).end();
    return undefined;
  }

  const length = range ? range.end - range.start + 1 : size;
  const sizeHeaders = {
    "content-length": length,
    ...(range ? { "content-range": `bytes ${range.start}-${range.end}/${size}` } : {}),
  };

  if (method === "HEAD" || length === 0) {
    response.writeHead(range ? 206 : status, sizeHeaders).end();
    return undefined;
  }

  const cached = cache.read(entry, encoding);
  if (cached) {
    const bytes = cached instanceof Promise ? await cached : cached;
    response.writeHead(range ? 206 : status, sizeHeaders);
    response.end(range ? bytes.subarray(range.start, range.end + 1) : bytes);
    return range ? undefined : cacheKey(entry, encoding);
  }

  const stream = await directory.open(entry, encoding, range);
  response.writeHead(range ? 206 : status, sizeHeaders);

  // The client may disconnect, or the stored file may fail to load.
  await pipeline(stream, response).catch(() => response.destroy());
  return undefined;
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}
