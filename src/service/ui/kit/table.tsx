/** Renders tables. They have sticky headers on wide screens, and their rows are cards on phones. */

import type { ComponentChildren } from "preact";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** Alignment of the column. `end` for numbers. Default: start. */
  align?: "end";
  /** Whether the column's text can be long, and wraps. */
  isWide?: boolean;
  /** Whether the title is only shown to screen readers, for example above buttons. */
  isQuiet?: boolean;
}

/**
 * A table. `label`: name of the table for screen readers. `keyOf`: returns a unique key of a row. The first
 * column contains the row headers.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}) {
  return (
    // A scrollable region must be focusable.
    <div class="d-table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, align, isWide, isQuiet }) => (
              <th key={title} scope="col" class={classOf(align, isWide)}>
                {isQuiet ? <span class="o-sr">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, align, isWide, isQuiet }, index) =>
                index === 0 ? (
                  <th key={title} scope="row" class={classOf(align, isWide)}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} class={classOf(align, isWide)} data-title={isQuiet ? undefined : title}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf(align: "end" | undefined, isWide: boolean | undefined): string | undefined {
  return [align && "d-end", isWide && "d-wide"].filter(Boolean).join(" ") || undefined;
}
