/** The dashboard's cookies: who is signed in, what a visitor's forms are known by, what waits for the provider's answer, and which accounts the browser is known to. */
import type { IncomingMessage } from "node:http";
import { cookieLine, cookieName, readCookie } from "../../host/sign-in/cookies.ts";

export type DashboardCookie = "session" | "form" | "provider" | "known";

export class DashboardCookies {
  private readonly isSecure: boolean;

  constructor(isSecure: boolean) {
    this.isSecure = isSecure;
  }

  read(request: IncomingMessage, name: DashboardCookie): string | undefined {
    return readCookie(request, this.nameOf(name)) || undefined;
  }

  /** A header's value. `seconds`: 0 removes the cookie. */
  write(name: DashboardCookie, value: string, seconds: number): string {
    return cookieLine(this.nameOf(name), value, { seconds, isSecure: this.isSecure });
  }

  private nameOf(name: DashboardCookie): string {
    return cookieName(`octavo-${name}`, this.isSecure);
  }
}
