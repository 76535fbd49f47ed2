/**
 * Sends deliveries. A process that claims a delivery sets its next attempt to the end of a lease. If the
 * process is killed, another process sends the delivery again after the lease has expired. Receivers can
 * recognize repeated requests by `webhook-id`.
 */

import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { RequestBlocked } from "../../io/outbound.ts";
import { outboundFetch } from "../../io/outbound-fetch.ts";
import { addEvent, type EventType } from "../core/notification-events.ts";
import { quotedName } from "../core/quoted-text.ts";
import type { Service } from "../core/service.ts";
import type { WebhookFormat } from "../core/tables.ts";
import { decryptedWebhook } from "../core/webhook-secrets.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import { deliverEvents } from "./deliveries.ts";
import { eventText, slackBody } from "./event-text.ts";
import { signatureHeaders } from "./webhook-signature.ts";
import { receiverRules, webhookHost } from "./webhooks.ts";

/** Time between two checks for due deliveries. */
const poll_ms = 1_000;
/**
 * Time until another process may repeat an attempt. Longer than the timeout of a webhook request. An email
 * can take longer if the SMTP server is slow, and may then be sent twice.
 */
const lease_s = 60;
/** Delays between attempts. After the last one, the delivery has failed. */
const delays_s = [60, 300, 1_800, 7_200, 28_800];
/** Maximum number of deliveries that a process sends at a time, in total and for one organization. */
const slots = { total: 32, organization: 4 };
/** Number of days that a webhook's attempts may fail before the webhook is disabled. */
const failing_days = 5;
/** Maximum time that a stopping process waits for its attempts to end. */
const stop_ms = 5_000;

interface Claimed {
  id: string;
  organization_id: string;
  event_id: string;
  webhook_id: string | null;
  user_id: string | null;
  attempt: number;
}

interface AttemptResult {
  isDelivered: boolean;
  /** HTTP status. Undefined if there was no response. */
  status?: number;
  error?: string;
  /** Whether no further attempt is made. */
  isFinal?: boolean;
}

export class NotificationSender {
  private readonly service: Service;
  private readonly running = new Map<Promise<void>, string>();
  private readonly report: (error: unknown) => void;
  private readonly stopping = new AbortController();
  private polling: Promise<void> | undefined;

  constructor(service: Service, report: (error: unknown) => void) {
    this.service = service;
    this.report = report;
  }

  /** Begins to send deliveries in the background. Errors go to `report`. */
  start(): void {
    this.polling = this.poll();
  }

  /** Takes no more deliveries, and waits up to `stop_ms` for attempts in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.polling;
    await Promise.race([Promise.all(this.running.keys()), wait(stop_ms, undefined, { ref: false })]);
  }

  /** Sends the deliveries that are due, and resolves when their attempts have ended. */
  async sendPending(): Promise<void> {
    await deliverEvents(this.service);
    for (;;) {
      await this.sendDue();
      if (this.running.size === 0) return;
      await Promise.all(this.running.keys());
    }
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    let isDatabaseDown = false;
    while (!signal.aborted) {
      try {
        await deliverEvents(this.service);
        await this.sendDue();
        isDatabaseDown = false;
      } catch (error) {
        // Only the first of several errors in a row is reported.
        if (!isDatabaseDown) this.report(error);
        isDatabaseDown = true;
      }
      await wait(poll_ms, undefined, { signal }).catch(() => {});
    }
  }

  private async sendDue(): Promise<void> {
    while (this.running.size < slots.total && !this.stopping.signal.aborted) {
      const claimed = await this.claim();
      if (!claimed) return;
      const sending = this.send(claimed)
        .catch((error: unknown) => this.stopping.signal.aborted || this.report(error))
        .then(() => void this.running.delete(sending));
      this.running.set(sending, claimed.organization_id);
    }
  }

