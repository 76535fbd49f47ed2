/** Fetches a large file to disk, and takes up again what broke off. */
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { openRequest, responseOf } from "./outbound.ts";

/** The server answered that it will not give it, now or ever. */
export class DownloadRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The server answered ${status}`);
    this.status = status;
  }

  /** What is refused stays refused; a busy store may be better in a moment, and from its beginning a file may be had. */
  get isFinal(): boolean {
    return this.status < 500 && this.status !== 429 && this.status !== 416;
  }
}

export interface DownloadOptions {
  most_bytes: number;
  /** Without a byte for so long the connection is given up. */
  stall_ms: number;
  /** Connections that are tried, and the pause after the first failure; each pause is twice the one before. */
  tries_count: number;
  pause_ms: number;
  signal: AbortSignal;
}

/** To an address that the operator named, of any network. Rejects with what went wrong last. */
export async function download(url: URL, file: string, options: DownloadOptions): Promise<void> {
  await rm(file, { force: true });
  let etag: string | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      etag = await fetchRest(url, file, etag, options);
      return;
    } catch (error) {
      options.signal.throwIfAborted();
      const isFinal = error instanceof DownloadRefused && error.isFinal;
      if (isFinal || error instanceof TooLarge || attempt >= options.tries_count) throw error;
      // Where nothing came at all, what came before may still be gone on with.
      if (error instanceof BrokenOff) etag = error.etag;
      else if (error instanceof DownloadRefused && error.status === 416) etag = undefined;
      if (etag === undefined) await rm(file, { force: true });
      await pause(options.pause_ms * 2 ** (attempt - 1), options.signal);
    }
  }
}

export class TooLarge extends Error {}

/** Only a file that says which one it is can be gone on with. */
class BrokenOff extends Error {
  readonly etag: string | undefined;
  constructor(message: string, etag: string | undefined) {
    super(message);
    this.etag = etag;
  }
}

async function fetchRest(
  url: URL,
  file: string,
  known: string | undefined,
  { most_bytes, stall_ms, signal }: DownloadOptions,
): Promise<string | undefined> {
  const from = known === undefined ? 0 : await stat(file).then(({ size }) => size);
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-`, "if-range": known! } : {};
  const request = openRequest(url, { method: "GET", headers, signal, allowPrivate: true });
  request.setTimeout(stall_ms, () => request.destroy(new Error(`Nothing came for ${stall_ms / 1_000} seconds`)));
  request.end();
  const answer = await responseOf(request);
  const isPart = answer.statusCode === 206;
  if (!isPart && answer.statusCode !== 200) {
    answer.resume();
    throw new DownloadRefused(answer.statusCode!);
  }
  const etag = strongTag(answer);
  const start = isPart ? from : 0;
  const length = Number(answer.headers["content-length"]);
  let got = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      got += chunk.length;
      if (start + got > most_bytes) throw new TooLarge(`The file is larger than ${most_bytes} bytes`);
      yield chunk;
    }
  };
  try {
    await pipeline(answer, counted, createWriteStream(file, { flags: isPart ? "a" : "w" }), { signal });
  } catch (error) {
    throw error instanceof TooLarge ? error : new BrokenOff((error as Error).message, etag);
  }
  if (answer.headers["content-length"] !== undefined && got !== length) throw new BrokenOff("The connection ended in the middle", etag);
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
