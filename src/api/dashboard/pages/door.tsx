/** The ways in and out: by password, by the operator's provider, by an invitation. */

import { limits } from "../../../base/limits.ts";
import { organizationHref } from "../../../dashboard/addresses.ts";
import type { Wrong } from "../../../dashboard/kit/problems.tsx";
import { Invitation } from "../../../dashboard/pages/invitation.tsx";
import { SignIn } from "../../../dashboard/pages/sign-in.tsx";
import { bindIdentity, personByIdentity } from "../../../platform/accounts/identities.ts";
import { acceptInvitation, openInvitation } from "../../../platform/accounts/invitations.ts";
import { type Person, signIn } from "../../../platform/accounts/people.ts";
import { beginSession, endSession } from "../../../platform/accounts/sessions.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { returnPath } from "../../../reader/sign-in/return-path.ts";
import { type Answer, page, redirect } from "../answer.ts";
import type { DashboardCookies } from "../cookies.ts";
import { KnownBrowsers } from "../known-browsers.ts";
import { type Provider, type ProviderIdentity, waiting_s } from "../provider.ts";
import { field } from "../read-form.ts";
import { type DashboardRoute, openRoute, personRoute } from "../route.ts";
import type { Visit } from "../visit.ts";
import { orShowAgain } from "./wrong.ts";

export interface DoorOptions {
  cookies: DashboardCookies;
  /** Absent where the operator named none. */
  provider: Provider | undefined;
}

export function doorRoutes({ cookies, provider }: DoorOptions): DashboardRoute[] {
  /** A new session with every way in, so that none can be planted before. */
  const enter = async (visit: Visit, person: Person, to: string): Promise<Answer> => {
    const { service, session, origin, userAgent } = visit;
    if (session) await endSession(service, session.person.id, session.id).catch(() => {});
    const token = await beginSession(service, person.id, { address: origin.address, userAgent });
    visit.cookies.push(cookies.write("session", token, limits.session_ms / 1_000));
    visit.cookies.push(cookies.write("known", new KnownBrowsers(service).add(visit.cookie("known"), person.email), limits.knownBrowser_s));
    return redirect(to);
  };

  const providerHref = (query: Record<string, string>) =>
    provider && { name: provider.name, href: `/dashboard/provider?${new URLSearchParams(query)}` };

  const showSignIn = (next: string, email: string, wrong?: Wrong) =>
    page("Sign in", <SignIn next={next} email={email} wrong={wrong} provider={providerHref({ next })} />);

  const showInvitation = async (visit: Visit, wrong?: Wrong): Promise<Answer> => {
    const { service, params, session, form, url } = visit;
    const invitation = await openInvitation(service, params.token!);
    if (!invitation) throw new Refusal("gone", "This invitation was used, withdrawn or has expired; ask for a new one");
    return page(
      `Join ${invitation.organizationName}`,
      <Invitation
        organization={invitation.organizationName}
        role={invitation.role}
        email={invitation.email}
        action={url.pathname}
        person={session?.person}
        provider={providerHref({ invitation: params.token! })}
        filled={{ email: field(form, "email"), name: field(form, "name") }}
        wrong={wrong}
      />,
    );
  };

  /** Who comes back from the provider, known or invited. */
  const arrive = async (visit: Visit, identity: ProviderIdentity, invitation: string | undefined): Promise<Answer> => {
    const { service } = visit;
    const known = await personByIdentity(service, identity);
    if (invitation === undefined) {
      if (!known) throw new Refusal("forbidden", "You have no account here; ask an admin of your organization for an invitation");
      return enter(visit, known, "/dashboard");
    }
    const { email } = identity;
    if (!known && email === undefined) throw new Refusal("forbidden", "The provider does not vouch for your address");
    const newcomer = { email: email ?? "", name: identity.name ?? email ?? "", password: undefined };
    const { person, organizationId } = await acceptInvitation(service, invitation, known ?? newcomer);
    await bindIdentity(service, person.id, identity);
    return enter(visit, person, `${organizationHref(organizationId)}?done=joined`);
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
          return enter(visit, person, next);
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
      const { service, session, params, form } = visit;
      return orShowAgain(
        async () => {
          // Who is signed in joins as themselves, unless they fill in the form of a new account.
          const isNew = form.has("email");
          if (!isNew && !session) throw new Refusal("invalid", "Fill in the form to make an account");
          const as = isNew
            ? { email: field(form, "email"), name: field(form, "name"), password: form.get("password") ?? "" }
            : session!.person;
          const { person, organizationId } = await acceptInvitation(service, params.token!, as);
          const home = `${organizationHref(organizationId)}?done=joined`;
          return isNew ? enter(visit, person, home) : redirect(home);
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
            const { to, kept } = await provider.begin(waiting);
            visit.cookies.push(cookies.write("provider", kept, waiting_s));
            return redirect(to);
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
            const answer = await arrive(visit, identity, waiting.invitation);
            return answer.kind === "redirect" && waiting.invitation === undefined ? redirect(nextPath(waiting.next)) : answer;
          }),
        ]
      : []),
  ];
}

/** A path of the dashboard, whatever the address says. */
function nextPath(wanted: string | null): string {
  const path = returnPath(wanted);
  return /^\/dashboard(?:[/?]|$)/.test(path) && !/^\/dashboard\/(?:sign-|provider)/.test(path) ? path : "/dashboard";
}
