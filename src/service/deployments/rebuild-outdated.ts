/**
 * Rebuilds live sites that were built for a different kind of deployment than the current one
 * (`settings.kind`), to leave out features that the current kind doesn't have, or for a different path than
 * that of the project's domains. Until then, the old pages are served with the rules of the current kind,
 * below their old path.
 */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";
import { rebuildLive } from "./deployments.ts";

/**
 * Queues the rebuilds, of all projects or of those with the given IDs. Skips projects with a queued or
 * running deployment or a failed rebuild.
 */
export async function rebuildOutdated(service: Service, projectIds?: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    select p.id, p.organization_id from projects p join deployments live on live.id = p.live_deployment_id
    where live.snapshot is not null and (${projectIds === undefined} or p.id = any(${projectIds ?? []}::text[]))
      and (coalesce(live.snapshot ->> 'kind', 'cloud') <> ${service.settings.kind}
        or coalesce(live.snapshot ->> 'basePath', '') <> coalesce((
          select regexp_replace(domain, '^[^/]*', '') from domains
          where project_id = p.id and verified_at is not null order by domain limit 1), ''))
      and not exists (
        select from deployments d where d.project_id = p.id and d.preview_branch is null
          and (d.status in ('queued', 'in_progress') or (d.number > live.number and d.trigger = 'settings' and d.status = 'failure')))
    order by p.id`.execute(service.db);

  for (const { id, organization_id } of rows)
    try {
      await rebuildLive(service, { organizationId: organization_id }, id);
    } catch (error) {
      // The project was deleted, or too many deployments are waiting: the next sweep tries again.
      if (!(error instanceof AppError)) throw error;
    }
}
