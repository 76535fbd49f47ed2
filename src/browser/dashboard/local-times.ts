import { all } from "../dom.ts";

/** Shows times of day in the browser's time zone. */
export function showLocalTimes(page: ParentNode = document): void {
  for (const time of all<HTMLTimeElement>("time[data-clock]", page))
    time.textContent = new Date(time.dateTime).toLocaleTimeString("en-GB", { hour12: false });
}
