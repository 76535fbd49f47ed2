/** Downloads a large file to disk. Resumes after interruptions. */

import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { megabytes } from "../base/megabytes.ts";
import { parseUrl } from "../base/url.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { RequestBlocked, sendRequest } from "./outbound.ts";

/** Thrown if the server responds with a status other than 200 or 206, after redirects. */
export class DownloadRefused extends Error {
  readonly status: number;
  /** Error code in the response of an object store, such as `AccessDenied`. */
  readonly code: string | undefined;
  constructor(status: number, code?: string) {
    super(`The server responded with status ${status}${code === undefined ? "" : ` (${code})`}`);
    this.status = status;
    this.code = code;
  }

  /** Whether retrying can't help. False for server errors, rate limits and an invalid range. */
  get isFinal(): boolean {
    return this.status < 500 && this.status !== 429 && this.status !== 416;
  }
}

export interface DownloadOptions {
  /** Maximum size of the file. */
  most_bytes: number;
  /** Maximum time without data before the connection is closed. */
  stall_ms: number;
  /** Maximum number of attempts. `pause_ms` is the pause after the first attempt, which doubles each time. */
  tries_count: number;
  pause_ms: number;
  signal: AbortSignal;
  /** Hosts in private networks that redirects may lead to. */
  allowed?: AllowedHosts;
}

/** Maximum number of redirects that a download follows. */
const redirects_count = 5;
/** Number of bytes of a response that are searched for an error code. */
const errorBody_bytes = 4_096;

/**
 * Downloads from a URL that the operator has configured. The host may be in any network. Follows redirects to
 * the same host, to public hosts and to allowed hosts, but not from https to http. An existing `file` is
 * replaced. Rejects with the error of the last attempt, or with the abort reason; `file` may then be
 * incomplete.
 */
export async function download(url: URL, file: string, options: DownloadOptions): Promise<void> {
  await rm(file, { force: true });
  let etag: string | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      etag = await fetchRemaining(url, file, etag, options);
      return;
    } catch (error) {
      options.signal.throwIfAborted();
      const isFinal = (error instanceof DownloadRefused && error.isFinal) || error instanceof RequestBlocked;
      if (isFinal || error instanceof TooLarge || attempt >= options.tries_count) throw error;
      // After other errors, for example a refused connection, the partial file of an earlier attempt is still
      // used.
      if (error instanceof ConnectionLost) etag = error.etag;
      else if (error instanceof DownloadRefused && error.status === 416) etag = undefined;
      if (etag === undefined) await rm(file, { force: true });
      await pause(options.pause_ms * 2 ** (attempt - 1), options.signal);
    }
  }
}

/** Thrown if the file is larger than `most_bytes`. */
export class TooLarge extends Error {}

/**
 * Thrown if the connection was interrupted or the file couldn't be written. The download can only be resumed
 * if there is an `etag`.
 */
class ConnectionLost extends Error {
  readonly etag: string | undefined;
  constructor(message: string, etag: string | undefined) {
    super(message);
    this.etag = etag;
  }
}

async function fetchRemaining(
  url: URL,
  file: string,
  known: string | undefined,
  options: DownloadOptions,
): Promise<string | undefined> {
  const { most_bytes, signal } = options;
  const from = known === undefined ? 0 : await stat(file).then(({ size }) => size);
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-`, "if-range": known! } : {};
  const response = await responseAfterRedirects(url, headers, options);
  const isPart = response.statusCode === 206;
  if (!isPart && response.statusCode !== 200)
    throw new DownloadRefused(response.statusCode!, await errorCode(response));

  const etag = strongTag(response);
  const start = isPart ? from : 0;
  const length = Number(response.headers["content-length"]);
  let received = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      received += chunk.length;
      if (start + received > most_bytes)
        throw new TooLarge(`The file is larger than ${megabytes(most_bytes)}`);
      yield chunk;
    }
  };

  try {
    await pipeline(response, counted, createWriteStream(file, { flags: isPart ? "a" : "w" }), { signal });
  } catch (error) {
    throw error instanceof TooLarge ? error : new ConnectionLost((error as Error).message, etag);
  }

  if (response.headers["content-length"] !== undefined && received !== length)
    throw new ConnectionLost("The connection was interrupted", etag);
  return etag;
}

/** Sends the request, and follows redirects. The response can be a redirect that isn't followed. */
async function responseAfterRedirects(
  source: URL,
  headers: Record<string, string>,
  { stall_ms, signal, allowed }: DownloadOptions,
): Promise<IncomingMessage> {
  let url = source;
  for (let count = 0; ; count++) {
    const rules = url.host === source.host ? { allowPrivate: true } : { ...(allowed ? { allowed } : {}) };
    const options = { sender: "bundle", method: "GET", headers, signal, ...rules } as const;
    const response = await sendRequest(url, options, { stall_ms });
    const { location } = response.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(response.statusCode!) && location !== undefined;
    if (!isRedirect || count === redirects_count) return response;
    const next = parseUrl(location, url);
    if (!next) return response;
    response.destroy();
    if (url.protocol === "https:" && next.protocol !== "https:")
      throw new RequestBlocked(
        `the redirect from ${url.host} to ${next.host} isn't followed, because it doesn't use https`,
      );
    url = next;
  }
}

/** Returns the code in an error response of an object store. Undefined if there is none. */
async function errorCode(response: IncomingMessage): Promise<string | undefined> {
  let text = "";
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > errorBody_bytes) break;
    }
  } catch {
    // The code is optional.
  }
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text.slice(0, errorBody_bytes))?.[1];
}

function strongTag({ headers: { etag } }: IncomingMessage): string | undefined {
  return etag?.startsWith('"') ? etag : undefined;
}

function pause(time_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, time_ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
