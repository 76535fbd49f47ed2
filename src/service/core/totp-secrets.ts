/** Defines the encryption context of authenticator app secrets, and re-encrypts them with a new data key. */

import type { Secrets } from "./secrets.ts";
import type { Tx } from "./tables.ts";

/** Returns the context that a user's encrypted secret is bound to. */
export function totpContext(userId: string): string {
  return `totp_factors ${userId} secret`;
}

/**
 * Encrypts all secrets with a new data key. If the old key is lost (`before` is undefined), deletes the
 * secrets, which turns two-factor authentication off for these users.
 */
export async function rotateTotpSecrets(tx: Tx, before: Secrets | undefined, after: Secrets): Promise<void> {
  if (!before) {
    await tx.deleteFrom("totp_factors").execute();
    return;
  }
  const rows = await tx.selectFrom("totp_factors").select(["user_id", "secret"]).forUpdate().execute();
  for (const { user_id, secret } of rows) {
    const context = totpContext(user_id);
    const rotated = after.encrypt(before.decrypt(secret, context), context);
    await tx.updateTable("totp_factors").set({ secret: rotated }).where("user_id", "=", user_id).execute();
  }
}
