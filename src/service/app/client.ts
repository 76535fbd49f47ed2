/** Creates a typed client for the service's API, used by the CLI and tests. */

import { megabytes } from "../../base/megabytes.ts";
import type { Endpoint, ParamsOf, ResultOf } from "../core/endpoint.ts";

/** Maximum size of an answer. Pages of lists have a few megabytes. */
const answer_bytes = 256_000_000;
/** Maximum time without a byte of the answer. */
const silence_ms = 600_000;
/** Maximum number of pages of a list without an item in a row. */
const emptyPages_count = 1_000;

export interface ClientOptions {
  /** Base URL, such as `https://docs-service.example.com`. */
  url: string;
  /** An API key, or the operator's token. */
  key: string;
  fetch?: typeof fetch;
  /** Limits of an answer. Default: 256 MB, and 60 seconds without a byte. */
  answer_bytes?: number;
  silence_ms?: number;
}

export interface Input<E extends Endpoint> {
  params?: ParamsOf<E>;
  query?: Partial<Record<keyof E["query"], string | number>>;
  /** Request body: an object for JSON, or bytes or a stream for other content types. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Thrown for an error response from the service, or from a proxy in front of it. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: readonly string[];
  readonly retryAfter_s: number | undefined;
  constructor(status: number, message: string, details: readonly string[], retryAfter_s: number | undefined) {
    super(message);
    this.status = status;
    this.details = details;
    this.retryAfter_s = retryAfter_s;
  }
}

export type Client = <E extends Endpoint>(endpoint: E, input?: Input<E>) => Promise<ResultOf<E>>;

/**
 * Returns a function that calls an endpoint. The function rejects with an `ApiError` for an error response,
 * and with an Error if the answer exceeds a limit. Endpoints that stream events aren't supported.
 */
export function createClient({ url, key, fetch: send = fetch, ...limits }: ClientOptions): Client {
  return async (endpoint, { params, query, body, headers } = {}) => {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(String((params as Record<string, string>)?.[name])),
    );
    const target = new URL(path, url);
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) target.searchParams.set(name, String(value));
    const isJson = endpoint.body?.type === "application/json";
    const silence = new Silence(limits.silence_ms ?? silence_ms);
    // While a file is sent, no answer is expected.
    if (!endpoint.body || isJson) silence.begin();
    const response = await send(target, {
      method: endpoint.method,
      signal: silence.signal,
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json",
        ...(endpoint.body ? { "content-type": endpoint.body.type } : {}),
        ...headers,
      },
      ...(endpoint.body ? { body: (isJson ? JSON.stringify(body) : body) as BodyInit, duplex: "half" } : {}),
    } as RequestInit).catch((error: unknown) => {
      silence.end();
      throw error;
    });

    const text = await textOf(response, silence, limits.answer_bytes ?? answer_bytes);
    if (!response.ok) throw errorOf(response, text);
    return (response.status === 204 ? undefined : JSON.parse(text)) as never;
  };
}

/** Aborts a request if nothing arrives. */
class Silence {
  private readonly most_ms: number;
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(most_ms: number) {
    this.most_ms = most_ms;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Waits for the next byte. */
  begin(): void {
    this.end();
    const error = new Error(`nothing arrived in ${this.most_ms / 1_000} seconds`);
    this.timer = setTimeout(() => this.controller.abort(error), this.most_ms);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

async function textOf(response: Response, silence: Silence, most_bytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  silence.begin();
  try {
    for await (const chunk of response.body ?? []) {
      silence.begin();
      bytes += chunk.length;
      if (bytes > most_bytes)
        throw new ApiError(
          response.status,
          `The answer of the service is larger than ${megabytes(most_bytes)}`,
          [],
          undefined,
        );
      text += decoder.decode(chunk, { stream: true });
    }
  } finally {
    silence.end();
  }
  return text + decoder.decode();
}

/** Item of the list that an endpoint returns. */
type ItemOf<Page> = {
  [Name in keyof Page]: Page[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof Page];

/**
 * Returns all items of a list, and requests its pages one after the other. `input.query.limit`: number of
 * items per page. Rejects if a page is repeated, or if too many pages in a row are empty.
 */
export async function* itemsOf<E extends Endpoint>(
  client: Client,
  endpoint: E,
  input: Input<E> = {},
): AsyncGenerator<ItemOf<ResultOf<E>>> {
  let cursor: string | undefined;
  let emptyPages = 0;
  do {
    const query = { ...input.query, ...(cursor === undefined ? {} : { cursor }) } as Input<E>["query"];
    const page = (await client(endpoint, { ...input, ...(query ? { query } : {}) })) as {
      nextCursor: string | null;
      hasMore: boolean;
    };
    const items = ((Object.values(page) as unknown[]).find(Array.isArray) ?? []) as ItemOf<ResultOf<E>>[];
    yield* items;
    const next = page.hasMore ? (page.nextCursor ?? undefined) : undefined;
    emptyPages = items.length > 0 ? 0 : emptyPages + 1;
    if (next !== undefined && next === cursor && items.length > 0)
      throw new Error("The service sends the same page again");
    if (emptyPages >= emptyPages_count) throw new Error("The service promises more items, but sends none");
    cursor = next;
  } while (cursor !== undefined);
}

function errorOf(response: Response, text: string): ApiError {
  let parsed: { error?: string; details?: { message: string }[] } = {};
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    // The body isn't JSON, so the response is from a proxy and not from the service.
  }

  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError(
    response.status,
    parsed.error ?? `The service responded with status ${response.status}`,
    (parsed.details ?? []).map(({ message }) => message),
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}
