/** Sign-in by password, provider or invitation, and sign-out. */

import { limits } from "../../../base/limits.ts";
import { organizationHref } from "../../../dashboard/addresses.ts";
import type { Wrong } from "../../../dashboard/kit/problems.tsx";
import { Invitation } from "../../../dashboard/pages/invitation.tsx";
import { SignIn } from "../../../dashboard/pages/sign-in.tsx";
import { appendAudit } from "../../../platform/access/audit.ts";
import { bindIdentity, connectIdentity, personByIdentity } from "../../../platform/accounts/identities.ts";
import { acceptInvitation, requireInvitation } from "../../../platform/accounts/invitations.ts";
import { confirmPassword, existingAccount, type Person, signIn } from "../../../platform/accounts/people.ts";
import { recordForPerson, recordSignIn } from "../../../platform/accounts/person-audit.ts";
import { beginSession, endSession, type SignedIn } from "../../../platform/accounts/sessions.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { returnPath } from "../../../reader/sign-in/return-path.ts";
import { type Answer, page, redirect } from "../answer.ts";
import type { DashboardCookies } from "../cookies.ts";
import { KnownBrowsers } from "../known-browsers.ts";
import { type ProviderIdentity, waiting_s } from "../provider.ts";
import { field } from "../read-form.ts";
import { type DashboardRoute, openRoute, personRoute } from "../route.ts";
import type { Visit } from "../visit.ts";
import { type AccountOptions, showAccount } from "./account.tsx";
import { orShowAgain } from "./wrong.ts";

export interface DoorOptions extends AccountOptions {
  cookies: DashboardCookies;
}

