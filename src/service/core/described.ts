/**
 * Rules for texts in requests, as JSON Schema keywords for the API's description. A schema has them in
 * `described`. The code that reads a text checks it with clearer messages. A rule may allow texts that the
 * code refuses, but must allow all that it accepts. URLs have no rule, because the code accepts all spellings
 * that browsers do.
 */

import { instantGrammars } from "../../base/instant.ts";

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const emailPart = '[^\\s@<>"(),:;\\\\\\[\\]\\u0000]+';

/** A host name or a host name with a path. Host names can be in Unicode. */
export const describedDomain = { pattern: "^[^\\s:?#@\\\\%\\[\\]\\u0000]+$" };
export const describedUlid = { pattern: "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$" };
export const describedBranch = { pattern: "^[A-Za-z0-9._/-]{1,255}$" };
export const describedEmail = { pattern: `^\\s*${emailPart}@${emailPart}\\.${emailPart}\\s*$` };
export const describedNetwork = { pattern: "^[0-9A-Fa-f:.]+(?:/\\d{1,3})?$" };
export const describedLabel = { pattern: `^${label}$` };
/** A date or date-time in an ISO 8601 format. */
export const describedTime = {
  pattern: instantGrammars.map(({ source }) => source.replace(/\?<\w+>/g, "")).join("|"),
};
/** Texts in requests can't contain NUL, which PostgreSQL doesn't support. */
export const describedText = { pattern: "^[^\\u0000]*$" };
