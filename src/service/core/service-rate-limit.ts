import { createHmac, hkdfSync } from "node:crypto";
import { type Count, countInMemory, type RateLimit, rateLimit } from "../../base/rate-limit.ts";
import { admit } from "./sliding-window.ts";
import type { Database } from "./tables.ts";

/**
 * Creates a rate limit with the rules in `base/rate-rules.ts`. A rule determines whether its requests are
 * counted in the database or in memory. `secret`: key of the hashes that stand for the subjects in the
 * database, the same on all machines.
 */
export function rateLimitOf(db: Database, secret: string): RateLimit {
  return rateLimit({ database: countInDatabase(db, secret), process: countInMemory() });
}

/**
 * Returns a function that counts requests in the database. A row has the rule's name and a keyed hash of the
 * subject, so IP addresses and submitted values aren't stored.
 */
function countInDatabase(db: Database, secret: string): Count {
  const key = Buffer.from(hkdfSync("sha256", secret, "octavo", "rate limits", 32));
  return async (subject, { count: quota, window_s }) => {
    const hash = createHmac("sha256", key).update(subject).digest("base64url").slice(0, 22);
    const { isAdmitted, reset_s, remaining, uncount } = await admit(db, hash, {
      name: subject.split(" ")[0]!,
      quota,
      window_s,
    });
    return { wait_s: isAdmitted ? 0 : reset_s, remaining, uncount };
  };
}
