/** Signs values for cookies and adds an expiry. The values aren't encrypted. */

import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export class CookieSigner {
  private readonly key: Buffer;

  /** `purpose` is part of the key, so that a value for one purpose is invalid for others. */
  constructor(secret: Buffer, purpose: string) {
    this.key = Buffer.from(hkdfSync("sha256", secret, "octavo", purpose, 32));
  }

  /** Returns the value and its expiry as a signed text. The value must not have the key `exp`. */
  sign(value: object, expiresAt_ms: number): string {
    const text = Buffer.from(JSON.stringify({ ...value, exp: Math.floor(expiresAt_ms / 1_000) })).toString(
      "base64url",
    );
    return `${text}.${this.hmac(text).toString("base64url")}`;
  }

  /** Returns the value with its expiry, or undefined if the signature is invalid or the value has expired. */
  verify(signed: string, now_ms: number): Record<string, unknown> | undefined {
    const [text, signature, ...rest] = signed.split(".");
    if (!text || !signature || rest.length) return undefined;
    const [given, expected] = [Buffer.from(signature, "base64url"), this.hmac(text)];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const value = JSON.parse(Buffer.from(text, "base64url").toString()) as Record<string, unknown>;
    return typeof value.exp === "number" && value.exp * 1_000 > now_ms ? value : undefined;
  }

  private hmac(text: string): Buffer {
    return createHmac("sha256", this.key).update(text).digest();
  }
}
