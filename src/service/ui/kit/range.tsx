/** Fields for a date range, and links to the page with a different range or view. */

import { Input } from "./form.tsx";

export interface RangeView {
  /** First and last day, such as `2026-05-03`. */
  from: string;
  to: string;
  /** Length of the range in days; undefined if the URL has a first or last day. */
  days: number | undefined;
}

const lengths: readonly (readonly [number, string])[] = [
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
  [365, "12 months"],
];

/** Links to the page with other range lengths. `query`: other query parameters of the page. */
export function RangeLinks({ path, query, range }: { path: string; query: Query; range: RangeView }) {
  return (
    <Choices
      label="Time"
      choices={lengths.map(([days, label]) => ({
        label,
        href: hrefWith(path, { ...query, days: String(days) }),
        isChosen: range.days === days,
      }))}
    />
  );
}

export interface Choice {
  label: string;
  href: string;
  isChosen: boolean;
}

/** Links to alternative views of the page, in a row. */
export function Choices({ label, choices }: { label: string; choices: readonly Choice[] }) {
  return (
    <nav class="d-choices" aria-label={label}>
      {choices.map(({ label, href, isChosen }) => (
        <a key={label} class="d-choice" href={href} aria-current={isChosen ? "true" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

export function RangeFields({ range }: { range: RangeView }) {
  return (
    <>
      <Input name="from" label="From" type="date" value={range.from} />
      <Input name="to" label="To" type="date" value={range.to} />
    </>
  );
}

export type Query = Readonly<Record<string, string | undefined>>;

/** Query parameters that select the range. */
export function rangeQuery({ from, to, days }: RangeView): Query {
  return days === undefined ? { from, to } : { days: String(days) };
}

/** URL path with query parameters. Parameters without a value are omitted. */
export function hrefWith(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}
