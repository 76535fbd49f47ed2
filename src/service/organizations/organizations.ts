/** Creates, lists, changes and deletes organizations. */

import { sql } from "kysely";
import { fieldThat, invalid, notFound } from "../../base/app-error.ts";
import { hasUrl, oneLine } from "../../base/one-line.ts";
import { requireProvedAdmin } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";
import type { MemberRole, Plan } from "../core/tables.ts";
import { downloadKeys } from "../storage/purge-exports.ts";

export async function createOrganization(
  { db, ulid }: Service,
  { name, plan }: { name: string; plan: Plan },
) {
  const values = { name: plainName(name), plan };
  return db
    .insertInto("organizations")
    .values({ id: ulid(), ...values })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function listOrganizations({ db }: Service) {
  return db.selectFrom("organizations").selectAll().orderBy("id").execute();
}

/** Returns an organization. Throws "not found" if there is no such organization. */
export async function getOrganization({ db }: Service, id: string) {
  const row = await db.selectFrom("organizations").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export interface OrganizationChange {
  name?: string;
  plan?: Plan;
  /** Role that is preselected for invitations. */
  defaultRole?: MemberRole;
  /** Whether members need a sign-in method that they proved after joining. */
  requiresConfirmedSignIn?: boolean;
}

/**
 * Changes the given properties. Returns the organization. Throws "not found" if there is no such
 * organization, and a conflict if proved sign-in methods are required and no admin has one.
 */
export async function changeOrganization(
  service: Service,
  id: string,
  { name, plan, defaultRole, requiresConfirmedSignIn }: OrganizationChange,
) {
  const changes = {
    ...(name === undefined ? {} : { name: plainName(name) }),
    ...(plan === undefined ? {} : { plan }),
    ...(defaultRole === undefined ? {} : { default_role: defaultRole }),
    ...(requiresConfirmedSignIn === undefined ? {} : { requires_proved_methods: requiresConfirmedSignIn }),
  };

  if (Object.keys(changes).length === 0) return getOrganization(service, id);

  return service.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable("organizations")
      .set(changes)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();

    if (!row) throw notFound();
    if (requiresConfirmedSignIn) await requireProvedAdmin(tx, [id]);
    return row;
  });
}

/** Returns the name on one line. Throws an AppError if it contains a URL. */
function plainName(name: string): string {
  if (hasUrl(name)) throw invalid("Invalid organization", fieldThat("name", "must not contain a URL"));
  return oneLine(name);
}

/**
 * Deletes an organization with all its rows. Throws "not found" if there is no such organization. A sweep
 * deletes the organization's stored files later, because other organizations may use the same files.
 */
export async function deleteOrganization({ db, objects }: Service, id: string): Promise<void> {
  const keys = await downloadKeys(db, { organization_id: id });
  await db.transaction().execute(async (tx) => {
    // Deleting years of conversations and counts can take a long time.
    await sql`set local statement_timeout = 0`.execute(tx);
    const { numDeletedRows } = await tx.deleteFrom("organizations").where("id", "=", id).executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
  });
  for (const key of keys) await objects.delete(key);
}
