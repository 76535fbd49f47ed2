/** Tables as CSV (RFC 4180) that people open in a spreadsheet. */

export type Cell = string | number | boolean | null;

/** Spreadsheets evaluate what begins with one of these, also after blanks and invisible characters. */
const isFormula = /^[\p{White_Space}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** One line with its end. Figures are written as they are, texts so that no spreadsheet takes them for a formula. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = isFormula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
