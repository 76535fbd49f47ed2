/** Stores the events that each member gets by email, and finds the recipients of an event. */

import { type ChosenEventType, eventTypes } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import type { Database, MemberRole } from "../core/tables.ts";

/** Events that admins get by email until they save a choice. Other members get none until then. */
const adminDefaults: readonly ChosenEventType[] = ["deployment.failed", "key.expiring"];

/**
 * Returns the events that a member gets by email: the saved choice, or else the default of the member's role.
 */
export async function mailChoice(
  { db }: Pick<Service, "db">,
  member: { organizationId: string; userId: string; role: MemberRole },
): Promise<readonly string[]> {
  const row = await db
    .selectFrom("notification_choices")
    .select("events")
    .where("organization_id", "=", member.organizationId)
    .where("user_id", "=", member.userId)
    .executeTakeFirst();
  return row?.events ?? (member.role === "admin" ? adminDefaults : []);
}

/** Stores the events that a member gets by email. Ignores unknown events. */
export async function chooseMail(
  { db }: Pick<Service, "db">,
  { organizationId, userId, events }: { organizationId: string; userId: string; events: readonly string[] },
): Promise<void> {
  const chosen = eventTypes.filter((type) => events.includes(type));
  await db
    .insertInto("notification_choices")
    .values({ organization_id: organizationId, user_id: userId, events: chosen })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "user_id"]).doUpdateSet({ events: chosen }),
    )
    .execute();
}

/**
 * Returns the IDs of the users who get an event by email. Admins always get `webhook.disabled`, which isn't
 * in the list of choices.
 */
export async function mailRecipients(db: Database, organizationId: string, type: string): Promise<string[]> {
  const isDefault = (adminDefaults as readonly string[]).includes(type);

  const rows = await db
    .selectFrom("memberships")
    .leftJoin("notification_choices", (join) =>
      join
        .onRef("notification_choices.organization_id", "=", "memberships.organization_id")
        .onRef("notification_choices.user_id", "=", "memberships.user_id"),
    )
    .select(["memberships.user_id", "role", "events"])
    .where("memberships.organization_id", "=", organizationId)
    .execute();

  return rows
    .filter(({ role, events }) => {
      if (type === "webhook.disabled") return role === "admin";
      return events ? events.includes(type) : role === "admin" && isDefault;
    })
    .map(({ user_id }) => user_id);
}
