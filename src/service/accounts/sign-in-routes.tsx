/** Sign-in with a password, and sign-out. */

import { limits } from "../../base/limits.ts";
import { returnPath } from "../../host/sign-in/return-path.ts";
import type { User } from "../core/identity.ts";
import type { DashboardCookies } from "../ui/dashboard-cookies.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { type DashboardRoute, publicRoute, userRoute } from "../ui/route.ts";
import type { Visit } from "../ui/visit.ts";
import type { AccountOptions } from "./account-routes.tsx";
import { KnownBrowsers } from "./known-browsers.ts";
import { signIn } from "./password-sign-in.ts";
import { beginSession, endSession, type SignedIn } from "./sessions.ts";
import { SignIn } from "./sign-in-view.tsx";
import { recordSignIn } from "./user-audit.ts";

export interface SignInOptions extends AccountOptions {
  cookies: DashboardCookies;
}

export function signInRoutes(options: SignInOptions): DashboardRoute[] {
  const { cookies } = options;
  return [
    publicRoute("GET /sign-in", "showSignIn", async ({ url, session }) => {
      const next = dashboardPath(url.searchParams.get("next"));
      return session ? redirect(next) : showSignIn(options, next, "");
    }),
    publicRoute("POST /sign-in", "signIn", (visit) => {
      const { service, form, origin } = visit;
      const [next, email] = [dashboardPath(form.get("next")), field(form, "email")];
      return rerenderOnError(
        async () => {
          const browser = new KnownBrowsers(service).idFor(visit.cookie("known"), email);
          const user = await signIn(service, { email, password: form.get("password") ?? "", address: origin.address, browser });
          return startSession(visit, cookies, user, { authenticatedAt: new Date() }, next);
        },
        (errors) => showSignIn(options, next, email, errors),
      );
    }),
    userRoute("POST /sign-out", "signOut", async (visit) => {
      const { service, session } = visit;
      await endSession(service, session.user.id, session.id);
      visit.cookies.push(cookies.write("session", "", 0));
      return redirect("/dashboard/sign-in", "signed-out");
    }),
  ];
}

export function showSignIn({ provider, hasPasswords }: SignInOptions, next: string, email: string, errors?: FormErrors): DashboardResponse {
  const view = { next, email, errors, provider: providerLink(provider, { next }), hasPasswords };
  return page("Sign in", <SignIn {...view} />);
}

export function providerLink(provider: SignInOptions["provider"], query: Record<string, string>) {
  return provider && { name: provider.name, href: `/dashboard/provider?${new URLSearchParams(query)}` };
}

/** Ends the current session and starts a new one, which prevents session fixation. */
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
  visit.cookies.push(cookies.write("known", new KnownBrowsers(service).add(visit.cookie("known"), user.email), limits.knownBrowser_s));
  await recordSignIn(service, user, how.issuer === undefined ? "password" : "single sign-on", origin);
  return redirect(redirectTo);
}

/** Returns `next` if it is a dashboard path, but not one of a sign-in page; otherwise the path of the home page. */
export function dashboardPath(next: string | null): string {
  const path = returnPath(next);
  return /^\/dashboard(?:[/?]|$)/.test(path) && !/^\/dashboard\/(?:sign-|provider)/.test(path) ? path : "/dashboard";
}
