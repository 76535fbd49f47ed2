/**
 * Knows which sign-in methods of an account may not be its owner's. An admin's reset link sets a password
 * that only opens the admin's organization (`users.password_set_in`). Passkeys and identities are unconfirmed
 * if they were added before the owner confirmed the account (`users.unconfirmed_since`), which happens when
 * the owner resets the password by email or joins another organization. A second factor doesn't sign in by
 * itself, so it isn't removed.
 */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import type { Session } from "../core/identity.ts";
import { quotedName } from "../core/quoted-text.ts";
import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { endBegun } from "./one-time-tokens.ts";

/**
 * Returns the organization that sessions with the user's password are limited to. Undefined if they aren't
 * limited.
 */
export async function passwordLimit(
  { db }: Pick<Service, "db">,
  userId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("users")
    .select("password_set_in")
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.password_set_in ?? undefined;
}

/** Throws an AppError if the session started with a password that was set with an admin's reset link. */
export function requireUnlimited({ limitedTo }: Session): void {
  if (limitedTo === undefined) return;
  throw new AppError(
    "forbidden",
    "Your password was set with a reset link from an admin, so you can't do this until you confirm your account",
    {
      details: [
        "Reset your password by email, or sign in with a passkey, single sign-on, or a code from your authenticator app.",
      ],
    },
  );
}

/** Lists the sign-in methods that may not be the owner's, such as `passkey "Laptop"`. */
export async function unconfirmedMethods(db: Database, userId: string): Promise<string[]> {
  const [passkeys, identities] = await Promise.all([
    db
      .selectFrom("passkeys")
      .select("name")
      .where("user_id", "=", userId)
      .where(isUnconfirmed("passkeys.created_at"))
      .execute(),
    db
      .selectFrom("user_identities")
      .select("issuer")
      .where("user_id", "=", userId)
      .where(isForeignIdentity)
      .execute(),
  ]);

  return [
    ...passkeys.map(({ name }) => `passkey ${quotedName(name)}`),
    ...identities.map(({ issuer }) => `single sign-on identity at ${new URL(issuer).host}`),
  ];
}

/**
 * Removes the sign-in methods that may not be the owner's, and returns what `unconfirmedMethods` listed. Must
 * be called in a transaction. If the caller proves no other method of the user, it must check with
 * `requireProvedAdmins` that organizations still have an admin with a proved one.
 */
export async function removeUnconfirmed(db: Database, userId: string): Promise<string[]> {
  const removed = await unconfirmedMethods(db, userId);
  await db
    .deleteFrom("passkeys")
    .where("user_id", "=", userId)
    .where(isUnconfirmed("passkeys.created_at"))
    .execute();
  await db.deleteFrom("user_identities").where("user_id", "=", userId).where(isForeignIdentity).execute();
  await endBegun(db, userId);
  await confirmMethods(db, userId);
  return removed;
}

/** Records that all passkeys and identities of the user are the owner's. */
export async function confirmMethods(db: Database, userId: string): Promise<void> {
  await db.updateTable("users").set({ unconfirmed_since: null }).where("id", "=", userId).execute();
}

function isUnconfirmed(column: string) {
  return sql<boolean>`${sql.ref(column)} >= (select unconfirmed_since from users where users.id = user_id)`;
}

const isForeignIdentity = sql<boolean>`is_confirmed is not true
  and exists (select from users where users.id = user_id and unconfirmed_since is not null)`;
