/** Tables as CSV (RFC 4180) that people open in a spreadsheet. */

export type Cell = string | number | boolean | null;

/** Spreadsheets work out what begins with one of these: a text of a stranger must stay a text. */
const isFormula = /^[=+\-@\t\r\n＝＋－＠]/;

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
