/** Downloads a large file to disk. Resumes after interruptions. */

import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { megabytes } from "../base/megabytes.ts";
import { openRequest, responseOf } from "./outbound.ts";

/** Thrown if the server responds with a status other than 200 or 206. */
export class DownloadRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The server responded with status ${status}`);
    this.status = status;
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
}

/**
 * Downloads from a URL that the operator has configured. The host may be in any network. An existing `file` is replaced. Rejects with the
 * error of the last attempt, or with the abort reason; `file` may then be incomplete.
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
      const isFinal = error instanceof DownloadRefused && error.isFinal;
      if (isFinal || error instanceof TooLarge || attempt >= options.tries_count) throw error;
      // After other errors, for example a refused connection, the partial file of an earlier attempt is still used.
      if (error instanceof ConnectionLost) etag = error.etag;
      else if (error instanceof DownloadRefused && error.status === 416) etag = undefined;
      if (etag === undefined) await rm(file, { force: true });
      await pause(options.pause_ms * 2 ** (attempt - 1), options.signal);
    }
  }
}

/** Thrown if the file is larger than `most_bytes`. */
export class TooLarge extends Error {}

/** Thrown if the connection was interrupted or the file couldn't be written. The download can only be resumed if there is an `etag`. */
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
  { most_bytes, stall_ms, signal }: DownloadOptions,
): Promise<string | undefined> {
  const from = known === undefined ? 0 : await stat(file).then(({ size }) => size);
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-`, "if-range": known! } : {};
  const request = openRequest(url, { method: "GET", headers, signal, allowPrivate: true });
  request.setTimeout(stall_ms, () => request.destroy(new Error(`No data received for ${stall_ms / 1_000} seconds`)));
  request.end();
  const response = await responseOf(request);
  const isPart = response.statusCode === 206;
  if (!isPart && response.statusCode !== 200) {
    response.resume();
    throw new DownloadRefused(response.statusCode!);
  }
  const etag = strongTag(response);
  const start = isPart ? from : 0;
  const length = Number(response.headers["content-length"]);
  let received = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      received += chunk.length;
      if (start + received > most_bytes) throw new TooLarge(`The file is larger than ${megabytes(most_bytes)}`);
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
