/** Reads and changes the members of an organization and their roles. */

import { sql } from "kysely";
import { AppError, notFound } from "../../base/app-error.ts";
import type { Membership } from "../core/identity.ts";
import { requireProvedAdmin } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";
import type { Database, MemberRole } from "../core/tables.ts";
import { hasIdentity } from "./identities.ts";
import type { TokenAdmin } from "./one-time-tokens.ts";

/** SQL for a column with the memberships of the query's `users` row, sorted by the organization's name. */
export const memberships = sql<Membership[]>`(
  select coalesce(json_agg(
    json_build_object('organizationId', o.id, 'organizationName', o.name, 'plan', o.plan, 'role', m.role,
      'requiresProof', o.requires_proved_methods, 'logoHash', l.hash)
    order by o.name, o.id), '[]')
  from memberships m
  join organizations o on o.id = m.organization_id
  left join organization_logos l on l.organization_id = o.id
  where m.user_id = users.id)`.as("memberships");

/** Returns the user's memberships, sorted by the organization's name. */
export async function membershipsOf({ db }: Pick<Service, "db">, userId: string): Promise<Membership[]> {
  const user = await db.selectFrom("users").select(memberships).where("id", "=", userId).executeTakeFirst();
  return user?.memberships ?? [];
}

/** Returns the organization's members, sorted by name. */
export function listMembers({ db }: Pick<Service, "db">, organizationId: string) {
  return db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "email", "users.name", "role", "memberships.created_at"])
    .where("organization_id", "=", organizationId)
    .orderBy("users.name")
    .orderBy("users.id")
    .execute();
}

/**
 * Changes a member's role. Throws "not found" if the user isn't a member, and a conflict if the organization
 * would have no admin.
 */
export async function changeRole(
  service: Pick<Service, "db">,
  organizationId: string,
  userId: string,
  role: MemberRole,
): Promise<void> {
  await service.db.transaction().execute(async (db) => {
    await lockMembers(db, organizationId);
    const { numUpdatedRows } = await db
      .updateTable("memberships")
      .set({ role })
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw notFound();
    await requireAdmin(db, organizationId);
    if (role !== "admin") await endAdminRights(db, organizationId, userId);
  });
}

/**
 * Removes a member and revokes the API keys that the member created. Throws "not found" if the user isn't a
 * member, and a conflict if the organization would have no admin.
 */
export async function removeMember(
  service: Pick<Service, "db">,
  organizationId: string,
  userId: string,
): Promise<void> {
  await service.db.transaction().execute(async (db) => {
    await lockMembers(db, organizationId);

    const { numDeletedRows } = await db
      .deleteFrom("memberships")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId)
      .executeTakeFirst();

    if (numDeletedRows === 0n) throw notFound();
    await requireAdmin(db, organizationId);
    await endAdminRights(db, organizationId, userId);

    await db
      .updateTable("api_keys")
      .set({ revoked_at: new Date() })
      .where("organization_id", "=", organizationId)
      .where("created_by", "=", userId)
      .where("revoked_at", "is", null)
      .execute();
  });
}

/**
 * Deletes what gives others rights in the name of a user who is no longer an admin: the user's invitations
 * and reset links. API keys have at most the rights of their creator's current role, so a change of role
 * doesn't revoke them.
 */
async function endAdminRights(db: Database, organizationId: string, userId: string): Promise<void> {
  await db
    .deleteFrom("invitations")
    .where("organization_id", "=", organizationId)
    .where("invited_by", "=", userId)
    .execute();
  await db
    .deleteFrom("one_time_tokens")
    .where("organization_id", "=", organizationId)
    .where("created_by", "=", userId)
    .execute();
}

/** Locks the organization's row, so that two admins can't remove each other at the same time. */
async function lockMembers(db: Database, organizationId: string): Promise<void> {
  await db.selectFrom("organizations").select("id").where("id", "=", organizationId).forUpdate().execute();
}

async function requireAdmin(db: Database, organizationId: string): Promise<void> {
  const admin = await db
    .selectFrom("memberships")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("role", "=", "admin")
    .limit(1)
    .executeTakeFirst();
  if (!admin)
    throw new AppError(
      "conflict",
      "An organization needs at least one admin. Make another member an admin first.",
    );
  await requireProvedAdmin(db, [organizationId]);
}

/**
 * Returns why the organization's admins can't change how a member signs in: the member has other
 * organizations, is an operator, or signs in at a provider. Undefined if they can.
 */
export async function ownSignInReason(
  service: Pick<Service, "db">,
  organizationId: string,
  userId: string,
): Promise<string | undefined> {
  const all = await membershipsOf(service, userId);
  const why = all.some((membership) => membership.organizationId !== organizationId)
    ? "also belongs to other organizations"
    : (await isOperator(service, userId))
      ? "is an operator"
      : (await hasIdentity(service, userId))
        ? "signs in with single sign-on"
        : undefined;
  return why && `This member ${why}, so only they can change how they sign in`;
}

/** Whether an admin of an organization may change how a member signs in. */
export async function mayChangeSignIn(
  service: Pick<Service, "db">,
  { organizationId, userId: adminId }: TokenAdmin,
  userId: string,
): Promise<boolean> {
  const [admin, own] = [await membershipsOf(service, adminId), await membershipsOf(service, userId)];
  const isAdmin = admin.some(
    (membership) => membership.organizationId === organizationId && membership.role === "admin",
  );
  const isMember = own.some((membership) => membership.organizationId === organizationId);
  return isAdmin && isMember && (await ownSignInReason(service, organizationId, userId)) === undefined;
}

/**
 * Throws "not found" if the user isn't a member. Throws an AppError if only the user can change how they sign
 * in.
 */
export async function requireMaySetSignIn(
  service: Pick<Service, "db">,
  organizationId: string,
  userId: string,
): Promise<void> {
  const all = await membershipsOf(service, userId);
  if (!all.some((membership) => membership.organizationId === organizationId)) throw notFound();
  const why = await ownSignInReason(service, organizationId, userId);
  if (why !== undefined) throw new AppError("forbidden", why);
}

/**
 * Whether the user is an operator, who manages all organizations. Admins of an organization must not be able
 * to act as an operator.
 */
async function isOperator({ db }: Pick<Service, "db">, userId: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("is_operator").where("id", "=", userId).executeTakeFirst();
  return row?.is_operator === true;
}
