/**
 * Creates deploy keys, which grant access to one repository on a git host, and fingerprints of host keys, in
 * OpenSSH's formats.
 */

import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";

export interface DeployKey {
  /** Private key in the format of OpenSSH's key files. */
  privateKey: string;
  /** Public key in the format of `authorized_keys`. */
  publicKey: string;
}

const type = "ssh-ed25519";

/** Creates an Ed25519 key pair. */
export function newDeployKey(comment: string): DeployKey {
  const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, point] = [Buffer.from(jwk.d!, "base64url"), Buffer.from(jwk.x!, "base64url")];
  const publicBlob = Buffer.concat([field(type), field(point)]);
  const check = randomBytes(4);
  const fields = Buffer.concat([
    check,
    check,
    field(type),
    field(point),
    field(Buffer.concat([seed, point])),
    field(comment),
  ]);

  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, (8 - (fields.length % 8)) % 8));

  // openssh-key-v1 (PROTOCOL.key of OpenSSH): no cipher, no key derivation, one key.
  const file = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    field("none"),
    field("none"),
    field(""),
    Buffer.from([0, 0, 0, 1]),
    field(publicBlob),
    field(Buffer.concat([fields, padding])),
  ]);

  const lines = file.toString("base64").replace(/.{70}/g, "$&\n").trimEnd();
  return {
    privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`,
    publicKey: `${type} ${publicBlob.toString("base64")} ${comment}`,
  };
}

/** Returns the fingerprint of a host key in the format of `ssh`: `SHA256:…`. `key`: type and key. */
export function fingerprint(key: string): string {
  const hash = createHash("sha256").update(Buffer.from(key.split(" ")[1] ?? "", "base64"));
  return `SHA256:${hash.digest("base64").replace(/=+$/, "")}`;
}

/** Encodes a string of the SSH protocol: its length, followed by its bytes. */
function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
