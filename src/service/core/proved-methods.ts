/**
 * Knows the sign-in methods that members proved to be theirs after they joined an organization. An
 * organization can require one (`organizations.requires_proved_methods`), so that a method that someone else
 * added to the account before doesn't open it.
 *
 * Accepting an invitation of the organization proves the method that was used. A reset by email proves the
 * new password in all organizations. A session that started with a proved method proves the methods that are
 * added in it. Other sessions prove theirs with a second method (`accounts/prove-session.ts`). An identity
 * with the account's verified email needs no proof.
 */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import type { Membership, Session } from "./identity.ts";
import type { Database } from "./tables.ts";

/** Key of a sign-in method in `proved_methods` and `sessions.method`. */
export const methodKey = {
  password: "password",
  passkey: (id: string) => `passkey ${id}`,
  identity: ({ issuer, subject }: { issuer: string; subject: string }) => `identity ${issuer} ${subject}`,
};

/** SQL for the IDs of the organizations in which the query's session started with a proved method. */
export const provedIn = sql<string[]>`(
  select coalesce(json_agg(m.organization_id), '[]') from memberships m where m.user_id = users.id and (
    exists (select from proved_methods p where p.organization_id = m.organization_id and p.user_id = m.user_id
      and p.method = sessions.method)
    or (sessions.created_at >= m.created_at and exists (select from user_identities i where i.user_id = m.user_id
      and i.is_confirmed and sessions.method = 'identity ' || i.issuer || ' ' || i.subject))))`.as(
  "proved_in",
);

/** Whether the session must prove its sign-in method before it can open the organization. */
export function mustProve(session: Session, { organizationId, requiresProof }: Membership): boolean {
  return requiresProof && !session.provedIn.includes(organizationId);
}

/** Records that a method is the member's. Leaves out organizations that the user doesn't belong to. */
export async function recordProof(
  db: Database,
  userId: string,
  method: string,
  organizationIds: readonly string[],
): Promise<void> {
  if (organizationIds.length === 0) return;
  await db
    .insertInto("proved_methods")
    .columns(["organization_id", "user_id", "method"])
    .expression(
      db
        .selectFrom("memberships")
        .select(["organization_id", "user_id", sql<string>`${method}`.as("method")])
        .where("user_id", "=", userId)
        .where("organization_id", "in", organizationIds),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Throws a conflict if an organization requires proved methods and no admin has one, so that its admins can't
 * lock themselves out. `organizationIds`: the organizations to check. Must be called in a transaction, after
 * the change.
 */
export async function requireProvedAdmin(db: Database, organizationIds: readonly string[]): Promise<void> {
  if (organizationIds.length === 0) return;
  const requiring = await db
    .selectFrom("organizations")
    .select("id")
    .where("id", "in", organizationIds)
    .where("requires_proved_methods", "=", true)
    .orderBy("id")
    .forUpdate()
    .execute();

  for (const { id } of requiring) {
    const { rows } = await sql`
      select from memberships m where m.organization_id = ${id} and m.role = 'admin' and (
        exists (select from proved_methods p where p.organization_id = m.organization_id and p.user_id = m.user_id)
        or exists (select from user_identities i where i.user_id = m.user_id and i.is_confirmed))
      limit 1`.execute(db);

    if (rows.length === 0)
      throw new AppError(
        "conflict",
        "Your organization requires confirmed sign-in methods, and no admin would have one. Add and confirm another method first, or turn off this requirement in the organization's settings.",
      );
  }
}

/** Like `requireProvedAdmin`, for all organizations of which the user is an admin. */
export async function requireProvedAdmins(db: Database, userId: string): Promise<void> {
  const rows = await db
    .selectFrom("memberships")
    .select("organization_id")
    .where("user_id", "=", userId)
    .where("role", "=", "admin")
    .execute();
  await requireProvedAdmin(
    db,
    rows.map(({ organization_id }) => organization_id),
  );
}
