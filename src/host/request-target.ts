/** What a request asks for: one decoded path. It is looked up among names and never becomes a path on disk. */
import type { IncomingMessage } from "node:http";
import { parseUrl } from "../base/url.ts";

/** Characters of a request's target. Longer ones are no address of a page. */
const requestTarget_chars = 8_192;

export interface RequestTarget {
  /** Decoded once; begins with a slash. */
  path: string;
  /** With its `?`, as it was sent. */
  query: string;
}

/** The target, or the status that answers a request without one. */
export function requestTarget(request: IncomingMessage): RequestTarget | 400 | 414 {
  const url = request.url ?? "";
  if (url.length > requestTarget_chars) return 414;
  const own = url.startsWith("/") ? url : pathOfAbsolute(url, request.headers.host);
  if (own === undefined) return 400;
  const mark = own.search(/[?#]/);
  const raw = mark < 0 ? own : own.slice(0, mark);
  // An encoded separator means a name with a slash in it, which no file has.
  if (/%(?:2f|5c)|[^\x21-\x7e]|\\/i.test(raw)) return 400;
  let path: string;
  try {
    path = decodeURIComponent(raw);
  } catch {
    return 400;
  }
  if (/[\u0000-\u001f\u007f]/.test(path) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) return 400;
  return { path, query: mark < 0 || own[mark] === "#" ? "" : own.slice(mark).replace(/#.*$/, "") };
}

/** Proxies name the whole address. It must name the host of the request, or there would be two. */
function pathOfAbsolute(text: string, host: string | undefined): string | undefined {
  const match = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(text);
  if (!match || match[1]!.toLowerCase() !== host?.toLowerCase() || !parseUrl(text)) return undefined;
  return match[2]!.startsWith("/") ? match[2]! : `/${match[2]!}`;
}
