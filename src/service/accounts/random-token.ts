/**
 * Creates and hashes random tokens for links and cookies (256 bits). Only the hash is stored. A fast hash is
 * enough, because the tokens can't be guessed.
 */

import { createHash } from "node:crypto";

export function createToken(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString("base64url");
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
