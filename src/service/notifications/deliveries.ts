/** Creates deliveries of events to webhooks and members, lists them, and queues them again. */

import { sql } from "kysely";
import { AppError, notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { plural } from "../../base/plural.ts";
import { type EventType, eventTypes } from "../core/notification-events.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { admit } from "../core/sliding-window.ts";
import type { Tx } from "../core/tables.ts";
import { mailRecipients } from "./mail-choices.ts";
import { getWebhook } from "./webhooks.ts";

/**
 * Maximum number of deliveries that are listed for a webhook. Older deliveries are deleted after they have
 * ended.
 */
const listed_count = 100;
/** How long events and their deliveries are kept. */
const kept_days = 30;
/** Maximum number of events that one transaction handles. */
const batch_count = 20;

/**
 * Creates the deliveries of due events to webhooks and to members who get the event by email.
 * `NotificationSender` sends the deliveries.
 */
export async function deliverEvents(service: Pick<Service, "db" | "ulid" | "mail">): Promise<void> {
  for (;;) {
    const count = await service.db.transaction().execute(async (tx) => {
      const events = await tx
        .selectFrom("notification_events")
        .select(["id", "organization_id", "project_id", "type"])
        .where("send_at", "<=", sql<Date>`clock_timestamp()`)
        .orderBy("send_at")
        .limit(batch_count)
        .forUpdate()
        .skipLocked()
        .execute();
      for (const event of events) await addDeliveries(service, tx, event);
      return events.length;
    });
    if (count < batch_count) return;
  }
}

interface DueEvent {
  id: string;
  organization_id: string;
  project_id: string | null;
  type: string;
}

async function addDeliveries(
  { ulid, mail }: Pick<Service, "ulid" | "mail">,
  tx: Tx,
  event: DueEvent,
): Promise<void> {
  const organization_id = event.organization_id;
  const webhooks = (eventTypes as readonly string[]).includes(event.type)
    ? await tx
        .selectFrom("webhooks")
        .select("id")
        .where("organization_id", "=", organization_id)
        .where("is_enabled", "=", true)
        .where(sql<boolean>`${event.type} = any(events)`)
        .where(sql<boolean>`(project_id is null or project_id = ${event.project_id})`)
        .execute()
    : [];

  const users = mail ? await mailRecipients(tx, organization_id, event.type) : [];
  const receivers = [
    ...webhooks.map(({ id }) => ({ webhook_id: id, user_id: null })),
    ...users.map((id) => ({ webhook_id: null, user_id: id })),
  ];

  if (receivers.length)
    await tx
      .insertInto("notification_deliveries")
      .values(receivers.map((receiver) => ({ id: ulid(), organization_id, event_id: event.id, ...receiver })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();

  await tx.updateTable("notification_events").set({ send_at: null }).where("id", "=", event.id).execute();
  for (const { id } of webhooks) await pruneDeliveries(tx, id);
}

/** Deletes a webhook's ended deliveries, except the newest ones. */
async function pruneDeliveries(tx: Tx, webhookId: string): Promise<void> {
  await sql`
    delete from notification_deliveries where webhook_id = ${webhookId} and status <> 'pending' and id < (
      select id from notification_deliveries where webhook_id = ${webhookId} order by id desc offset ${listed_count - 1} limit 1)`.execute(
    tx,
  );
}

/** Deletes old events and their deliveries. */
export async function sweepNotifications({ db }: Pick<Service, "db">): Promise<void> {
  await sql`delete from notification_events where created_at < clock_timestamp() - ${kept_days} * interval '1 day'`.execute(
    db,
  );
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  type: EventType;
  created_at: Date;
  status: "pending" | "delivered" | "failed";
  attempt: number;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  response_status: number | null;
  duration_ms: number | null;
  error: string | null;
}

/**
 * Lists a webhook's latest deliveries, newest first. Throws "not found" if the organization has no such
 * webhook.
 */
export async function listWebhookDeliveries(
  service: Service,
  scope: Scope,
  webhookId: string,
): Promise<DeliveryRow[]> {
  await getWebhook(service, scope, webhookId);
  return deliveryRows(service, scope, webhookId)
    .orderBy("delivery.id", "desc")
    .limit(listed_count)
    .execute() as Promise<DeliveryRow[]>;
}

/**
 * Queues a delivery again, with a new series of attempts. Throws "not found" if the organization has no such
 * webhook or delivery, a conflict if the webhook is disabled, and "rate-limited" after too many manual
 * deliveries.
 */
export async function resendDelivery(
  service: Service,
  scope: Scope,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const webhook = await getWebhook(service, scope, webhookId);
  const row = (await deliveryRows(service, scope, webhookId)
    .where("delivery.id", "=", deliveryId)
    .executeTakeFirst()) as DeliveryRow | undefined;
  if (!row) throw notFound();
  requireEnabled(webhook);
  await admitManual(service, scope);
  const changes = { status: "pending" as const, attempt: 0, next_attempt_at: new Date() };
  await service.db.updateTable("notification_deliveries").set(changes).where("id", "=", deliveryId).execute();
  return { ...row, ...changes };
}

function deliveryRows({ db }: Service, { organizationId }: Scope, webhookId: string) {
  return db
    .selectFrom("notification_deliveries as delivery")
    .innerJoin("notification_events as event", "event.id", "delivery.event_id")
    .select([
      "delivery.id",
      "event_id",
      "type",
      "event.created_at",
      "status",
      "attempt",
      "last_attempt_at",
      "next_attempt_at",
    ])
    .select(["response_status", "duration_ms", "error"])
    .where("delivery.organization_id", "=", organizationId)
    .where("webhook_id", "=", webhookId);
}

/** Queues a test event for a webhook. Throws the same errors as `resendDelivery`. */
export async function sendTestEvent(
  { db, ulid, secrets }: Service,
  scope: Scope,
  webhookId: string,
): Promise<void> {
  requireEnabled(await getWebhook({ db, secrets }, scope, webhookId));
  await admitManual({ db }, scope);

  await db.transaction().execute(async (tx) => {
    const organization_id = scope.organizationId;
    const [event_id, type] = [ulid(), "webhook.test" as const];
    const data = JSON.stringify({ webhookId, message: "If you can read this, the webhook works." });
    await tx
      .insertInto("notification_events")
      .values({ id: event_id, organization_id, project_id: null, type, data })
      .execute();
    await tx
      .insertInto("notification_deliveries")
      .values({ id: ulid(), organization_id, event_id, webhook_id: webhookId })
      .execute();
    await pruneDeliveries(tx, webhookId);
  });
}

/**
 * Limits test events and resent deliveries, so that members can't use a webhook to flood someone else's
 * server.
 */
async function admitManual({ db }: Pick<Service, "db">, { organizationId }: Scope): Promise<void> {
  const { count, window_s } = limits.manualDeliveries;
  const { isAdmitted, reset_s } = await admit(db, organizationId, {
    name: "manual deliveries",
    quota: count,
    window_s,
  });

  if (isAdmitted) return;

  throw new AppError(
    "rate-limited",
    `Your organization has reached its limit of ${count} test events and resent deliveries per hour`,
    {
      details: [`Retry after ${plural(reset_s, "second")}`],
      retryAfter_s: reset_s,
    },
  );
}

function requireEnabled({ is_enabled }: { is_enabled: boolean }): void {
  if (!is_enabled) throw new AppError("conflict", "The webhook is disabled. Enable it first.");
}
