/** Dashboard routes for the signed-in user's account: name, password and sessions. */

import { page, redirect } from "../ui/dashboard-response.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { type DashboardRoute, userRoute } from "../ui/route.ts";
import type { UserVisit } from "../ui/visit.ts";
import { Account } from "./account-view.tsx";
import { hasIdentity } from "./identities.ts";
import { listPasskeys } from "./passkeys.ts";
import { changePassword, hasPassword } from "./passwords.ts";
import { endOtherSessions, endSession, isRecent, listSessions } from "./sessions.ts";
import type { Provider } from "./sign-in-provider.ts";
import { tellOwner } from "./tell-owner.ts";
import { twoFactorState } from "./two-factor.ts";
import { changeName } from "./users.ts";

const accountPath = "/dashboard/account";

export interface AccountOptions {
  /** Sign-in provider; undefined if the operator configured none. */
  provider: Provider | undefined;
  /** Whether users can sign in with a password. If false, they can only sign in at the provider. */
  hasPasswords: boolean;
}

export const accountRoutes = (options: AccountOptions): DashboardRoute[] => [
  userRoute("GET /account", "showAccount", (visit) => showAccount(visit, options)),
  userRoute(
    "POST /account/name",
    "changeName",
    async (visit) => {
      await changeName(visit.service, visit.session.user.id, field(visit.form, "name"));
      return redirect(accountPath, "name-changed");
    },
    { showErrors: (visit, errors) => showAccount(visit, options, errors) },
  ),
  userRoute(
    "POST /account/password",
    "changePassword",
    async (visit) => {
      const { service, session, form, origin } = visit;
      const proof = { before: form.get("before") ?? "", isRecent: isRecent(session) };
      await changePassword(service, session, proof, form.get("after") ?? "", origin.address);
      await endOtherSessions(service, session);
      tellOwner(service, session.user, "The password of your Octavo account was changed.");
      return redirect(accountPath, "password-changed");
    },
    { showErrors: (visit, errors) => showAccount(visit, options, errors) },
  ),
  userRoute("POST /account/sessions/others", "endOtherSessions", async ({ service, session }) => {
    await endOtherSessions(service, session);
    return redirect(accountPath, "sessions-ended");
  }),
  userRoute("POST /account/sessions/:sessionId/end", "endSession", async ({ service, session, params }) => {
    await endSession(service, session.user.id, params.sessionId!);
    return redirect(accountPath, "session-ended");
  }),
];

export async function showAccount(
  { service, session }: UserVisit,
  { provider, hasPasswords }: AccountOptions,
  errors?: FormErrors,
) {
  const { id } = session.user;
  const [sessions, isProtected, isConnected, twoFactor, passkeys] = await Promise.all([
    listSessions(service, id),
    hasPassword(service, id),
    hasIdentity(service, id),
    twoFactorState(service, id),
    listPasskeys(service, id),
  ]);

  return page(
    "Your account",
    <Account
      user={session.user}
      limitedTo={session.limitedTo === undefined ? undefined : { hasMail: service.mail !== undefined }}
      password={
        hasPasswords ? { isSet: isProtected, isConfirmed: isProtected || isRecent(session) } : undefined
      }
      provider={provider && { name: provider.name, isConnected }}
      twoFactor={hasPasswords ? twoFactor : undefined}
      passkeys={passkeys.map((row) => ({ ...row, createdAt: row.created_at, lastUsedAt: row.last_used_at }))}
      sessions={sessions.map((row) => ({
        id: row.id,
        address: row.address,
        userAgent: row.user_agent,
        createdAt: row.created_at,
        seenAt: row.seen_at,
        isThis: row.id === session.id,
      }))}
      errors={errors}
    />,
  );
}
