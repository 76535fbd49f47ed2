/** Counts questions by day and by category, from stored daily counts. */

import { sql } from "kysely";
import { type DateRange, daysOf, dayText } from "../core/day-blocks.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { requireProject } from "../projects/projects.ts";

export interface CountQuery extends DateRange {
  status?: "answered" | "unanswered";
  /** An empty string selects questions without a category. */
  category?: string;
  caller?: "web" | "api" | "other";
}

interface Counts {
  answered: number;
  unanswered: number;
}

export interface ConversationCounts {
  total: Counts;
  /** Counts by UTC day, such as `2026-05-03`. Oldest first. Days without questions are omitted. */
  days: (Counts & { day: string })[];
  /**
   * Counts by category, most frequent first. The name is empty for questions without a category. Ignores the
   * category filter, so that users can select a different category.
   */
  categories: (Counts & { name: string })[];
}

/**
 * Counts the questions that match the filters. Throws "not found" unless the project belongs to the
 * organization.
 */
export async function countConversations(
  service: Service,
  scope: Scope,
  projectId: string,
  { status, category, caller, ...range }: CountQuery,
): Promise<ConversationCounts> {
  await requireProject(service, scope, projectId);
  const { from, to } = daysOf(range);
  const isChosen = category === undefined ? sql`true` : sql`query_category = ${category}`;
  const sum = (status: string, condition = sql`true`) =>
    sql`coalesce(sum(count) filter (where resolution_status = ${status} and ${condition}), 0)`;
  const { rows } = await sql<
    Counts & { day: number | null; name: string; of_answered: number; of_unanswered: number }
  >`
    select day, query_category as name, ${sum("answered", isChosen)} as answered, ${sum("unanswered", isChosen)} as unanswered,
      ${sum("answered")} as of_answered, ${sum("unanswered")} as of_unanswered
    from conversation_days
    where project_id = ${projectId} and day >= ${from} and day < ${to}
      and ${status ? sql`resolution_status = ${status}` : sql`true`} and ${caller ? sql`caller = ${caller}` : sql`true`}
    group by grouping sets ((day), (query_category))`.execute(service.db);

  const days = rows.flatMap(({ day, answered, unanswered }) =>
    day === null ? [] : [{ day, answered, unanswered }],
  );
  const categories = rows.flatMap((row) =>
    row.day === null ? [{ name: row.name, answered: row.of_answered, unanswered: row.of_unanswered }] : [],
  );

  return {
    total: days.reduce(
      (all, one) => ({ answered: all.answered + one.answered, unanswered: all.unanswered + one.unanswered }),
      {
        answered: 0,
        unanswered: 0,
      },
    ),
    days: days.sort((a, b) => a.day - b.day).map(({ day, ...counts }) => ({ day: dayText(day), ...counts })),
    categories: categories.sort(
      (a, b) => b.answered + b.unanswered - a.answered - a.unanswered || (a.name < b.name ? -1 : 1),
    ),
  };
}
