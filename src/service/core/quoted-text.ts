/**
 * Shows texts that strangers wrote in emails and chat messages, where a line break looks like the service's
 * own text and URLs are links.
 */

import { cutText } from "../../base/cut-text.ts";
import { oneLine } from "../../base/one-line.ts";

/** Maximum length of a text, in characters. */
const text_chars = 200;

/**
 * Returns a text on one line, without invisible characters, in which mail and chat programs find no link,
 * because spaces separate the parts of URLs, email addresses, and host names. Truncates long texts.
 */
export function withoutLinks(text: string, most_chars = text_chars): string {
  const line = oneLine(
    cutText(text, 4 * most_chars)
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\\]/gu, " ")
      .replace(/\p{Cf}/gu, ""),
  );
  const plain = line
    .replace(/@(?=\S)/g, "@ ")
    // Times, such as 10:30, and numbers with one or two dots stay as they are.
    .replace(/(?<!\d):(?=\S)|:(?=[^\s\d])/g, ": ")
    .replace(/[.．｡。](?=[^\s\d]|\d+[.．｡。]\d)/g, "$& ");
  return cutText(plain, most_chars).trim();
}

/** Returns a text as `withoutLinks` does, in quotation marks. */
export function quoted(text: string, most_chars?: number): string {
  return `"${withoutLinks(text.replaceAll('"', "'"), most_chars)}"`;
}

/** Maximum length of a name in an email, in characters. */
const name_chars = 60;

/**
 * Returns the name of an account, organization, project, or key in quotation marks, for emails and chat
 * messages.
 */
export function quotedName(name: string): string {
  return quoted(name, name_chars);
}
