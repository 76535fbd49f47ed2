/** Tests that compare results with the current day in UTC, which must not change while they run. */

import { setTimeout as wait } from "node:timers/promises";

const day_ms = 86_400_000;

/** Returns at once, except in the last four minutes of a day: then it waits for the next day. */
export async function stayOnOneDay(): Promise<void> {
  const left_ms = day_ms - (Date.now() % day_ms);
  if (left_ms < 240_000) await wait(left_ms + 100);
}
