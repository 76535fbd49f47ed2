/** Random tokens of links and cookies. Only the hash is stored; a token has too many random bits to be guessed, so a fast one is enough. */
import { createHash } from "node:crypto";

export function makeToken(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString("base64url");
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
