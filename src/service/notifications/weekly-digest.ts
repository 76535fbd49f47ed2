/**
 * Adds the weekly digests of projects. A digest is added on Monday after 8:00 UTC and covers the previous week, Monday to Sunday. If the
 * service was off, the digest is added later in the same week. A digest is an event whose key contains the project and the week, so only
 * one is added even if several workers run.
 */

import { sql } from "kysely";
import { countConversations } from "../conversations/conversation-counts.ts";
import { listUnanswered } from "../conversations/unanswered.ts";
import { type DateRange, day_ms, dayOf, dayText } from "../core/day-blocks.ts";
import { addEvent, type WeeklyDigest } from "../core/notification-events.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { searchesWithoutResults } from "../searches/top-searches.ts";
import { trafficByDay, viewsByPage } from "../traffic/traffic.ts";
import { projectHref } from "../ui/dashboard-urls.ts";

const week_days = 7;
/** Time of day on Monday after which digests are added, in milliseconds after midnight UTC. */
const sentAt_ms = 8 * 3_600_000;
/** Maximum number of pages, of questions, and of searches in a digest. */
const top_count = 5;
/** Number of projects that are read at a time. */
const batch_count = 100;

interface ProjectOfWeek {
  id: string;
  organization_id: string;
  name: string;
}

/** Adds the missing digests of the previous week. Does nothing on Mondays before 8:00 UTC. */
export async function sweepDigests(service: Service, now_ms: number = Date.now()): Promise<void> {
  const today = dayOf(now_ms);
  // Day 0 was a Thursday.
  const monday = today - ((today + 3) % week_days);
  if (now_ms < monday * day_ms + sentAt_ms) return;
  for (let last = ""; ; ) {
    const projects = await projectsAfter(service, last, monday);
    // A project without activity gets a marker, so that its metrics are read only once a week.
    for (const project of projects) await addDigest(service, project, monday);
    if (projects.length < batch_count) return;
    last = projects.at(-1)!.id;
  }
}

/**
 * Returns up to `batch_count` live projects that have no digest for the week yet, and whose organization has a webhook or member that
 * gets digests. Ordered by ID, starting after the ID `last`.
 */
async function projectsAfter({ db, mail }: Service, last: string, monday: number): Promise<ProjectOfWeek[]> {
  const hasMember = mail
    ? sql`exists (select from notification_choices as choice
        where choice.organization_id = projects.organization_id and 'digest.weekly' = any(choice.events))`
    : sql`false`;
  const { rows } = await sql<ProjectOfWeek>`
    select id, organization_id, name from projects
    where id > ${last} and live_deployment_id is not null
      and (${hasMember} or exists (select from webhooks where webhooks.organization_id = projects.organization_id
        and is_enabled and 'digest.weekly' = any(webhooks.events)))
      and not exists (select from notification_events where unique_key = 'digest.weekly ' || projects.id || ${` ${dayText(monday)}`})
    order by id limit ${batch_count}`.execute(db);
  return rows;
}

async function addDigest(service: Service, project: ProjectOfWeek, monday: number): Promise<void> {
  const { id: projectId, organization_id: organizationId } = project;
  const data = await digestOf(service, project, monday);
  const { views, questions, failedDeployments, searchesWithoutResults: searches } = data;
  const isMarker = !views && !questions && failedDeployments === 0 && searches.length === 0;
  const uniqueKey = `digest.weekly ${projectId} ${dayText(monday)}`;
  await addEvent(service, { organizationId, projectId, type: "digest.weekly", data, uniqueKey, isMarker });
}

async function digestOf(service: Service, { id, organization_id, name }: ProjectOfWeek, monday: number): Promise<WeeklyDigest> {
  const { hasAnalytics, hasAssistant, url } = service.settings;
  const scope: Scope = { organizationId: organization_id, plan: "free", actor: "service" };
  const range: DateRange = { dateFrom: (monday - week_days) * day_ms, dateTo: monday * day_ms };
  const page = { ...range, limit: top_count, offset: 0 };
  const [traffic, pages, searches] = hasAnalytics
    ? await Promise.all([
        trafficByDay(service, scope, id, range),
        viewsByPage(service, scope, id, page),
        searchesWithoutResults(service, scope, id, { ...range, limit: top_count }),
      ])
    : [];
  const [counts, unanswered] = hasAssistant
    ? await Promise.all([countConversations(service, scope, id, range), listUnanswered(service, scope, id, { ...page, status: "open" })])
    : [];
  const sum = (values: readonly number[] | undefined) => values?.reduce((all, value) => all + value, 0) ?? null;
  return {
    projectId: id,
    projectName: name,
    from: dayText(monday - week_days),
    to: dayText(monday - 1),
    views: sum(traffic?.map(({ humanViews }) => humanViews)),
    visitors: sum(traffic?.map(({ humanVisitors }) => humanVisitors)),
    questions: counts ? counts.total.answered + counts.total.unanswered : null,
    answered: counts?.total.answered ?? null,
    topPages: pages?.rows.filter(({ human }) => human > 0).map(({ path, human }) => ({ path, views: human })) ?? [],
    unansweredQuestions: unanswered?.groups.map(({ example, count }) => ({ question: example.slice(0, 300), count })) ?? [],
    searchesWithoutResults: searches?.map(({ searchQuery, withoutResults }) => ({ query: searchQuery, count: withoutResults })) ?? [],
    failedDeployments: await failedDeployments(service, organization_id, id, range),
    url: url + projectHref(organization_id, id),
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
