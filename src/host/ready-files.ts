/**
 * Public files that can be sent again without resolving the request: their headers by host, URL and the
 * headers that select a variant. Their bytes are in the cache of files. An entry is used only while the site
 * is the same, so a new deployment or setting takes effect with the first request after it.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { FileCache } from "./file-cache.ts";
import type { BasePaths, SiteDirectory } from "./hosted-site.ts";
import { isNotModified } from "./request-headers.ts";
import { hostName } from "./requested-host.ts";

/** Maximum estimated memory of the entries in bytes. */
const readyFiles_bytes = 32 * 1024 * 1024;
/** Estimated memory of an entry without its key in bytes. */
const entry_bytes = 2_000;
/** Maximum length of a key, which contains the URL and headers of a client. */
const key_chars = 1_000;

/** A file that was sent. It doesn't refer to the site, so that a ready file keeps no manifest in memory. */
export interface AnsweredFile {
  projectId: string;
  isPreview: boolean;
  /** Path that views of the page are counted for. Undefined for other files. */
  page: string | undefined;
}

/** The options of `hosting` that affect what is sent. */
interface Options {
  directory: SiteDirectory;
  basePathsOf?(request: IncomingMessage, path: string, built: string): BasePaths;
  onFile?(answered: AnsweredFile & { request: IncomingMessage }): void;
}

/** The site of a request, as it was when the request arrived. */
export interface Arrival {
  host: string;
  /** Decoded path of the request, with the base path. */
  path: string;
  /** What `directory.versionOf` returned. */
  version: unknown;
}

export interface Ready extends Arrival {
  /** Path that the site was built for, and the base paths of the request. */
  built: string;
  paths: BasePaths;
  /** Key of the file in the cache. */
  file: string;
  answered: AnsweredFile;
}

interface Entry extends Ready {
  etag: string;
  /** Headers as a flat list of names and values, of status 200 and of status 304. */
  headers: string[];
  unchangedHeaders: string[];
}

/** Headers that describe a body, which a response with status 304 doesn't have (RFC 9110, section 15.4.5). */
const bodyHeaders = new Set(["content-type", "content-encoding", "content-length"]);

export class ReadyFiles {
  private readonly options: Options;
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: readyFiles_bytes,
    sizeCalculation: (_, key) => 2 * key.length + entry_bytes,
  });
  private readonly files: FileCache;

  constructor(options: Options, files: FileCache) {
    this.options = options;
    this.files = files;
  }

  /** Sends the file of a request. Returns false, and does nothing, if it isn't ready. */
  send(request: IncomingMessage, response: ServerResponse): boolean {
    const key = keyOf(request);
    const entry = key === undefined ? undefined : this.entries.get(key);
    if (!entry || !this.isCurrent(entry, request)) return false;

    if (isNotModified(request.headers["if-none-match"], entry.etag))
      response.writeHead(304, entry.unchangedHeaders).end();
    else {
      const bytes = this.files.cached(entry.file);
      if (!bytes) return false;
      response.writeHead(200, entry.headers).end(bytes);
    }
    this.options.onFile?.({ ...entry.answered, request });
    return true;
  }

  /** Keeps what was sent with status 200 to someone who isn't signed in, on a site without sign-in. */
  keep(request: IncomingMessage, response: ServerResponse, ready: Ready): void {
    const key = keyOf(request);
    const { connection, ...sent } = response.getHeaders();
    if (key === undefined || connection !== undefined || !this.isCurrent(ready, request)) return;

    const all = Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]);
    this.entries.set(key, {
      ...ready,
      etag: String(sent.etag),
      headers: all.flat(),
      unchangedHeaders: all.filter(([name]) => !bodyHeaders.has(name)).flat(),
    });
  }

  private isCurrent({ host, path, version, built, paths }: Ready, request: IncomingMessage): boolean {
    const { directory, basePathsOf } = this.options;
    if (version === undefined || directory.versionOf(host, path) !== version) return false;
    const now = basePathsOf?.(request, path, built) ?? paths;
    return now.received === paths.received && now.shown === paths.shown;
  }
}

/** Returns what selects a response. Undefined for requests that aren't frequent, such as those of ranges. */
function keyOf(request: IncomingMessage): string | undefined {
  const { method, url = "", headers } = request;
  const { accept = "", "accept-encoding": encodings = "" } = headers;
  if (method !== "GET" || headers.range !== undefined || url.includes("?")) return undefined;
  const host = hostName(request);
  if (host === undefined) return undefined;
  const key = `${host}\n${url}\n${accept}\n${String(encodings)}`;
  return key.length <= key_chars ? key : undefined;
}
