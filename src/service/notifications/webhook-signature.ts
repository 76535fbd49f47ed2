/**
 * Signs webhook requests according to the Standard Webhooks specification (https://www.standardwebhooks.com).
 */

import { createHmac } from "node:crypto";

const prefix = "whsec_";
const secret_bytes = 32;

/** Creates a signing secret: `whsec_` and 32 random bytes in base64. */
export function createSigningSecret(random: (bytes: number) => Buffer): string {
  return prefix + random(secret_bytes).toString("base64");
}

/**
 * Returns the signature headers of a request. `id`: ID of the event, which is the same for all attempts.
 * `time_s`: time of the attempt, in seconds since 1970.
 */
export function signatureHeaders(
  secret: string,
  id: string,
  time_s: number,
  body: string,
): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${time_s}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(time_s), "webhook-signature": `v1,${signature}` };
}
