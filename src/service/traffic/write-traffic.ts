/** Adds views to the counts of a site. A visitor is counted once a day, across all processes. */

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { dayOf, spans_days } from "../core/day-blocks.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../core/tables.ts";

/** Maximum number of referring hosts that are counted per site and day. */
const referrersOfDay_count = 200;

/** Views of a page on a day. */
export interface PageTally {
  day: number;
  path: string;
  human: number;
  ai: number;
  /** Kind by visitor. A visitor is a string with the IP address and user agent. */
  visitors: Map<string, "human" | "ai">;
  /** Views by referring host. */
  referrers: Map<string, number>;
}

interface Mark {
  day: number;
  /** Path of the page; empty for the whole site. */
  path: string;
  visitor: Buffer;
  kind: "human" | "ai";
}

type Counted = Record<"human_views" | "ai_views" | "human_visitors" | "ai_visitors", number> & {
  day: number;
};

/**
 * Writes the views of a site in one transaction. Rejects with an error that `isDeletedProject` recognizes if
 * the project was deleted.
 */
export async function writeTraffic(
  service: Pick<Service, "db" | "random">,
  projectId: string,
  pages: readonly PageTally[],
): Promise<void> {
  const salts = new Map<number, Buffer>();
  for (const { day } of pages) if (!salts.has(day)) salts.set(day, await saltOf(service, day));

  const marks = pages.flatMap(({ day, path, visitors }) =>
    [...visitors].flatMap(([text, kind]) =>
      [path, ""].map(
        (markPath): Mark => ({
          day,
          path: markPath,
          visitor: hashOf(salts.get(day)!, projectId, markPath, text),
          kind,
        }),
      ),
    ),
  );

  // Every transaction writes tables and rows in the same order, which avoids deadlocks.
  await service.db.transaction().execute(async (tx) => {
    const newMarks = await addMarks(tx, projectId, marks);
    const counted = (path: string, views: { day: number; human: number; ai: number }): Counted => ({
      day: views.day,
      human_views: views.human,
      ai_views: views.ai,
      human_visitors: newMarks.get(`${views.day} human ${path}`) ?? 0,
      ai_visitors: newMarks.get(`${views.day} ai ${path}`) ?? 0,
    });

    await addPages(
      tx,
      projectId,
      pages.map((page) => ({ path: page.path, ...counted(page.path, page) })),
    );

    await addDays(
      tx,
      projectId,
      [...salts.keys()].map((day) => {
        const ofDay = pages.filter((page) => page.day === day);
        const sum = (kind: "human" | "ai") => ofDay.reduce((all, page) => all + page[kind], 0);
        return counted("", { day, human: sum("human"), ai: sum("ai") });
      }),
    );

    await addReferrers(tx, projectId, pages);
  });
}

/** Whether the error is a foreign key violation, which means that the project was deleted. */
export function isDeletedProject(error: unknown): boolean {
  return (error as { code?: unknown }).code === "23503";
}

