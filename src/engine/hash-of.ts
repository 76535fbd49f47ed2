import { createHash } from "node:crypto";

/** A hash of texts and bytes, in 32 hexadecimal digits. The parts are delimited, so `a`, `bc` and `ab`, `c` have different hashes. */
export function hashOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(String(part.length)).update(":").update(part);
  return hash.digest("hex").slice(0, 32);
}
