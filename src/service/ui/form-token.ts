/**
 * Creates and verifies CSRF tokens. A token is an HMAC of the session cookie or, before sign-in, of the form
 * cookie.
 */

import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export class FormTokens {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync("sha256", secret, "octavo", "dashboard forms", 32));
  }

  /** Returns the token. `owner`: value of the session cookie, or of the form cookie before sign-in. */
  of(owner: string): string {
    return createHmac("sha256", this.key).update(owner).digest("base64url");
  }

  isOf(owner: string, token: string | null): boolean {
    const [given, expected] = [Buffer.from(token ?? ""), Buffer.from(this.of(owner))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
