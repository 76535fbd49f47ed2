/** Host names in the one form that is compared and stored: lower case, ASCII, no dot at the end, no port. */
import { domainToASCII } from "node:url";

/** Undefined for what is no host name: a scheme, a port, a path, an address in brackets. */
export function readHostName(text: string): string | undefined {
  if (/[\s:/?#@\\%[\]]/.test(text)) return undefined;
  const name = domainToASCII(text.replace(/(.)\.$/, "$1")).toLowerCase();
  const isName = name.length <= 253 && name.split(".").every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return isName ? name : undefined;
}
