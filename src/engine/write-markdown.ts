/** Writes parts of Markdown text, for the Markdown versions of pages and components. */

/**
 * Writes a code block whose fence is longer than any run of backticks in the code. Removes empty lines before
 * the code and whitespace after the code.
 */
export function fence(info: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${info}\n${trimmedCode(code)}\n${ticks}`;
}

/** Removes empty lines before code and whitespace after it. */
export function trimmedCode(code: string): string {
  return code.replace(/^\n+/, "").trimEnd();
}

/**
 * Writes inline code, delimited by more backticks than any run of backticks in the code. Empty for empty
 * code.
 */
export function codeSpan(code: string): string {
  if (code === "") return "";
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  // Of a space at both ends, readers remove one (CommonMark 6.1).
  const space = /^`|`$|^ .*[^ ].* $/s.test(code) ? " " : "";
  return ticks + space + code + space + ticks;
}

/**
 * Puts a mark such as `**` around a text, but inside the text's leading and trailing whitespace. Blank text
 * stays unchanged.
 */
export function wrap(mark: string, inner: string): string {
  const core = inner.trim();
  if (core === "") return inner;
  const start = inner.indexOf(core);
  return inner.slice(0, start) + mark + core + mark + inner.slice(start + core.length);
}

/** Writes a block quote. */
export function quote(body: string): string {
  return body
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/**
 * Indents all lines except empty ones and the first one, which follows a list marker. `by`: what to add at
 * the start of a line.
 */
export function indent(body: string, by: string): string {
  return body.replace(/\n(?=[^\n])/g, `\n${by}`);
}

/** Indents all lines except empty ones, like `indent`, and the first one, too. An empty body stays empty. */
export function indentAll(body: string, by: string): string {
  return body === "" ? "" : by + indent(body, by);
}
