/** Manages invitations to an organization: single-use links that expire after a week. */

import { sql } from "kysely";
import { AppError, fieldThat, invalid, notFound } from "../../base/app-error.ts";
import type { Session, User } from "../core/identity.ts";
import { methodKey, recordProof, requireProvedAdmins } from "../core/proved-methods.ts";
import { quotedName } from "../core/quoted-text.ts";
import type { Service } from "../core/service.ts";
import type { Database, MemberRole } from "../core/tables.ts";
import { transact } from "../core/transact.ts";
import { createToken, hashToken } from "./random-token.ts";
import { readEmail } from "./read-email.ts";
import { confirmMethods, removeUnconfirmed } from "./unconfirmed.ts";
import { createUser, type NewUser } from "./users.ts";

/** Lifetime of an invitation. */
const invitation_ms = 7 * 24 * 3_600_000;
/** Maximum number of stored invitations per organization. */
const invitations_count = 200;

export interface NewInvitation {
  /** Email of the invited person. Absent if anyone with the link can join. */
  email?: string;
  role: MemberRole;
  /** ID of the inviting user; absent if the operator or the first start created the invitation. */
  invitedBy?: string;
  /** Whether the user becomes an operator, if there is none yet. */
  isOperator?: boolean;
}

/** Returns the URL path of an invitation link. */
export function invitationPath(token: string): string {
  return `/dashboard/invitations/${token}`;
}

/**
 * Creates an invitation and returns its ID and the token for its link. Only a hash of the token is stored.
 * Replaces an earlier invitation for the same email. Throws an AppError if the email isn't valid, the
 * organization doesn't exist, or the organization has too many invitations.
 */
export function invite(
  service: Pick<Service, "db" | "ulid" | "random">,
  organizationId: string,
  invitation: NewInvitation,
): Promise<{ id: string; token: string }> {
  return transact(service.db, (db) => inviteInTransaction({ ...service, db }, organizationId, invitation));
}

/** Like `invite`, but must be called in a transaction. */
export async function inviteInTransaction(
  { db, ulid, random }: Pick<Service, "db" | "ulid" | "random">,
  organizationId: string,
  { email, role, invitedBy, isOperator = false }: NewInvitation,
): Promise<{ id: string; token: string }> {
  const address = email === undefined ? null : (readEmail(email) ?? null);
  if (email !== undefined && address === null)
    throw invalid(
      "Invalid invitation",
      fieldThat("email", "must be a valid email address, such as ana@example.com"),
    );

  const organization = await db
    .selectFrom("organizations")
    .select("id")
    .where("id", "=", organizationId)
    .forUpdate()
    .executeTakeFirst();

  if (!organization) throw notFound();

  if (address !== null)
    await db
      .deleteFrom("invitations")
      .where("organization_id", "=", organizationId)
      .where("email", "=", address)
      .execute();

  const { count } = await db
    .selectFrom("invitations")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();

  if (Number(count) >= invitations_count)
    throw new AppError("conflict", "Too many pending invitations. Revoke some first.");
  const [id, token] = [ulid(), createToken(random)];
  await db
    .insertInto("invitations")
    .values({
      id,
      organization_id: organizationId,
      email: address,
      role,
      token_hash: hashToken(token),
      invited_by: invitedBy ?? null,
      is_operator: isOperator,
      expires_at: new Date(Date.now() + invitation_ms),
    })
    .execute();

  return { id, token };
}

/**
 * Creates a new link for an invitation, which is then valid for another week. The earlier link no longer
 * works. Throws "not found" if there is no such invitation.
 */
export async function renewInvitation(
  { db, random }: Pick<Service, "db" | "random">,
  organizationId: string,
  id: string,
): Promise<{ email: string | null; token: string }> {
  const token = createToken(random);
  const row = await db
    .updateTable("invitations")
    .set({ token_hash: hashToken(token), expires_at: new Date(Date.now() + invitation_ms) })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .returning("email")
    .executeTakeFirst();
  if (!row) throw notFound();
  return { email: row.email, token };
}

/**
 * Sends an invitation link by email. Resolves with false if the service doesn't send email, too many were
 * sent, or sending fails.
 */
export async function mailInvitation(
  { mail }: Pick<Service, "mail">,
  {
    to,
    organization,
    by,
    url,
  }: { to: string; organization: { id: string; name: string }; by: string; url: string },
): Promise<boolean> {
  if (!mail) return false;
  const text = [
    `You've been invited to the organization ${quotedName(organization.name)} on Octavo, by a user named ${quotedName(by)}. To join, open this link:`,
    url,
    "The link works once and expires in 7 days. If you didn't expect this invitation, you can ignore this email.",
  ].join("\n\n");
  const subject = `Join ${quotedName(organization.name)} on Octavo`;
  return mail.send({ to, subject, text, organization: organization.id, isInvitation: true }).then(
    () => true,
    () => false,
  );
}

export interface PendingInvitation {
  id: string;
  organizationId: string;
  organizationName: string;
  email: string | null;
  role: MemberRole;
  /** Whether the user also becomes an operator of the service. */
  isOperator: boolean;
  /** The inviting user; undefined if the operator or the first start created the invitation. */
  inviter: { name: string; email: string } | undefined;
}

/**
 * Returns the invitation for a link. Undefined if the link was used, revoked or replaced, has expired or
 * never existed.
 */
