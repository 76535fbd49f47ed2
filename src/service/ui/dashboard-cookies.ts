/**
 * Reads and writes the dashboard's cookies. `session`: token of the session. `form`: owner of form tokens
 * before sign-in. `provider`: state of a pending single sign-on. `known`: accounts that the browser signed in
 * to before. `second-factor`: token of a sign-in that still needs a code.
 */

import type { IncomingMessage } from "node:http";
import { cookieLine, cookieName, readCookie } from "../../host/sign-in/cookies.ts";

export type DashboardCookie = "session" | "form" | "provider" | "known" | "second-factor";

/** `isSecure`: whether the dashboard uses HTTPS, so that browsers send the cookies only over HTTPS. */
export class DashboardCookies {
  private readonly isSecure: boolean;

  constructor(isSecure: boolean) {
    this.isSecure = isSecure;
  }

  /** Returns the value of a cookie. Undefined if it's missing or empty. */
  read(request: IncomingMessage, name: DashboardCookie): string | undefined {
    return readCookie(request, this.nameOf(name)) || undefined;
  }

  /** Returns the value of a `Set-Cookie` header. `seconds`: lifetime of the cookie; 0 removes it. */
  write(name: DashboardCookie, value: string, seconds: number): string {
    return cookieLine(this.nameOf(name), value, { seconds, isSecure: this.isSecure });
  }

  private nameOf(name: DashboardCookie): string {
    return cookieName(`octavo-${name}`, this.isSecure);
  }
}
