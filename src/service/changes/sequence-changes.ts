/**
 * Turns marks into events. A mark says only that a record was written. Its events follow from comparing the
 * record with its last event. So writers never wait for each other, writes of earlier versions are included,
 * and a mark can be read more than once.
 */

import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Service } from "../core/service.ts";
import type { Tables, Tx } from "../core/tables.ts";
import { keyOf, type RecordKey, type RecordState, readRecords, readSizes } from "./changed-records.ts";

/** Maximum number of marks that one transaction reads. */
const marks_count = 500;
/** Maximum size of the texts that are in memory at a time, in bytes, unless one record is longer. */
const texts_bytes = 4_000_000;

type EventRow = Selectable<Tables["change_events"]>;
type LastEvent = Pick<EventRow, "kind" | "content_hash" | "rating_hash" | "is_resolved">;
type KnownState = Omit<RecordState, "data">;

/**
 * Adds events for a limited number of marks. Resolves with whether there may be more marks. The lock on the
 * feed's row orders the transactions, so no event is visible before those with lower numbers.
 */
export async function sequenceChanges(
  { db, ulid }: Pick<Service, "db" | "ulid">,
  projectId: string,
): Promise<boolean> {
  const isMarked = await db
    .selectFrom("change_marks")
    .select("id")
    .where("project_id", "=", projectId)
    .limit(1)
    .executeTakeFirst();
  if (!isMarked) return false;

  return db.transaction().execute(async (tx) => {
    const feed = await lockFeed(tx, projectId);
    if (!feed) return false;
    const marks = await tx
      .selectFrom("change_marks")
      .select(["id", "at", "record_type", "record_id"])
      .where("project_id", "=", projectId)
      .orderBy("at")
      .limit(marks_count)
      .execute();
    if (marks.length === 0) return false;

    const events = await newEvents(tx, ulid, projectId, feed, marks);
    const last = events.at(-1);
    if (last) {
      await tx.insertInto("change_events").values(events).execute();
      await tx
        .updateTable("change_feeds")
        .set({ sequence: last.sequence, digest: last.digest })
        .where("project_id", "=", projectId)
        .execute();
    }

    await tx
      .deleteFrom("change_marks")
      .where("project_id", "=", projectId)
      .where("id", "=", sql<string>`any(${marks.map(({ id }) => id)}::uuid[])`)
      .execute();
    return marks.length === marks_count;
  });
}

/** Adds events for the marks of all projects, so that marks don't pile up if nobody reads a feed. */
export async function sweepChanges(service: Pick<Service, "db" | "ulid">): Promise<void> {
  const { db } = service;
  const marked = await db.selectFrom("change_marks").select("project_id").distinct().execute();
  for (const { project_id } of marked) while (await sequenceChanges(service, project_id));
}

/** Locks the project first, as a deletion of the project does. Undefined if the project was deleted. */
async function lockFeed(tx: Tx, projectId: string) {
  const project = await tx
    .selectFrom("projects")
    .select("id")
    .where("id", "=", projectId)
    .forKeyShare()
    .executeTakeFirst();
  if (!project) return undefined;

  await tx
    .insertInto("change_feeds")
    .values({ project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom("change_feeds")
    .select(["sequence", "digest"])
    .where("project_id", "=", projectId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

async function newEvents(
  tx: Tx,
  ulid: () => string,
  projectId: string,
  feed: { sequence: number; digest: Buffer },
  marks: readonly (RecordKey & { at: Date })[],
): Promise<EventRow[]> {
  // Of the marks of a record, the last one counts.
  const marked = new Map(marks.map((mark) => [keyOf(mark), mark]));
  const records = [...marked.values()];
  const states = await readStates(tx, projectId, records);
  const lastEvents = await readLastEvents(tx, projectId, records);
  const events: EventRow[] = [];
  let { sequence, digest } = feed;

  for (const [key, { record_type, record_id, at }] of marked) {
    const state = states.get(key);
    const last = lastEvents.get(key);
    for (const kind of kindsOf(record_type, state, last)) {
      sequence++;
      const event = {
        project_id: projectId,
        sequence,
        id: ulid(),
        at,
        kind,
        record_type,
        record_id,
        content_hash: state?.contentHash ?? last?.content_hash ?? null,
        rating_hash: state?.ratingHash ?? null,
        is_resolved: state?.isResolved ?? false,
      };
      digest = digestOf(digest, event);
      events.push({ ...event, digest });
    }
  }

  return events;
}

/** Returns how the record differs from its last event. */
function kindsOf(
  type: RecordKey["record_type"],
  state: KnownState | undefined,
  last: LastEvent | undefined,
): EventRow["kind"][] {
  if (!state) return last?.kind === "deleted" ? [] : ["deleted"];
  const before = last?.kind === "deleted" ? undefined : last;
  if (before?.content_hash?.equals(state.contentHash)) return [];

  // Feedback on a page begins with its rating.
  const isRated =
    state.ratingHash !== null &&
    (before ? !before.rating_hash?.equals(state.ratingHash) : type === "conversation");
  const kinds = [
    ...(before ? [] : ["created" as const]),
    ...(isRated ? ["rated" as const] : []),
    ...(state.isResolved && !before?.is_resolved ? ["resolved" as const] : []),
  ];
  return kinds.length ? kinds : ["changed"];
}

/** Reads the records in parts, so that few texts are in memory at a time. */
async function readStates(
  tx: Tx,
  projectId: string,
  records: readonly RecordKey[],
): Promise<Map<string, KnownState>> {
  const sizes = await readSizes(tx, projectId, records);
  const states = new Map<string, KnownState>();
  let part: RecordKey[] = [];
  let part_bytes = 0;
  const readPart = async () => {
    for (const [key, { data: _, ...state }] of await readRecords(tx, projectId, part)) states.set(key, state);
    part = [];
    part_bytes = 0;
  };

  for (const record of records) {
    const size_bytes = sizes.get(keyOf(record)) ?? 0;
    if (part_bytes + size_bytes > texts_bytes && part.length) await readPart();
    part.push(record);
    part_bytes += size_bytes;
  }

  await readPart();
  return states;
}

async function readLastEvents(
  tx: Tx,
  projectId: string,
  records: readonly RecordKey[],
): Promise<Map<string, LastEvent>> {
  const { rows } = await sql<LastEvent & RecordKey>`
    select wanted.record_type, wanted.record_id, last.kind, last.content_hash, last.rating_hash, last.is_resolved
    from unnest(${records.map(({ record_type }) => record_type)}::text[], ${records.map(({ record_id }) => record_id)}::text[])
      as wanted (record_type, record_id)
    cross join lateral (
      select * from change_events where project_id = ${projectId}
        and record_type = wanted.record_type and record_id = wanted.record_id
      order by sequence desc limit 1
    ) as last`.execute(tx);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Returns the running digest after an event. */
function digestOf(previous: Buffer, event: Omit<EventRow, "digest">): Buffer {
  const parts = [
    previous.toString("hex"),
    event.sequence,
    event.id,
    event.at.toISOString(),
    event.kind,
    event.record_type,
    event.record_id,
    event.content_hash?.toString("hex") ?? "",
  ];
  return createHash("sha256").update(parts.join("\n")).digest();
}
