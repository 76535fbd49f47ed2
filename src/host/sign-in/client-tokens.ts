/**
 * The credentials of programs that readers connect to a site: client IDs, authorization codes, and access
 * tokens. All of them are encrypted, because they contain the reader's groups, and none is stored.
 */

import { hkdfSync } from "node:crypto";
import type { JWTPayload } from "jose";

/** Kinds of credentials. One kind is invalid as another. */
export type CredentialKind = "client" | "code" | "access";

const encryption = { alg: "dir", enc: "A256GCM" } as const;

export class ClientTokens {
  private readonly key: Uint8Array;

  constructor(secret: Buffer) {
    this.key = new Uint8Array(hkdfSync("sha256", secret, "octavo", "connected client", 32));
  }

  /** Encrypts claims. `expires_s`: Unix time in seconds. If it's absent, the result doesn't expire. */
  async seal(kind: CredentialKind, claims: JWTPayload, expires_s?: number): Promise<string> {
    const { EncryptJWT } = await import("jose/jwt/encrypt");
    const token = new EncryptJWT(claims).setProtectedHeader({ ...encryption, typ: kind });
    if (expires_s !== undefined) token.setExpirationTime(expires_s);
    return token.encrypt(this.key);
  }

  /** Returns the claims. Undefined if the text isn't a valid credential of this kind, or has expired. */
  async open(kind: CredentialKind, text: string): Promise<JWTPayload | undefined> {
    const { jwtDecrypt } = await import("jose/jwt/decrypt");
    try {
      const { payload } = await jwtDecrypt(text, this.key, {
        typ: kind,
        keyManagementAlgorithms: [encryption.alg],
        contentEncryptionAlgorithms: [encryption.enc],
      });
      return payload;
    } catch {
      return undefined;
    }
  }
}
