/** Cookies of a site's own host: no other host sees them, no script reads them, no other site's form sends them. */
import type { IncomingMessage, ServerResponse } from "node:http";

export function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [key, value] = part.trim().split(/=(.*)/s);
    if (key === name) return value;
  }
  return undefined;
}

/** The name says to browsers that only a host which is reached by https may set it, for itself alone. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

export function setCookie(
  response: ServerResponse,
  name: string,
  value: string,
  { seconds, isSecure }: { seconds: number; isSecure: boolean },
): void {
  const cookie = `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
  response.appendHeader("set-cookie", cookie);
}
