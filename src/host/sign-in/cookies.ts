/** Cookies for a site's own host: HttpOnly, SameSite, not sent to subdomains. */

import type { IncomingMessage, ServerResponse } from "node:http";

export function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [key, value] = part.trim().split(/=(.*)/s);
    if (key === name) return value;
  }
  return undefined;
}

/** With the `__Host-` prefix over https: browsers accept such a cookie only from the host itself. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

interface CookieLife {
  /** 0 removes it. */
  seconds: number;
  isSecure: boolean;
}

/** Value of a `Set-Cookie` header. */
export function cookieLine(name: string, value: string, { seconds, isSecure }: CookieLife): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
}

export function setCookie(response: ServerResponse, name: string, value: string, life: CookieLife): void {
  response.appendHeader("set-cookie", cookieLine(name, value, life));
}
