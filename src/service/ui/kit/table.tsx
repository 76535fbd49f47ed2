/** Tables and pagers. Tables scroll horizontally on narrow screens and have sticky headers. */

import type { ComponentChildren } from "preact";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** `end` for numbers. */
  align?: "end";
  /** Whether the column takes the remaining width. */
  isWide?: boolean;
  /** Whether the title is only for screen readers, for example above buttons. */
  isQuiet?: boolean;
}

/** `label`: name of the table for screen readers. `keyOf`: returns a unique key of a row. The first column contains the row headers. */
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
              {columns.map(({ title, cell, align, isWide }, index) =>
                index === 0 ? (
                  <th key={title} scope="row" class={classOf(align, isWide)}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} class={classOf(align, isWide)}>
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

/**
 * Links to the adjacent pages of a list that is ordered by time (`newer`, `older`) or by count (`more`, `less`). `newest` links to
 * the first page, for lists that can't link to the previous page.
 */
export function Pager({
  newest,
  newer,
  older,
  more,
  less,
}: Partial<Record<"newest" | "newer" | "older" | "more" | "less", string | undefined>>) {
  if ([newest, newer, older, more, less].every((href) => href === undefined)) return null;
  return (
    <nav class="d-pager" aria-label="Pages of the list">
      {newest !== undefined && <a href={newest}>← Newest</a>}
      {newer !== undefined && <a href={newer}>← Newer</a>}
      {older !== undefined && <a href={older}>Older →</a>}
      {more !== undefined && <a href={more}>← Back to more frequent ones</a>}
      {less !== undefined && <a href={less}>Less frequent ones →</a>}
    </nav>
  );
}

const whole = new Intl.NumberFormat("en");

export function count(value: number): string {
  return whole.format(value);
}

export function bytes(value: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return `${step === 0 ? value : (value / 1_000 ** step).toFixed(1)} ${units[step]}`;
}
