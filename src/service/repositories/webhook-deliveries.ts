/**
 * Keeps a log of the deliveries that git hosts send to a project's webhook. Recognizes repeated deliveries.
 */

import { sql } from "kysely";
import type { Service } from "../core/service.ts";

/**
 * How long entries are kept. `accepted_count`: maximum number of received deliveries that are kept per
 * project.
 */
const kept_days = 30;
const accepted_count = 200;
/** Maximum number of refused deliveries and failed checks that are kept per project. */
const refused_count = 20;
/** Time after which a delivery without a result counts as interrupted, because its process ended. */
const handling_s = 60;
/** Result of a delivery that is being handled. */
const unfinished = "Received";
/** Maximum length of a result, in characters. */
const result_chars = 500;
/** Maximum number of listed entries. */
const listed_count = 20;

type Store = Pick<Service, "db">;

/**
 * Records a delivery before it's handled. Returns false if a delivery with the same ID or content is already
 * recorded. A record whose handling was interrupted is deleted first, so that the git host can send the
 * delivery again.
 */
export async function claimDelivery(
  { db }: Store,
  projectId: string,
  delivery: { id: string; event: string; hash: Buffer },
): Promise<boolean> {
  await sql`
    delete from webhook_deliveries where project_id = ${projectId} and (id = ${delivery.id} or body_hash = ${delivery.hash})
      and result = ${unfinished} and at < clock_timestamp() - ${handling_s} * interval '1 second'`.execute(
    db,
  );
  const { rows } = await sql`
    insert into webhook_deliveries (project_id, id, body_hash, event, result)
    values (${projectId}, ${delivery.id}, ${delivery.hash}, ${delivery.event}, ${unfinished})
    on conflict do nothing returning id`.execute(db);
  await prune({ db }, projectId);
  return rows.length > 0;
}

/** Records the result of a delivery. */
export async function finishDelivery(
  { db }: Store,
  projectId: string,
  id: string,
  result: string,
): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ result: result.slice(0, result_chars) })
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .execute();
}

/** Deletes the record of a delivery that couldn't be handled, so that the git host can send it again. */
export async function releaseDelivery({ db }: Store, projectId: string, id: string): Promise<void> {
  await db
    .deleteFrom("webhook_deliveries")
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .execute();
}

/** Records a refused delivery or a failed check for new commits. */
export async function recordRefusal(
  service: Pick<Service, "db" | "ulid">,
  projectId: string,
  event: string,
  result: string,
): Promise<void> {
  await service.db
    .insertInto("webhook_deliveries")
    .values({
      project_id: projectId,
      id: `refused ${service.ulid()}`,
      body_hash: null,
      event,
      result: result.slice(0, result_chars),
    })
    .execute();
  await prune(service, projectId);
}

/**
 * Returns the newest entries of a project: received and refused deliveries, and failed checks for new
 * commits.
 */
export async function listDeliveries({ db }: Store, projectId: string) {
  return db
    .selectFrom("webhook_deliveries")
    .select(["id", "at", "event", "result", sql<boolean>`body_hash is not null`.as("isAccepted")])
    .where("project_id", "=", projectId)
    .orderBy("at", "desc")
    .limit(listed_count)
    .execute();
}

async function prune({ db }: Store, projectId: string): Promise<void> {
  await sql`
    delete from webhook_deliveries where project_id = ${projectId} and id in (
      select id from (
        select id, at, body_hash is null as is_refused, row_number() over (partition by body_hash is null order by at desc) as nth
        from webhook_deliveries where project_id = ${projectId}
      ) as deliveries
      where nth > case when is_refused then ${refused_count}::int else ${accepted_count}::int end
        or at < clock_timestamp() - ${kept_days} * interval '1 day')`.execute(db);
}
