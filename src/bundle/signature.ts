/** Signs the manifest of a bundle with an Ed25519 key, and verifies the signature. */

import { createPublicKey, sign, verify } from "node:crypto";
import { BadBundle, signaturePath } from "./bundle-manifest.ts";

/** Returns the content of the signature file. `privateKey`: Ed25519 key in PEM format. */
export function signatureOf(manifest: Uint8Array, privateKey: string): Buffer {
  return Buffer.from(`${sign(null, manifest, privateKey).toString("base64")}\n`);
}

/**
 * Whether a text contains a private key. Node accepts it in place of the public key, but it shouldn't be on
 * servers.
 */
export function isPrivateKey(pem: string): boolean {
  return pem.includes("PRIVATE KEY");
}

/**
 * Throws `BadBundle` unless the manifest has a valid signature of the key. `publicKey`: Ed25519 key in PEM
 * format.
 */
export function requireSignature(
  manifest: Uint8Array,
  signature: Uint8Array | undefined,
  publicKey: string,
): void {
  if (!signature) throw new BadBundle(`The bundle isn't signed: it has no ${signaturePath}`);
  const bytes = Buffer.from(Buffer.from(signature).toString(), "base64");
  if (!verify(null, manifest, createPublicKey(publicKey), bytes))
    throw new BadBundle(`The signature in ${signaturePath} isn't valid for this key`);
}
