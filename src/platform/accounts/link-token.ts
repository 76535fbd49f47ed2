/** What a link or a cookie holds: chance that nobody guesses. Only its hash is kept, so a fast one does. */
import { createHash } from "node:crypto";

export function makeToken(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString("base64url");
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
