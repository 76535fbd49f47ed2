/** Sends a request: by the docs server where there is one, and from the browser where that one sends nothing. */
import { browserMaySend, type ProxyRefusalBody } from "../../engine/openapi/proxy-refusal.ts";
import { type HttpRequest, requestBytes } from "../../engine/openapi/request.ts";
import { bodyNotSentByBrowsers, isHeader, notSentByBrowsers } from "../../engine/openapi/sendable.ts";

export interface Way {
  /** Address of the site's own server; undefined: straight from the browser. */
  proxy?: string;
  /** Names the operation to the site's server, which sends to that operation's servers only. */
  operation: string;
  /** The browser's cookies for the API go along. Never by the docs server. */
  credentials: boolean;
}

/** The beginning of an answer; its body comes as it comes. */
export interface Answer {
  /** Whether the docs server sent the request. */
  bySite: boolean;
  status: number;
  statusText: string;
  headers: [string, string][];
  body: ReadableStream<Uint8Array> | null;
}

/** The docs server didn't send the request, and the browser couldn't either if `isTriedByBrowser`. */
export class ProxyRefusal extends Error {
  readonly body: Partial<ProxyRefusalBody>;
  isTriedByBrowser = false;
  constructor(body: Partial<ProxyRefusalBody>, fallback: string) {
    super(typeof body.error === "string" ? body.error : fallback);
    this.body = body;
  }
}

/** Origins that the docs server can't reach: the next request to them goes straight from the browser. */
const outOfReach = new Map<string, ProxyRefusal>();

/** Rejects as `fetch` does, with `ProxyRefusal`, or with a `RangeError` for a header that HTTP cannot carry. */
export async function sendRequest(request: HttpRequest, way: Way, signal: AbortSignal): Promise<Answer> {
  const bytes = await requestBytes(request);
  for (const [name, value] of request.headers) if (!isHeader(name, value)) throw new RangeError(name);
  if (way.proxy === undefined) return byBrowser(request, way, bytes, signal);
  const { origin } = new URL(request.url);
  let refusal = outOfReach.get(origin);
  if (!refusal) {
    try {
      return await byProxy(request, way.proxy, way.operation, bytes, signal);
    } catch (error) {
      if (!(error instanceof ProxyRefusal) || !error.body.code || !browserMaySend.has(error.body.code)) throw error;
      // Pages of an air-gapped site reach no other host.
      if (document.documentElement.classList.contains("o-no-outside")) throw error;
      refusal = error;
    }
  }
  try {
    const answer = await byBrowser(request, way, bytes, signal);
    if (refusal.body.code !== "too-large") outOfReach.set(origin, refusal);
    return answer;
  } catch (error) {
    if (signal.aborted) throw error;
    outOfReach.delete(origin);
    refusal.isTriedByBrowser = true;
    throw refusal;
  }
}

async function byBrowser(request: HttpRequest, way: Way, bytes: BodyInit | undefined, signal: AbortSignal): Promise<Answer> {
  const headers = request.headers.filter((header) => !notSentByBrowsers(header));
  const response = await fetch(request.url, {
    method: request.method,
    headers,
    body: bytes && !bodyNotSentByBrowsers(request.method) ? bytes : undefined,
    mode: "cors",
    credentials: way.credentials ? "include" : "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal,
  });
  const { status, statusText, body } = response;
  return { bySite: false, status, statusText, headers: [...response.headers], body };
}

async function byProxy(
  request: HttpRequest,
  proxy: string,
  operation: string,
  body: BodyInit | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch(proxy, {
    method: "POST",
    headers: {
      "octavo-target": request.url,
      "octavo-method": request.method,
      "octavo-headers": toBase64Url(JSON.stringify(request.headers)),
      "octavo-operation": operation,
    },
    body,
    // The docs server asks whether this reader may send requests. The cookie goes no further.
    credentials: "same-origin",
    cache: "no-store",
    signal,
  });
  const head = response.headers.get("octavo-response");
  if (!response.ok || head === null) {
    const body = (await response.json().catch(() => ({}))) as Partial<ProxyRefusalBody>;
    throw new ProxyRefusal(body, `${response.status} ${response.statusText}`);
  }
  const answer = JSON.parse(fromBase64Url(head)) as Omit<Answer, "body" | "bySite">;
  return { ...answer, bySite: true, body: response.body };
}

const probes = new Map<string, Promise<boolean>>();

/** Whether the site's own server is there: a static copy of the site has none. Asked once for a page. */
export function hasProxy(proxy: string): Promise<boolean> {
  const asked = probes.get(proxy) ?? probe(proxy);
  probes.set(proxy, asked);
  return asked;
}

async function probe(proxy: string): Promise<boolean> {
  if (!/^https?:$/.test(location.protocol)) return false;
  try {
    const response = await fetch(proxy, { credentials: "omit", cache: "no-store" });
    return response.status === 204 && response.headers.get("octavo-proxy") === "1";
  } catch {
    return false;
  }
}

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}
