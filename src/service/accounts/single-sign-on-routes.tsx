/**
 * Routes for single sign-on with OpenID Connect: to sign in, to open an invitation, and to connect an
 * identity to an account.
 */

import { AppError } from "../../base/app-error.ts";
import { type DashboardResponse, redirect } from "../ui/dashboard-response.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { type DashboardRoute, publicRoute, userRoute } from "../ui/route.ts";
import type { Visit } from "../ui/visit.ts";
import { showAccount } from "./account-routes.tsx";
import { dashboardPath } from "./dashboard-path.ts";
import { connectIdentity, identityConnected, userByIdentity } from "./identities.ts";
import { invitationPath, requireInvitation } from "./invitations.ts";
import { confirmPassword } from "./password-sign-in.ts";
import { readEmail } from "./read-email.ts";
import { type ProviderIdentity, pendingSignIn_s } from "./sign-in-provider.ts";
import { type SignInOptions, showSignIn } from "./sign-in-routes.tsx";
import { startSession } from "./start-session.ts";
import { tellOwner } from "./tell-owner.ts";
import { requireUnlimited } from "./unconfirmed.ts";
import { recordForUser } from "./user-audit.ts";

/** Returns no routes if the operator configured no provider. */
export function singleSignOnRoutes(options: SignInOptions): DashboardRoute[] {
  const { cookies, provider, hasPasswords } = options;
  if (!provider) return [];

  const sendToProvider = async (
    visit: Visit,
    ...parameters: Parameters<typeof provider.begin>
  ): Promise<DashboardResponse> => {
    const { url, cookie } = await provider.begin(...parameters);
    visit.cookies.push(cookies.write("provider", cookie, pendingSignIn_s));
    return redirect(url);
  };

  return [
    publicRoute("GET /provider", "leaveForProvider", (visit) => {
      const { searchParams } = visit.url;
      const invitation = searchParams.get("invitation");
      const pending = {
        next: dashboardPath(searchParams.get("next")),
        ...(invitation === null ? {} : { invitation }),
      };
      return sendToProvider(visit, pending, { isRenewed: searchParams.has("renew") });
    }),
    userRoute("POST /account/provider", "connectProvider", (visit) => {
      const { service, session, form, origin } = visit;
      return rerenderOnError(
        async () => {
          requireUnlimited(session);
          await confirmPassword(service, session.user, form.get("password") ?? "", origin.address);
          return sendToProvider(visit, { next: "/dashboard/account", connectTo: session.user.id });
        },
        (wrong) => showAccount(visit, { provider, hasPasswords }, wrong),
      );
    }),
    publicRoute("GET /provider/back", "returnFromProvider", async (visit) => {
      visit.cookies.push(cookies.write("provider", "", 0));
      const result = await provider.finish(visit.cookie("provider") ?? "", visit.url.search);
      if (!result)
        return showSignIn(visit, options, "/dashboard", "", {
          message: `Sign-in with ${provider.name} wasn't completed. Try again.`,
          details: [],
        });
      const { identity, pending } = result;
      if (pending.connectTo !== undefined) return connect(visit, identity, pending.connectTo);
      if (pending.invitation !== undefined)
        return signInWithInvitation(visit, options, identity, pending.invitation);
      return signInByIdentity(visit, options, identity, dashboardPath(pending.next));
    }),
  ];
}

async function signInByIdentity(
  visit: Visit,
  { cookies, provider }: SignInOptions,
  identity: ProviderIdentity,
  redirectTo: string,
): Promise<DashboardResponse> {
  const known = await userByIdentity(visit.service, identity);
  if (!known)
    throw new AppError("forbidden", `No account is connected to this ${provider!.name} identity`, {
      details: [
        "If you have a password, sign in with it. Then connect the identity under Account and sessions.",
        "If you don't have an account, ask an admin of your organization for an invitation.",
      ],
    });
  return startSession(visit, cookies, known, sourceOf(identity), redirectTo);
}

/**
 * Shows the page of the invitation, where the user accepts it: signs in a known user, and keeps the identity
 * of a new one. Another site can send a signed-in user here, so the invitation isn't accepted yet.
 */
async function signInWithInvitation(
  visit: Visit,
  { cookies, provider }: SignInOptions,
  identity: ProviderIdentity,
  token: string,
): Promise<DashboardResponse> {
  const { service } = visit;
  const invited = await requireInvitation(service, token);
  const known = await userByIdentity(service, identity);
  if (known) return startSession(visit, cookies, known, sourceOf(identity), invitationPath(token));

  const { email } = identity;
  if (email === undefined)
    throw new AppError(
      "forbidden",
      `${provider!.name} hasn't verified your email. Verify it there, and then open the invitation again.`,
    );

  if (invited.email !== null && readEmail(email) !== invited.email)
    throw new AppError("forbidden", "This invitation is for a different email address");
  visit.cookies.push(
    cookies.write("provider", provider!.keepInvited({ identity, invitation: token }), pendingSignIn_s),
  );
  return redirect(invitationPath(token));
}

/**
 * Connects the identity to the account whose password was confirmed before the user left for the provider.
 */
async function connect(visit: Visit, identity: ProviderIdentity, userId: string): Promise<DashboardResponse> {
  const { service, session } = visit;
  if (session?.user.id !== userId)
    throw new AppError("forbidden", "Your session ended. Sign in again, and then connect the identity.");
  requireUnlimited(session);
  await connectIdentity(service, session, identity);
  tellOwner(service, session.user, identityConnected);
  const target = visit.url.pathname;
  await recordForUser(
    service,
    session.user,
    { action: "providerConnected", target, outcome: "200" },
    visit.origin,
  );

  return redirect("/dashboard/account", "provider-connected");
}

function sourceOf({ issuer, subject, authenticatedAt }: ProviderIdentity) {
  return { method: "single sign-on" as const, issuer, subject, authenticatedAt };
}
