/** Finds users by their identity at the sign-in provider, and connects identities to users. */

import { AppError } from "../../base/app-error.ts";
import type { Session, User } from "../core/identity.ts";
import { methodKey, recordProof } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { readEmail } from "./read-email.ts";
import { tellOwner } from "./tell-owner.ts";

/** What the owner is told about a new identity. */
export const identityConnected = "A single sign-on identity was connected to your Octavo account.";

export interface Identity {
  issuer: string;
  subject: string;
  /** Email that the provider has verified; undefined if there is none. */
  email: string | undefined;
}

/**
 * Finds a user by issuer and subject. If the identity is unknown, finds the user by verified email and
 * connects the identity. Unverified emails aren't used, since users with a password don't prove that they own
 * their email. Undefined if there is no such user.
 */
export async function userByIdentity(
  service: Pick<Service, "db" | "mail" | "settings">,
  identity: Identity,
): Promise<User | undefined> {
  const { db } = service;
  const { issuer, subject } = identity;
  const known = await db
    .selectFrom("user_identities")
    .innerJoin("users", "users.id", "user_identities.user_id")
    .select(["users.id", "email", "name"])
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();

  const email = identity.email === undefined ? undefined : readEmail(identity.email);
  if (known || email === undefined) return known;

  const user = await db
    .selectFrom("users")
    .select(["id", "email", "name"])
    .where("email", "=", email)
    .where("email_verified_at", "is not", null)
    .executeTakeFirst();

  if (!user) return undefined;
  await addIdentity(db, user.id, identity, { isConfirmed: true });
  tellOwner(service, user, identityConnected);
  return user;
}

/**
 * Connects an identity to a user who confirmed their password. Also marks their email as verified if the
 * provider verified the same email. Throws a conflict if another account has the identity or the verified
 * email.
 */
export async function connectIdentity(
  { db }: Pick<Service, "db">,
  { user, provedIn }: Pick<Session, "user" | "provedIn">,
  identity: Identity,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const isConfirmed = identity.email !== undefined && readEmail(identity.email) === user.email;
    await addIdentity(tx, user.id, identity, { isConfirmed });
    await recordProof(tx, user.id, methodKey.identity(identity), provedIn);
    if (!isConfirmed) return;

    const other = await tx
      .selectFrom("users")
      .select("id")
      .where("email", "=", user.email)
      .where("email_verified_at", "is not", null)
      .where("id", "<>", user.id)
      .executeTakeFirst();

    if (other)
      throw new AppError(
        "conflict",
        "Another account has this verified email. To use that account, sign in with the provider.",
      );

    await tx.updateTable("users").set({ email_verified_at: new Date() }).where("id", "=", user.id).execute();
  });
}

/** Whether the user is connected to an identity at any provider. */
export async function hasIdentity({ db }: Pick<Service, "db">, userId: string): Promise<boolean> {
  return (
    (await db
      .selectFrom("user_identities")
      .select("user_id")
      .where("user_id", "=", userId)
      .executeTakeFirst()) !== undefined
  );
}

/**
 * Connects an identity to a user. `isConfirmed`: whether the provider has verified the account's email.
 * Throws a conflict if another account has the identity.
 */
export async function addIdentity(
  db: Database,
  userId: string,
  { issuer, subject }: Identity,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<void> {
  await db
    .insertInto("user_identities")
    .values({ issuer, subject, user_id: userId, is_confirmed: isConfirmed })
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .execute();

  const bound = await db
    .selectFrom("user_identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();

  if (bound?.user_id !== userId)
    throw new AppError(
      "conflict",
      "This identity is connected to another account. To use that account, sign in with the provider.",
    );
}
