/** Routes for invitation links: join an organization with an existing or a new account. */

import { AppError, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { hasUrl } from "../../base/one-line.ts";
import { type AuditEvent, appendAudit } from "../core/audit.ts";
import { changeOrganization } from "../organizations/organizations.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { type DashboardRoute, publicRoute } from "../ui/route.ts";
import type { Visit } from "../ui/visit.ts";
import { Invitation, invitationTitle } from "./invitation-view.tsx";
import { acceptInvitation, requireInvitation } from "./invitations.ts";
import { existingAccount } from "./password-sign-in.ts";
import { providerLink, type SignInOptions } from "./sign-in-routes.tsx";
import { continueSignIn, startSession } from "./start-session.ts";
import { twoFactorState } from "./two-factor.ts";

export function invitationRoutes(options: SignInOptions): DashboardRoute[] {
  return [
    publicRoute("GET /invitations/:token", "showInvitation", (visit) => showInvitation(visit, options)),
    publicRoute("POST /invitations/:token", "acceptInvitation", (visit) =>
      rerenderOnError(
        () => accept(visit, options),
        (errors) => showInvitation(visit, options, errors),
      ),
    ),
  ];
}

/**
 * Joins an organization with the email and password in the form. Creates an account if none has this email and password. If the form has
 * no email, the signed-in user joins. The first admin can name the organization.
 */
async function accept(visit: Visit, { cookies }: SignInOptions): Promise<DashboardResponse> {
  const { service, session, params, form, origin, url } = visit;
  const hasCredentials = form.has("email");
  if (!hasCredentials && !session) throw new AppError("invalid", "Fill in the form to create an account");
  const [email, password] = [field(form, "email"), form.get("password") ?? ""];
  const { isOperator } = await requireInvitation(service, params.token!);
  const organization = isOperator ? field(form, "organization") : "";
  if (hasUrl(organization)) throw invalid("Invalid account", "organization must not contain a URL");
  const existing = hasCredentials ? await existingAccount(service, email, password, origin.address) : session!.user;
  // With two-factor authentication, the user accepts after the sign-in.
  if (hasCredentials && existing && (await twoFactorState(service, existing.id)).isOn)
    return continueSignIn(visit, cookies, existing, url.pathname);
  const as = existing ?? { email, name: field(form, "name"), password, isVerified: false };
  const { user, organizationId } = await joinOrganization(visit, params.token!, as);
  if (organization !== "")
    await changeOrganization(service, organizationId, { name: organization.slice(0, limits.organizationName_chars) });
  const home = `${organizationHref(organizationId)}?done=joined`;
  return hasCredentials ? startSession(visit, cookies, user, { method: "password", authenticatedAt: new Date() }, home) : redirect(home);
}

/** Accepts an invitation, and records this in the audit log. Throws the same errors as `acceptInvitation`. */
export async function joinOrganization({ service, origin }: Visit, token: string, as: Parameters<typeof acceptInvitation>[2]) {
  const joined = await acceptInvitation(service, token, as);
  // The path of the page is not recorded, because it contains the token.
  const event: AuditEvent = { action: "acceptInvitation", target: "/dashboard/invitations", outcome: "200" };
  await appendAudit(service.db, joined.organizationId, `member ${joined.user.email}`, event, origin);
  return joined;
}

async function showInvitation(visit: Visit, { provider, hasPasswords }: SignInOptions, errors?: FormErrors): Promise<DashboardResponse> {
  const { service, params, session, form, url } = visit;
  const invitation = await requireInvitation(service, params.token!);
  const { organizationName: organization, isOperator } = invitation;
  return page(
    invitationTitle({ organization, isOperator }),
    <Invitation
      organization={organization}
      role={invitation.role}
      isOperator={isOperator}
      email={invitation.email}
      action={url.pathname}
      user={session?.user}
      provider={providerLink(provider, { invitation: params.token! })}
      hasPasswords={hasPasswords}
      filled={{ email: field(form, "email"), name: field(form, "name"), organization: field(form, "organization") }}
      errors={errors}
    />,
  );
}
