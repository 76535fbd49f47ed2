/** Adds the events about API keys that expire soon. */

import { sql } from "kysely";
import { addEvent } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";

/**
 * How many days before a key expires to add an event, in descending order. An event is left out if it would
 * be added less than `margin_days` after the key was created.
 */
const notice_days = [7, 1] as const;
/** Minimum time between a key's creation and an event. */
const margin_days = 1;

interface ExpiringKey {
  id: string;
  organization_id: string;
  name: string;
  last_four: string;
  expires_at: Date;
}

/**
 * Adds the events that are due, one for each key and notice. If several notices became due while the service
 * was off, only the last one is added.
 */
export async function sweepExpiringKeys({
  db,
  ulid,
  settings,
}: Pick<Service, "db" | "ulid" | "settings">): Promise<void> {
  for (const days of notice_days) {
    const next = notice_days.find((other) => other < days) ?? 0;
    const { rows } = await sql<ExpiringKey>`
      select id, organization_id, name, last_four, expires_at from api_keys
      where revoked_at is null and expires_at > clock_timestamp() + ${next} * interval '1 day'
        and expires_at <= clock_timestamp() + ${days} * interval '1 day'
        and expires_at - created_at > ${days + margin_days} * interval '1 day'
        and not exists (select from notification_events where unique_key = 'key.expiring ' || api_keys.id || ${` ${days}`})`.execute(
      db,
    );
    for (const key of rows) {
      const data = {
        keyId: key.id,
        name: key.name,
        lastFour: key.last_four,
        expiresAt: key.expires_at.toISOString(),
        url: settings.url + organizationHref(key.organization_id, "/keys"),
      };
      const event = {
        organizationId: key.organization_id,
        projectId: null,
        type: "key.expiring" as const,
        data,
      };
      await addEvent({ db, ulid }, { ...event, uniqueKey: `key.expiring ${key.id} ${days}` });
    }
  }
}
