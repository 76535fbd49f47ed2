/** Code in the messages of changes, which are text with code spans of Markdown. */

import { cutText } from "../../../base/cut-text.ts";
import { codeSpan } from "../../write-markdown.ts";

/** Maximum length of a name or value in a message, in characters. */
const code_chars = 200;

/** Writes a name or value of a document as a code span, shortened if it's long. */
export function inCode(text: string): string {
  return codeSpan(cutText(text, code_chars) || '""');
}

/** Splits a message into its texts and code. */
export function partsOfMessage(message: string): { text: string; isCode: boolean }[] {
  const runs = message.split(/(`+)/);
  const parts: { text: string; isCode: boolean }[] = [];
  for (let at = 0; at < runs.length; at++) {
    const end = at % 2 === 1 ? runs.indexOf(runs[at]!, at + 1) : -1;
    const code = end < 0 ? runs[at]! : runs.slice(at + 1, end).join("");
    // CommonMark 6.1.
    const text = end >= 0 && /^ .*[^ ].* $/s.test(code) ? code.slice(1, -1) : code;
    if (text !== "") parts.push({ text, isCode: end >= 0 });
    if (end >= 0) at = end;
  }
  return parts;
}
