/** Formats a number of seconds as text, rounded up: `1 second`, `5 minutes`, `2 hours`. */
export function waitText(wait_s: number): string {
  if (wait_s <= 60) return counted(Math.ceil(wait_s), "second");
  if (wait_s <= 3_600) return counted(Math.ceil(wait_s / 60), "minute");
  return counted(Math.ceil(wait_s / 3_600), "hour");
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
