/** Determines how long bundles of exports are stored. */

import { sql } from "kysely";

/**
 * Minimum time that a bundle is kept after its export is completed. The newest bundle of each domain doesn't
 * expire.
 */
const bundleKept_s = 30 * 24 * 3_600;

/**
 * SQL for the time when the bundle of `job` expires: `bundleKept_s` after its completion, but not before a
 * newer export of the domain is completed. No new links to an expired bundle are created. Null for the newest
 * export.
 */
export const bundleExpiry = sql<Date | null>`(
  select greatest(min(newer.completed_at), job.completed_at + ${bundleKept_s} * interval '1 second')
  from static_export_jobs newer
  where newer.project_id = job.project_id and newer.domain = job.domain and newer.status = 'completed'
    and (newer.completed_at, newer.id) > (job.completed_at, job.id)
  having count(*) > 0)`;
