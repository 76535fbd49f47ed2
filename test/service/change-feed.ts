/** A copy of a project's records that is built from its change feed, as an integrator would. */

import { createHash } from "node:crypto";
import type { Static } from "@sinclair/typebox";
import { expect } from "vitest";
import type { ChangeEvent, listChanges } from "../../src/service/changes/contract.ts";
import type { Service } from "../../src/service/core/service.ts";
import type { TestOrganization } from "./service.ts";

type Event = Static<typeof ChangeEvent>;
type Page = Static<(typeof listChanges)["success"]["schema"]>;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]));
}

export class FeedCopy {
  /** All events, without their data. */
  events: Event[] = [];
  records = new Map<string, { sequence: number; data: object }>();
  cursor: string | undefined;

  /** Reads a page. Throws if the sequence, a digest or a content hash is wrong. */
  async readPage(
    { ask, projectId }: Pick<TestOrganization, "ask" | "projectId">,
    limit = 100,
  ): Promise<Page> {
    const cursor = this.cursor === undefined ? "" : `&cursor=${this.cursor}`;
    const { status, json, text } = await ask(`/v1/analytics/${projectId}/changes?limit=${limit}${cursor}`);
    if (status !== 200) throw new Error(`${status} ${text}`);
    this.apply(json);
    return json;
  }

  /** Reads until the last page. */
  async readAll(organization: Pick<TestOrganization, "ask" | "projectId">, limit = 100): Promise<Event[]> {
    const events: Event[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await this.readPage(organization, limit);
      events.push(...page.events);
      hasMore = page.hasMore;
    }
    return events;
  }

  apply(page: Page): void {
    if (page.startsAfter > this.events.length) throw new Error(`Missing events before ${page.startsAfter}`);
    this.events.length = page.startsAfter;
    for (const [key, { sequence }] of this.records) if (sequence > page.startsAfter) this.records.delete(key);
    for (const event of page.events) this.add(event);
    this.cursor = page.nextCursor;
  }

  private add(event: Event): void {
    const { id, sequence, timestamp, kind, recordType, recordId, contentHash, digest, data } = event;
    const previous = this.events.at(-1)?.digest ?? "0".repeat(64);
    if (sequence !== this.events.length + 1) throw new Error(`${sequence} after ${this.events.length}`);
    const parts = [previous, sequence, id, timestamp, kind, recordType, recordId, contentHash ?? ""];
    if (digest !== sha256(parts.join("\n"))) throw new Error(`Wrong digest at ${sequence}`);
    if (data && contentHash !== sha256(JSON.stringify(sorted(data))))
      throw new Error(`Wrong hash at ${sequence}`);

    this.events.push({ ...event, data: null });
    const key = `${recordType} ${recordId}`;
    if (kind === "deleted") this.records.delete(key);
    else if (data) this.records.set(key, { sequence, data });
  }

  /** The records by ID, in the format of `sourceRecords`. */
  content(): Record<string, unknown> {
    return Object.fromEntries([...this.records].map(([key, { data }]) => [key, data]));
  }
}

/** The records of a project, read from the tables by the simplest statements. */
export async function sourceRecords(
  { pool }: Pick<Service, "pool">,
  projectId: string,
): Promise<Record<string, unknown>> {
  const rows = async (text: string) => (await pool.query(text, [projectId])).rows;
  const ratings = await rows("select * from message_feedback where project_id = $1");
  const groups = await rows("select * from question_groups where project_id = $1 and status = 'resolved'");
  const records: Record<string, unknown> = {};

  for (const row of await rows("select * from conversations where project_id = $1 and is_finished")) {
    const rating = ratings.find(({ message_id }) => message_id === row.id);
    const group = groups.find(({ question_key }) => question_key === row.question_key);
    records[`conversation ${row.id}`] = expect.objectContaining({
      id: row.id,
      query: row.query,
      response: row.response,
      sources: row.sources,
      resolutionStatus: row.resolution_status,
      queryCategory: row.query_category,
      pageUrl: row.page_url,
      conversationId: row.thread_id,
      rating: rating ? { helpful: rating.helpful, comment: rating.comment } : null,
      isResolved:
        row.resolution_status === "unanswered" && group !== undefined && row.id <= group.decision_id,
    });
  }

  for (const { project_id: _, ...row } of await rows("select * from feedback where project_id = $1"))
    records[`feedback ${row.id}`] = expect.objectContaining(row);
  for (const row of await rows(
    "select *, search_record_id(first_day, query) as id from search_queries where project_id = $1 and span_days = 1",
  ))
    records[`search ${row.id}`] = {
      day: new Date(row.first_day * 86_400_000).toISOString().slice(0, 10),
      searchQuery: row.query,
      hits: row.hits,
      apiHits: row.api_hits,
      withoutResults: row.without_results,
      clicks: row.clicks,
      lastSearchedAt: row.last_at?.toISOString() ?? null,
    };
  return records;
}
