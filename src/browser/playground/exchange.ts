/** One request and what came of it: sent, cancelled, answered. */
import type { ProxyRefusalBody } from "../../engine/openapi/proxy-refusal.ts";
import type { HttpRequest } from "../../engine/openapi/request.ts";
import { type Diagnosis, diagnose } from "./cors-doctor.ts";
import { type ReceivedBody, readBody } from "./read-response-body.ts";
import { ProxyRefusal, sendRequest, type Way } from "./send-request.ts";

export interface Exchange {
  request: HttpRequest;
  state: "waiting" | "receiving" | "done" | "failed";
  ms: number;
  /** Sent by the docs server. */
  bySite: boolean;
  answer?: { status: number; statusText: string; headers: [string, string][] };
  body?: ReceivedBody;
  failure?: Failure;
}

export type Failure =
  | { kind: "cancelled" | "brokenOff" }
  | { kind: "timedOut"; seconds: number }
  | { kind: "badHeader"; name: string }
  | { kind: "siteRefused"; error: string; blocked?: ProxyRefusalBody["blocked"]; diagnosis?: Diagnosis }
  | { kind: "unreadable"; diagnosis: Diagnosis };

/** Calls `tell` with each new state of the exchange; the last one is `done` or `failed`. Never rejects. */
export async function exchange(
  request: HttpRequest,
  way: Way,
  timeout_s: number,
  stop: AbortController,
  tell: (exchange: Exchange) => void,
): Promise<Exchange> {
  const start = performance.now();
  let now: Exchange = { request, state: "waiting", ms: 0, bySite: way.proxy !== undefined };
  const say = (next: Partial<Exchange>) => {
    now = { ...now, ...next, ms: performance.now() - start };
    tell(now);
  };
  say({});
  let late = false;
  // The time is for the beginning of the response: a stream may go on for as long as it likes.
  const timer = setTimeout(() => {
    late = true;
    stop.abort();
  }, timeout_s * 1_000);
  try {
    const { body, bySite, ...answer } = await sendRequest(request, way, stop.signal);
    clearTimeout(timer);
    say({ state: "receiving", answer, bySite });
    const type = answer.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    await readBody(body, type, (part) => say({ body: part, state: part.complete ? "done" : "receiving" }));
  } catch (error) {
    clearTimeout(timer);
    say({ state: "failed", failure: failureOf(error) });
  }
  return now;

  function failureOf(error: unknown): Failure {
    if (late) return { kind: "timedOut", seconds: timeout_s };
    if (stop.signal.aborted) return { kind: "cancelled" };
    if (error instanceof ProxyRefusal) {
      const { blocked } = error.body;
      const diagnosis = error.isTriedByBrowser ? diagnose(request, way.credentials) : undefined;
      return { kind: "siteRefused", error: error.message, ...(blocked ? { blocked } : {}), ...(diagnosis ? { diagnosis } : {}) };
    }
    if (error instanceof RangeError) return { kind: "badHeader", name: error.message };
    if (now.answer) return { kind: "brokenOff" };
    if (way.proxy !== undefined) return { kind: "siteRefused", error: error instanceof Error ? error.message : String(error) };
    return { kind: "unreadable", diagnosis: diagnose(request, way.credentials) };
  }
}
