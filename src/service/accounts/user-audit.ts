/** Records audit events about user accounts, such as sign-ins. */

import { sql } from "kysely";
import { type AuditEvent, appendAudit } from "../core/audit.ts";
import type { User } from "../core/identity.ts";
import type { Origin } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { membershipsOf } from "./members.ts";

/** Records an event in the audit log of each of the user's organizations. */
export async function recordForUser(
  service: Pick<Service, "db">,
  { id, email }: User,
  event: AuditEvent,
  origin: Origin,
  actor = `member ${email}`,
) {
  for (const { organizationId } of await membershipsOf(service, id))
    await appendAudit(service.db, organizationId, actor, event, origin);
}

/** Records a sign-in. First records the failed attempts that preceded it. */
export async function recordSignIn(
  service: Pick<Service, "db">,
  user: User,
  how: string,
  origin: Origin,
): Promise<void> {
  await recordFailedSignIns(service, user.id);
  await recordForUser(
    service,
    user,
    { action: "signIn", target: "/dashboard/sign-in", outcome: "200", metadata: { how } },
    origin,
  );
}

/**
 * Records the failed sign-ins since the last call, as one entry per user and organization. If `userId` is
 * undefined, records those of all users.
 */
export async function recordFailedSignIns(service: Pick<Service, "db">, userId?: string): Promise<void> {
  const { rows } = await sql<User & { count: number }>`
    with failed as (
      select id, failed_sign_ins as count from users where failed_sign_ins > 0 ${userId === undefined ? sql`` : sql`and id = ${userId}`} for update)
    update users set failed_sign_ins = 0 from failed where users.id = failed.id
    returning users.id, users.email, users.name, failed.count`.execute(service.db);

  for (const { count, ...user } of rows)
    for (const { organizationId } of await membershipsOf(service, user.id)) {
      const event: AuditEvent = {
        action: "signIn",
        target: "/dashboard/sign-in",
        outcome: "401",
        metadata: { email: user.email, count },
      };
      await appendAudit(service.db, organizationId, "unknown", event);
    }
}
