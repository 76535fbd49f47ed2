/**
 * Manages the partitions of large tables. Each partition contains the rows of one period. Workers create the
 * partitions for coming periods, and drop those whose rows have expired. Rows without a partition for their
 * period are in the table's default partition.
 */

import { type RawBuilder, sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { firstUlidAt, ulidTime } from "../../base/ulid.ts";
import { day_ms, dayOf, dayText } from "./day-blocks.ts";
import type { Service } from "./service.ts";
import type { Database } from "./tables.ts";

interface PartitionedTable {
  name: "conversations" | "page_traffic" | "search_queries" | "search_clicks" | "visitor_marks";
  column: "id" | "first_day" | "day";
  /**
   * Length of a period. Periods start at multiples of it, counted from 1970-01-01. Blocks of days never span
   * two periods.
   */
  period_days: number;
  /** A partition is dropped this many days after the end of its period. Undefined: never. */
  kept_days?: number;
}

const tables: readonly PartitionedTable[] = [
  { name: "conversations", column: "id", period_days: 64 },
  { name: "page_traffic", column: "first_day", period_days: 256, kept_days: limits.countsKept_days },
  { name: "search_queries", column: "first_day", period_days: 256, kept_days: limits.countsKept_days },
  { name: "search_clicks", column: "first_day", period_days: 256, kept_days: limits.countsKept_days },
  { name: "visitor_marks", column: "day", period_days: 1, kept_days: 0 },
];

/** Partitions are created this many days before their period starts. */
const ahead_days = 14;
/** Maximum time to wait for queries that use a table. Other queries on the table wait as well. */
const lockWait_ms = 1_000;
/** Key of the advisory lock that prevents two workers from changing partitions at the same time. */
const lockNumber = 0x70_61_72;
/** PostgreSQL's error code for a lock timeout. */
const lockNotAvailable = "55P03";

/**
 * Creates and drops partitions. If a table is in use for too long, its remaining changes are left to the next
 * sweep.
 */
export async function sweepPartitions(
  { db }: Pick<Service, "db">,
  now_ms: number = Date.now(),
): Promise<void> {
  for (const table of tables) {
    for (const statements of await missingChanges(db, table, dayOf(now_ms)))
      if (!(await change(db, statements))) break;
  }
}

/**
 * Returns transactions that create missing partitions for the current and coming periods, and drop expired
 * ones. Skips periods with rows in the default partition.
 */
async function missingChanges(
  db: Database,
  table: PartitionedTable,
  today: number,
): Promise<RawBuilder<unknown>[][]> {
  const { name, period_days, kept_days = Number.POSITIVE_INFINITY } = table;
  const partitions = await partitionsOf(db, table);
  const changes: RawBuilder<unknown>[][] = [];
  const latest = Math.max(...partitions.map(({ to }) => to));
  const start = Math.max(latest, Math.floor(today / period_days) * period_days);
  for (let from = start; from <= today + ahead_days; from += period_days) {
    const range = rangeOf(table, from);
    if (await hasDefaultRows(db, table, range)) continue;
    const partition = sql.table(`${name}_${dayText(from).replaceAll("-", "_")}`);
    changes.push([
      sql`create table if not exists ${partition} partition of ${sql.table(name)} for values from (${range.from}) to (${range.to})`,
    ]);
  }

  const expired = partitions.filter(({ to }) => to + kept_days <= today);
  const drops = expired.map((partition) => [
    // Dropping a partition runs no triggers.
    ...(name === "search_queries" ? [markSearches(partition.name)] : []),
    sql`drop table if exists ${sql.table(partition.name)}`,
  ]);
  return [...changes, ...drops];
}

/** Returns the partitions of a table, except for the default one. `to`: the day after the period. */
async function partitionsOf(
  db: Database,
  { name }: PartitionedTable,
): Promise<{ name: string; to: number }[]> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select relname as name, substring(pg_get_expr(relpartbound, pg_class.oid) from 'TO \\(''?(\\w+)''?\\)') as bound
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${name}::regclass and pg_get_expr(relpartbound, pg_class.oid) <> 'DEFAULT'`.execute(db);
  return rows.map(({ name: partition, bound }) => ({
    name: partition,
    to: name === "conversations" ? Math.floor(ulidTime(bound) / day_ms) : Number(bound),
  }));
}

/** Returns the bounds of the period that starts on `day`. */
function rangeOf({ name, period_days }: PartitionedTable, day: number) {
  const bound = (at: number) => sql.lit(name === "conversations" ? firstUlidAt(at * day_ms) : at);
  return { from: bound(day), to: bound(day + period_days) };
}

/**
 * Whether the default partition has rows of the period, which prevents the period from getting its own
 * partition.
 */
async function hasDefaultRows(
  db: Database,
  { name, column }: PartitionedTable,
  { from, to }: ReturnType<typeof rangeOf>,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(`${name}_default`)} where ${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Adds the searches of a partition to those that the change feed lists as deleted. */
function markSearches(partition: string): RawBuilder<unknown> {
  return sql`
    insert into change_marks (project_id, record_type, record_id)
    select project_id, 'search', search_record_id(first_day, query) from ${sql.table(partition)} where span_days = 1`;
}

/** Runs statements in one transaction. Returns false if the locks weren't available in time. */
async function change(db: Database, statements: readonly RawBuilder<unknown>[]): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(lockWait_ms)}`.execute(tx);
      await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(tx);
      for (const statement of statements) await statement.execute(tx);
    });
    return true;
  } catch (error) {
    const isLocked = (error as { code?: unknown }).code === lockNotAvailable;
    if (!isLocked) throw error;
    return false;
  }
}
