/** How long bundles of exports are stored. */
import { sql } from "kysely";
import { limits } from "../../base/limits.ts";

/**
 * When no link to the bundle of `job` is given out any more: some time after it was made, and not while it is the newest of
 * its domain. Null for the newest.
 */
export const goneAt = sql<Date | null>`(
  select greatest(min(newer.completed_at), job.completed_at + ${limits.bundleKept_s} * interval '1 second')
  from static_export_jobs newer
  where newer.project_id = job.project_id and newer.domain = job.domain and newer.status = 'completed'
    and (newer.completed_at, newer.id) > (job.completed_at, job.id)
  having count(*) > 0)`;
