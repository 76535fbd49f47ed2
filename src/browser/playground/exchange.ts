/** Sends a request and tracks its response or failure. */

import type { ProxyRefusalBody } from "../../engine/openapi/request/proxy-refusal.ts";
import type { HttpRequest } from "../../engine/openapi/request/request-model.ts";
import { type Diagnosis, diagnose } from "./cors-diagnosis.ts";
import { type ReceivedBody, readBody } from "./read-response-body.ts";
import { ProxyRefusal, type RequestRoute, type SentResponse, sendRequest } from "./send-request.ts";

export interface Exchange {
  request: HttpRequest;
  state: "waiting" | "receiving" | "done" | "failed";
  /** Time from the start of the request to the last update, in milliseconds. */
  ms: number;
  /** Whether the docs server sent the request, not the browser. */
  proxied: boolean;
  response?: Omit<SentResponse, "body" | "proxied">;
  body?: ReceivedBody;
  failure?: RequestFailure;
}

export type RequestFailure =
  | { kind: "cancelled" | "brokenOff" }
  | { kind: "timedOut"; seconds: number }
  | { kind: "badHeader"; name: string }
  | { kind: "siteRefused"; error: string; blocked?: ProxyRefusalBody["blocked"]; diagnosis?: Diagnosis }
  | { kind: "unreadable"; diagnosis: Diagnosis };

/**
 * Sends a request and calls `onChange` with each state of the exchange. The last state is `done` or `failed`.
 * Never rejects.
 */
export async function exchange(
  request: HttpRequest,
  route: RequestRoute,
  timeout_s: number,
  stop: AbortController,
  onChange: (exchange: Exchange) => void,
): Promise<Exchange> {
  const start = performance.now();
  let current: Exchange = { request, state: "waiting", ms: 0, proxied: route.proxy !== undefined };
  const update = (next: Partial<Exchange>) => {
    current = { ...current, ...next, ms: performance.now() - start };
    onChange(current);
  };

  update({});
  let isTimedOut = false;

  // The timeout applies until the response headers arrive. Reading the body has no timeout.
  const timer = setTimeout(() => {
    isTimedOut = true;
    stop.abort();
  }, timeout_s * 1_000);

  try {
    const { body, proxied, ...response } = await sendRequest(request, route, stop.signal);
    clearTimeout(timer);
    update({ state: "receiving", response, proxied });
    const type = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    await readBody(body, type, (part) => update({ body: part, state: part.complete ? "done" : "receiving" }));
  } catch (error) {
    clearTimeout(timer);
    update({ state: "failed", failure: failureOf(error) });
  }

  return current;

  function failureOf(error: unknown): RequestFailure {
    if (isTimedOut) return { kind: "timedOut", seconds: timeout_s };
    if (stop.signal.aborted) return { kind: "cancelled" };

    if (error instanceof ProxyRefusal) {
      const { blocked } = error.body;
      const diagnosis = error.isTriedByBrowser ? diagnose(request, route.credentials) : undefined;
      return {
        kind: "siteRefused",
        error: error.message,
        ...(blocked ? { blocked } : {}),
        ...(diagnosis ? { diagnosis } : {}),
      };
    }

    if (error instanceof RangeError) return { kind: "badHeader", name: error.message };
    if (current.response) return { kind: "brokenOff" };
    if (route.proxy !== undefined)
      return { kind: "siteRefused", error: error instanceof Error ? error.message : String(error) };

    return { kind: "unreadable", diagnosis: diagnose(request, route.credentials) };
  }
}
