/** Reads and changes the members of an organization and their roles. */

import { AppError, notFound } from "../../base/app-error.ts";
import type { Membership } from "../core/identity.ts";
import type { Service } from "../core/service.ts";
import type { Database, MemberRole } from "../core/tables.ts";

/** Returns the user's memberships, sorted by the organization's name. */
export async function membershipsOf({ db }: Pick<Service, "db">, userId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.organization_id")
    .leftJoin("organization_logos", "organization_logos.organization_id", "organizations.id")
    .select(["memberships.organization_id", "organizations.name", "plan", "role", "hash"])
    .where("user_id", "=", userId)
    .orderBy("organizations.name")
    .orderBy("memberships.organization_id")
    .execute();
  return rows.map(({ organization_id, name, plan, role, hash }) => ({
    organizationId: organization_id,
    organizationName: name,
    plan,
    role,
    logoHash: hash,
  }));
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

/** Changes a member's role. Throws "not found" if the user isn't a member, and a conflict if the organization would have no admin. */
export async function changeRole(service: Pick<Service, "db">, organizationId: string, userId: string, role: MemberRole): Promise<void> {
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
  });
}

/**
 * Removes a member and revokes the API keys that the member created. Throws "not found" if the user isn't a member, and a conflict if
 * the organization would have no admin.
 */
export async function removeMember(service: Pick<Service, "db">, organizationId: string, userId: string): Promise<void> {
  await service.db.transaction().execute(async (db) => {
    await lockMembers(db, organizationId);
    const { numDeletedRows } = await db
      .deleteFrom("memberships")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
    await requireAdmin(db, organizationId);
    await db
      .updateTable("api_keys")
      .set({ revoked_at: new Date() })
      .where("organization_id", "=", organizationId)
      .where("created_by", "=", userId)
      .where("revoked_at", "is", null)
      .execute();
  });
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
  if (!admin) throw new AppError("conflict", "An organization needs at least one admin. Make another member an admin first.");
}

/**
 * Whether the user has no other organization and isn't an operator. Only then can the organization's admins reset the user's sign-in
 * methods.
 */
export async function isOnlyOrganization(service: Pick<Service, "db">, organizationId: string, userId: string): Promise<boolean> {
  const memberships = await membershipsOf(service, userId);
  return memberships.every((membership) => membership.organizationId === organizationId) && !(await isOperator(service, userId));
}

/** Throws "not found" if the user isn't a member. Throws an AppError if the user has other organizations or is an operator. */
export async function requireOnlyOrganization(service: Pick<Service, "db">, organizationId: string, userId: string): Promise<void> {
  const memberships = await membershipsOf(service, userId);
  if (!memberships.some((membership) => membership.organizationId === organizationId)) throw notFound();
  if (memberships.length > 1)
    throw new AppError("forbidden", "This member also belongs to other organizations, so only they can change how they sign in");
  if (await isOperator(service, userId))
    throw new AppError("forbidden", "This member is an operator, so only they can change how they sign in");
}

/** Whether the user is an operator, who manages all organizations. Admins of an organization must not be able to act as an operator. */
async function isOperator({ db }: Pick<Service, "db">, userId: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("is_operator").where("id", "=", userId).executeTakeFirst();
  return row?.is_operator === true;
}
