/** A person's own account and sessions. */

import { page, redirect } from "../ui/answer.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import type { Wrong } from "../ui/kit/problems.tsx";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { type DashboardRoute, personRoute } from "../ui/route.ts";
import type { PersonVisit } from "../ui/visit.ts";
import { Account } from "./account-view.tsx";
import { Home } from "./home-view.tsx";
import { hasIdentity } from "./identities.ts";
import { endOtherSessions, endSession, isRecent, listSessions } from "./sessions.ts";
import type { Provider } from "./sign-in-provider.ts";
import { changeName, changePassword, hasPassword } from "./users.ts";

const home = "/dashboard/account";

export interface AccountOptions {
  /** Absent where the operator configured none. */
  provider: Provider | undefined;
  /** False where people sign in at the provider only. */
  hasPasswords: boolean;
}

export const accountRoutes = (options: AccountOptions): DashboardRoute[] => [
  personRoute("GET /", "home", async ({ memberships }) => {
    if (memberships.length === 1) return redirect(organizationHref(memberships[0]!.organizationId));
    const organizations = memberships.map(({ organizationId, organizationName, role }) => ({
      id: organizationId,
      name: organizationName,
      role,
    }));
    return page("Organizations", <Home organizations={organizations} />);
  }),
  personRoute("GET /account", "showAccount", (visit) => showAccount(visit, options)),
  personRoute("POST /account/name", "changeName", (visit) =>
    rerenderOnError(
      async () => {
        await changeName(visit.service, visit.session.person.id, field(visit.form, "name"));
        return redirect(home, "name-changed");
      },
      (wrong) => showAccount(visit, options, wrong),
    ),
  ),
  personRoute("POST /account/password", "changePassword", (visit) =>
    rerenderOnError(
      async () => {
        const { service, session, form, origin } = visit;
        const proof = { before: form.get("before") ?? "", isRecent: isRecent(session) };
        await changePassword(service, session.person, proof, form.get("after") ?? "", origin.address);
        await endOtherSessions(service, session);
        return redirect(home, "password-changed");
      },
      (wrong) => showAccount(visit, options, wrong),
    ),
  ),
  personRoute("POST /account/sessions/others", "endOtherSessions", async ({ service, session }) => {
    await endOtherSessions(service, session);
    return redirect(home, "sessions-ended");
  }),
  personRoute("POST /account/sessions/:sessionId/end", "endSession", async ({ service, session, params }) => {
    await endSession(service, session.person.id, params.sessionId!);
    return redirect(home, "session-ended");
  }),
];

export async function showAccount({ service, session }: PersonVisit, { provider, hasPasswords }: AccountOptions, wrong?: Wrong) {
  const { id } = session.person;
  const [sessions, isProtected, isConnected] = await Promise.all([
    listSessions(service, id),
    hasPassword(service, id),
    hasIdentity(service, id),
  ]);
  return page(
    "Your account",
    <Account
      person={session.person}
      password={hasPasswords ? { isSet: isProtected, isConfirmed: isProtected || isRecent(session) } : undefined}
      provider={provider && { name: provider.name, isConnected }}
      sessions={sessions.map((row) => ({
        id: row.id,
        address: row.address,
        userAgent: row.user_agent,
        createdAt: row.created_at,
        seenAt: row.seen_at,
        isThis: row.id === session.id,
      }))}
      wrong={wrong}
    />,
  );
}
