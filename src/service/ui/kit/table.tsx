/** Lists as tables: they scroll inside of themselves on narrow screens, and their heads stay in sight. */
import type { ComponentChildren } from "preact";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** Figures stand to the right. */
  align?: "end";
  /** Takes the room that is left. */
  isWide?: boolean;
  /** Its title is for screen readers only: a column of buttons. */
  isQuiet?: boolean;
}

/** `label` names the table; `keyOf` tells rows apart. The first column heads its row. */
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
    // A region that scrolls must be reachable by keyboard.
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
 * Ways to what is newer and older, or to what there is more and less of. `newest`: to the beginning, where a list is read in one
 * direction.
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
