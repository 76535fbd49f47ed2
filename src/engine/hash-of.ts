import { createHash } from "node:crypto";

/**
 * Returns a hash of texts and bytes as 32 hexadecimal digits. The parts are delimited, so `a`, `bc` and `ab`, `c` have different hashes.
 */
export function hashOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(String(part.length)).update(":").update(part);
  return hash.digest("hex").slice(0, 32);
}
