/**
 * Lists the sign-in methods that were added to an account in the last days, and removes them. Every session
 * shows them until the user confirms them in this session, so that a person who added a method can't hide it
 * from the owner's sessions.
 */

import { sql } from "kysely";
import { AppError, notFound } from "../../base/app-error.ts";
import type { Session } from "../core/identity.ts";
import { requireProvedAdmins } from "../core/proved-methods.ts";
import { quotedName } from "../core/quoted-text.ts";
import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { removePasskey } from "./passkeys.ts";
import { endOtherSessions } from "./sessions.ts";
import { turnOffTwoFactor } from "./two-factor.ts";

/** How long a method is new, in days. */
const new_days = 30;

export type MethodKind = "passkey" | "identity" | "second-factor" | "recovery-codes" | "password" | "key";

export interface NewMethod {
  kind: MethodKind;
  /** Identifies the method among those of its kind. */
  id: string;
  /** Name for people, such as `passkey "Laptop"`. */
  name: string;
  addedAt: Date;
  /** False for a password that is the account's only way to sign in. */
  isRemovable: boolean;
}

/**
 * Returns the new sign-in methods that the user hasn't confirmed in this session, oldest first. Leaves out
 * those with which the account was created. Empty for limited sessions, which can't change sign-in methods.
 */
export async function newMethods({ db }: Pick<Service, "db">, session: Session): Promise<NewMethod[]> {
  if (session.limitedTo !== undefined) return [];
  const { rows } = await sql<{ kind: MethodKind; id: string; label: string; at: Date; others: boolean }>`
    select kind, methods.id, label, at, exists (select from passkeys where user_id = users.id)
      or exists (select from user_identities where user_id = users.id) as others
    from users join sessions on sessions.user_id = users.id and sessions.id = ${session.id}
    cross join lateral (
      select 'passkey' as kind, id, name as label, created_at as at from passkeys where user_id = users.id
      union all select 'identity', issuer || ' ' || subject, issuer, created_at from user_identities
        where user_id = users.id
      union all select 'second-factor', '', '', confirmed_at from totp_factors where user_id = users.id
      union all select 'recovery-codes', '', '', max(created_at) from recovery_codes where user_id = users.id
      union all select 'password', '', '', password_set_at
      union all select 'key', id, name, created_at from api_keys
        where created_by = users.id and revoked_at is null
          and (expires_at is null or expires_at > clock_timestamp())) as methods
    where users.id = ${session.user.id} and at > greatest(methods_reviewed_at,
      users.created_at + interval '1 minute', clock_timestamp() - ${new_days} * interval '1 day')
    order by at`.execute(db);

  return rows.map(({ kind, id, label, at, others }) => ({
    kind,
    id,
    name: nameOf(kind, label),
    addedAt: at,
    isRemovable: kind !== "password" || others,
  }));
}

function nameOf(kind: MethodKind, label: string): string {
  if (kind === "passkey") return `passkey ${quotedName(label)}`;
  if (kind === "identity") return `single sign-on identity at ${new URL(label).host}`;
  if (kind === "key") return `API key ${quotedName(label)}`;
  if (kind === "recovery-codes") return "recovery codes";
  return kind === "password" ? "password" : "two-factor authentication";
}

/** Records that all sign-in methods are the user's, for this session. */
export async function confirmNewMethods({ db }: Pick<Service, "db">, { id }: Session): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ methods_reviewed_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", id)
    .execute();
}

/**
 * Removes a new sign-in method and ends the user's other sessions. Throws "not found" if the method isn't
 * new, and a conflict for a password that is the account's only way to sign in.
 */
export async function removeNewMethod(
  service: Pick<Service, "db">,
  session: Session,
  { kind, id }: { kind: string; id: string },
): Promise<void> {
  const method = (await newMethods(service, session)).find((each) => each.kind === kind && each.id === id);
  if (!method) throw notFound();
  const userId = session.user.id;
  if (method.kind === "passkey") await removePasskey(service, userId, id);
  else if (method.kind === "identity") await removeIdentity(service.db, userId, id);
  else if (method.kind === "key") await revokeKey(service.db, userId, id);
  else if (method.kind === "recovery-codes") await removeRecoveryCodes(service.db, userId);
  else if (method.kind === "second-factor") await turnOffTwoFactor(service, userId);
  else await removePassword(service.db, userId);
  await endOtherSessions(service, session);
}

async function removeIdentity(db: Database, userId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom("user_identities")
      .where("user_id", "=", userId)
      .where(sql<boolean>`issuer || ' ' || subject = ${id}`)
      .returning("is_confirmed")
      .executeTakeFirst();

    // Otherwise, the next sign-in with this identity would find the account by its email and connect it.
    if (removed?.is_confirmed !== false) await forgetVerifiedEmail(tx, userId);
    await requireProvedAdmins(tx, userId);
  });
}

/**
 * Records that no provider has verified the email. An organization can have only one such account with this
 * email that it invited (`users_by_email`), so another one takes this place.
 */
async function forgetVerifiedEmail(db: Database, userId: string): Promise<void> {
  await db
    .updateTable("users")
    .set({
      email_verified_at: null,
      invited_to: sql<string | null>`case when not exists (select from users other where other.id <> users.id
        and other.email = users.email and other.invited_to = users.invited_to
        and other.email_verified_at is null) then invited_to end`,
    })
    .where("id", "=", userId)
    .execute();
}

async function revokeKey(db: Database, userId: string, id: string): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ revoked_at: sql<Date>`clock_timestamp()` })
    .where("created_by", "=", userId)
    .where("id", "=", id)
    .execute();
}

async function removeRecoveryCodes(db: Database, userId: string): Promise<void> {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

async function removePassword(db: Database, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("users")
      .set({ password_hash: null, password_set_in: null })
      .where("id", "=", userId)
      .where(sql<boolean>`(exists (select from passkeys where user_id = users.id)
        or exists (select from user_identities where user_id = users.id))`)
      .executeTakeFirst();
    if (numUpdatedRows === 0n)
      throw new AppError("conflict", "You can only sign in with this password. Change it instead.");
    await requireProvedAdmins(tx, userId);
  });
}
