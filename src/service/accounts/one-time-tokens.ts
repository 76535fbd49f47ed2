/** Creates and redeems single-use tokens for links and cookies. Only a hash of a token is stored. */

import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { createToken, hashToken } from "./random-token.ts";

export type OneTimeTokenKind = "password-reset" | "second-factor";

/** Lifetime of a token, by kind. */
export const oneTimeTokenLifetime_s: Record<OneTimeTokenKind, number> = {
  "password-reset": 3_600,
  "second-factor": 600,
};

/** The admin of an organization who created a token for a member. */
export interface TokenAdmin {
  organizationId: string;
  userId: string;
}

/** A token's user, and the admin who created the token. */
export interface TokenOwner {
  userId: string;
  admin?: TokenAdmin;
}

/**
 * Creates a token, which replaces the user's earlier token of the same kind. `admin` is absent if the user
 * requested the token.
 */
export async function createOneTimeToken(
  { db, random }: Pick<Service, "db" | "random">,
  kind: OneTimeTokenKind,
  { userId, admin }: TokenOwner,
): Promise<string> {
  const token = createToken(random);
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom("one_time_tokens").where("user_id", "=", userId).where("kind", "=", kind).execute();
    const expires_at = new Date(Date.now() + oneTimeTokenLifetime_s[kind] * 1_000);
    await tx
      .insertInto("one_time_tokens")
      .values({
        hash: hashToken(token),
        kind,
        user_id: userId,
        expires_at,
        organization_id: admin?.organizationId,
        created_by: admin?.userId,
      })
      .execute();
  });

  return token;
}

/**
 * Returns the owner of a token; undefined if the token was used or replaced, has expired or never existed.
 */
export async function readOneTimeToken(
  { db }: Pick<Service, "db">,
  kind: OneTimeTokenKind,
  token: string,
): Promise<TokenOwner | undefined> {
  const row = await db
    .selectFrom("one_time_tokens")
    .select(columns)
    .where("hash", "=", hashToken(token))
    .where("kind", "=", kind)
    .where("expires_at", ">", new Date())
    .executeTakeFirst();
  return row && ownerOf(row);
}

/**
 * Like `readOneTimeToken`, but also deletes the token. If calls are concurrent, only one of them gets the
 * owner.
 */
export async function useOneTimeToken(
  { db }: Pick<Service, "db">,
  kind: OneTimeTokenKind,
  token: string,
): Promise<TokenOwner | undefined> {
  const row = await db
    .deleteFrom("one_time_tokens")
    .where("hash", "=", hashToken(token))
    .where("kind", "=", kind)
    .where("expires_at", ">", new Date())
    .returning(columns)
    .executeTakeFirst();
  return row && ownerOf(row);
}

const columns = ["user_id", "organization_id", "created_by"] as const;

function ownerOf(row: {
  user_id: string;
  organization_id: string | null;
  created_by: string | null;
}): TokenOwner {
  const { user_id: userId, organization_id: organizationId, created_by: createdBy } = row;
  return organizationId === null || createdBy === null
    ? { userId }
    : { userId, admin: { organizationId, userId: createdBy } };
}

/** Ends what someone else may have begun with an account: sign-ins that wait for a code, and reset links. */
export async function endBegun(db: Database, userId: string): Promise<void> {
  await db.deleteFrom("one_time_tokens").where("user_id", "=", userId).execute();
}

/** Deletes expired tokens. */
export async function sweepOneTimeTokens({ db }: Pick<Service, "db">): Promise<void> {
  await db.deleteFrom("one_time_tokens").where("expires_at", "<", new Date()).execute();
}
