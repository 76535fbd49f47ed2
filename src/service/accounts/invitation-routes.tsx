/** Routes for invitation links: join an organization with an existing or a new account. */

import { AppError, fieldThat, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { hasUrl } from "../../base/one-line.ts";
import { type AuditEvent, appendAudit } from "../core/audit.ts";
import { changeOrganization } from "../organizations/organizations.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { type DashboardRoute, publicRoute } from "../ui/route.ts";
import type { Visit } from "../ui/visit.ts";
import { addIdentity } from "./identities.ts";
import { Invitation, invitationTitle } from "./invitation-view.tsx";
import { acceptInvitation, requireInvitation } from "./invitations.ts";
import { existingAccount } from "./password-sign-in.ts";
import { providerLink, type SignInOptions } from "./sign-in-routes.tsx";
import { continueSignIn, startSession } from "./start-session.ts";
import { twoFactorState } from "./two-factor.ts";
import { passwordLimit, unconfirmedMethods } from "./unconfirmed.ts";

export function invitationRoutes(options: SignInOptions): DashboardRoute[] {
  return [
    publicRoute("GET /invitations/:token", "showInvitation", (visit) => showInvitation(visit, options)),
    publicRoute("POST /invitations/:token", "acceptInvitation", async (visit) => accept(visit, options), {
      showErrors: (visit, errors) => showInvitation(visit, options, errors),
    }),
  ];
}

/**
 * Joins an organization with the email and password in the form. Creates an account if none has this email
 * and password. If the form has no email, the user who signed in joins. The first admin can name the
 * organization.
 */
async function accept(visit: Visit, options: SignInOptions): Promise<DashboardResponse> {
  const { cookies } = options;
  const { service, session, params, form, origin, url } = visit;
  const token = params.token!;
  const invitation = await requireInvitation(service, token);

  if (!form.has("email")) {
    const identity = invitedIdentity(visit, options);
    if (identity) return acceptAs(visit, options, identity);
    if (!session) throw new AppError("invalid", "Fill in the form to create an account");
    requireConfirmable(visit, session.limitedTo, invitation);
    const isConfirmed = form.has("isConfirmed") && session.limitedTo === undefined;
    const { organizationId } = await joinOrganization(visit, token, {
      ...session.user,
      session,
      isConfirmed,
    });
    return redirect(joinedPath(organizationId, session.limitedTo));
  }

  const [email, password] = [field(form, "email"), form.get("password") ?? ""];
  const organization = invitation.isOperator ? field(form, "organization") : "";
  if (hasUrl(organization))
    throw invalid("Invalid account", fieldThat("organization", "must not contain a URL"));

  const existing = await existingAccount(service, email, password, origin.address);

  // With two-factor authentication, the user accepts after the sign-in.
  if (existing && (await twoFactorState(service, existing.id)).isOn)
    return continueSignIn(visit, cookies, existing, url.pathname);
  const limitedTo = existing && (await passwordLimit(service, existing.id));
  requireConfirmable(visit, limitedTo, invitation);
  const as = existing ?? { email, name: field(form, "name"), password, isVerified: false };
  const { user, organizationId } = await joinOrganization(visit, token, as);

  if (organization !== "")
    await changeOrganization(service, organizationId, {
      name: organization.slice(0, limits.organizationName_chars),
    });

  return startSession(
    visit,
    cookies,
    user,
    { method: "password", authenticatedAt: new Date() },
    organization === ""
      ? joinedPath(organizationId, limitedTo)
      : `${organizationHref(organizationId)}?done=organization-ready`,
  );
}

/**
 * Returns the identity of a new user who came back from the sign-in provider to accept this invitation.
 * Undefined if there is none.
 */
function invitedIdentity({ params, cookie }: Visit, { provider }: SignInOptions) {
  return provider?.invited(cookie("provider") ?? "", params.token!);
}

/** Creates an account that signs in at the provider. */
async function acceptAs(
  visit: Visit,
  { cookies }: SignInOptions,
  identity: NonNullable<ReturnType<typeof invitedIdentity>>,
): Promise<DashboardResponse> {
  const { email = "", name = email, issuer, subject } = identity;
  visit.cookies.push(cookies.write("provider", "", 0));

  const { user, organizationId } = await joinOrganization(visit, visit.params.token!, {
    email,
    name,
    password: undefined,
    isVerified: true,
  });

  await addIdentity(visit.service.db, user.id, identity, { isConfirmed: true });

  return startSession(
    visit,
    cookies,
    user,
    { method: "single sign-on", issuer, subject },
    joinedPath(organizationId, undefined),
  );
}

/**
 * Throws an AppError if the account's password only opens another organization, and the user can't confirm
 * the account by email. The user could then never open the organization.
 */
function requireConfirmable(
  { service }: Visit,
  limitedTo: string | undefined,
  { organizationId }: { organizationId: string },
): void {
  if (limitedTo === undefined || limitedTo === organizationId || service.mail) return;
  throw new AppError(
    "forbidden",
    "The password of this account was set with a reset link from an admin of another organization",
    {
      details: [
        "Create a separate account with a different password, or sign in with a passkey or single sign-on.",
      ],
    },
  );
}

/**
 * Returns the path of the joined organization or, if the session can't open it, of the account page that
 * explains why.
 */
function joinedPath(organizationId: string, limitedTo: string | undefined): string {
  const canOpen = limitedTo === undefined || limitedTo === organizationId;
  return canOpen
    ? `${organizationHref(organizationId)}?done=joined`
    : "/dashboard/account?done=joined-unconfirmed";
}

/** Accepts an invitation, and records this in the audit log. Throws the same errors as `acceptInvitation`. */
export async function joinOrganization(
  { service, origin }: Visit,
  token: string,
  as: Parameters<typeof acceptInvitation>[2],
) {
  const joined = await acceptInvitation(service, token, as);
  // The path of the page is not recorded, because it contains the token.
  const event: AuditEvent = { action: "acceptInvitation", target: "/dashboard/invitations", outcome: "200" };
  await appendAudit(service.db, joined.organizationId, `member ${joined.user.email}`, event, origin);
  return joined;
}

async function showInvitation(
  visit: Visit,
  options: SignInOptions,
  errors?: FormErrors,
): Promise<DashboardResponse> {
  const { provider, hasPasswords } = options;
  const { service, params, session, form, url } = visit;
  const invitation = await requireInvitation(service, params.token!);
  const { organizationId, organizationName: organization, isOperator } = invitation;
  const identity = invitedIdentity(visit, options);
  const isLimited = session?.limitedTo !== undefined && session.limitedTo !== organizationId;
  const canJoin = session !== undefined && (!isLimited || service.mail !== undefined);
  return page(
    invitationTitle({ organization, isOperator }),
    <Invitation
      organization={organization}
      role={invitation.role}
      isOperator={isOperator}
      email={invitation.email}
      inviter={invitation.inviter}
      action={url.pathname}
      user={
        identity
          ? { name: identity.name ?? identity.email ?? "", email: identity.email ?? "" }
          : canJoin
            ? session.user
            : undefined
      }
      unconfirmed={canJoin && !identity ? await unconfirmedMethods(service.db, session.user.id) : []}
      isLimited={isLimited && !identity}
      provider={providerLink(provider, { invitation: params.token! })}
      hasPasswords={hasPasswords}
      filled={{
        email: field(form, "email"),
        name: field(form, "name"),
        organization: field(form, "organization"),
      }}
      errors={errors}
    />,
  );
}
