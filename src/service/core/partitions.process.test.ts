/**
 * Partitions of large tables by time: the migration of existing rows, creating and dropping partitions, and
 * the plans of queries.
 */

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, createEmptyDatabase } from "../../../test/shared/database.ts";
import { limits } from "../../base/limits.ts";
import { firstUlidAt } from "../../base/ulid.ts";
import { migrate } from "../../io/migrate.ts";
import { day_ms, dayOf, dayText } from "./day-blocks.ts";
import { sweepPartitions } from "./partitions.ts";
import type { Tables } from "./tables.ts";

const migrations = path.resolve("src/io/migrations");
const project = "01KAJ4V7M2Q8R5T9W3X6Y1Z0AB";
const organization = "01KAJ4V7M2Q8R5T9W3X6Y1Z0AC";

const owner = `
  insert into organizations (id, name, plan) values ('${organization}', 'Acme', 'pro');
  insert into projects (id, organization_id, name, subdomain, source) values ('${project}', '${organization}', 'Docs', 'docs', '{"kind": "upload"}')`;

function messageSql(id: string): string {
  return `insert into conversations (project_id, id, thread_id, query, response, sources, resolution_status)
    values ('${project}', '${id}', '${id}', 'How?', 'So.', '[]', 'answered')`;
}

test("existing rows stay where they are, and keep their counts, feedback and constraints", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-migrations-"));
  const pool = new pg.Pool({ connectionString: await createEmptyDatabase() });
  const old = firstUlidAt(Date.UTC(2020, 0, 5));
  const future = firstUlidAt(Date.UTC(2090, 0, 5));
  try {
    const isEarlier = (file: string) => !/^\d{4}-/.test(path.basename(file)) || path.basename(file) < "0023";
    cpSync(migrations, folder, { recursive: true, filter: isEarlier });
    await migrate(pool, folder);
    await pool.query(owner);
    for (const id of [old, future]) await pool.query(messageSql(id));
    await pool.query(
      "insert into turn_feedback (project_id, turn_id, helpful) select project_id, id, true from conversations",
    );
    await pool.query("insert into page_traffic values ($1, 1, 18000, '/', 3, 0, 1, 0)", [project]);
    await migrate(pool, migrations);

    const partitions = await pool.query(
      "select tableoid::regclass::text as partition, id from conversations order by id",
    );
    expect(partitions.rows).toEqual([
      { partition: "conversations_first", id: old },
      { partition: "conversations_default", id: future },
    ]);
    expect((await pool.query("select human_views from page_traffic")).rows).toEqual([{ human_views: 3 }]);
    await expect(pool.query(messageSql(old))).rejects.toThrow("conversations_first_pkey");
    await expect(pool.query("update conversations set caller = 'mail'")).rejects.toThrow(
      "conversations_caller_check",
    );
    const feedback = await pool.query("select count(*)::int from message_feedback");
    expect(feedback.rows).toEqual([{ count: 2 }]);

    await pool.query("delete from conversations where id = $1", [old]);
    expect((await pool.query("select message_id from message_feedback")).rows).toEqual([
      { message_id: future },
    ]);
    expect((await pool.query("select sum(count)::int from conversation_days")).rows).toEqual([{ sum: 1 }]);
    await pool.query("delete from projects");
    for (const table of ["conversations", "message_feedback", "conversation_days", "page_traffic"])
      expect((await pool.query(`select count(*)::int from ${table}`)).rows, table).toEqual([{ count: 0 }]);
  } finally {
    await pool.end();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("a sweep", () => {
  const today = dayOf(Date.now());
  const period = Math.floor(today / 64) * 64;
  let pool: pg.Pool;
  let db: Kysely<Tables>;

  beforeEach(async () => {
    pool = new pg.Pool({ connectionString: await createDatabase() });
    db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    await pool.query(owner);
  });
  afterEach(() => db.destroy());

  const sweepOn = (day: number) => sweepPartitions({ db }, day * day_ms);
  const partitionsOf = async (table: string): Promise<string[]> => {
    const { rows } = await pool.query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass",
      [table],
    );
    return rows.map(({ name }) => name);
  };
  const partitionOf = async (table: string, condition: string): Promise<string> =>
    (await pool.query(`select tableoid::regclass::text as name from ${table} where ${condition}`)).rows[0]
      .name;
  const addMark = (day: number) =>
    pool.query("insert into visitor_marks values ($1, $2, '/', $3)", [day, project, Buffer.of(1)]);
  const named = (table: string, day: number) => `${table}_${dayText(day).replaceAll("-", "_")}`;

  test("creates the partitions of the coming days, also if two workers sweep at the same time", async () => {
    await Promise.all([sweepOn(today), sweepOn(today)]);
    const created = Array.from({ length: 14 }, (_, after) => named("visitor_marks", today + 1 + after));
    const expected = ["visitor_marks_first", "visitor_marks_default", ...created].sort();
    expect((await partitionsOf("visitor_marks")).sort()).toEqual(expected);
    await sweepOn(today);
    expect((await partitionsOf("visitor_marks")).sort()).toEqual(expected);
  });

  test("creates the partition of the next 64 days of messages before they start", async () => {
    const start = period + 64;
    await sweepOn(start - 10);
    const id = firstUlidAt(start * day_ms);
    await pool.query(messageSql(id));
    expect(await partitionOf("conversations", `id = '${id}'`)).toBe(named("conversations", start));
  });

  test("doesn't create a partition for a period whose rows are already in the default partition", async () => {
    await addMark(today + 3);
    await sweepOn(today);
    const partitions = await partitionsOf("visitor_marks");
    expect(partitions).not.toContain(named("visitor_marks", today + 3));
    expect(partitions).toContain(named("visitor_marks", today + 4));
    expect(await partitionOf("visitor_marks", `day = ${today + 3}`)).toBe("visitor_marks_default");
  });

  test("drops the visitors of past days", async () => {
    await sweepOn(today);
    for (const day of [today, today + 1, today + 2]) await addMark(day);
    await sweepOn(today + 2);
    expect((await pool.query("select day from visitor_marks")).rows).toEqual([{ day: today + 2 }]);
    const partitions = await partitionsOf("visitor_marks");
    for (const gone of ["visitor_marks_first", named("visitor_marks", today + 1)])
      expect(partitions).not.toContain(gone);
  });

  test("drops counts once all of their days are too old, and never drops messages", async () => {
    const end = (Math.floor(today / 256) + 1) * 256;
    await sweepOn(end + limits.countsKept_days - 1);
    expect(await partitionsOf("page_traffic")).toContain("page_traffic_first");
    await sweepOn(end + limits.countsKept_days);
    expect(await partitionsOf("page_traffic")).not.toContain("page_traffic_first");
    expect(await partitionsOf("conversations")).toContain("conversations_first");
  });

  test("leaves a table that is in use to the next sweep", async () => {
    const client = await pool.connect();
    await client.query("begin");
    await client.query("select from visitor_marks");
    await sweepOn(today);
    expect(await partitionsOf("visitor_marks")).toHaveLength(2);
    await client.query("commit");
    client.release();
    await sweepOn(today);
    expect(await partitionsOf("visitor_marks")).toHaveLength(16);
  });

  test("dates exclude partitions, and the first page of an export reads at most one row of each older one", async () => {
    const starts = [64, 128, 192].map((after) => period + after);
    for (const start of starts) {
      await sweepOn(start);
      for (let at = 0; at < 50; at++) await pool.query(messageSql(firstUlidAt(start * day_ms + at)));
    }
    // Rows that were read, by partition.
    const reads = async (condition: string) => {
      const { rows } = await pool.query(
        `explain (analyze, costs off, timing off, summary off) select id from conversations
         where project_id = '${project}' and is_finished and ${condition} order by id desc limit 20`,
      );
      const scans = rows.flatMap((row) => [
        ...row["QUERY PLAN"].matchAll(/on (conversations_\w+).*rows=(\d+)/g),
      ]);
      return scans.map(([, partition, count]) => [partition, Number(count)]);
    };
    const [first, second, third] = starts.map((start) => named("conversations", start)) as [
      string,
      string,
      string,
    ];
    expect(Object.fromEntries(await reads("true"))).toMatchObject({ [first]: 1, [second]: 1, [third]: 20 });
    const [from, to] = starts.map((start) => firstUlidAt(start * day_ms)) as [string, string];
    expect(await reads(`id >= '${from}' and id < '${to}'`)).toEqual([[first, 20]]);
  });
});
