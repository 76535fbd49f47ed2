/**
 * Parses the target of a request. The decoded path is only used to look up files by name, not as a path on
 * disk.
 */

import type { IncomingMessage } from "node:http";
import { parseUrl } from "../base/url.ts";

/** Maximum length of a request's target, in characters. */
const requestTarget_chars = 8_192;

export interface RequestTarget {
  /** Decoded once. Starts with a slash. */
  path: string;
  /** The query as it was sent, including `?`. Empty if there is none. */
  query: string;
}

/** Returns the target, or the status of the error response if it is invalid or too long. */
export function requestTarget(request: IncomingMessage): RequestTarget | 400 | 414 {
  const url = request.url ?? "";
  if (url.length > requestTarget_chars) return 414;
  const own = url.startsWith("/") ? url : pathOfAbsolute(url, request.headers.host);
  if (own === undefined) return 400;

  const mark = own.search(/[?#]/);
  const raw = mark < 0 ? own : own.slice(0, mark);

  // Encoded slashes, backslashes and unencoded special characters aren't allowed, since no valid URL of a
  // file contains them.
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

/**
 * Returns the path and query of an absolute target, as clients send it to proxies. Undefined if it isn't a
 * valid URL or its host doesn't match the `Host` header.
 */
function pathOfAbsolute(text: string, host: string | undefined): string | undefined {
  const match = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(text);
  if (!match || match[1]!.toLowerCase() !== host?.toLowerCase() || !parseUrl(text)) return undefined;
  return match[2]!.startsWith("/") ? match[2]! : `/${match[2]!}`;
}
