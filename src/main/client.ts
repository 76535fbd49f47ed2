/**
 * The library `octavo/client`: typed requests to the service's API, in Node and browsers.
 * `scripts/build/client-types.js` generates the types of its operations from the API's description, and
 * `docs/integrate/client.mdx` describes it.
 */

/** Archives and other bytes. Only a stream can't be sent again after a failure. */
export type BinaryBody = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

export interface OctavoOptions {
  /** Base URL of the service, such as `https://docs-service.example.com`. In browsers, also a path. */
  url: string;
  /** An API key, or the operator's token. Left out if a server on the way adds it. */
  key?: string;
  /** Number of further attempts after a failure that may be temporary. Default: 3. */
  retries?: number;
  /** Longest wait before an attempt. If the service asks for a longer one, the call fails. Default: 60. */
  maxWaitSeconds?: number;
  fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Identifies a POST request, also when the program sends it again. By default, each call has its own. */
  idempotencyKey?: string;
}

/** Thrown for an error response of the service, or of a proxy in front of it. */
export class OctavoError extends Error {
  override readonly name = "OctavoError";
  constructor(
    message: string,
    readonly status: number,
    /** Problems of a request. The text of a problem in a field begins with the field's name. */
    readonly details: readonly { message: string }[],
    /** ID of the request for the service's operator. */
    readonly requestId: string | null,
    /** Seconds that the service asks to wait before the next attempt. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** The input of an operation in `Api`, as the second argument of a call. Left out if nothing is required. */
type CallArguments<Operation> =
  Record<never, never> extends Omit<Operation, "response" | "events">
    ? [input?: Omit<Operation, "response" | "events"> & RequestOptions]
    : [input: Omit<Operation, "response" | "events"> & RequestOptions];

type PathsWith<Api, Shape> = { [Path in keyof Api]: Api[Path] extends Shape ? Path : never }[keyof Api];

type OperationAt<Api, Path extends keyof Api, Method> = Method extends keyof Api[Path]
  ? Api[Path][Method]
  : never;

type ResponseOf<Operation> = Operation extends { response: infer Response } ? Response : never;

type ListItem<Page> = {
  [Name in keyof Page]: Page[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof Page];

type Call<Api, Method extends string> = <
  Path extends PathsWith<Api, { [Name in Method]: { response: unknown } }>,
>(
  path: Path,
  ...input: CallArguments<OperationAt<Api, Path, Method>>
) => Promise<ResponseOf<OperationAt<Api, Path, Method>>>;

/** `Api`: for each path, its operations by method, with their inputs and `response` or `events`. */
export interface OctavoClient<Api> {
  get: Call<Api, "get">;
  post: Call<Api, "post">;
  patch: Call<Api, "patch">;
  delete: Call<Api, "delete">;
  /** All items of a list. Requests a page when its items are needed. `limit`: number of items per page. */
  all<Path extends PathsWith<Api, { get: { response: { hasMore: boolean } } }>>(
    path: Path,
    ...input: CallArguments<OperationAt<Api, Path, "get">>
  ): AsyncGenerator<ListItem<ResponseOf<OperationAt<Api, Path, "get">>>, void, undefined>;
  /** The events of a streamed response. */
  stream<Path extends PathsWith<Api, { post: { events: unknown } }>>(
    path: Path,
    ...input: CallArguments<OperationAt<Api, Path, "post">>
  ): AsyncGenerator<
    OperationAt<Api, Path, "post"> extends { events: infer Event } ? Event : never,
    void,
    undefined
  >;
}

interface CallInput extends RequestOptions {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Statuses after which the same request can succeed. A 409 counts only with `Retry-After`. */
const temporary = [429, 502, 503, 504];

export function createClient<Api>(options: OctavoOptions): OctavoClient<Api> {
  const json =
    (method: string) =>
    async (path: string, input: CallInput = {}) => {
      const response = await send(options, method, path, input);
      return response.status === 204 ? undefined : await response.json();
    };

  async function* all(path: string, input: CallInput = {}) {
    let cursor: unknown;
    do {
      const query = { ...input.query, ...(cursor ? { cursor } : {}) };
      const page = (await json("GET")(path, { ...input, query })) as {
        nextCursor: unknown;
        hasMore: boolean;
      };
      yield* Object.values(page).find(Array.isArray) ?? [];
      cursor = page.hasMore && page.nextCursor;
    } while (cursor);
  }

  async function* stream(path: string, input: CallInput = {}) {
    const response = await send(options, "POST", path, input);
    for await (const line of linesOf(response.body!)) {
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      if (data === "[DONE]") return;
      if (data) yield JSON.parse(data);
    }
  }

  const client = {
    get: json("GET"),
    post: json("POST"),
    patch: json("PATCH"),
    delete: json("DELETE"),
    all,
    stream,
  };
  return client as unknown as OctavoClient<Api>;
}

/** Sends a request until it succeeds, or until another attempt is useless. Throws an `OctavoError`. */
async function send(
  { url, key, retries = 3, maxWaitSeconds = 60, fetch = globalThis.fetch }: OctavoOptions,
  method: string,
  path: string,
  { path: params = {}, query = {}, body, signal, idempotencyKey }: CallInput,
): Promise<Response> {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const values = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = values.length === 0 ? "" : `?${new URLSearchParams(values)}`;
  const target = url.replace(/\/+$/, "") + filled + search;
  const isStream = body instanceof ReadableStream;
  const isBinary =
    isStream || body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  const request = {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      accept: "application/json, text/event-stream",
      ...(body === undefined
        ? {}
        : { "content-type": isBinary ? "application/octet-stream" : "application/json" }),
      ...(method === "POST" ? { "idempotency-key": idempotencyKey ?? newKey() } : {}),
    },
    body: (isBinary || body === undefined ? body : JSON.stringify(body)) as BodyInit,
    signal,
    ...(isStream ? { duplex: "half" } : {}),
  } as RequestInit;

  for (let attempt = 0; ; attempt++) {
    const isLast = isStream || attempt >= retries;
    const pause_s = 0.5 * 2 ** attempt;
    let response: Response;
    try {
      response = await fetch(target, request);
    } catch (error) {
      if (isLast || signal?.aborted) throw error;
      await wait(Math.min(pause_s, maxWaitSeconds), signal);
      continue;
    }

    if (response.ok) return response;
    const error = await errorOf(response);
    const isTemporary =
      temporary.includes(error.status) || (error.status === 409 && error.retryAfterSeconds !== undefined);
    const wait_s = error.retryAfterSeconds ?? pause_s;
    if (isLast || !isTemporary || wait_s > maxWaitSeconds) throw error;
    await wait(wait_s, signal);
  }
}

/** 128 random bits. `crypto.randomUUID` isn't available on pages without HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** Resolves after a number of seconds, or rejects with the signal's reason. */
function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

async function errorOf(response: Response): Promise<OctavoError> {
  const text = await response.text();
  let parsed: { error?: string; details?: { message: string }[] } = {};
  try {
    parsed = JSON.parse(text) ?? {};
  } catch {
    // The body isn't JSON, so the response is from a proxy and not from the service.
  }

  const retryAfter = response.headers.get("retry-after");
  const seconds = Number(retryAfter ?? Number.NaN);
  const until = Date.parse(retryAfter ?? "");
  const fromDate = Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1000);
  return new OctavoError(
    parsed.error ?? `The service responded with status ${response.status}`,
    response.status,
    parsed.details ?? [],
    response.headers.get("x-request-id"),
    Number.isFinite(seconds) ? seconds : fromDate,
  );
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split(/\r?\n/);
      rest = lines.pop()!;
      yield* lines;
      if (done) break;
    }
    if (rest) yield rest;
  } finally {
    await reader.cancel();
  }
}
