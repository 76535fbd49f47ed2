/** A chart over time and the table that it is drawn from: whoever has no script, or no eyes for it, reads the table. */
import { count, Table } from "./table.tsx";

export interface ChartProps {
  title: string;
  /** What is counted, such as `conversations`. */
  unit: string;
  /** The whole first, then parts of it. */
  series: readonly string[];
  /** By day, `2026-05-03`; days without a row have none. A figure for each series. */
  days: ReadonlyMap<string, readonly number[]>;
  /** First and last day. */
  from: string;
  to: string;
}

interface Step {
  start: string;
  values: number[];
}

const day_ms = 86_400_000;
/** Days that are shown one by one, and weeks: more could not be told apart. */
const [most_days, most_weeks] = [92, 120];

export function Chart({ title, unit, series, days, from, to }: ChartProps) {
  const { name, steps } = stepsOf(days, from, to, series.length);
  return (
    <figure class="d-chart" data-chart={`${unit} per ${name}`}>
      <figcaption>{`${title}, per ${name}`}</figcaption>
      <div class="d-plot" aria-hidden="true" />
      <details>
        <summary>The figures as a table</summary>
        <Table
          label={`${title}, per ${name}`}
          rows={steps}
          keyOf={({ start }) => start}
          columns={[
            { title: name === "day" ? "Day" : `First day of the ${name}`, cell: ({ start }) => <time datetime={start}>{start}</time> },
            ...series.map((label, place) => ({
              title: label,
              align: "end" as const,
              cell: ({ values }: Step) => <data value={values[place]}>{count(values[place]!)}</data>,
            })),
          ]}
        />
      </details>
    </figure>
  );
}

/** Every step of the range, those without a figure too. */
function stepsOf(days: ChartProps["days"], from: string, to: string, series_count: number): { name: string; steps: Step[] } {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const length = (last - first) / day_ms + 1;
  const name = length <= most_days ? "day" : length <= most_weeks * 7 ? "week" : "month";
  const steps = new Map<string, number[]>();
  for (let time = first; time <= last; time += day_ms) {
    const day = new Date(time).toISOString().slice(0, 10);
    const start = name === "day" ? day : name === "month" ? `${day.slice(0, 7)}-01` : monday(time);
    const values = steps.get(start) ?? Array<number>(series_count).fill(0);
    steps.set(start, values);
    for (const [place, value] of (days.get(day) ?? []).entries()) values[place]! += value;
  }
  return { name, steps: [...steps].map(([start, values]) => ({ start, values })) };
}

/** 1970-01-05 was one. */
function monday(time: number): string {
  const days = Math.floor(time / day_ms);
  return new Date((days - ((((days - 4) % 7) + 7) % 7)) * day_ms).toISOString().slice(0, 10);
}