  private async claim(): Promise<Claimed | undefined> {
    const counts = new Map<string, number>();
    for (const id of this.running.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
    const busy = [...counts].filter(([, count]) => count >= slots.organization).map(([id]) => id);
    const { rows } = await sql<Claimed>`
      with next as (
        select id from notification_deliveries
        where next_attempt_at <= clock_timestamp() and organization_id <> all(${busy}::text[])
        order by next_attempt_at limit 1 for update skip locked
      )
      update notification_deliveries as delivery set attempt = attempt + 1, last_attempt_at = clock_timestamp(),
        next_attempt_at = clock_timestamp() + ${lease_s} * interval '1 second'
      from next where delivery.id = next.id
      returning delivery.id, organization_id, event_id, webhook_id, user_id, attempt`.execute(
      this.service.db,
    );

    return rows[0];
  }

  private async send(claimed: Claimed): Promise<void> {
    const event = await this.service.db
      .selectFrom("notification_events")
      .select(["id", "type", "data", "created_at"])
      .where("id", "=", claimed.event_id)
      .executeTakeFirst();
    if (!event) return;
    const began = performance.now();
    const result = await (claimed.webhook_id === null
      ? this.sendMail(claimed, event)
      : this.post(claimed.webhook_id, event));
    await this.record(claimed, result, Math.round(performance.now() - began));
  }

  private async post(
    webhookId: string,
    event: { id: string; type: string; data: unknown; created_at: Date },
  ): Promise<AttemptResult> {
    const { db, secrets, settings } = this.service;
    const row = await db
      .selectFrom("webhooks")
      .select(["url", "secret", "format", "is_enabled"])
      .where("id", "=", webhookId)
      .executeTakeFirst();

    if (!row?.is_enabled) return { isDelivered: false, error: "The webhook is disabled.", isFinal: true };
    const { url, secret } = decryptedWebhook(secrets, webhookId, row);
    const body = bodyOf(row.format, event);
    const headers = {
      "content-type": "application/json",
      "user-agent": "octavo",
      ...signatureHeaders(secret, event.id, Math.floor(Date.now() / 1_000), body),
    };

    const request = outboundFetch({ sender: "webhook", ...receiverRules(settings) });
    try {
      const { status } = await request(url, { method: "POST", headers, body });
      const isDelivered = status >= 200 && status < 300;
      return isDelivered
        ? { isDelivered, status }
        : { isDelivered, status, error: `The receiver responded with status ${status}.` };
    } catch (error) {
      return { isDelivered: false, error: messageOf(error) };
    }
  }

  /** Sends an email if the user is still a member and the service has an SMTP server. */
  private async sendMail(
    { organization_id, user_id }: Claimed,
    event: { type: string; data: unknown },
  ): Promise<AttemptResult> {
    const { db, mail, settings } = this.service;
    const member = await db
      .selectFrom("memberships")
      .innerJoin("users", "users.id", "memberships.user_id")
      .innerJoin("organizations", "organizations.id", "memberships.organization_id")
      .select(["email", "organizations.name as organization"])
      .where("organization_id", "=", organization_id)
      .where("user_id", "=", user_id)
      .executeTakeFirst();

    if (!member || !mail)
      return { isDelivered: false, error: "The member left, or email isn't set up.", isFinal: true };
    const { subject, paragraphs, url } = eventText(event.type as EventType, event.data);
    const choices = `${settings.url}/dashboard/account/notifications`;
    const footer = `You're receiving this email because you're a member of ${quotedName(member.organization)}. To change which emails you receive, go to ${choices}`;
    const text = [...paragraphs, ...(url === undefined ? [] : [url]), footer].join("\n\n");
    return mail.send({ to: member.email, subject, text, organization: organization_id }).then(
      () => ({ isDelivered: true }),
      () => ({ isDelivered: false, error: "The email couldn't be sent." }),
    );
  }

  /**
   * Stores the result, unless the delivery was claimed or queued again in the meantime. Disables a webhook
   * that has failed for too long.
   */
  private async record(
    claimed: Claimed,
    { isDelivered, status, error, isFinal }: AttemptResult,
    duration_ms: number,
  ): Promise<void> {
    const delay_s = isDelivered || isFinal ? undefined : delays_s[claimed.attempt - 1];
    await this.service.db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable("notification_deliveries")
        .set({
          status: isDelivered ? "delivered" : delay_s === undefined ? "failed" : "pending",
          next_attempt_at:
            delay_s === undefined ? null : sql<Date>`clock_timestamp() + ${delay_s} * interval '1 second'`,
          response_status: status ?? null,
          error: error ?? null,
          duration_ms,
        })
        .where("id", "=", claimed.id)
        .where("attempt", "=", claimed.attempt)
        .executeTakeFirst();

      if (numUpdatedRows === 0n || claimed.webhook_id === null || isFinal) return;

      const webhook = await tx
        .updateTable("webhooks")
        .set({ failing_since: isDelivered ? null : sql<Date>`coalesce(failing_since, clock_timestamp())` })
        .where("id", "=", claimed.webhook_id)
        .returning([
          "id",
          "url",
          "secret",
          sql<boolean>`is_enabled and failing_since < clock_timestamp() - ${failing_days} * interval '1 day'`.as(
            "is_dead",
          ),
        ])
        .executeTakeFirst();

      if (!webhook?.is_dead) return;

      await tx
        .updateTable("webhooks")
        .set({ is_enabled: false, disabled_at: sql`clock_timestamp()` })
        .where("id", "=", webhook.id)
        .execute();

      const { ulid, secrets, settings } = this.service;
      const url = settings.url + organizationHref(claimed.organization_id, `/notifications/${webhook.id}`);
      const host = webhookHost(decryptedWebhook(secrets, webhook.id, webhook));
      const data = { webhookId: webhook.id, host, url };
      await addEvent(
        { db: tx, ulid },
        { organizationId: claimed.organization_id, projectId: null, type: "webhook.disabled", data },
      );
    });
  }
}

function bodyOf(
  format: WebhookFormat,
  { type, data, created_at }: { type: string; data: unknown; created_at: Date },
): string {
  return format === "slack"
    ? slackBody(type as EventType, data)
    : JSON.stringify({ type, timestamp: created_at.toISOString(), data });
}

/** Returns an error message for the organization's admins. The message contains no part of the response. */
function messageOf(error: unknown): string {
  if (error instanceof RequestBlocked) return `Request blocked: ${error.message}.`;
  const { name, code } = error as Error & { code?: string };
  if (name === "AbortError" || name === "TimeoutError")
    return "The receiver didn't respond within 10 seconds.";
  return code ? `The connection failed (${code}).` : "The connection failed.";
}
