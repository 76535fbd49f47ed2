/** Sends a request, by the site's own server where there is one, else straight from the browser. */
import { type HttpRequest, requestBytes } from "../../engine/openapi/request.ts";
import { bodyNotSentByBrowsers, isHeader, notSentByBrowsers } from "../../engine/openapi/sendable.ts";

export interface Way {
  /** Address of the site's own server; undefined: straight from the browser. */
  proxy?: string;
  /** Names the operation to the site's server, which sends to that operation's servers only. */
  operation: string;
  /** The browser's cookies go along. Never by the site's server. */
  credentials: boolean;
}

/** The beginning of an answer; its body comes as it comes. */
export interface Answer {
  status: number;
  statusText: string;
  headers: [string, string][];
  body: ReadableStream<Uint8Array> | null;
}

/** The site's server did not pass the request on. */
export class ProxyRefusal extends Error {}

/** Rejects as `fetch` does, with `ProxyRefusal`, or with a `RangeError` for a header that HTTP cannot carry. */
export async function sendRequest(request: HttpRequest, way: Way, signal: AbortSignal): Promise<Answer> {
  const bytes = await requestBytes(request);
  for (const [name, value] of request.headers) if (!isHeader(name, value)) throw new RangeError(name);
  if (way.proxy !== undefined) return byProxy(request, way.proxy, way.operation, bytes, signal);
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
  return { status: response.status, statusText: response.statusText, headers: [...response.headers], body: response.body };
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
    credentials: "omit",
    cache: "no-store",
    signal,
  });
  const head = response.headers.get("octavo-response");
  if (!response.ok || head === null) {
    const told = (await response.json().catch(() => ({}))) as { error?: unknown };
    throw new ProxyRefusal(typeof told.error === "string" ? told.error : `${response.status} ${response.statusText}`);
  }
  const answer = JSON.parse(fromBase64Url(head)) as Omit<Answer, "body">;
  return { ...answer, body: response.body };
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
