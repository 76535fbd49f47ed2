/**
 * Encrypts secrets in the database (AES-256-GCM). Each value is bound to its context (table, row, field) and
 * can't be decrypted in another one. The data key is stored encrypted with a key that is derived from the
 * service's secret.
 */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Database, Tx } from "./tables.ts";

const prefix = "enc:1:";
const nonce_bytes = 12;
const tag_bytes = 16;

/** Thrown if the service's secret can't decrypt the database's data key. */
export class WrongSecret extends Error {
  constructor() {
    super(
      "OCTAVO_SECRET doesn't match this database. Use the original secret. If you lost it, set OCTAVO_NEW_SECRET and run octavo rotate-secret --discard, which deletes all stored secrets and webhooks.",
    );
  }
}

export class Secrets {
  private readonly id: string;
  private readonly key: Buffer;

  constructor(id: string, key: Buffer) {
    this.id = id;
    this.key = key;
  }

  /**
   * Encrypts a value. `context`: the value's table, row and field. Returns a value that is already encrypted
   * unchanged.
   */
  encrypt(text: string, context: string): string {
    if (text.startsWith(prefix)) return text;
    return `${prefix}${this.id}:${seal(this.key, Buffer.from(text), context).toString("base64url")}`;
  }

  /**
   * Decrypts a value. Returns an empty string if this key or context can't decrypt it, and a value that isn't
   * encrypted unchanged.
   */
  decrypt(stored: string, context: string): string {
    if (!stored.startsWith(prefix)) return stored;
    const [id, sealed = ""] = stored.slice(prefix.length).split(":");
    const text = id === this.id ? open(this.key, Buffer.from(sealed, "base64url"), context) : undefined;
    return text?.toString() ?? "";
  }
}

/**
 * Decrypts the data key, or creates one if there is none. Throws `WrongSecret` if the secret doesn't decrypt
 * the data key.
 */
export function openSecrets(db: Database, secret: string): Promise<Secrets> {
  return db.transaction().execute(async (tx) => {
    await lockDataKeys(tx);
    const row = await tx.selectFrom("data_keys").selectAll().executeTakeFirst();
    if (!row) return createDataKey(tx, secret);
    const key = open(wrappingKey(secret), row.wrapped, row.id);
    if (!key) throw new WrongSecret();
    return new Secrets(row.id, key);
  });
}

export interface SecretChange {
  oldSecret: string;
  newSecret: string;
  /** Whether to continue if neither secret decrypts the data key. The stored secrets are then lost. */
  isDiscarding: boolean;
}

/**
 * Replaces the data key with a new one, which is encrypted with the new secret. `before` decrypts the stored
 * values; undefined if the data key is unreadable or missing. Throws `WrongSecret` if neither secret decrypts
 * the data key and `isDiscarding` is false.
 */
export async function replaceDataKey(
  tx: Tx,
  { oldSecret, newSecret, isDiscarding }: SecretChange,
): Promise<{ before: Secrets | undefined; after: Secrets }> {
  await lockDataKeys(tx);
  const row = await tx.selectFrom("data_keys").selectAll().executeTakeFirst();
  // If an earlier run was interrupted after its commit, the new secret decrypts the data key.
  const key =
    row &&
    (open(wrappingKey(oldSecret), row.wrapped, row.id) ?? open(wrappingKey(newSecret), row.wrapped, row.id));
  if (row && !key && !isDiscarding) throw new WrongSecret();
  await tx.deleteFrom("data_keys").execute();
  return { before: key && row && new Secrets(row.id, key), after: await createDataKey(tx, newSecret) };
}

async function createDataKey(tx: Tx, secret: string): Promise<Secrets> {
  const [id, key] = [randomBytes(6).toString("hex"), randomBytes(32)];
  await tx
    .insertInto("data_keys")
    .values({ id, wrapped: seal(wrappingKey(secret), key, id) })
    .execute();
  return new Secrets(id, key);
}

async function lockDataKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('octavo data key', 0))`.execute(tx);
}

function wrappingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "octavo", "data key", 32));
}

/** Returns nonce, ciphertext and tag, concatenated. */
function seal(key: Buffer, bytes: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonce_bytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
  if (sealed.length < nonce_bytes + tag_bytes) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonce_bytes), {
    authTagLength: tag_bytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tag_bytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonce_bytes, -tag_bytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
