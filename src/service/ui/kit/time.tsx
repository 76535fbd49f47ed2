/** Renders relative times ("2 hours ago") with the exact time as the tooltip, and formats durations. */

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 24 * 3_600],
  ["month", 30 * 24 * 3_600],
  ["day", 24 * 3_600],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function Time({ at }: { at: Date }) {
  const seconds = (at.getTime() - Date.now()) / 1_000;
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? (["second", 1] as const);
  const text =
    unit === "second"
      ? seconds > 0
        ? "in a moment"
        : "just now"
      : relative.format(inUnits(seconds / size), unit);
  return (
    <time datetime={at.toISOString()} title={exactTime(at)}>
      {text}
    </time>
  );
}

/** The time of day. In UTC, unless a script shows it in the browser's time zone. */
export function Clock({ at }: { at: Date }) {
  return (
    <time datetime={at.toISOString()} title={exactTime(at)} data-clock="">
      {at.toISOString().slice(11, 19)}
    </time>
  );
}

/**
 * Rounds positive values (future) and truncates negative ones (past), so that 1.9 hours ago is shown as "1
 * hour ago".
 */
function inUnits(value: number): number {
  return value > 0 ? Math.round(value) : Math.trunc(value);
}

export function exactTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Formats a duration, such as `1 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
