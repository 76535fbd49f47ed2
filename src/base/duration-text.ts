/** A duration as text, rounded up: `1 second`, `5 minutes`, `2 hours`. */
export function durationText(duration_s: number): string {
  if (duration_s <= 60) return counted(Math.ceil(duration_s), "second");
  if (duration_s <= 3_600) return counted(Math.ceil(duration_s / 60), "minute");
  return counted(Math.ceil(duration_s / 3_600), "hour");
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