export function doorRoutes({ cookies, provider, hasPasswords }: DoorOptions): DashboardRoute[] {
  /** Every sign-in begins a new session, so that none can be planted before. */
  const enter = async (visit: Visit, person: Person, how: SignedIn, to: string): Promise<Answer> => {
    const { service, session, origin, userAgent } = visit;
    if (session) await endSession(service, session.person.id, session.id).catch(() => {});
    const token = await beginSession(service, person.id, { address: origin.address, userAgent }, how);
    visit.cookies.push(cookies.write("session", token, limits.session_ms / 1_000));
    visit.cookies.push(cookies.write("known", new KnownBrowsers(service).add(visit.cookie("known"), person.email), limits.knownBrowser_s));
    await recordSignIn(service, person, how.issuer === undefined ? "password" : "single sign-on", origin);
    return redirect(to);
  };

  const providerHref = (query: Record<string, string>) =>
    provider && { name: provider.name, href: `/dashboard/provider?${new URLSearchParams(query)}` };

  const showSignIn = (next: string, email: string, wrong?: Wrong) =>
    page("Sign in", <SignIn next={next} email={email} wrong={wrong} provider={providerHref({ next })} hasPasswords={hasPasswords} />);

  const showInvitation = async (visit: Visit, wrong?: Wrong): Promise<Answer> => {
    const { service, params, session, form, url } = visit;
    const invitation = await requireInvitation(service, params.token!);
    return page(
      `Join ${invitation.organizationName}`,
      <Invitation
        organization={invitation.organizationName}
        role={invitation.role}
        email={invitation.email}
        action={url.pathname}
        person={session?.person}
        provider={providerHref({ invitation: params.token! })}
        hasPasswords={hasPasswords}
        filled={{ email: field(form, "email"), name: field(form, "name") }}
        wrong={wrong}
      />,
    );
  };

  /** Back from the provider: known, or with an invitation. */
  const arrive = async (visit: Visit, identity: ProviderIdentity, invitation: string | undefined): Promise<Answer> => {
    const { service } = visit;
    const how = { issuer: identity.issuer, authenticatedAt: identity.authenticatedAt };
    const known = await personByIdentity(service, identity);
    if (invitation === undefined) {
      if (!known)
        throw new Refusal("forbidden", `No account is connected to this ${provider!.name} identity`, {
          details: [
            "If you have a password, sign in with it and connect the identity under Account and sessions",
            "If you have no account, ask an admin of your organization for an invitation",
          ],
        });
      return enter(visit, known, how, "/dashboard");
    }
    const { email } = identity;
    if (!known && email === undefined) throw new Refusal("forbidden", `${provider!.name} has not verified your email`);
    const newcomer = { email: email ?? "", name: identity.name ?? email ?? "", password: undefined, isVerified: true };
    const { person, organizationId } = await join(visit, invitation, known ?? newcomer);
    await bindIdentity(service.db, person.id, identity);
    return enter(visit, person, how, `${organizationHref(organizationId)}?done=joined`);
  };

  /** Back from the provider to an account whose password was confirmed before. */
  const connect = async (visit: Visit, identity: ProviderIdentity, userId: string): Promise<Answer> => {
    const { service, session } = visit;
    if (session?.person.id !== userId) throw new Refusal("forbidden", "Sign in again, then connect the identity");
    await connectIdentity(service, session.person, identity);
    const target = visit.url.pathname;
    await recordForPerson(service, session.person, { action: "providerConnected", target, outcome: "200" }, visit.origin);
    return redirect("/dashboard/account", "provider-connected");
  };

  return [
    openRoute("GET /sign-in", "showSignIn", async ({ url, session }) => {
      const next = nextPath(url.searchParams.get("next"));
      return session ? redirect(next) : showSignIn(next, "");
    }),
    openRoute("POST /sign-in", "signIn", (visit) => {
      const { service, form, origin } = visit;
      const [next, email] = [nextPath(form.get("next")), field(form, "email")];
      return orShowAgain(
        async () => {
          const browser = new KnownBrowsers(service).idFor(visit.cookie("known"), email);
          const person = await signIn(service, { email, password: form.get("password") ?? "", address: origin.address, browser });
          return enter(visit, person, { authenticatedAt: new Date() }, next);
        },
        (wrong) => showSignIn(next, email, wrong),
      );
    }),
    personRoute("POST /sign-out", "signOut", async (visit) => {
      const { service, session } = visit;
      await endSession(service, session.person.id, session.id);
      visit.cookies.push(cookies.write("session", "", 0));
      return redirect("/dashboard/sign-in", "signed-out");
    }),
    openRoute("GET /invitations/:token", "showInvitation", (visit) => showInvitation(visit)),
    openRoute("POST /invitations/:token", "acceptInvitation", (visit) => {
      const { service, session, params, form, origin } = visit;
      return orShowAgain(
        async () => {
          // Somebody who is signed in joins with that account, unless they fill in the form of a new one.
          const isNew = form.has("email");
          if (!isNew && !session) throw new Refusal("invalid", "Fill in the form to create an account");
          const [email, password] = [field(form, "email"), form.get("password") ?? ""];
          await requireInvitation(service, params.token!);
          const as = isNew
            ? ((await existingAccount(service, email, password, origin.address)) ?? {
                email,
                name: field(form, "name"),
                password,
                isVerified: false,
              })
            : session!.person;
          const { person, organizationId } = await join(visit, params.token!, as);
          const home = `${organizationHref(organizationId)}?done=joined`;
          return isNew ? enter(visit, person, { authenticatedAt: new Date() }, home) : redirect(home);
        },
        (wrong) => showInvitation(visit, wrong),
      );
    }),
    ...(provider
      ? [
          openRoute("GET /provider", "leaveForProvider", async (visit) => {
            const { searchParams } = visit.url;
            const invitation = searchParams.get("invitation");
            const waiting = { next: nextPath(searchParams.get("next")), ...(invitation === null ? {} : { invitation }) };
            const { to, kept } = await provider.begin(waiting, { isRenewed: searchParams.has("renew") });
            visit.cookies.push(cookies.write("provider", kept, waiting_s));
            return redirect(to);
          }),
          personRoute("POST /account/provider", "connectProvider", (visit) => {
            const { service, session, form, origin } = visit;
            return orShowAgain(
              async () => {
                await confirmPassword(service, session.person, form.get("password") ?? "", origin.address);
                const { to, kept } = await provider.begin({ next: "/dashboard/account", connectTo: session.person.id });
                visit.cookies.push(cookies.write("provider", kept, waiting_s));
                return redirect(to);
              },
              (wrong) => showAccount(visit, { provider, hasPasswords }, wrong),
            );
          }),
          openRoute("GET /provider/back", "returnFromProvider", async (visit) => {
            visit.cookies.push(cookies.write("provider", "", 0));
            const found = await provider.finish(visit.cookie("provider") ?? "", visit.url.search);
            if (!found)
              return showSignIn("/dashboard", "", {
                message: `Signing in with ${provider.name} was not completed. Try again.`,
                details: [],
              });
            const { identity, waiting } = found;
            if (waiting.connectTo !== undefined) return connect(visit, identity, waiting.connectTo);
            const answer = await arrive(visit, identity, waiting.invitation);
            return answer.kind === "redirect" && waiting.invitation === undefined ? redirect(nextPath(waiting.next)) : answer;
          }),
        ]
      : []),
  ];
}

async function join({ service, origin }: Visit, token: string, as: Parameters<typeof acceptInvitation>[2]) {
  const joined = await acceptInvitation(service, token, as);
  // Not the page's path, which has the token.
  const event = { action: "acceptInvitation", target: "/dashboard/invitations", outcome: "200" };
  await appendAudit(service.db, joined.organizationId, `member ${joined.person.email}`, event, origin);
  return joined;
}

/** A path of the dashboard, whatever the address says. */
function nextPath(wanted: string | null): string {
  const path = returnPath(wanted);
  return /^\/dashboard(?:[/?]|$)/.test(path) && !/^\/dashboard\/(?:sign-|provider)/.test(path) ? path : "/dashboard";
}
