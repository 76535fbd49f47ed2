/** Renders the controls that select a date range: links to common lengths, and date fields. */

import { Choices } from "./choices.tsx";
import { buttonClass, HiddenFields, Input } from "./form.tsx";
import { hrefWith, type Query } from "./href-with.ts";

export interface RangeView {
  /** First and last day, such as `2026-05-03`. */
  from: string;
  to: string;
  /** Requested length of the range in days; undefined if the URL has a first or last day. */
  days: number | undefined;
}

const lengths: readonly (readonly [number, string])[] = [
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
  [365, "12 months"],
];

/**
 * Links to the page with other range lengths, and the first and last day. `query`: other query parameters of
 * the page.
 */
export function Range({ path, query, range }: { path: string; query: Query; range: RangeView }) {
  return (
    <div class="d-range">
      <Choices
        label="Time range"
        choices={lengths.map(([days, label]) => ({
          label,
          href: hrefWith(path, { ...query, days: String(days) }),
          isChosen: range.days === days,
        }))}
      />
      <form class="d-dates" method="get" action={path} aria-label="Dates">
        <HiddenFields values={query} />
        <Input name="from" label="From" type="date" value={range.from} />
        <Input name="to" label="To" type="date" value={range.to} />
        <button type="submit" class={`${buttonClass("plain")} d-no-js`}>
          Show
        </button>
      </form>
    </div>
  );
}

/** Returns the query parameters that select the range. */
export function rangeQuery({ from, to, days }: RangeView): Query {
  return days === undefined ? { from, to } : { days: String(days) };
}
