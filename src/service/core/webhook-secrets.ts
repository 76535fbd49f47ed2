/** Encrypts and decrypts the URLs and signing secrets of notification webhooks. */

import type { Secrets } from "./secrets.ts";
import type { Tx } from "./tables.ts";

interface Fields {
  url: string;
  secret: string;
}

/** Encrypts the fields. `id`: the webhook's ID, which the values are bound to. */
export function encryptedWebhook(secrets: Secrets, id: string, { url, secret }: Fields): Fields {
  return {
    url: secrets.encrypt(url, contextOf(id, "url")),
    secret: secrets.encrypt(secret, contextOf(id, "secret")),
  };
}

/** Decrypts the fields. Values that can't be decrypted become empty strings. */
export function decryptedWebhook(secrets: Secrets, id: string, { url, secret }: Fields): Fields {
  return {
    url: secrets.decrypt(url, contextOf(id, "url")),
    secret: secrets.decrypt(secret, contextOf(id, "secret")),
  };
}

/**
 * Encrypts all webhooks with a new data key. If the old key is lost (`before` is undefined), deletes the
 * webhooks, and admins must create them again.
 */
export async function rotateWebhookSecrets(
  tx: Tx,
  before: Secrets | undefined,
  after: Secrets,
): Promise<void> {
  if (!before) {
    await tx.deleteFrom("webhooks").execute();
    return;
  }
  const rows = await tx.selectFrom("webhooks").select(["id", "url", "secret"]).forUpdate().execute();
  for (const { id, ...fields } of rows)
    await tx
      .updateTable("webhooks")
      .set(encryptedWebhook(after, id, decryptedWebhook(before, id, fields)))
      .where("id", "=", id)
      .execute();
}

function contextOf(id: string, field: string): string {
  return `webhooks ${id} ${field}`;
}
