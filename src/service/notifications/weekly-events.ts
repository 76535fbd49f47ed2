/**
 * Adds the weekly events of projects. An event is added on Monday after 8:00 UTC and covers the previous
 * week, Monday to Sunday. If the service was off, it is added later in the same week. Its key contains the
 * project and the week, so only one is added even if several workers run.
 */

import { sql } from "kysely";
import { type DateRange, day_ms, dayOf, dayText } from "../core/day-blocks.ts";
import { addEvent, type EventData } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import { unansweredOfWeek } from "./unanswered-of-week.ts";
import { digestOfWeek } from "./weekly-digest.ts";

const week_days = 7;
/** Time of day on Monday after which events are added, in milliseconds after midnight UTC. */
const sentAt_ms = 8 * 3_600_000;
/** Number of projects that are read at a time. */
const batch_count = 100;

interface ProjectOfWeek {
  id: string;
  organization_id: string;
  name: string;
}

type WeeklyType = "digest.weekly" | "questions.weekly";

/** What differs between projects and types. Returns undefined for a week without anything to report. */
type DataOfWeek = {
  [Type in WeeklyType]: (
    service: Service,
    organizationId: string,
    projectId: string,
    range: DateRange,
  ) => Promise<Omit<EventData[Type], "projectId" | "projectName" | "from" | "to"> | undefined>;
};

const dataOfWeek: DataOfWeek = { "digest.weekly": digestOfWeek, "questions.weekly": unansweredOfWeek };

/** Adds the missing events about the previous week. Does nothing on Mondays before 8:00 UTC. */
export async function sweepWeeklyEvents(service: Service, now_ms: number = Date.now()): Promise<void> {
  const today = dayOf(now_ms);
  // Day 0 was a Thursday.
  const monday = today - ((today + 3) % week_days);
  if (now_ms < monday * day_ms + sentAt_ms) return;
  for (const type of Object.keys(dataOfWeek) as WeeklyType[]) {
    for (let last: string | undefined = ""; last !== undefined; ) {
      const projects: ProjectOfWeek[] = await projectsAfter(service, type, last, monday);
      for (const project of projects) await addWeekly(service, type, project, monday);
      last = projects.length < batch_count ? undefined : projects.at(-1)!.id;
    }
  }
}

/**
 * Returns up to `batch_count` live projects that have no event of the type for the week yet, and whose
 * organization has a webhook or member that gets these events. Ordered by ID, starting after the ID `last`.
 */
async function projectsAfter(
  { db, mail }: Service,
  type: WeeklyType,
  last: string,
  monday: number,
): Promise<ProjectOfWeek[]> {
  const hasMember = mail
    ? sql`exists (select from notification_choices as choice
        where choice.organization_id = projects.organization_id and ${type} = any(choice.events))`
    : sql`false`;
  const { rows } = await sql<ProjectOfWeek>`
    select id, organization_id, name from projects
    where id > ${last} and live_deployment_id is not null
      and (${hasMember} or exists (select from webhooks where webhooks.organization_id = projects.organization_id
        and is_enabled and ${type} = any(webhooks.events)))
      and not exists (select from notification_events where unique_key = ${`${type} `} || projects.id || ${` ${dayText(monday)}`})
    order by id limit ${batch_count}`.execute(db);
  return rows;
}

/**
 * Adds the event. A project without anything to report gets a marker, so that its data is read only once a
 * week.
 */
async function addWeekly<Type extends WeeklyType>(
  service: Service,
  type: Type,
  project: ProjectOfWeek,
  monday: number,
): Promise<void> {
  const { id: projectId, organization_id: organizationId, name: projectName } = project;
  const range: DateRange = { dateFrom: (monday - week_days) * day_ms, dateTo: monday * day_ms };
  const found = await dataOfWeek[type](service, organizationId, projectId, range);
  const of = { projectId, projectName, from: dayText(monday - week_days), to: dayText(monday - 1) };
  const data = { ...of, ...found } as EventData[Type];
  const uniqueKey = `${type} ${projectId} ${dayText(monday)}`;
  await addEvent(service, {
    organizationId,
    projectId,
    type,
    data,
    uniqueKey,
    isMarker: found === undefined,
  });
}
