/** CSRF tokens: a form contains one that only pages of the same session know. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export class FormTokens {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync("sha256", secret, "octavo", "dashboard forms", 32));
  }

  /** `owner`: value of the cookie. */
  of(owner: string): string {
    return createHmac("sha256", this.key).update(owner).digest("base64url");
  }

  isOf(owner: string, token: string | null): boolean {
    const [given, made] = [Buffer.from(token ?? ""), Buffer.from(this.of(owner))];
    return given.length === made.length && timingSafeEqual(given, made);
  }
}