async function pendingInvitation(
  { db }: Pick<Service, "db">,
  token: string,
): Promise<PendingInvitation | undefined> {
  const row = await db
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.id", "invitations.organization_id")
    .leftJoin("users", "users.id", "invited_by")
    .select([
      "invitations.id",
      "organization_id",
      "organizations.name",
      "invitations.email",
      "role",
      "invitations.is_operator",
    ])
    .select(["users.name as inviter_name", "users.email as inviter_email"])
    .where("token_hash", "=", hashToken(token))
    .where("expires_at", ">", new Date())
    // The user who invited must still be an admin. A role that is lost at the same time is therefore not
    // passed on.
    .where(sql<boolean>`(invited_by is null or exists (
      select from memberships where organization_id = invitations.organization_id and user_id = invited_by and role = 'admin'))`)
    .executeTakeFirst();

  if (!row) return undefined;

  const {
    id,
    organization_id: organizationId,
    name: organizationName,
    email,
    role,
    is_operator: isOperator,
  } = row;

  const { inviter_name: name, inviter_email: address } = row;
  const inviter = name === null || address === null ? undefined : { name, email: address };
  return { id, organizationId, organizationName, email, role, isOperator, inviter };
}

/**
 * Returns the invitation for a link. Throws an AppError if the link was used, revoked or replaced, has
 * expired or never existed.
 */
export async function requireInvitation(
  service: Pick<Service, "db">,
  token: string,
): Promise<PendingInvitation> {
  const invitation = await pendingInvitation(service, token);
  if (!invitation)
    throw new AppError(
      "gone",
      "This invitation was already used, was revoked, or has expired. Ask an admin for a new one.",
    );
  return invitation;
}

/** An existing user who accepts an invitation. */
export interface JoiningUser extends User {
  /** The session in which the user accepts. Undefined if the user has entered a password. */
  session?: Pick<Session, "id" | "method">;
  /** Whether the user has confirmed that nobody else added the account's sign-in methods. */
  isConfirmed?: boolean;
}

/**
 * Adds an existing or a new user to the organization, and deletes the invitation in the same transaction. An
 * existing user's other sessions end, and sign-in methods that someone else may have added are removed unless
 * the user has confirmed them. Throws an AppError if the invitation isn't valid or is for a different email,
 * if the new account can't be created, or if the removed method was the last confirmed one of an
 * organization's admins.
 */
export async function acceptInvitation(
  service: Service,
  token: string,
  as: JoiningUser | NewUser,
): Promise<{ user: User; organizationId: string }> {
  return service.db.transaction().execute(async (db) => {
    const invitation = await requireInvitation({ db }, token);
    const used = await db
      .deleteFrom("invitations")
      .where("id", "=", invitation.id)
      .returning("is_operator")
      .executeTakeFirst();

    if (!used)
      throw new AppError(
        "gone",
        "This invitation was already used, was revoked, or has expired. Ask an admin for a new one.",
      );

    if (invitation.email !== null && readEmail(as.email) !== invitation.email)
      throw new AppError("forbidden", "This invitation is for a different email address");
    const user = "id" in as ? as : await createUser({ ...service, db }, invitation.organizationId, as);
    const joined = await db
      .insertInto("memberships")
      .values({ organization_id: invitation.organizationId, user_id: user.id, role: invitation.role })
      // An existing member keeps their role.
      .onConflict((conflict) => conflict.columns(["organization_id", "user_id"]).doNothing())
      .returning("user_id")
      .executeTakeFirst();

    let removed: string[] = [];
    if (joined && "id" in as) {
      await db
        .deleteFrom("sessions")
        .where("user_id", "=", user.id)
        .where("id", "<>", as.session?.id ?? "")
        .execute();
      if (as.isConfirmed) await confirmMethods(db, user.id);
      else removed = await removeUnconfirmed(db, user.id);
    }

    const method = provedMethod(as);
    if (method !== null) await recordProof(db, user.id, method, [invitation.organizationId]);
    if (removed.length > 0) await requireProvedAdmins(db, user.id);
    if (used.is_operator) await makeFirstOperator(db, user.id);
    return { user, organizationId: invitation.organizationId };
  });
}

/** Returns the sign-in method with which a user accepts an invitation. Null if it needs no proof. */
function provedMethod(as: JoiningUser | NewUser): string | null {
  if ("id" in as) return as.session ? as.session.method : methodKey.password;
  return as.password === undefined ? null : methodKey.password;
}

async function makeFirstOperator(db: Database, userId: string): Promise<void> {
  const known = await db
    .selectFrom("users")
    .select("id")
    .where("is_operator", "=", true)
    .limit(1)
    .executeTakeFirst();
  if (!known) await db.updateTable("users").set({ is_operator: true }).where("id", "=", userId).execute();
}

/** Returns the organization's invitations that haven't expired, newest first. */
export function listInvitations({ db }: Pick<Service, "db">, organizationId: string) {
  return db
    .selectFrom("invitations")
    .select(["id", "email", "role", "expires_at", "created_at"])
    .where("organization_id", "=", organizationId)
    .where("expires_at", ">", new Date())
    .orderBy("id", "desc")
    .execute();
}

/** Deletes an invitation. Throws "not found" if there is no such invitation. */
export async function revokeInvitation(
  { db }: Pick<Service, "db">,
  organizationId: string,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("invitations")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

/** Deletes expired invitations. */
export async function sweepInvitations({ db }: Pick<Service, "db">): Promise<void> {
  await db.deleteFrom("invitations").where("expires_at", "<", new Date()).execute();
}
