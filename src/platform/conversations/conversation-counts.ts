/** How many conversations there were, by time and by category: from the counts of each day. */
import { sql } from "kysely";
import type { Scope } from "../access/scope.ts";
import { requireProject } from "../organizations/projects.ts";
import type { Service } from "../service.ts";

export interface CountQuery {
  /** Milliseconds since 1970, at the start of a day in UTC; `dateFrom` is part of the range, `dateTo` is not. */
  dateFrom: number;
  dateTo: number;
  step: "day" | "week" | "month";
  status?: "answered" | "unanswered";
  /** Empty: none. */
  category?: string;
  caller?: "web" | "api" | "other";
}

interface Counts {
  answered: number;
  unanswered: number;
}

export interface ConversationCounts {
  total: Counts;
  /** `start`: the first day, `2026-05-03`. Oldest first, without those in which nobody asked. */
  steps: (Counts & { start: string })[];
  /** Most frequent first; an empty name: none. Whatever the category of the query is, so that another one can be chosen. */
  categories: (Counts & { name: string })[];
}

export async function countConversations(
  service: Service,
  scope: Scope,
  projectId: string,
  { dateFrom, dateTo, step, status, category, caller }: CountQuery,
): Promise<ConversationCounts> {
  await requireProject(service, scope, projectId);
  const [from, to] = [dateFrom, dateTo].map((instant) => new Date(instant).toISOString().slice(0, 10));
  const { rows } = await sql<Counts & { start: string | null; name: string | null }>`
    select date_trunc(${step}::text, day::timestamp)::date::text as start, query_category as name,
      coalesce(sum(count) filter (where resolution_status = 'answered'), 0) as answered,
      coalesce(sum(count) filter (where resolution_status = 'unanswered'), 0) as unanswered
    from conversation_days
    where project_id = ${projectId} and day >= ${from}::date and day < ${to}::date
      and ${status ? sql`resolution_status = ${status}` : sql`true`} and ${caller ? sql`caller = ${caller}` : sql`true`}
    group by 1, 2`.execute(service.db);
  const total = { answered: 0, unanswered: 0 };
  const steps = new Map<string, Counts>();
  const categories = new Map<string, Counts>();
  for (const { start, name, answered, unanswered } of rows) {
    add(categories, name!, answered, unanswered);
    if (category !== undefined && name !== category) continue;
    add(steps, start!, answered, unanswered);
    total.answered += answered;
    total.unanswered += unanswered;
  }
  const sum = ({ answered, unanswered }: Counts) => answered + unanswered;
  return {
    total,
    steps: [...steps].map(([start, counts]) => ({ start, ...counts })).sort((a, b) => (a.start < b.start ? -1 : 1)),
    categories: [...categories]
      .map(([name, counts]) => ({ name, ...counts }))
      .sort((a, b) => sum(b) - sum(a) || (a.name < b.name ? -1 : 1)),
  };
}

function add(to: Map<string, Counts>, name: string, answered: number, unanswered: number): void {
  const counts = to.get(name) ?? { answered: 0, unanswered: 0 };
  to.set(name, { answered: counts.answered + answered, unanswered: counts.unanswered + unanswered });
}
