/** Hashes passwords with scrypt. */

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const cost = { N: 16_384, r: 8, p: 1 };
const hash_bytes = 32;

/** Returns `scrypt$<salt>$<hash>`. The salt and the hash are in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString("base64url")}$${(await derive(password, salt)).toString("base64url")}`;
}

/**
 * Whether a password matches `stored`, a result of `hashPassword`. False if `stored` doesn't have the form
 * `scrypt$<salt>$<hash>`.
 */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, salt, hash] = stored.split("$");
  if (kind !== "scrypt" || !salt || !hash) return false;
  const expected = Buffer.from(hash, "base64url");
  return (
    expected.length === hash_bytes &&
    timingSafeEqual(await derive(password, Buffer.from(salt, "base64url")), expected)
  );
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, hash_bytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
