/** Writes values as YAML 1.2. Parsers of YAML 1.1 read the same values. */

import { jsonText } from "../nodes/json-text.ts";
import { isRaw } from "../nodes/refs.ts";
import { wellFormed } from "./percent-encode.ts";

/** Maximum length of a key that is written before a colon (YAML 1.2.2, 7.4.2). */
const key_chars = 1_000;

/** Texts without quotes that parsers could read as another type (YAML 1.1, `bool`, `null`, and `float`). */
const otherType = /^(?:y|n|yes|no|on|off|true|false|null|e-?[\d_]+)$/i;

/** Returns the text of a value, in block style and with a line break at the end. */
export function yamlText(value: unknown): string {
  const lines: string[] = [];
  write(value, "", "", lines);
  return `${lines.join("\n")}\n`;
}

/** Adds the lines of a value. `start`: what comes before its first line, `margin`: before the other ones. */
function write(value: unknown, start: string, margin: string, lines: string[]): void {
  if (Array.isArray(value) && value.length > 0)
    for (const [index, item] of value.entries())
      write(item, `${index === 0 ? start : margin}- `, `${margin}  `, lines);
  else if (isRaw(value) && Object.keys(value).length > 0)
    for (const [index, [key, item]] of Object.entries(value).entries()) {
      const before = `${index === 0 ? start : margin}${keyText(key, margin)}`;
      const below = `${margin}  `;
      if (typeof item === "object" && item !== null && Object.keys(item).length > 0) {
        lines.push(before);
        write(item, below, below, lines);
      } else write(item, `${before} `, below, lines);
    }
  else lines.push(`${start}${typeof value === "string" ? scalar(value) : jsonText(value)}`);
}

function keyText(key: string, margin: string): string {
  return key.length > key_chars ? `? ${scalar(key)}\n${margin}:` : `${scalar(key)}:`;
}

/** Writes a text in double quotes, unless it consists of words. */
function scalar(text: string): string {
  if (/^[A-Za-z](?:[\w ./@-]{0,200}[\w./@-])?$/.test(text) && !otherType.test(text)) return text;
  return JSON.stringify(wellFormed(text)).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
