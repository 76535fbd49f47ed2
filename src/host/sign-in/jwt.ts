/**
 * Verifies sign-in tokens (JWT) from a customer's login page. The tokens are signed with the customer's key,
 * short-lived, single-use, and valid for one site.
 */

import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import type { JWTPayload } from "jose";
import { limits } from "../../base/limits.ts";
import type { RateLimit } from "../../base/rate-limit.ts";
import type { ReaderData } from "../../base/reader-data.ts";
import { readerDataOf } from "./reader-data.ts";

export interface ReaderToken {
  groups: string[];
  data: ReaderData;
  state: string | undefined;
}

/**
 * Signature algorithm by key type. The token's header doesn't determine the algorithm. P-256 keys are handled
 * in `readPublicKey`.
 */
const algorithms: Record<string, string> = { ed25519: "EdDSA", rsa: "RS256" };

/** Reads a public key in PEM or JWK format. Throws if it is invalid or its type isn't supported. */
export function readPublicKey(text: string): { key: KeyObject; algorithm: string } {
  const key = text.trim().startsWith("{")
    ? createPublicKey({ key: JSON.parse(text), format: "jwk" })
    : createPublicKey(text);
  const isP256 = key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
  const algorithm = isP256 ? "ES256" : algorithms[key.asymmetricKeyType ?? ""];
  if (!algorithm) throw new Error("The public key must be Ed25519, P-256, or RSA");
  return { key, algorithm };
}

/**
 * Verifies a token. Undefined if the token can't be verified, is for a different site, has expired or was
 * used before, or if it expires later than `limits.signInToken_s` from now. `once` is the rate limit that
 * admits each token once. Rejects if `once` rejects.
 */
export async function verifyReaderToken(
  token: string,
  {
    publicKey,
    host,
    projectId,
    once,
  }: { publicKey: string; host: string; projectId: string; once: RateLimit },
): Promise<ReaderToken | undefined> {
  const payload = await verifiedPayload(token, publicKey, host).catch(() => undefined);
  if (!payload || payload.exp! * 1_000 > Date.now() + limits.signInToken_s * 1_000) return undefined;
  const signed = token.slice(0, token.lastIndexOf("."));
  const id = createHash("sha256")
    .update(idOf(payload.jti) ?? signed)
    .digest("base64url");
  const { wait_s } = await once("reader-token", { site: projectId, token: id });
  if (wait_s > 0) return undefined;
  return {
    groups: groupsOf(payload.groups),
    data: readerDataOf(payload),
    state: typeof payload.state === "string" ? payload.state : undefined,
  };
}

/** Verifies the signature, audience and expiry of a token. Rejects if the token or the key is invalid. */
async function verifiedPayload(token: string, publicKey: string, host: string): Promise<JWTPayload> {
  const { key, algorithm } = readPublicKey(publicKey);
  const audience = [host, `https://${host}`, `http://${host}`];
  const { jwtVerify } = await import("jose/jwt/verify");
  const { payload } = await jwtVerify(token, key, {
    algorithms: [algorithm],
    audience,
    requiredClaims: ["exp"],
    clockTolerance: 5,
  });
  return payload;
}

/** Returns the strings in a claim. Empty if the claim isn't an array. */
export function groupsOf(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter((group): group is string => typeof group === "string") : [];
}

/** Returns the id of a token as text. It should be a string, but some libraries write other values. */
function idOf(jti: unknown): string | undefined {
  return jti === undefined || typeof jti === "string" ? jti : JSON.stringify(jti);
}
