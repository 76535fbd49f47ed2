/** Host names as people write them, brought to the one form that is compared and stored. */
import { domainToASCII } from "node:url";

/** Lower case, in ASCII, without a dot at its end; undefined for what is no host name. */
export function readHostName(text: string): string | undefined {
  if (/[\s:/?#@\\%[\]]/.test(text)) return undefined;
  const ascii = domainToASCII(text.replace(/\.$/, "")).toLowerCase();
  if (ascii === "" || ascii.length > 253 || /^[\d.]+$/.test(ascii)) return undefined;
  return ascii.split(".").every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) ? ascii : undefined;
}
