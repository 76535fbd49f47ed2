/**
 * Creates `fetch` functions for libraries, with SSRF protection. The functions don't follow redirects, and
 * limit the size of the response.
 */

import type { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { ReadableStream } from "node:stream/web";
import { requireFewValues } from "../base/parse-json.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { sendRequest } from "./outbound.ts";
import type { RequestSender } from "./request-slots.ts";

/** Timeout for small responses, and for streamed responses without an abort signal. */
const outboundFetch_ms = 10_000;
/** Maximum size of a small response in bytes. */
const outboundFetch_bytes = 1024 * 1024;
/**
 * Maximum size of a streamed response in bytes. A model's answer has only a few kilobytes of text, but each
 * token is in a JSON event.
 */
const outboundStream_bytes = 8 * 1024 * 1024;
/**
 * Maximum number of bytes of all streamed responses that are read in one turn of the event loop. Libraries
 * handle the events of a chunk without a pause, and an event can have a single letter.
 */
const turn_bytes = 4 * 1024;

export interface OutboundFetchOptions {
  sender: RequestSender;
  /** As in `OutboundOptions`. */
  owner?: string | undefined;
  allowPrivate?: boolean;
  allowed?: AllowedHosts;
  onlyAllowed?: boolean;
  lookup?: typeof lookup;
}

export interface SmallFetchOptions extends OutboundFetchOptions {
  /** Maximum number of objects and arrays of a response in JSON. Default: unlimited. */
  values_count?: number;
}

export interface OutboundStreamOptions extends OutboundFetchOptions {
  /** Maximum number of line breaks of a response, and maximum size of a line. Default: unlimited. */
  lines?: { count: number; bytes: number };
}

/** The options of `fetch` that are supported. The body is sent as text. */
interface FetchInit {
  method?: string;
  headers?: HeadersInit;
  body?: unknown;
  signal?: AbortSignal | null;
}

/**
 * Returns a `fetch` function for small responses. The function ignores the caller's abort signal: the timeout
 * is always `outboundFetch_ms`.
 */
export function outboundFetch({
  values_count = Number.POSITIVE_INFINITY,
  ...options
}: SmallFetchOptions): (url: string, init: FetchInit) => Promise<Response> {
  return async (url, init) => {
    const answer = await send(url, { ...init, signal: AbortSignal.timeout(outboundFetch_ms) }, options);
    const chunks: Buffer[] = [];
    for await (const chunk of bounded(answer, outboundFetch_bytes)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    requireFewValues(bytes.toString("latin1"), values_count);
    return new Response(isEmpty(answer) ? null : bytes, {
      status: answer.statusCode!,
      headers: headersOf(answer),
    });
  };
}

/**
 * Returns a `fetch` function for streamed responses. A request ends when the caller's signal is aborted or,
 * without a signal, after `outboundFetch_ms`.
 */
export function outboundStream({
  lines,
  ...options
}: OutboundStreamOptions): (url: string, init: FetchInit) => Promise<Response> {
  return async (url, init) => {
    const answer = await send(url, init, options);
    const body = ReadableStream.from(inTurns(answer, lines)) as globalThis.ReadableStream<Uint8Array>;
    return new Response(isEmpty(answer) ? null : body, {
      status: answer.statusCode!,
      headers: headersOf(answer),
    });
  };
}

async function send(
  url: string,
  { method = "GET", headers: given = {}, body, signal }: FetchInit,
  options: OutboundFetchOptions,
) {
  const headers = Object.fromEntries(new Headers(given));
  const bytes = body === undefined || body === null ? undefined : Buffer.from(String(body));
  return sendRequest(
    new URL(url),
    {
      method,
      headers: bytes ? { ...headers, "content-length": String(bytes.length) } : headers,
      signal: signal ?? AbortSignal.timeout(outboundFetch_ms),
      ...options,
    },
    { body: bytes },
  );
}

async function* bounded(answer: IncomingMessage, most_bytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most_bytes) throw new Error("The response is too large");
    yield chunk;
  }
}

/** Returns the response in small parts, and lets the event loop handle other events between them. */
async function* inTurns(answer: IncomingMessage, lines: OutboundStreamOptions["lines"]) {
  let count = 0;
  let line_bytes = 0;
  for await (const chunk of bounded(answer, outboundStream_bytes))
    for (let start = 0; start < chunk.length; start += turn_bytes) {
      const part = chunk.subarray(start, start + turn_bytes);
      for (const byte of part)
        if (byte === 0x0a || byte === 0x0d) {
          count++;
          line_bytes = 0;
        } else line_bytes++;
      if (lines && count > lines.count) throw new Error("The response has too many lines");
      if (lines && line_bytes > lines.bytes) throw new Error("A line of the response is too long");
      await takeTurn(part.length);
      yield part;
    }
}

let left_bytes = turn_bytes;
let nextTurn: Promise<void> | undefined;

async function takeTurn(bytes: number): Promise<void> {
  while (left_bytes <= 0)
    await (nextTurn ??= new Promise((resolve) => {
      setImmediate(() => {
        nextTurn = undefined;
        left_bytes = turn_bytes;
        resolve();
      });
    }));

  left_bytes -= bytes;
}

function isEmpty({ statusCode }: IncomingMessage): boolean {
  return [204, 205, 304].includes(statusCode!);
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
  );
}
