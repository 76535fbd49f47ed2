import { createHash, hash } from "node:crypto";

/**
 * Returns a hash of texts and bytes as 32 hexadecimal digits. The parts are delimited, so `a`, `bc` and `ab`,
 * `c` have different hashes.
 */
export function hashOf(...parts: (string | Uint8Array)[]): string {
  return digestOf(parts).slice(0, 32);
}

function digestOf(parts: readonly (string | Uint8Array)[]): string {
  // Takes a third of the time for short texts.
  if (parts.every((part) => typeof part === "string"))
    return hash("sha256", parts.map((part) => `${part.length}:${part}`).join(""), "hex");
  const digest = createHash("sha256");
  for (const part of parts) digest.update(`${part.length}:`).update(part);
  return digest.digest("hex");
}
