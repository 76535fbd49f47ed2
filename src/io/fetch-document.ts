/** Fetches an OpenAPI document that docs.json references by URL. */

import type { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { limits } from "../base/limits.ts";
import { megabytes } from "../base/megabytes.ts";
import { parseUrl } from "../base/url.ts";
import { type AllowedHosts, allowSetting } from "./allowed-hosts.ts";
import { networkErrorText } from "./network-error.ts";
import { RequestBlocked, sendRequest } from "./outbound.ts";

/** Default timeout. */
const fetch_ms = 30_000;

export interface FetchOptions {
  /** Allows any IP address and port. Only for tests. */
  allowPrivate?: boolean;
  /** Hosts that the operator allows in addition to https on the public internet. */
  allowed?: AllowedHosts;
  lookup?: typeof lookup;
  /** Timeout, including redirects and retries. */
  timeout_ms?: number;
}

/** Maximum number of redirects. Each URL is checked like the first one. */
const redirects_count = 3;
/** Maximum number of attempts. Only transient errors are retried. */
const attempts_count = 2;

/**
 * Returns the text of the document. Throws an `Error` with a message for authors if the URL isn't allowed,
 * the connection fails or times out, the response is too large, or its status isn't 200. Throws other errors
 * unchanged, for example if a compressed response is damaged.
 */
export async function fetchDocument(url: string, options: FetchOptions = {}): Promise<string> {
  const signal = AbortSignal.timeout(options.timeout_ms ?? fetch_ms);
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(new URL(url), redirects_count, signal, options);
    } catch (error) {
      if (signal.aborted)
        throw new Error(`No response within ${(options.timeout_ms ?? fetch_ms) / 1_000} seconds`);
      if (attempt >= attempts_count || !isTransient(error)) throw withReason(error);
      await wait(200 * 2 ** attempt, undefined, { signal }).catch(() => {});
    }
  }
}

function withReason(error: unknown): unknown {
  const reason = networkErrorText(error);
  return reason === undefined ? error : new Error(reason, { cause: error });
}

const onlyOverHttps = `only https URLs can be fetched, unless the host is listed in ${allowSetting}`;

class StatusError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The response has status ${status}`);
    this.status = status;
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof StatusError) return error.status === 429 || error.status >= 500;
  return ["ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN", "EPIPE"].includes(
    (error as NodeJS.ErrnoException).code ?? "",
  );
}

async function fetchOnce(
  url: URL,
  redirects: number,
  signal: AbortSignal,
  options: FetchOptions,
): Promise<string> {
  // Unencrypted documents could be modified in transit, so they are only fetched from allowed hosts.
  const onlyAllowed = url.protocol !== "https:";

  const headers = {
    accept: "application/json, application/yaml, text/yaml, */*;q=0.5",
    "accept-encoding": "gzip, br",
    "user-agent": "Octavo",
  };

  const response = await sendRequest(url, {
    sender: "document",
    method: "GET",
    headers,
    signal,
    onlyAllowed,
    ...options,
  }).catch((error: unknown) => {
    throw error instanceof RequestBlocked && url.protocol === "http:"
      ? new RequestBlocked(onlyOverHttps)
      : error;
  });

  try {
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      if (redirects === 0) throw new Error(`The URL redirects more than ${redirects_count} times`);
      const next = parseUrl(location, url);
      if (!next) throw new Error("The URL redirects to an invalid URL");
      // Frees the slot that the next request may wait for.
      response.destroy();
      return await fetchOnce(next, redirects - 1, signal, options);
    }
    if (status !== 200) throw new StatusError(status);
    return await readText(response);
  } finally {
    response.destroy();
  }
}

/**
 * Reads and decompresses the body. Limits the decompressed size, because a small response may decompress to a
 * large text.
 */
async function readText(response: IncomingMessage): Promise<string> {
  const encoding = response.headers["content-encoding"];
  const body =
    encoding === "gzip"
      ? response.pipe(createGunzip())
      : encoding === "br"
        ? response.pipe(createBrotliDecompress())
        : response;

  response.on("error", (error) => body.destroy(error));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.apiJson_chars)
      throw new Error(`The document is larger than ${megabytes(limits.apiJson_chars)}`);
    chunks.push(chunk);
  }

  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}
