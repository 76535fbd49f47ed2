/** The change feed: events of conversations, feedback, and searches, and copies that are built from them. */

import { Readable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FeedCopy, sourceRecords } from "../../../test/service/change-feed.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { importAll, type Recorded, recorded } from "../../../test/service/recorded.ts";
import { newOrganization, send, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { limits } from "../../base/limits.ts";
import { firstUlidAt } from "../../base/ulid.ts";
import { endpoints } from "../app/endpoints.ts";
import { beginMessage, finishMessage, sweepUnfinishedMessages } from "../assistant/message-rows.ts";
import { readBackup } from "../backup/read-backup.ts";
import { writeBackup } from "../backup/write-backup.ts";
import { day_ms, dayOf, dayText } from "../core/day-blocks.ts";
import { sweepPartitions } from "../core/partitions.ts";
import { setFeedbackStatus } from "../feedback/feedback.ts";
import { amendFeedback, recordFeedback } from "../feedback/record-feedback.ts";
import { recordSearches, sweepSearches } from "../searches/searches.ts";
import { sweepChanges } from "./sequence-changes.ts";

const env = { OCTAVO_ANALYTICS_LIMIT: "1000000000" };
const today = dayOf(Date.now());

let server: OpenTestService;
let organization: TestOrganization;
let copy: FeedCopy;

beforeAll(async () => {
  server = await openTestService({ databaseUrl: await createDatabase(), env });
});
beforeEach(async () => {
  organization = await newOrganization(server);
  copy = new FeedCopy();
});
afterAll(() => server.stop());

const query = (text: string, values: unknown[]) => server.service.pool.query(text, values);
const path = (rest = "") => `/v1/analytics/${organization.projectId}/changes${rest}`;
/** Reads new events, as `created conversation` and so on. */
const news = async () =>
  (await copy.readAll(organization)).map(({ kind, recordType }) => `${kind} ${recordType}`);

async function add(...rows: Recorded[]): Promise<string[]> {
  await importAll(organization, rows);
  return rows.map(({ id }) => id);
}

function rate(id: string, helpful: boolean, comment: string | null = null) {
  return query(
    `insert into message_feedback (project_id, message_id, helpful, comment) values ($1, $2, $3, $4)
     on conflict (project_id, message_id) do update set helpful = $3, comment = $4`,
    [organization.projectId, id, helpful, comment],
  );
}

function addSearches(firstDay: number, count: number) {
  return query(
    `insert into search_queries (project_id, span_days, first_day, query, hits, api_hits, without_results, clicks, last_at)
     select $1, span, $2::integer / span * span, 'query ' || number, number, 0, 0, 0, now() from generate_series(1, $3::integer) as number, unnest('{1,4}'::integer[]) as span`,
    [organization.projectId, firstDay, count],
  );
}

async function expectEqualCopy() {
  expect(copy.content()).toEqual(await sourceRecords(server.service, organization.projectId));
}

function remove(id: string) {
  return organization.ask(`/v1/analytics/${organization.projectId}/assistant/${id}`, { method: "DELETE" });
}

describe("events", () => {
  test("a message is created, rated, resolved, and deleted", async () => {
    const [id] = await add(recorded(Date.now() - 5_000, "How do I pay?", { resolutionStatus: "unanswered" }));
    expect(await news()).toEqual(["created conversation"]);
    await rate(id!, false, "No");
    expect(await news()).toEqual(["rated conversation"]);
    await rate(id!, true);
    expect(await news()).toEqual(["rated conversation"]);

    const decide = (status: "open" | "resolved") =>
      organization.client(endpoints.changeUnanswered, {
        params: { projectId: organization.projectId, questionId: id! },
        body: { status },
      });
    await decide("resolved");
    expect(await news()).toEqual(["resolved conversation"]);
    await decide("open");
    expect(await news()).toEqual(["changed conversation"]);
    await query("update conversations set query_category = 'Billing' where id = $1", [id]);
    expect(await news()).toEqual(["changed conversation"]);
    await expectEqualCopy();

    const { contentHash } = copy.events.at(-1)!;
    expect((await remove(id!)).status).toBe(204);
    expect(await news()).toEqual(["deleted conversation"]);
    expect(copy.events.at(-1)).toMatchObject({ recordId: id, contentHash, data: null });
    await expectEqualCopy();
  });

  test("changes in quick succession share the record, and each kind has an event", async () => {
    const [id] = await add(recorded(Date.now(), "How?"));
    await rate(id!, true);
    await query("update conversations set query_category = 'Billing' where id = $1", [id]);
    expect(await news()).toEqual(["created conversation", "rated conversation"]);
    await query("update conversations set theme = 'Billing', attempt = attempt + 1 where id = $1", [id]);
    expect(await news()).toEqual([]);
    await expectEqualCopy();
  });

  test("feedback is created, rated, resolved, and reopened", async () => {
    const { service } = server;
    const { projectId, id: organizationId } = organization;
    const id = await recordFeedback(service, projectId, { path: "/start", helpful: false, comment: "Short" });
    await recordFeedback(service, projectId, { path: "/start", code: "npm i", lang: "bash" });
    expect(await news()).toEqual(["created feedback", "created feedback"]);
    await amendFeedback(service, projectId, id, { path: "/start", helpful: true });
    expect(await news()).toEqual(["rated feedback"]);
    for (const status of ["resolved", "pending"] as const) {
      await setFeedbackStatus(service, { organizationId } as never, projectId, id, status);
      expect(await news()).toEqual([status === "resolved" ? "resolved feedback" : "changed feedback"]);
    }
    await expectEqualCopy();
  });

  test("searches are counted by day and query, and IDs don't contain the query", async () => {
    const search = (text: string) =>
      recordSearches(server.service, organization.projectId, "web", [{ query: text, resultsCount: 0 }]);
    await search("Pay");
    await search("pay ");
    expect(await news()).toEqual(["created search"]);
    expect(copy.events[0]!.recordId).toMatch(new RegExp(`^${dayText(today)}-[0-9a-f]{32}$`));
    await search("pay");
    expect(await news()).toEqual(["changed search"]);
    await expectEqualCopy();
  });

  test("a message appears when its answer is finished, and loses its rating with the answer", async () => {
    const { service } = server;
    const message = {
      projectId: organization.projectId,
      threadId: undefined as string | undefined,
      messageId: "1",
      caller: "web" as const,
      asker: undefined,
      query: "How?",
      pageUrl: null,
    };
    const result = {
      response: "So.",
      responseType: "answer" as const,
      sources: [],
      isAnswered: true,
      theme: null,
    };
    const open = await beginMessage(service, message);
    const crashed = await beginMessage(service, { ...message, messageId: "2" });
    expect(await news()).toEqual([]);
    await finishMessage(service, organization.id, open, result);
    await rate(open.id, true);
    expect(await news()).toEqual(["created conversation", "rated conversation"]);

    const again = await beginMessage(service, { ...message, threadId: open.threadId });
    await finishMessage(service, organization.id, again, { ...result, response: "So and so." });
    expect(await news()).toEqual(["changed conversation"]);
    await query("update conversations set id = $2 where id = $1", [crashed.id, firstUlidAt(0)]);
    await sweepUnfinishedMessages(service);
    expect(await news()).toEqual([]);
    await expectEqualCopy();
  });

  test("writes of an earlier version's process are included", async () => {
    const [id] = await add(recorded(Date.now(), "How?"));
    await news();
    await query("insert into turn_feedback (project_id, turn_id, helpful, at) values ($1, $2, true, now())", [
      organization.projectId,
      id,
    ]);
    expect(await news()).toEqual(["rated conversation"]);
    await query("delete from turn_feedback where turn_id = $1", [id]);
    expect(await news()).toEqual(["changed conversation"]);
  });

  test("records that were deleted before their first event are listed as deleted", async () => {
    const [id] = await add(recorded(Date.now(), "How?"));
    await remove(id!);
    expect(await news()).toEqual(["deleted conversation"]);
    expect(copy.events[0]!.contentHash).toBe(null);
  });
});

describe("deletions by Octavo", () => {
  test("expired and rare searches are deleted", async () => {
    await addSearches(today - limits.countsKept_days - 10, 3);
    await addSearches(today, limits.searchQueriesKept_count + 2);
    expect((await copy.readAll(organization, 1_000)).length).toBe(limits.searchQueriesKept_count + 5);
    await query("insert into search_days values ($1, $2, 1, 0, 0)", [organization.projectId, today]);
    await sweepSearches(server.service);
    expect(await news()).toEqual(Array(5).fill("deleted search"));
    await expectEqualCopy();
  });

  test("searches in a dropped partition are deleted", async () => {
    const later = today + 600;
    await sweepPartitions(server.service, later * day_ms);
    await addSearches(later, 4);
    await news();
    await sweepPartitions(server.service, (later + limits.countsKept_days + 300) * day_ms);
    expect(await news()).toEqual(Array(4).fill("deleted search"));
    await expectEqualCopy();
  });

  test("the feed ends with its project", async () => {
    await add(recorded(Date.now(), "How?"));
    await news();
    await server.operator(endpoints.deleteProject, {
      params: { projectId: organization.projectId },
    });
    expect((await organization.ask(path())).status).toBe(404);
    for (const table of ["change_feeds", "change_events", "change_marks"])
      expect(
        (await query(`select from ${table} where project_id = $1`, [organization.projectId])).rowCount,
      ).toBe(0);
  });
});

describe("pages", () => {
  test("the cursor of the last page returns only new events", async () => {
    const first = await copy.readPage(organization);
    expect(first).toMatchObject({ events: [], startsAfter: 0, hasMore: false });
    await add(...[1, 2, 3, 4, 5].map((number) => recorded(number * 1_000, `Question ${number}`)));
    const pages = [await copy.readPage(organization, 2), await copy.readPage(organization, 2)];
    expect(pages.map(({ events, hasMore }) => [events.length, hasMore])).toEqual([
      [2, true],
      [2, true],
    ]);
    expect((await copy.readPage(organization, 2)).hasMore).toBe(false);
    const last = copy.cursor;
    expect(await copy.readPage(organization)).toMatchObject({ events: [], nextCursor: last });
    await add(recorded(0, "Older"));
    expect(await news()).toEqual(["created conversation"]);
  });

  test("reading again returns the same events", async () => {
    const ids = await add(recorded(1, "One"), recorded(2, "Two"));
    await news();
    await remove(ids[0]!);
    await news();
    const other = new FeedCopy();
    await other.readAll(organization, 1);
    expect(other.events).toEqual(copy.events);
    expect(other.content()).toEqual(copy.content());
  });

  test("a page has at most 4 MB of text", async () => {
    await add(...[1, 2, 3, 4, 5].map((at) => recorded(at, "How?", { response: "x".repeat(900_000) })));
    expect((await copy.readPage(organization)).events.length).toBe(4);
    expect((await copy.readPage(organization)).events.length).toBe(1);
  });

  test("pages at any depth are read from the index", async () => {
    await query(
      `insert into change_events (project_id, sequence, id, at, kind, record_type, record_id, is_resolved, digest)
       select $1, number, number, now(), 'deleted', 'search', number, false, '' from generate_series(1, 20000) as number`,
      [organization.projectId],
    );
    await query("analyze change_events", []);
    for (const after of [0, 10_000, 19_000]) {
      const { rows } = await query(
        `explain (analyze, format json) select * from change_events where project_id = '${organization.projectId}' and sequence > ${after} order by sequence limit 101`,
        [],
      );
      expect(rows[0]["QUERY PLAN"][0].Plan.Plans[0]).toMatchObject({
        "Node Type": "Index Scan",
        "Index Name": "change_events_pkey",
        "Actual Rows": 101,
      });
    }
  });

  test.each(["1", "1-x", "-1-AAAAAAAAAAAAAAAAAAAAAA", `1-${"A".repeat(23)}`])(
    "the cursor %s is refused",
    async (cursor) => {
      expect((await organization.ask(path(`?cursor=${cursor}`))).status).toBe(400);
    },
  );
});

describe("access", () => {
  test("other organizations get 404, and other keys are refused", async () => {
    const other = await newOrganization(server);
    const read = async (key?: string) =>
      (
        await send({
          port: server.port,
          path: path(),
          headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        })
      ).status;
    const { key: assistantKey } = await server.operator(endpoints.createKey, {
      params: { organizationId: organization.id },
      body: { name: "assistant", type: "assistant", projectId: organization.projectId },
    });
    expect(await read(organization.key)).toBe(200);
    expect(await read(other.key)).toBe(404);
    expect([await read(assistantKey), await read("oct_unknown"), await read()]).toEqual([
      (
        await send({
          port: server.port,
          path: `/v1/analytics/${organization.projectId}/searches`,
          headers: { authorization: `Bearer ${assistantKey}` },
        })
      ).status,
      401,
      401,
    ]);
    expect(await read(assistantKey)).toBeGreaterThanOrEqual(401);
  });
});

describe("at the same time", () => {
  test("a reader that polls while others write misses nothing", async () => {
    const { service } = server;
    const { projectId } = organization;
    let isWriting = true;
    const write = async (writer: number) => {
      for (let count = 0; count < 25; count++) {
        const [id] = await add(recorded(Date.now(), `Question ${writer} ${count}`));
        if (count % 2) await rate(id!, count % 4 === 1);
        if (count % 3 === 0) await remove(id!);
        await recordSearches(service, projectId, "api", [{ query: `query ${count % 5}`, resultsCount: 1 }]);
        // A transaction that is open for a while must not be passed by.
        await service.db.transaction().execute(async (tx) => {
          await recordFeedback({ db: tx, ulid: service.ulid }, projectId, { path: "/", helpful: true });
          await new Promise((resolve) => setTimeout(resolve, 20));
        });
      }
    };
    const other = new FeedCopy();
    const poll = async (reader: FeedCopy, limit: number) => {
      while (isWriting) await reader.readAll(organization, limit);
    };

    const reading = [
      poll(copy, 7),
      poll(other, 100),
      ...[1, 2].map(async () => {
        while (isWriting) await sweepChanges(service);
      }),
    ];
    await Promise.all([1, 2, 3, 4].map(write));
    isWriting = false;
    await Promise.all(reading);
    await news();
    await other.readAll(organization);
    expect(other.events).toEqual(copy.events);
    await expectEqualCopy();
    expect(other.content()).toEqual(copy.content());
  });
});

test("cursors stay valid after a backup is restored, also those that are newer than the backup", async () => {
  const { service } = server;
  const [kept, deleted] = await add(recorded(1, "Kept"), recorded(2, "Deleted before the backup"));
  await news();
  // The backup contains changes without an event.
  await remove(deleted!);
  await rate(kept!, true);
  const chunks: Buffer[] = [];
  for await (const chunk of writeBackup(service.pool, service.objects, { rows: 0, objects: 0 }))
    chunks.push(chunk);

  const newer = new FeedCopy();
  newer.apply({ events: copy.events, startsAfter: 0, nextCursor: copy.cursor!, hasMore: false } as never);
  newer.records = new Map(copy.records);
  await add(recorded(3, "Lost with the restore"));
  await newer.readAll(organization);
  expect(newer.records.size).toBe(2);

  const databaseUrl = await createDatabase();
  const pool = new pg.Pool({ connectionString: databaseUrl });
  await readBackup(Readable.from(chunks), { ...service, pool });
  await pool.end();
  const restored = await openTestService({ databaseUrl, env });
  try {
    const ask: TestOrganization["ask"] = (path, more) =>
      send({
        port: restored.port,
        path,
        ...more,
        headers: { authorization: `Bearer ${organization.key}`, ...more?.headers },
      });
    const reader = { ask, projectId: organization.projectId };
    // The numbers of the lost events are used again.
    await importAll(
      { ...organization, ask },
      [4, 5, 6].map((at) => recorded(at, `Question ${at}`)),
    );
    for (const each of [copy, newer]) {
      const events = await each.readAll(reader, 1);
      expect(events.map(({ kind }) => kind).sort()).toEqual([
        ...Array(3).fill("created"),
        "deleted",
        "rated",
      ]);
      expect(each.content()).toEqual(await sourceRecords(restored.service, organization.projectId));
    }
    expect(newer.events).toEqual(copy.events);
  } finally {
    await restored.stop();
  }
});
