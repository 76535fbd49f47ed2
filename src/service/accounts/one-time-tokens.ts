/** Creates and redeems single-use tokens for links and cookies. Only a hash of a token is stored. */

import type { Service } from "../core/service.ts";
import { createToken, hashToken } from "./random-token.ts";

export type OneTimeTokenKind = "password-reset" | "second-factor";

/** Lifetime of a token, by kind. */
export const oneTimeToken_s: Record<OneTimeTokenKind, number> = { "password-reset": 3_600, "second-factor": 600 };

/** Creates a token, which replaces the user's earlier token of the same kind. */
export async function createOneTimeToken(
  { db, random }: Pick<Service, "db" | "random">,
  kind: OneTimeTokenKind,
  userId: string,
): Promise<string> {
  const token = createToken(random);
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom("one_time_tokens").where("user_id", "=", userId).where("kind", "=", kind).execute();
    const expires_at = new Date(Date.now() + oneTimeToken_s[kind] * 1_000);
    await tx
      .insertInto("one_time_tokens")
      .values({ hash: hashToken(token), kind, user_id: userId, expires_at })
      .execute();
  });
  return token;
}

/** Returns the ID of the token's user; undefined if the token was used or replaced, has expired or never existed. */
export async function readOneTimeToken({ db }: Pick<Service, "db">, kind: OneTimeTokenKind, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("one_time_tokens")
    .select("user_id")
    .where("hash", "=", hashToken(token))
    .where("kind", "=", kind)
    .where("expires_at", ">", new Date())
    .executeTakeFirst();
  return row?.user_id;
}

/** Like `readOneTimeToken`, but also deletes the token. If calls are concurrent, only one of them gets the ID. */
export async function useOneTimeToken({ db }: Pick<Service, "db">, kind: OneTimeTokenKind, token: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom("one_time_tokens")
    .where("hash", "=", hashToken(token))
    .where("kind", "=", kind)
    .where("expires_at", ">", new Date())
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id;
}

/** Deletes expired tokens. */
export async function sweepOneTimeTokens({ db }: Pick<Service, "db">): Promise<void> {
  await db.deleteFrom("one_time_tokens").where("expires_at", "<", new Date()).execute();
}
