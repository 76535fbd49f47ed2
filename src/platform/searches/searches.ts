/** What is searched for on a site and which results are opened: a row each, in the order of their time. */
import { limits } from "../../base/limits.ts";
import { firstUlidAt } from "../../base/ulid.ts";
import type { Service } from "../service.ts";

export type SearchEvent = { query: string; resultsCount: number } | { query: string; clickedPath: string };

/** A search for nothing is none. */
export async function recordSearches(
  service: Pick<Service, "db" | "ulid">,
  projectId: string,
  caller: "web" | "api",
  events: readonly SearchEvent[],
): Promise<void> {
  const rows = events.flatMap((event) => {
    const query = event.query.replace(/\s+/g, " ").trim().slice(0, limits.searchText_chars);
    if (query === "") return [];
    const about =
      "clickedPath" in event
        ? { clicked_path: event.clickedPath, results_count: null }
        : { clicked_path: null, results_count: event.resultsCount };
    return [{ project_id: projectId, id: service.ulid(), query, caller, ...about }];
  });
  if (rows.length) await service.db.insertInto("search_events").values(rows).execute();
}

export async function sweepSearches({ db }: Pick<Service, "db">): Promise<void> {
  await db
    .deleteFrom("search_events")
    .where("id", "<", firstUlidAt(Date.now() - limits.searchEvents_ms))
    .execute();
}
