/**
 * Renders a chart of counts over time. A script draws the chart from a table that can also be shown, so the
 * data is available without scripts and to screen readers.
 */

import { count } from "./format-number.ts";
import { Table } from "./table.tsx";

export interface ChartProps {
  title: string;
  /** Name of the counted items, such as `conversations`. */
  unit: string;
  /** Names of the series, which are stacked: the first one is on top. */
  series: readonly string[];
  /** Values by day (`2026-05-03`), one value for each series. Days without an entry count as 0. */
  days: ReadonlyMap<string, readonly number[]>;
  /** First and last day, such as `2026-05-03`. */
  from: string;
  to: string;
}

interface Period {
  start: string;
  values: number[];
}

const day_ms = 86_400_000;
/**
 * Maximum number of days in a chart by day, and maximum number of weeks in a chart by week. Longer ranges are
 * shown by month.
 */
const [most_days, most_weeks] = [92, 120];

export function Chart({ title, unit, series, days, from, to }: ChartProps) {
  const { name, periods } = periodsOf(days, from, to, series.length);
  return (
    <figure class="d-chart" data-chart={`${unit} per ${name}`}>
      <figcaption>{`${title}, per ${name}`}</figcaption>
      <div class="d-plot" aria-hidden="true" />
      <details>
        <summary>Show as table</summary>
        <Table
          label={`${title}, per ${name}`}
          rows={periods}
          keyOf={({ start }) => start}
          columns={[
            {
              title: name === "day" ? "Day" : `First day of the ${name}`,
              cell: ({ start }) => <time datetime={start}>{start}</time>,
            },
            ...series.map((label, index) => ({
              title: label,
              align: "end" as const,
              cell: ({ values }: Period) => <data value={values[index]}>{count(values[index]!)}</data>,
            })),
          ]}
        />
      </details>
    </figure>
  );
}

/**
 * Adds up the values by day, week or month, depending on the length of the range. Includes periods without
 * data.
 */
function periodsOf(
  days: ChartProps["days"],
  from: string,
  to: string,
  series_count: number,
): { name: string; periods: Period[] } {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const length = (last - first) / day_ms + 1;
  const name = length <= most_days ? "day" : length <= most_weeks * 7 ? "week" : "month";
  const periods = new Map<string, number[]>();
  for (let time = first; time <= last; time += day_ms) {
    const day = new Date(time).toISOString().slice(0, 10);
    const start = name === "day" ? day : name === "month" ? `${day.slice(0, 7)}-01` : monday(time);
    const values = periods.get(start) ?? Array<number>(series_count).fill(0);
    periods.set(start, values);
    for (const [index, value] of (days.get(day) ?? []).entries()) values[index]! += value;
  }
  return { name, periods: [...periods].map(([start, values]) => ({ start, values })) };
}

/** Returns the date of the Monday of the week that contains `time`. Day 4 (1970-01-05) was a Monday. */
function monday(time: number): string {
  const days = Math.floor(time / day_ms);
  return new Date((days - ((((days - 4) % 7) + 7) % 7)) * day_ms).toISOString().slice(0, 10);
}
