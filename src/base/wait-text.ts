import { plural } from "./plural.ts";

/** Formats a number of seconds as text, rounded up: `1 second`, `5 minutes`, `2 hours`. */
export function waitText(wait_s: number): string {
  if (wait_s <= 60) return plural(Math.ceil(wait_s), "second");
  if (wait_s <= 3_600) return plural(Math.ceil(wait_s / 60), "minute");
  return plural(Math.ceil(wait_s / 3_600), "hour");
}
