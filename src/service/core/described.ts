/**
 * Rules for texts in requests, as JSON Schema keywords for the API's description. A schema has them in `described`. The code that reads a
 * text checks it with clearer messages, and accepts some texts that the description leaves out.
 */

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const host = `(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`;
const byte = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const hex = "[0-9a-f]{1,4}";
const segment = "[!-\\-0-9;-\\[\\]-~\\u00a1-\\u1fff][ !-.0-9;-\\[\\]-~\\u00a1-\\u1fff]{0,84}";

/** A host name or a host name with a path. */
export const describedDomain = { pattern: `^${host}(?:/[A-Za-z0-9~-][\\w.~-]{0,19}){0,4}$` };
export const describedUrl = { pattern: `^https://${host}(?:/[\\w~-][\\w.~-]*)*$` };
export const describedWebhookUrl = {
  pattern: `^https?://${host}(?::[1-9]\\d{0,3})?(?:/[\\w.~!$&'()*+,;=:@-]*)*(?:\\?[\\w.~!$&'()*+,;=:@/?-]*)?$`,
};
export const describedIssuer = { pattern: `^https://${host}(?::[1-9]\\d{0,3})?(?:/[\\w.~-]+)*/?$` };
/** Texts in other cases are accepted, too. */
export const describedUlid = { pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" };
export const describedGitUrl = { pattern: `^https://${host}(?:/[\\w~-][\\w.~-]*)+$` };
export const describedBranch = { pattern: "^[A-Za-z0-9_][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_][A-Za-z0-9_-]*)*$" };
export const describedFolder = { pattern: `^(?:${segment}(?:/${segment})*)?$`, maxLength: 300 };
export const describedEmail = {
  pattern: '^[^\\s@<>"(),:;\\\\\\[\\]\\u0000]+@[^\\s@<>"(),:;\\\\\\[\\]\\u0000]+\\.[^\\s@<>"(),:;\\\\\\[\\].\\u0000]+$',
};
export const describedNetwork = {
  pattern: `^(?:(?:${byte}\\.){3}${byte}(?:/(?:[1-9]|[12]\\d|3[0-2]))?|${hex}(?::${hex}){7}(?:/(?:[1-9]\\d?|1[01]\\d|12[0-8]))?)$`,
};
export const describedLabel = { pattern: `^${label}$` };
export const describedTime = {
  pattern:
    "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?(?:Z|[+-](?:0\\d|1[0-2]):[0-5]\\d)$",
};
/** Texts in requests can't contain NUL, which PostgreSQL doesn't support. */
export const describedText = { pattern: "^[^\\u0000]*$" };
