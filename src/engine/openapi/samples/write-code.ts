/** Writes JSON values as literals, and joins and indents lines of code. */

/** How a language writes JSON values. */
export interface LiteralStyle {
  /** Writes a text as a literal, with quotation marks. */
  text: (text: string) => string;
  /** Writes a key of an object. Default: `text`. */
  key?: (text: string) => string;
  null: string;
  true: string;
  false: string;
  /** Opening and closing brackets of a list. */
  list: [string, string];
  /** Returns the brackets of an object and the separator between key and value. */
  object: (value: Record<string, unknown>) => [open: string, colon: string, close: string];
  /** Indentation of one level. */
  indent: string;
}

/** Maximum length of a list without nested values that is written on one line, in characters. */
const shortList_chars = 60;

/**
 * Writes a JSON value as a literal. Objects, and long or nested lists, have one member per line. The first
 * line is not indented.
 */
export function writeLiteral(value: unknown, style: LiteralStyle, margin = ""): string {
  if (value === null) return style.null;
  if (typeof value === "boolean") return style[`${value}`];
  if (typeof value === "string") return style.text(value);
  if (typeof value !== "object") return String(value);

  const inner = margin + style.indent;
  const [open, colon, close] = Array.isArray(value)
    ? [style.list[0], "", style.list[1]]
    : style.object(value as Record<string, unknown>);

  const members = Array.isArray(value)
    ? value.map((item) => writeLiteral(item, style, inner))
    : Object.entries(value).map(
        ([key, item]) => `${(style.key ?? style.text)(key)}${colon}${writeLiteral(item, style, inner)}`,
      );

  if (members.length === 0) return `${open}${close}`;
  const line = `${open}${members.join(", ")}${close}`;
  if (
    Array.isArray(value) &&
    line.length <= shortList_chars &&
    value.every((item) => typeof item !== "object")
  )
    return line;

  return `${open}\n${members.map((member) => `${inner}${member},\n`).join("")}${margin}${close}`;
}

/** Joins lines of code. Skips `false` and `undefined`. */
export function code(...lines: (string | false | undefined | readonly string[])[]): string {
  return lines
    .flat()
    .filter((line) => typeof line === "string")
    .join("\n");
}

/** Indents all lines except empty ones. */
export function indented(text: string, margin: string): string {
  return text.replace(/^(?=.)/gm, margin);
}
