/** Dashboard routes to sign in with a password and to sign out. */

import type { DashboardCookies } from "../ui/dashboard-cookies.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { type DashboardRoute, publicRoute, userRoute } from "../ui/route.ts";
import type { Visit } from "../ui/visit.ts";
import type { AccountOptions } from "./account-routes.tsx";
import { dashboardPath } from "./dashboard-path.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { signInRequest } from "./passkeys.ts";
import { signIn } from "./password-sign-in.ts";
import { endSession } from "./sessions.ts";
import { SignIn } from "./sign-in-view.tsx";
import { continueSignIn } from "./start-session.ts";
import { anyUser } from "./users.ts";

export interface SignInOptions extends AccountOptions {
  cookies: DashboardCookies;
  /** Receives errors from work that continues after the response. */
  report(error: unknown): void;
}

export function signInRoutes(options: SignInOptions): DashboardRoute[] {
  const { cookies } = options;
  return [
    publicRoute("GET /sign-in", "showSignIn", async (visit) => {
      const next = dashboardPath(visit.url.searchParams.get("next"));
      return visit.session ? redirect(next) : showSignIn(visit, options, next, "");
    }),
    publicRoute("POST /sign-in", "signIn", (visit) => {
      const { service, form, origin } = visit;
      const [next, email] = [dashboardPath(form.get("next")), field(form, "email")];
      return rerenderOnError(
        async () => {
          const browser = new KnownBrowsers(service).idFor(visit.cookie("known"), email);
          const user = await signIn(service, {
            email,
            password: form.get("password") ?? "",
            address: origin.address,
            browser,
          });
          return continueSignIn(visit, cookies, user, next);
        },
        (errors) => showSignIn(visit, options, next, email, errors),
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

export async function showSignIn(
  { service }: Visit,
  { provider, hasPasswords }: SignInOptions,
  next: string,
  email: string,
  errors?: FormErrors,
): Promise<DashboardResponse> {
  const passkey = hasPasswords ? await signInRequest(service) : undefined;
  const hasUsers = await anyUser(service);
  const view = {
    next,
    email,
    errors,
    provider: providerLink(provider, { next }),
    hasPasswords,
    hasUsers,
    passkey,
  };
  return page("Sign in", <SignIn {...view} />);
}

/**
 * Returns the provider's name and the URL path that starts a sign-in there. Undefined if there is no
 * provider.
 */
export function providerLink(provider: SignInOptions["provider"], query: Record<string, string>) {
  return provider && { name: provider.name, href: `/dashboard/provider?${new URLSearchParams(query)}` };
}
