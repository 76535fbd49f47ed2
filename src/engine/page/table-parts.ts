/** Converts the rows of a table. */

import type { Table, TableCell, TableRow } from "mdast";
import { type ContentElement, type ContentNode, element } from "../content.ts";

/** Number of cells that are added to the rows of a table that have too few. */
const addedCells_count = 10_000;

/** Returns the head and the body of a table. Rows with too few cells get empty ones. */
export function tableParts(table: Table, contentOf: (cell: TableCell) => ContentNode[]): ContentElement[] {
  const columns_count = table.children[0]?.children.length ?? 0;
  let added_count = 0;

  const row = ({ children }: TableRow, name: "th" | "td") => {
    const cells = children.map((cell, column) => {
      const align = table.align?.[column];
      return element(name, align ? { align } : {}, contentOf(cell));
    });
    while (cells.length < columns_count && added_count++ < addedCells_count) cells.push(element(name));
    return element("tr", {}, cells);
  };

  const [head, ...body] = table.children;
  if (!head) return [];
  const rows = body.map((line) => row(line, "td"));
  return [element("thead", {}, [row(head, "th")]), ...(rows.length > 0 ? [element("tbody", {}, rows)] : [])];
}
