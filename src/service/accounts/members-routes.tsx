/** Dashboard routes for an organization's members. All members can list them. Only admins can change them. */

import { AppError, atField, fieldThat, invalid, notFound } from "../../base/app-error.ts";
import { mayActAs } from "../core/identity.ts";
import type { MemberRole } from "../core/tables.ts";
import { getOrganization } from "../organizations/organizations.ts";
import { page, redirect } from "../ui/dashboard-response.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { requireConfirmation } from "../ui/require-confirmation.ts";
import { organizationRoute } from "../ui/route.ts";
import type { MemberVisit } from "../ui/visit.ts";
import {
  invitationPath,
  invite,
  listInvitations,
  mailInvitation,
  renewInvitation,
  revokeInvitation,
} from "./invitations.ts";
import { changeRole, listMembers, ownSignInReason, removeMember, requireMaySetSignIn } from "./members.ts";
import { Member, Members, type MembersProps } from "./members-view.tsx";
import { resetLink } from "./password-reset.ts";
import { requirePasswords } from "./password-sign-in.ts";
import { hasPassword } from "./passwords.ts";
import { readEmail } from "./read-email.ts";
import { turnOffTwoFactor, twoFactorState } from "./two-factor.ts";

export const memberRoutes = [
  organizationRoute("GET /members", "listMembers", "viewer", (visit) => showAll(visit)),
  organizationRoute(
    "POST /members",
    "createInvitation",
    "admin",
    async (visit) => {
      const { service, member, session, form } = visit;
      const email = field(form, "email");
      const members = await listMembers(service, member.organizationId);
      if (members.some((row) => row.email === readEmail(email)))
        throw new AppError("conflict", "The invitation wasn't created", {
          details: [atField("email", `${email} is already a member`)],
        });
      const { token } = await invite(service, member.organizationId, {
        email,
        role: roleOf(form),
        invitedBy: session.user.id,
      });
      return showLink(visit, email, token);
    },
    { showErrors: (visit, errors) => showAll(visit, { errors }) },
  ),
  organizationRoute(
    "POST /members/invitations/:invitationId/withdraw",
    "withdrawInvitation",
    "admin",
    async ({ service, member, params }) => {
      await revokeInvitation(service, member.organizationId, params.invitationId!);
      return redirect(organizationHref(member.organizationId, "/members"), "invitation-withdrawn");
    },
  ),
  organizationRoute(
    "POST /members/invitations/:invitationId/resend",
    "resendInvitation",
    "admin",
    async (visit) => {
      const { email, token } = await renewInvitation(
        visit.service,
        visit.member.organizationId,
        visit.params.invitationId!,
      );
      return showLink(visit, email, token);
    },
  ),
  organizationRoute("GET /members/:userId", "showMember", "admin", (visit) => showOne(visit)),
  organizationRoute(
    "POST /members/:userId/role",
    "changeRole",
    "admin",
    async (visit) => {
      const { service, member, params, form } = visit;
      await changeRole(service, member.organizationId, params.userId!, roleOf(form));
      return redirect(organizationHref(member.organizationId, "/members"), "role-changed");
    },
    { showErrors: (visit, errors) => showOne(visit, { errors }) },
  ),
  organizationRoute(
    "POST /members/:userId/reset-link",
    "createResetLink",
    "admin",
    async (visit) => {
      const { service, member, params, session } = visit;
      requirePasswords(service);
      await requireMaySetSignIn(service, member.organizationId, params.userId!);
      const admin = { organizationId: member.organizationId, userId: session.user.id };
      return showOne(visit, { resetLink: await resetLink(service, { userId: params.userId!, admin }) });
    },
    { showErrors: (visit, errors) => showOne(visit, { errors }) },
  ),
  organizationRoute(
    "POST /members/:userId/two-factor/off",
    "turnOffTwoFactorOfMember",
    "admin",
    async (visit) => {
      const { service, member, params } = visit;
      await requireMaySetSignIn(service, member.organizationId, params.userId!);
      await turnOffTwoFactor(service, params.userId!);
      return redirect(organizationHref(member.organizationId, "/members"), "two-factor-off");
    },
    { showErrors: (visit, errors) => showOne(visit, { errors }) },
  ),
  organizationRoute(
    "POST /members/:userId/remove",
    "removeMember",
    "admin",
    async (visit) => {
      const { service, member, params, form, session } = visit;
      requireConfirmation(form, (await memberOf(visit)).email);
      await removeMember(service, member.organizationId, params.userId!);
      const isSelf = params.userId === session.user.id;
      return redirect(
        isSelf ? "/dashboard" : organizationHref(member.organizationId, "/members"),
        "member-removed",
      );
    },
    { showErrors: (visit, errors) => showOne(visit, { errors }) },
  ),
];

function roleOf(form: URLSearchParams): MemberRole {
  const role = field(form, "role");
  if (role !== "admin" && role !== "editor" && role !== "viewer")
    throw invalid("Invalid role", fieldThat("role", "must be admin, editor, or viewer"));
  return role;
}

/**
 * Renders the list of members with an invitation link. Also emails the link if the invitation has an email
 * and the service sends email.
 */
async function showLink(visit: MemberVisit, email: string | null, token: string) {
  const { service, member, session } = visit;
  const url = service.settings.url + invitationPath(token);
  const invitation = {
    organization: { id: member.organizationId, name: member.organizationName },
    by: session.user.name,
    url,
  };
  const isMailed = email !== null && (await mailInvitation(service, { to: email, ...invitation }));
  return showAll({ ...visit, form: new URLSearchParams() }, { link: { url, email, isMailed } });
}

async function showAll(
  visit: MemberVisit,
  { link, errors }: { link?: MembersProps["link"]; errors?: FormErrors } = {},
) {
  const { service, member, session, form } = visit;
  const { organizationId } = member;
  const mayChange = mayActAs(member.role, "admin");
  const [members, { default_role: defaultRole }, invitations] = await Promise.all([
    listMembers(service, organizationId),
    getOrganization(service, organizationId),
    mayChange ? listInvitations(service, organizationId) : [],
  ]);

  return page(
    "Members",
    <Members
      organizationId={organizationId}
      members={members.map((row) => ({ ...row, since: row.created_at, isYou: row.id === session.user.id }))}
      invitations={invitations.map((row) => ({ ...row, expiresAt: row.expires_at }))}
      mayChange={mayChange}
      hasMail={service.mail !== undefined}
      filled={{ email: field(form, "email"), role: field(form, "role") || defaultRole }}
      link={link}
      errors={errors}
    />,
  );
}

async function showOne(
  visit: MemberVisit,
  { resetLink, errors }: { resetLink?: string; errors?: FormErrors } = {},
) {
  const { service } = visit;
  const member = await memberOf(visit);
  const [{ isOn }, hasOwnPassword, reason] = await Promise.all([
    twoFactorState(service, member.id),
    hasPassword(service, member.id),
    ownSignInReason(service, visit.member.organizationId, member.id),
  ]);

  const canHelp = service.settings.requiredIssuer === undefined && reason === undefined;
  return page(
    member.name,
    <Member
      organizationId={visit.member.organizationId}
      member={{ ...member, hasTwoFactor: canHelp && isOn, canReset: canHelp && hasOwnPassword }}
      resetLink={resetLink}
      errors={errors}
    />,
  );
}

async function memberOf({ service, member, params }: MemberVisit) {
  const row = (await listMembers(service, member.organizationId)).find(({ id }) => id === params.userId);
  if (!row) throw notFound();
  return row;
}
