/**
 * Performs the last steps of a sign-in: asks for the second factor, if the user has one, and starts a
 * session.
 */

import { limits } from "../../base/limits.ts";
import type { User } from "../core/identity.ts";
import type { DashboardCookies } from "../ui/dashboard-cookies.ts";
import { type DashboardResponse, redirect } from "../ui/dashboard-response.ts";
import type { Visit } from "../ui/visit.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { createOneTimeToken, oneTimeTokenLifetime_s } from "./one-time-tokens.ts";
import { beginSession, endSession, type SignedIn } from "./sessions.ts";
import { twoFactorState } from "./two-factor.ts";
import { recordSignIn } from "./user-audit.ts";

/**
 * Continues a sign-in after the correct password: asks for a code if two-factor authentication is on, and
 * otherwise starts a session.
 */
export async function continueSignIn(
  visit: Visit,
  cookies: DashboardCookies,
  user: User,
  next: string,
): Promise<DashboardResponse> {
  const { service } = visit;
  if (!(await twoFactorState(service, user.id)).isOn)
    return startSession(visit, cookies, user, { method: "password", authenticatedAt: new Date() }, next);
  const token = await createOneTimeToken(service, "second-factor", { userId: user.id });
  visit.cookies.push(cookies.write("second-factor", token, oneTimeTokenLifetime_s["second-factor"]));
  return redirect(`/dashboard/sign-in/code?next=${encodeURIComponent(next)}`);
}

/**
 * Ends the current session and starts a new one, which prevents session fixation. Sets the cookies, and
 * records the sign-in in the audit log.
 */
export async function startSession(
  visit: Visit,
  cookies: DashboardCookies,
  user: User,
  how: SignedIn,
  redirectTo: string,
): Promise<DashboardResponse> {
  const { service, session, origin, userAgent } = visit;
  if (session) await endSession(service, session.user.id, session.id).catch(() => {});
  const token = await beginSession(service, user.id, { address: origin.address, userAgent }, how);
  visit.cookies.push(cookies.write("session", token, limits.session_ms / 1_000));
  visit.cookies.push(
    cookies.write(
      "known",
      new KnownBrowsers(service).add(visit.cookie("known"), user.email),
      limits.knownBrowser_s,
    ),
  );
  await recordSignIn(service, user, how.method, origin);
  return redirect(redirectTo);
}
