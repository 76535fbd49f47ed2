/** Checks whether a URL of another site can be opened. */

import type { lookup } from "node:dns";
import { setTimeout as wait } from "node:timers/promises";
import { parseUrl } from "../base/url.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { networkErrorText } from "./network-error.ts";
import { HostNotAllowed, RequestBlocked, sendRequest } from "./outbound.ts";

/**
 * `alive`: the page exists. `dead`: the server says that it doesn't, or its name doesn't exist. `blocked`:
 * the server doesn't tell programs. `skipped`: the host isn't on the public internet.
 */
export type UrlState = "alive" | "dead" | "blocked" | "skipped";

export interface CheckedUrl {
  state: UrlState;
  /** Why a URL isn't alive, such as `status 404`. */
  reason?: string;
}

export interface CheckUrlOptions {
  /** Hosts that are checked in addition to those on the public internet. */
  allowed?: AllowedHosts;
  lookup?: typeof lookup;
  /** Timeout of a request. Default: 15 seconds. */
  timeout_ms?: number;
  /** Time before the second attempt. Default: one second. */
  pause_ms?: number;
}

export const unknownHost = "the host doesn't exist";

const attempts_count = 2;
const redirects_count = 5;
/** Maximum time to wait if a response says when to try again. */
const retryAfter_ms = 10_000;

const headers = { accept: "text/html, */*;q=0.8", "accept-language": "en", "user-agent": "Octavo" };

/**
 * Sends HEAD, and GET if HEAD doesn't succeed. Tries again after errors that can be temporary. Never rejects.
 */
export async function checkUrl(url: string, options: CheckUrlOptions = {}): Promise<CheckedUrl> {
  for (let attempt = 1; ; attempt++) {
    const result = await checkOnce(url, options);
    if (result.wait_ms === undefined || attempt >= attempts_count) {
      const { wait_ms: _, ...checked } = result;
      return checked;
    }
    await wait(result.wait_ms);
  }
}

/** `wait_ms`: time after which another attempt can have a different result. Undefined if it can't. */
type Attempt = CheckedUrl & { wait_ms?: number };

async function checkOnce(url: string, options: CheckUrlOptions): Promise<Attempt> {
  try {
    const head = await statusOf(url, "HEAD", options);
    // Many servers answer HEAD in another way than GET.
    const { status, retryAfter } = head.status < 400 ? head : await statusOf(url, "GET", options);
    if (status < 400) return { state: "alive" };
    const reason = `status ${status}`;
    if (status === 404 || status === 410) return { state: "dead", reason };
    const isTemporary = status === 429 || (status >= 500 && status < 600);
    return { state: "blocked", reason, ...(isTemporary ? { wait_ms: pauseOf(retryAfter, options) } : {}) };
  } catch (error) {
    return stateOf(error, options);
  }
}

function pauseOf(retryAfter: string | undefined, { pause_ms = 1_000 }: CheckUrlOptions): number {
  const asked_ms = Number(retryAfter) * 1_000;
  return asked_ms > 0 ? Math.min(asked_ms, retryAfter_ms) : pause_ms;
}

function stateOf(error: unknown, { pause_ms = 1_000 }: CheckUrlOptions): Attempt {
  const { code, name } = error as NodeJS.ErrnoException;
  if (error instanceof HostNotAllowed)
    return { state: "skipped", reason: "the host isn't on the public internet" };
  if (error instanceof RequestBlocked) return { state: "skipped", reason: error.message };
  if (code === "ENOTFOUND" || code === "ENODATA") return { state: "dead", reason: unknownHost };
  const text = networkErrorText(error);
  const known = text === undefined ? undefined : text.charAt(0).toLowerCase() + text.slice(1);
  const reason = /^(?:Abort|Timeout)Error$/.test(name) ? "no response" : (known ?? "no valid response");
  return { state: "blocked", reason, wait_ms: pause_ms };
}

async function statusOf(
  url: string,
  method: "GET" | "HEAD",
  { allowed, lookup, timeout_ms = 15_000 }: CheckUrlOptions,
): Promise<{ status: number; retryAfter: string | undefined }> {
  const signal = AbortSignal.timeout(timeout_ms);
  let at = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const response = await sendRequest(at, {
      sender: "link",
      method,
      headers,
      signal,
      tellsUnknownNames: true,
      ...(allowed ? { allowed } : {}),
      ...(lookup ? { lookup } : {}),
    });
    response.destroy();
    const { statusCode: status = 0 } = response;
    const { location, "retry-after": retryAfter } = response.headers;
    const next = status >= 300 && status < 400 && location !== undefined ? parseUrl(location, at) : undefined;
    // A page that redirects to a sign-in page in a circle exists.
    if (!next || redirects === redirects_count) return { status, retryAfter };
    at = next;
  }
}