async function saltOf({ db, random }: Pick<Service, "db" | "random">, day: number): Promise<Buffer> {
  await db
    .insertInto("visitor_salts")
    .values({ day, salt: random(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (
    await db.selectFrom("visitor_salts").select("salt").where("day", "=", day).executeTakeFirstOrThrow()
  ).salt;
}

/**
 * Returns a hash of a visitor for one site and page, so that a visitor's marks on different pages can't be
 * linked.
 */
function hashOf(salt: Buffer, projectId: string, path: string, visitor: string): Buffer {
  return createHash("sha256")
    .update(salt)
    .update(JSON.stringify([projectId, path, visitor]))
    .digest()
    .subarray(0, 16);
}

/** Inserts marks (hashes of a day's visitors). Returns the number of new marks by `day kind path`. */
async function addMarks(tx: Tx, projectId: string, marks: readonly Mark[]): Promise<Map<string, number>> {
  const kinds = new Map(marks.map((mark) => [mark.visitor.toString("hex"), mark.kind]));

  const { rows } = await sql<Pick<Mark, "day" | "path" | "visitor">>`
    insert into visitor_marks (day, project_id, path, visitor)
    select distinct day, ${projectId}, path, visitor
    from unnest(${marks.map(({ day }) => day)}::integer[], ${marks.map(({ path }) => path)}::text[], ${marks.map(({ visitor }) => visitor)}::bytea[])
      as incoming (day, path, visitor)
    order by day, path, visitor
    on conflict do nothing returning day, path, visitor`.execute(tx);

  const newMarks = new Map<string, number>();
  for (const { day, path, visitor } of rows) {
    const key = `${day} ${kinds.get(visitor.toString("hex"))} ${path}`;
    newMarks.set(key, (newMarks.get(key) ?? 0) + 1);
  }

  return newMarks;
}

const added = sql`
  human_views = stored.human_views + excluded.human_views, ai_views = stored.ai_views + excluded.ai_views,
  human_visitors = stored.human_visitors + excluded.human_visitors, ai_visitors = stored.ai_visitors + excluded.ai_visitors`;

async function addPages(
  tx: Tx,
  projectId: string,
  pages: readonly (Counted & { path: string })[],
): Promise<void> {
  await sql`
    insert into page_traffic as stored (project_id, span_days, first_day, path, human_views, ai_views, human_visitors, ai_visitors)
    select ${projectId}, span, day / span * span, path, sum(human_views), sum(ai_views), sum(human_visitors), sum(ai_visitors)
    from jsonb_to_recordset(${JSON.stringify(pages)})
      as incoming (day integer, path text, human_views integer, ai_views integer, human_visitors integer, ai_visitors integer),
      unnest(${[...spans_days]}::integer[]) as span
    group by span, day / span * span, path order by span, day / span * span, path collate "C"
    on conflict (project_id, span_days, first_day, path) do update set ${added}`.execute(tx);
}

async function addDays(tx: Tx, projectId: string, days: readonly Counted[]): Promise<void> {
  await sql`
    insert into site_traffic as stored (project_id, day, human_views, ai_views, human_visitors, ai_visitors)
    select ${projectId}, day, human_views, ai_views, human_visitors, ai_visitors
    from jsonb_to_recordset(${JSON.stringify(days)})
      as incoming (day integer, human_views integer, ai_views integer, human_visitors integer, ai_visitors integer) order by day
    on conflict (project_id, day) do update set ${added}`.execute(tx);
}

/**
 * Adds to the counts of referring hosts. The number of hosts per day is limited, as protection against fake
 * hosts.
 */
async function addReferrers(tx: Tx, projectId: string, pages: readonly PageTally[]): Promise<void> {
  const incoming = pages.flatMap(({ day, referrers }) =>
    [...referrers].map(([host, views]) => ({ day, host, views })),
  );
  if (incoming.length === 0) return;
  const known = sql`referrers where project_id = ${projectId} and referrers.day = incoming.day`;
  await sql`
    insert into referrers as stored (project_id, day, host, views)
    select ${projectId}, day, host, views from (
      select day, host, sum(views) as views, row_number() over (partition by day order by sum(views) desc) as nth
      from jsonb_to_recordset(${JSON.stringify(incoming)}) as incoming (day integer, host text, views integer) group by day, host
    ) as incoming
    where exists (select from ${known} and referrers.host = incoming.host) or (select count(*) from ${known}) + nth <= ${referrersOfDay_count}
    order by day, host collate "C"
    on conflict (project_id, day, host) do update set views = stored.views + excluded.views`.execute(tx);
}

/** Deletes salts and marks of past days, and counts that are too old. */
export async function sweepTraffic({ db }: Pick<Service, "db">): Promise<void> {
  const today = dayOf(Date.now());
  await sql`delete from visitor_salts where day < ${today}`.execute(db);
  await sql`delete from visitor_marks where day < ${today}`.execute(db);
  const first = today - limits.countsKept_days;
  await sql`delete from page_traffic where first_day + span_days <= ${first}`.execute(db);
  await sql`delete from site_traffic where day < ${first}`.execute(db);
  await sql`delete from referrers where day < ${first}`.execute(db);
}
