/** CSV (RFC 4180) that is safe to open in a spreadsheet. */

export type Cell = string | number | boolean | null;

/**
 * Matches text that spreadsheets may evaluate as a formula: an operator, perhaps after white space or invisible characters, or a tab or
 * line break at the start.
 */
const formula = /^[\p{White_Space}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** One line of CSV with its line break. Text that a spreadsheet may evaluate as a formula is prefixed with an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
