import { domainToASCII } from "node:url";

/**
 * Normalizes a host name or IPv4 address: lowercase, ASCII (Punycode), no trailing dot. Undefined if the text
 * is invalid, contains a scheme, port or path, or is an IPv6 address.
 */
export function readHostName(text: string): string | undefined {
  if (/[\s:/?#@\\%[\]]/.test(text)) return undefined;
  const name = domainToASCII(text.replace(/(.)\.$/, "$1")).toLowerCase();
  const isName =
    name.length <= 253 &&
    name.split(".").every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return isName ? name : undefined;
}
