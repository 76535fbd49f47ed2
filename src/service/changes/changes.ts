/** Reads the change feed of a project. */

import type { Selectable } from "kysely";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { Tables } from "../core/tables.ts";
import { requireProject } from "../projects/projects.ts";
import { keyOf, readRecords, readSizes } from "./changed-records.ts";
import { changesCursor } from "./contract.ts";
import { sequenceChanges } from "./sequence-changes.ts";

/** Maximum number of transactions that add events to the feed before a page is read. */
const additions_count = 4;
/** Maximum size of the texts on a page, in bytes. A page has at least one event. */
const page_bytes = 4_000_000;

export interface ChangesPage {
  /** `data`: the record, if it still has the content that the event is about. */
  events: (Selectable<Tables["change_events"]> & { data: object | null })[];
  startsAfter: number;
  nextCursor: string;
  hasMore: boolean;
}

/**
 * Returns the events after the cursor, oldest first. Throws "not found" unless the project belongs to the
 * organization.
 */
export async function listChanges(
  service: Service,
  scope: Scope,
  projectId: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<ChangesPage> {
  const { db } = service;
  await requireProject(service, scope, projectId);
  const start = await startOf(service, projectId, cursor);
  const isComplete = await addEvents(service, projectId, start.sequence + limit);

  const found = await db
    .selectFrom("change_events")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("sequence", ">", start.sequence)
    .orderBy("sequence")
    .limit(limit + 1)
    .execute();
  const sizes = await readSizes(db, projectId, found);
  let total_bytes = 0;
  const tooMany = found.findIndex(
    (event, index) => (total_bytes += sizes.get(keyOf(event)) ?? 0) > page_bytes && index > 0,
  );
  const events = found.slice(0, tooMany === -1 ? limit : Math.min(limit, tooMany));

  const records = await readRecords(db, projectId, events);
  return {
    events: events.map((event) => {
      const record = event.kind === "deleted" ? undefined : records.get(keyOf(event));
      const isCurrent = record && event.content_hash?.equals(record.contentHash);
      return { ...event, data: isCurrent ? record.data : null };
    }),
    startsAfter: start.sequence,
    nextCursor: cursorOf(events.at(-1) ?? start),
    hasMore: found.length > events.length || !isComplete,
  };
}

/** Adds events up to the given number. Resolves with whether there are no more marks. */
async function addEvents(service: Service, projectId: string, enough: number): Promise<boolean> {
  for (let count = 0; count < additions_count; count++) {
    const feed = await readFeed(service, projectId);
    if (feed && feed.sequence > enough) return false;
    if (!(await sequenceChanges(service, projectId))) return true;
  }
  return false;
}

function readFeed({ db }: Service, projectId: string) {
  return db
    .selectFrom("change_feeds")
    .select(["sequence", "restored_sequence"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
}

/**
 * Returns the event that the cursor is about. If a restored backup doesn't have the event, returns the last
 * one that all restored backups have in common, so that no later event is missed.
 */
async function startOf(
  service: Service,
  projectId: string,
  cursor: string | undefined,
): Promise<{ sequence: number; digest: Buffer }> {
  const none = { sequence: 0, digest: Buffer.alloc(32) };
  const sequence = Number(changesCursor.exec(cursor ?? "")?.[1] ?? 0);
  if (sequence === 0) return none;
  const event = await readEvent(service, projectId, sequence);
  if (event && cursorOf(event) === cursor) return event;

  const common = Math.min((await readFeed(service, projectId))?.restored_sequence ?? 0, sequence);
  return (await readEvent(service, projectId, common)) ?? none;
}

function readEvent({ db }: Service, projectId: string, sequence: number) {
  return db
    .selectFrom("change_events")
    .select(["sequence", "digest"])
    .where("project_id", "=", projectId)
    .where("sequence", "=", sequence)
    .executeTakeFirst();
}

function cursorOf({ sequence, digest }: { sequence: number; digest: Buffer }): string {
  return `${sequence}-${digest.toString("base64url").slice(0, 22)}`;
}
