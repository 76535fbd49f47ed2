/** A person's own account and sessions. */

import { organizationHref } from "../../../dashboard/addresses.ts";
import type { Wrong } from "../../../dashboard/kit/problems.tsx";
import { Account } from "../../../dashboard/pages/account.tsx";
import { Home } from "../../../dashboard/pages/home.tsx";
import { changeName, changePassword, hasPassword } from "../../../platform/accounts/people.ts";
import { endOtherSessions, endSession, listSessions } from "../../../platform/accounts/sessions.ts";
import { page, redirect } from "../answer.ts";
import { field } from "../read-form.ts";
import { personRoute } from "../route.ts";
import type { PersonVisit } from "../visit.ts";
import { orShowAgain } from "./wrong.ts";

const home = "/dashboard/account";

export const accountRoutes = [
  personRoute("GET /", "home", async ({ memberships }) => {
    if (memberships.length === 1) return redirect(organizationHref(memberships[0]!.organizationId));
    const organizations = memberships.map(({ organizationId, organizationName, role }) => ({
      id: organizationId,
      name: organizationName,
      role,
    }));
    return page("Organizations", <Home organizations={organizations} />);
  }),
  personRoute("GET /account", "showAccount", (visit) => show(visit)),
  personRoute("POST /account/name", "changeName", (visit) =>
    orShowAgain(
      async () => {
        await changeName(visit.service, visit.session.person.id, field(visit.form, "name"));
        return redirect(home, "name-changed");
      },
      (wrong) => show(visit, wrong),
    ),
  ),
  personRoute("POST /account/password", "changePassword", (visit) =>
    orShowAgain(
      async () => {
        const { service, session, form, origin } = visit;
        await changePassword(service, session.person, form.get("before") ?? "", form.get("after") ?? "", origin.address);
        await endOtherSessions(service, session);
        return redirect(home, "password-changed");
      },
      (wrong) => show(visit, wrong),
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

async function show({ service, session }: PersonVisit, wrong?: Wrong) {
  const sessions = await listSessions(service, session.person.id);
  return page(
    "Your account",
    <Account
      person={session.person}
      hasPassword={await hasPassword(service, session.person.id)}
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
