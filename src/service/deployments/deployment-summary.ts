/** Converts deployments to the data that the dashboard shows. */

import { plural } from "../../base/plural.ts";
import type { Service } from "../core/service.ts";
import { actorName } from "../ui/actor.ts";
import type { LiveState } from "./contract.ts";
import { type DeploymentRow, deploymentUrl } from "./deployments.ts";
import { liveState } from "./live-state.ts";
import { outcomeText } from "./outcome-text.ts";

export interface DeploymentView {
  id: string;
  number: number;
  status: "queued" | "in_progress" | "success" | "failure";
  isLive: boolean;
  state: LiveState;
  /** Number of errors of a successful deployment. */
  errors: number;
  isPurged: boolean;
  /** Progress in percent. */
  progress: number;
  trigger: string;
  /** Branch or pull request of a preview; null if the deployment isn't a preview. */
  branch: string | null;
  /** URL of the site or preview. */
  url: string;
  commit: { sha: string; ref: string; message: string } | null;
  summary: string | null;
  /** Reason why the result couldn't be reported to the git host; null if there was no error. */
  statusError: string | null;
  pageCount: number | null;
  /** Name of the actor that created the deployment. */
  by: string;
  createdAt: Date;
  endedAt: Date | null;
  /** Time between the start and the end. Undefined if the deployment never started or hasn't ended. */
  took_ms: number | undefined;
}

export function deploymentView(service: Pick<Service, "settings">, row: DeploymentRow): DeploymentView {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    isLive: row.live_deployment_id === row.id,
    state: liveState(row),
    errors: row.error_count ?? 0,
    isPurged: row.purged_at !== null,
    progress: row.progress,
    statusError: row.status_error,
    trigger: row.trigger,
    branch: row.preview_branch,
    url: deploymentUrl(service, row),
    commit: row.commit,
    summary: currentSummary(row),
    pageCount: row.page_count,
    by: actorName(row.actor),
    createdAt: row.created_at,
    endedAt: row.ended_at,
    took_ms: row.started_at && row.ended_at ? row.ended_at.getTime() - row.started_at.getTime() : undefined,
  };
}

/** Returns what there is to say about the result besides the state of the deployment. */
export function resultDetail({ state, errors, summary }: DeploymentView): string {
  if (state === "queued" || state === "building") return "…";
  if (state === "failed" || state === "held" || state === "superseded") return summary ?? "";
  return errors > 0 ? plural(errors, "error") : "";
}

/**
 * Returns the summary, adjusted to whether the deployment is live now. The stored summary describes the state
 * at the end of the deployment.
 */
export function currentSummary(row: DeploymentRow): string | null {
  if (row.outcome === null) return row.summary;
  if (row.live_deployment_id === row.id) return outcomeText("live", row);
  return outcomeText(row.outcome === "live" ? "replaced" : row.outcome, row);
}
