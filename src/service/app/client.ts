/** Creates a typed client for the service's API, used by the CLI and tests. */

import type { Endpoint, ParamsOf, ResultOf } from "../core/endpoint.ts";

export interface ClientOptions {
  /** Base URL, such as `https://docs-service.example.com`. */
  url: string;
  /** An API key, or the operator's token. */
  key: string;
  fetch?: typeof fetch;
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
 * Returns a function that calls an endpoint. The function rejects with an `ApiError` for an error response.
 * Endpoints that stream events aren't supported.
 */
export function createClient({ url, key, fetch: send = fetch }: ClientOptions): Client {
  return async (endpoint, { params, query, body, headers } = {}) => {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(String((params as Record<string, string>)?.[name])),
    );
    const target = new URL(path, url);
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) target.searchParams.set(name, String(value));
    const isJson = endpoint.body?.type === "application/json";
    const response = await send(target, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json",
        ...(endpoint.body ? { "content-type": endpoint.body.type } : {}),
        ...headers,
      },
      ...(endpoint.body ? { body: (isJson ? JSON.stringify(body) : body) as BodyInit, duplex: "half" } : {}),
    } as RequestInit);

    if (!response.ok) throw await errorOf(response);
    return (response.status === 204 ? undefined : await response.json()) as never;
  };
}

/** Item of the list that an endpoint returns. */
type ItemOf<Page> = {
  [Name in keyof Page]: Page[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof Page];

/**
 * Returns all items of a list, and requests its pages one after the other. `input.query.limit`: number of
 * items per page.
 */
export async function* itemsOf<E extends Endpoint>(
  client: Client,
  endpoint: E,
  input: Input<E> = {},
): AsyncGenerator<ItemOf<ResultOf<E>>> {
  let cursor: string | undefined;
  do {
    const query = { ...input.query, ...(cursor === undefined ? {} : { cursor }) } as Input<E>["query"];
    const page = (await client(endpoint, { ...input, ...(query ? { query } : {}) })) as {
      nextCursor: string | null;
      hasMore: boolean;
    };
    yield* (Object.values(page) as unknown[]).find(Array.isArray) ?? [];
    cursor = page.hasMore ? (page.nextCursor ?? undefined) : undefined;
  } while (cursor !== undefined);
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
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
