/** Counts messages by source: readers of the site (`web`), the API (`api`) or imports (`other`). */

import { firstUlidAt } from "../../base/ulid.ts";
import { ownProject } from "../core/own-project.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";

export interface CallerStats {
  web: number;
  api: number;
  other: number;
  total: number;
}

/** Counts finished messages. Dates are in milliseconds since 1970; `dateTo` is exclusive. */
export async function callerStats(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string,
  { dateFrom, dateTo }: { dateFrom: number | undefined; dateTo: number | undefined },
): Promise<CallerStats> {
  let messages = db
    .selectFrom("conversations")
    .select((count) => ["caller", count.fn.countAll<number>().as("messages")])
    .where("project_id", "=", ownProject(scope, projectId))
    .where("is_finished", "=", true);
  if (dateFrom !== undefined) messages = messages.where("id", ">=", firstUlidAt(dateFrom));
  if (dateTo !== undefined) messages = messages.where("id", "<", firstUlidAt(dateTo));
  const counted = new Map((await messages.groupBy("caller").execute()).map(({ caller, messages }) => [caller, messages]));
  const [web, api, other] = (["web", "api", "other"] as const).map((caller) => counted.get(caller) ?? 0) as [number, number, number];
  return { web, api, other, total: web + api + other };
}
