/**
 * Lists organizations, sessions and jobs of the whole service for operators, and ends sessions. Each list
 * reads one page of an index.
 */

import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import type { Service } from "../core/service.ts";
import type { Plan } from "../core/tables.ts";

export interface OrganizationLine {
  id: string;
  name: string;
  plan: Plan;
  created_at: Date;
  stored_bytes: number | null;
  members: number;
  projects: number;
}

interface PageOf<Row> {
  rows: Row[];
  hasMore: boolean;
}

const organizationColumns: RawBuilder<OrganizationLine> = sql`o.id, o.name, o.plan, o.created_at, o.stored_bytes::float8 as stored_bytes,
  (select count(*)::int from memberships m where m.organization_id = o.id) as members,
  (select count(*)::int from projects p where p.organization_id = o.id) as projects`;

/** Lists all organizations, newest first. `before`: ID of the last organization on the previous page. */
export function listOrganizationsNewest(
  { db }: Service,
  before: string | undefined,
): Promise<PageOf<OrganizationLine>> {
  const from = before === undefined ? sql`true` : sql`id < ${before}`;
  return pageOf(
    sql<OrganizationLine>`select ${organizationColumns} from (select * from organizations where ${from} order by id desc limit ${limits.listPage_count + 1}) o
      order by o.id desc`,
    db,
  );
}

/**
 * Finds organizations whose name begins with a text, or whose ID is the text, sorted by name. Ignores case.
 * `after`: name and ID of the last organization on the previous page.
 */
export function findOrganizations(
  { db }: Service,
  text: string,
  after: { name: string; id: string } | undefined,
) {
  const begins = `${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const from = after
    ? sql`(lower(name) collate "C", id) > (lower(${after.name}) collate "C", ${after.id})`
    : sql`true`;
  return pageOf(
    sql<OrganizationLine>`select ${organizationColumns} from (
        (select * from organizations where lower(name) collate "C" like ${begins} and ${from} order by lower(name) collate "C", id limit ${limits.listPage_count + 1})
        union (select * from organizations where id = ${text.toUpperCase()})
      ) o order by lower(o.name) collate "C", o.id`,
    db,
  );
}

/** Lists the organizations that use the most storage, on one page. */
export async function listLargest({ db }: Service): Promise<OrganizationLine[]> {
  const { rows } = await sql<OrganizationLine>`select ${organizationColumns} from (
    select * from organizations order by coalesce(stored_bytes, 0) desc, id desc limit ${limits.listPage_count}) o
    order by coalesce(o.stored_bytes, 0) desc, o.id desc`.execute(db);
  return rows;
}

/** Returns an organization. Throws "not found" if there is no such organization. */
export async function readOrganization({ db }: Service, id: string): Promise<OrganizationLine> {
  const { rows } =
    await sql<OrganizationLine>`select ${organizationColumns} from organizations o where o.id = ${id}`.execute(
      db,
    );
  if (!rows[0]) throw notFound();
  return rows[0];
}

export interface SignInLine {
  id: string;
  user_id: string;
  name: string;
  email: string;
  user_agent: string;
  seen_at: Date;
  /** `seen_at` in microseconds since 1970, for the cursor. */
  seen: string;
  organizations: number;
}

/**
 * Lists sessions, most recently used first. Expired sessions are included until a sweep deletes them.
 * `before`: last session on the previous page.
 */
export function listSignIns(
  { db }: Service,
  before: { seen: string; id: string } | undefined,
): Promise<PageOf<SignInLine>> {
  const from = before
    ? sql`(seen_at, id) < (timestamptz 'epoch' + ${before.seen}::bigint * interval '1 microsecond', ${before.id})`
    : sql`true`;
  return pageOf(
    sql<SignInLine>`select s.id, s.user_id, u.name, u.email, s.user_agent, s.seen_at, (extract(epoch from s.seen_at) * 1000000)::bigint::text as seen,
        (select count(*)::int from memberships m where m.user_id = s.user_id) as organizations
      from (select * from sessions where ${from} order by seen_at desc, id desc limit ${limits.listPage_count + 1}) s
      join users u on u.id = s.user_id order by s.seen_at desc, s.id desc`,
    db,
  );
}

/** Maximum number of jobs that are counted. The oldest jobs are counted first. */
export const countedJobs_count = 10_000;

export interface JobType {
  name: string;
  waiting: number;
  running: number;
  /** Number of waiting jobs that have failed before. */
  failed: number;
  /** Earliest time at which a waiting job is due, which can be in the future; null if none is waiting. */
  oldest: Date | null;
}

export interface JobLine {
  id: number;
  name: string;
  organization_id: string;
  organization: string | null;
  run_at: Date;
  attempt: number;
  faults: number;
  isRunning: boolean;
}

/**
 * Returns one page of jobs, oldest first, and counts by job type among the oldest `countedJobs_count` jobs.
 * Leaves out payloads and messages, which can contain tenants' content. `after`: ID of the last job on the
 * previous page. Undefined for the first page.
 */
export async function readQueue(
  { db }: Service,
  after: number | undefined,
): Promise<PageOf<JobLine> & { types: JobType[] }> {
  const { rows: types } = await sql<JobType>`
    select name, count(*) filter (where leased_at is null)::int as waiting, count(*) filter (where leased_at is not null)::int as running,
      count(*) filter (where leased_at is null and faults > 0)::int as failed, min(run_at) filter (where leased_at is null) as oldest
    from (select * from jobs order by id limit ${countedJobs_count}) j group by name order by name`.execute(
    db,
  );
  const page = await pageOf(
    sql<JobLine>`select j.id::int, j.name, j.organization_id, o.name as organization, j.run_at, j.attempt, j.faults, j.leased_at is not null as "isRunning"
      from (select * from jobs where id > ${after ?? 0} order by id limit ${limits.listPage_count + 1}) j
      left join organizations o on o.id = j.organization_id order by j.id`,
    db,
  );
  return { ...page, types };
}

async function pageOf<Row>(query: RawBuilder<Row>, db: Service["db"]): Promise<PageOf<Row>> {
  const { rows } = await query.execute(db);
  return { rows: rows.slice(0, limits.listPage_count), hasMore: rows.length > limits.listPage_count };
}

/** Ends a session of any user. Returns the user. Throws "not found" if there is no such session. */
export async function endSignIn({ db }: Service, id: string) {
  const row = await db
    .deleteFrom("sessions")
    .using("users")
    .whereRef("users.id", "=", "sessions.user_id")
    .where("sessions.id", "=", id)
    .returning(["users.id", "users.email", "users.name"])
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
