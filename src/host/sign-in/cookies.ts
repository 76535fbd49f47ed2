/** Reads and writes cookies for one host. The cookies are HttpOnly and SameSite=Lax, and aren't sent to subdomains. */

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
 * Adds the `__Host-` prefix to a cookie's name if the site uses https. Browsers accept a cookie with this prefix only from the host itself.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

interface CookieLife {
  /** Lifetime. 0 removes the cookie. */
  seconds: number;
  isSecure: boolean;
}

/** Returns the value of a `Set-Cookie` header. */
export function cookieLine(name: string, value: string, { seconds, isSecure }: CookieLife): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
}

/** Adds a `Set-Cookie` header. */
export function setCookie(response: ServerResponse, name: string, value: string, life: CookieLife): void {
  response.appendHeader("set-cookie", cookieLine(name, value, life));
}
