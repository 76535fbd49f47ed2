/**
 * Reads and writes cookies. They are SameSite=Lax, HttpOnly unless scripts need them, and aren't sent to
 * subdomains.
 */

import type { IncomingMessage, ServerResponse } from "node:http";

/** Returns the value of a cookie. Undefined if the request doesn't contain the cookie. */
export function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [key, value] = part.trim().split(/=(.*)/s);
    if (key === name) return value;
  }
  return undefined;
}

/**
 * Adds the `__Host-` prefix to a cookie's name if the site uses https. Browsers accept a cookie with this
 * prefix only from the host itself (RFC 6265bis, section 4.1.3.2).
 */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

interface CookieLife {
  /** Lifetime. 0 removes the cookie. */
  seconds: number;
  isSecure: boolean;
  /** Path that the cookie is sent to, and to paths below it. Default: `/`. */
  path?: string;
  /** Whether the site's scripts can read the cookie. */
  isForScripts?: boolean;
}

/** Returns the value of a `Set-Cookie` header. */
export function cookieLine(
  name: string,
  value: string,
  { seconds, isSecure, path = "/", isForScripts }: CookieLife,
): string {
  return `${name}=${value}; Path=${path}${isForScripts ? "" : "; HttpOnly"}; SameSite=Lax; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
}

/**
 * A cookie of sites. Browsers only send it to the site's base path, so other sites of the host don't receive
 * it. Below a path, the name has the prefix `__Secure-`, because `__Host-` requires the path `/`.
 */
export class SiteCookie {
  private readonly name: string;
  private readonly isSecure: boolean;
  private readonly isForScripts: boolean;

  constructor(name: string, isSecure: boolean, { isForScripts = false } = {}) {
    this.name = name;
    this.isSecure = isSecure;
    this.isForScripts = isForScripts;
  }

  read(request: IncomingMessage, basePath: string): string | undefined {
    return readCookie(request, this.nameAt(basePath));
  }

  /** `seconds`: lifetime of the cookie. 0 removes it. */
  set(response: ServerResponse, basePath: string, value: string, seconds: number): void {
    const life = { seconds, isSecure: this.isSecure, path: basePath || "/", isForScripts: this.isForScripts };
    response.appendHeader("set-cookie", cookieLine(this.nameAt(basePath), value, life));
  }

  remove(response: ServerResponse, basePath: string): void {
    this.set(response, basePath, "", 0);
  }

  private nameAt(basePath: string): string {
    return basePath && this.isSecure ? `__Secure-${this.name}` : cookieName(this.name, this.isSecure);
  }
}
