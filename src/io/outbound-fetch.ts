/** `fetch` for libraries that ask for one, by the checked way out: small answers, no redirects, some seconds. */
import type { lookup } from "node:dns";
import { limits } from "../base/limits.ts";
import { openRequest, responseOf } from "./outbound.ts";

export interface OutboundFetchOptions {
  allowPrivate?: boolean;
  lookup?: typeof lookup;
}

interface FetchInit {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export function outboundFetch(options: OutboundFetchOptions): (url: string, init: FetchInit) => Promise<Response> {
  return async (url, { method = "GET", headers = {}, body }) => {
    const bytes = body === undefined || body === null ? undefined : Buffer.from(String(body));
    const request = openRequest(new URL(url), {
      method,
      headers: bytes ? { ...headers, "content-length": String(bytes.length) } : headers,
      signal: AbortSignal.timeout(limits.outboundFetch_ms),
      ...options,
    });
    request.end(bytes);
    const answer = await responseOf(request);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.outboundFetch_bytes) throw new Error("The answer is too large");
      chunks.push(chunk);
    }
    const named = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
    );
    const isEmpty = [101, 204, 205, 304].includes(answer.statusCode!);
    return new Response(isEmpty ? null : Buffer.concat(chunks), { status: answer.statusCode!, headers: named });
  };
}
