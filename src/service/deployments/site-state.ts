/** Says what a project's site shows, and whether its latest deployment didn't go live. */

import { sql } from "kysely";
import type { Database } from "../core/tables.ts";
import type { LiveState } from "./contract.ts";
import type { DeploymentRow } from "./deployments.ts";
import { liveState } from "./live-state.ts";

export interface SiteState {
  /**
   * State of the live deployment or, if there is none, of the latest one. Undefined if there is no
   * deployment. Previews don't count.
   */
  state: LiveState | undefined;
  /**
   * The latest deployment that has ended, if it failed or is held. Previews and canceled ones don't count.
   */
  unpublished: UnpublishedDeployment | undefined;
}

export interface UnpublishedDeployment {
  id: string;
  number: number;
  state: "failed" | "held";
  endedAt: Date;
}

/** Returns what is to be said after the name of the deployment. */
export function unpublishedText({ state }: UnpublishedDeployment): string {
  return state === "failed" ? "failed" : "has new errors";
}

type Row = Parameters<typeof liveState>[0] &
  Pick<DeploymentRow, "project_id" | "number" | "created_at" | "ended_at"> & {
    kind: "live" | "latest" | "ended";
  };

/** Returns the states of an organization's sites, or of one of them, by project ID. */
export async function siteStates(
  db: Database,
  { organizationId }: { organizationId: string },
  projectId?: string,
): Promise<ReadonlyMap<string, SiteState>> {
  const { rows } = await sql<Row>`
    select d.*, p.live_deployment_id
    from projects p cross join lateral (
      (select ${columns}, 'live' as kind from deployments where id = p.live_deployment_id)
      union all
      (select ${columns}, 'latest' as kind from deployments
       where project_id = p.id and preview_branch is null and purged_at is null order by number desc limit 1)
      union all
      (select ${columns}, 'ended' as kind from deployments
       where project_id = p.id and preview_branch is null and purged_at is null
         and status in ('success', 'failure') and canceled_at is null order by number desc limit 1)
    ) d
    where p.organization_id = ${organizationId} and (${projectId ?? null}::text is null or p.id = ${projectId ?? null})`.execute(
    db,
  );

  const byProject = new Map<string, Row[]>();
  for (const row of rows) byProject.set(row.project_id, [...(byProject.get(row.project_id) ?? []), row]);

  return new Map([...byProject].map(([id, found]) => [id, stateOf(found)]));
}

const columns = sql`id, project_id, number, status, purged_at, canceled_at, outcome, error_count, created_at, ended_at`;

function stateOf(rows: readonly Row[]): SiteState {
  const of = (kind: Row["kind"]) => rows.find((row) => row.kind === kind);
  const shown = of("live") ?? of("latest");
  const ended = of("ended");
  const state = ended && liveState(ended);
  return {
    state: shown && liveState(shown),
    unpublished:
      ended && (state === "failed" || state === "held")
        ? { id: ended.id, number: ended.number, state, endedAt: ended.ended_at ?? ended.created_at }
        : undefined,
  };
}
