/** Reads the data of weekly digests. */

import { countConversations } from "../conversations/conversation-counts.ts";
import { listUnanswered } from "../conversations/unanswered.ts";
import type { DateRange } from "../core/day-blocks.ts";
import type { WeeklyDigest } from "../core/notification-events.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { searchesWithoutResults } from "../searches/top-searches.ts";
import { trafficByDay, viewsByPage } from "../traffic/traffic.ts";
import { projectHref } from "../ui/dashboard-urls.ts";

/** Maximum number of pages, of questions, and of searches in a digest. */
const top_count = 5;

/** Returns the metrics of a project in a week. Undefined if there was no activity. */
export async function digestOfWeek(
  service: Service,
  organizationId: string,
  projectId: string,
  range: DateRange,
): Promise<Omit<WeeklyDigest, "projectId" | "projectName" | "from" | "to"> | undefined> {
  const digest = await metricsOf(service, organizationId, projectId, range);
  const { views, questions, failedDeployments, searchesWithoutResults: searches } = digest;
  return views || questions || failedDeployments || searches.length ? digest : undefined;
}

async function metricsOf(service: Service, organizationId: string, id: string, range: DateRange) {
  const { hasAnalytics, hasAssistant, url } = service.settings;
  const scope: Scope = { organizationId, plan: "free", actor: "service" };
  const page = { ...range, limit: top_count, offset: 0 };
  const [traffic, pages, searches] = hasAnalytics
    ? await Promise.all([
        trafficByDay(service, scope, id, range),
        viewsByPage(service, scope, id, page),
        searchesWithoutResults(service, scope, id, { ...range, limit: top_count }),
      ])
    : [];

  const [counts, unanswered] = hasAssistant
    ? await Promise.all([
        countConversations(service, scope, id, range),
        listUnanswered(service, scope, id, { ...page, status: "open" }),
      ])
    : [];

  const sum = (values: readonly number[] | undefined) =>
    values?.reduce((all, value) => all + value, 0) ?? null;
  return {
    views: sum(traffic?.map(({ humanViews }) => humanViews)),
    visitors: sum(traffic?.map(({ humanVisitors }) => humanVisitors)),
    questions: counts ? counts.total.answered + counts.total.unanswered : null,
    answered: counts?.total.answered ?? null,
    topPages:
      pages?.rows.filter(({ human }) => human > 0).map(({ path, human }) => ({ path, views: human })) ?? [],
    unansweredQuestions:
      unanswered?.groups.map(({ example, count }) => ({ question: example.slice(0, 300), count })) ?? [],
    searchesWithoutResults:
      searches?.map(({ searchQuery, withoutResults }) => ({ query: searchQuery, count: withoutResults })) ??
      [],
    failedDeployments: await failedDeployments(service, organizationId, id, range),
    url: url + projectHref(organizationId, id),
  };
}

async function failedDeployments(
  { db }: Pick<Service, "db">,
  organizationId: string,
  projectId: string,
  { dateFrom, dateTo }: DateRange,
): Promise<number> {
  const { count } = await db
    .selectFrom("deployments")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("project_id", "=", projectId)
    .where("status", "=", "failure")
    .where("canceled_at", "is", null)
    .where("ended_at", ">=", new Date(dateFrom!))
    .where("ended_at", "<", new Date(dateTo!))
    .executeTakeFirstOrThrow();
  return Number(count);
}
