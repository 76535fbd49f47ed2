/** Reads the data of weekly summaries of unanswered questions. */

import { joinSimilar } from "../conversations/similar-groups.ts";
import { listUnanswered } from "../conversations/unanswered.ts";
import { eventQuestion_chars } from "../conversations/unanswered-event.ts";
import type { DateRange } from "../core/day-blocks.ts";
import type { EventData } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import { projectHref } from "../ui/dashboard-urls.ts";

/** Maximum number of groups whose questions are compared. */
const compared_count = 50;
/** Maximum number of questions in a summary. */
const summary_count = 10;

/**
 * Returns one question of each open group, most frequent first. Undefined if there was no such question in
 * the week.
 */
export async function unansweredOfWeek(
  service: Service,
  organizationId: string,
  projectId: string,
  range: DateRange,
): Promise<Omit<EventData["questions.weekly"], "projectId" | "projectName" | "from" | "to"> | undefined> {
  if (!service.settings.hasAssistant) return undefined;
  const scope = { organizationId, plan: "free", actor: "service" } as const;
  const page = { ...range, status: "open", limit: compared_count, offset: 0 } as const;
  const { groups } = await listUnanswered(service, scope, projectId, page);
  const joined = await joinSimilar(service.embedding?.embedder, groups);
  const questions = joined
    .map(({ last, example, count, similar }) => ({
      id: last,
      question: example.slice(0, eventQuestion_chars),
      count: similar.reduce((sum, group) => sum + group.count, count),
    }))
    .sort((a, b) => b.count - a.count)
    .slice(0, summary_count);

  const url = service.settings.url + projectHref(organizationId, projectId, "/questions");
  return questions.length ? { questions, url } : undefined;
}
