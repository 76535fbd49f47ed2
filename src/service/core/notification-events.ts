/** Defines and adds the events that organizations are notified about. `notifications/` delivers events. */

import { sql } from "kysely";
import { databaseJson } from "./database-json.ts";
import type { Service } from "./service.ts";
import type { Database } from "./tables.ts";

interface ProjectEvent {
  projectId: string;
  projectName: string;
}

interface DeploymentEvent extends ProjectEvent {
  deploymentId: string;
  number: number;
  /**
   * Branch of a preview, or the number of its pull request, such as `#12`. Null if the deployment isn't a
   * preview.
   */
  branch: string | null;
  commit: string | null;
  /** State when the deployment ended, as in the API. Missing in events by processes of earlier versions. */
  liveState?: string;
  summary: string;
  /** URL of the deployment's page in the dashboard. */
  url: string;
}

interface ExportEvent extends ProjectEvent {
  jobId: string;
  deploymentId: string;
  domain: string;
  version: string | null;
  /** URL of the export's page in the dashboard. */
  url: string;
}

export interface BrokenLink {
  code: string;
  /** Source file, relative to the documentation folder. */
  file: string;
  line: number | null;
  message: string;
}

/** Metrics of a project in one week. Metrics of features that are off are null, and their lists are empty. */
export interface WeeklyDigest extends ProjectEvent {
  /** First and last day, such as `2026-05-03`. */
  from: string;
  to: string;
  views: number | null;
  visitors: number | null;
  questions: number | null;
  answered: number | null;
  topPages: { path: string; views: number }[];
  unansweredQuestions: { question: string; count: number }[];
  searchesWithoutResults: { query: string; count: number }[];
  failedDeployments: number;
  url: string;
}

/**
 * Why a site changed: a new deployment or a rollback is live, or the sign-in setting or the domains changed.
 */
export type PublishReason = "deployment" | "rollback" | "sign-in" | "domains";

/** Data of an event, by event type. Sent as the `data` property of a webhook's JSON body. */
export interface EventData {
  "deployment.failed": DeploymentEvent;
  /** `isHeld`: whether the deployment isn't live because it has errors that the live site doesn't have. */
  "deployment.succeeded": DeploymentEvent & { isLive: boolean; isHeld?: boolean; siteUrl: string };
  /** `hosts`: host names at which the site is served, or was served before the change. */
  "site.published": ProjectEvent & { reason: PublishReason; hosts: string[]; siteUrl: string; url: string };
  /** `sha256`: checksum of the bundle, in hexadecimal digits. */
  "export.completed": ExportEvent & { pages: number; bytes: number; sha256: string };
  "export.failed": ExportEvent & { error: string };
  "question.unanswered": ProjectEvent & {
    questions: { id: string; question: string }[];
    count: number;
    url: string;
  };
  /** `messageId`: ID of the message with the answer above the link to support. */
  "conversation.handed-over": ProjectEvent & { conversationId: string; messageId: string; url: string };
  "key.expiring": { keyId: string; name: string; lastFour: string; expiresAt: string; url: string };
  "links.broken": ProjectEvent & {
    deploymentId: string;
    number: number;
    count: number;
    links: BrokenLink[];
    url: string;
  };
  /** `questions`: one of each group. `id`: ID of the newest question of the group. */
  "questions.weekly": ProjectEvent & {
    from: string;
    to: string;
    questions: { id: string; question: string; count: number }[];
    url: string;
  };
  "digest.weekly": WeeklyDigest;
  /** Sent by the test button, to one webhook. */
  "webhook.test": { webhookId: string; message: string };
  /** Sent to admins by email only. */
  "webhook.disabled": { webhookId: string; host: string; url: string };
}

export type EventType = keyof EventData;

/** Event types that can be chosen for webhooks and emails, in the order that forms show them. */
export const eventTypes = [
  "deployment.failed",
  "deployment.succeeded",
  "site.published",
  "export.completed",
  "export.failed",
  "question.unanswered",
  "conversation.handed-over",
  "key.expiring",
  "links.broken",
  "questions.weekly",
  "digest.weekly",
] as const satisfies readonly EventType[];

export type ChosenEventType = (typeof eventTypes)[number];

export interface NewEvent<Type extends EventType> {
  organizationId: string;
  /** Project of the event. Null for events that aren't about a single project. */
  projectId: string | null;
  type: Type;
  data: EventData[Type];
  /** Key of the event. If an event with this key exists, the new event isn't added. */
  uniqueKey?: string;
  /** Whether to store the event without sending it. */
  isMarker?: boolean;
  /** Minimum time until the event is sent. Default: 0. */
  delay_s?: number;
}

/**
 * Adds an event. Returns its ID, or undefined if an event with the same `uniqueKey` exists. Pass the
 * transaction of the change as `db`, so that the event isn't lost if the process is killed.
 */
export async function addEvent<Type extends EventType>(
  { db, ulid }: { db: Database; ulid: Service["ulid"] },
  { organizationId, projectId, type, data, uniqueKey, isMarker = false, delay_s = 0 }: NewEvent<Type>,
): Promise<string | undefined> {
  const row = await db
    .insertInto("notification_events")
    .values({
      id: ulid(),
      organization_id: organizationId,
      project_id: projectId,
      type,
      data: databaseJson(data),
      unique_key: uniqueKey ?? null,
      send_at: isMarker ? null : sql<Date>`clock_timestamp() + ${delay_s} * interval '1 second'`,
    })
    .onConflict((conflict) => conflict.column("unique_key").doNothing())
    .returning("id")
    .executeTakeFirst();

  return row?.id;
}
