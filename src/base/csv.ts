/** Writes CSV (RFC 4180, section 2) that is safe to open in a spreadsheet. */

export type Cell = string | number | boolean | null;

/**
 * Matches text that a spreadsheet may evaluate as a formula: text that starts with a tab, a line break or an
 * operator. White space and invisible characters may precede the operator.
 */
const formula = /^[\p{White_Space}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * Matches the place before a formula inside a text. Spreadsheets of many languages separate fields with
 * semicolons. They then ignore quotation marks that aren't at the start of a field.
 */
const laterFormula = /(?<=[;\t\r\n])(?=(?:(?![\t\r\n])["\p{White_Space}\p{Cc}\p{Cf}])*[=+\-@＝＋－＠])/gu;

/**
 * Returns one CSV record with its line break. Puts an apostrophe before text that a spreadsheet may evaluate
 * as a formula.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = (formula.test(cell) ? `'${cell}` : cell).replace(laterFormula, "'");
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
