/** Converts deployments to the data that the dashboard shows. */

import type { Service } from "../core/service.ts";
import { actorName } from "../ui/actor.ts";
import { type DeploymentRow, deploymentUrl } from "./deployments.ts";
import { liveText, supersededText } from "./outcome-text.ts";

export interface DeploymentView {
  id: string;
  number: number;
  status: "queued" | "in_progress" | "success" | "failure";
  isLive: boolean;
  /** Whether the build found errors. */
  hasErrors: boolean;
  /** Whether the deployment isn't live because it has errors that the live site didn't have. */
  isHeld: boolean;
  isPurged: boolean;
  isCanceled: boolean;
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
    hasErrors: row.has_errors,
    isHeld: row.held_errors !== null && row.purged_at === null,
    isPurged: row.purged_at !== null,
    isCanceled: row.canceled_at !== null,
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

/** Returns what the summary says besides the state of the deployment: `3 errors`. */
export function summaryDetail({ isLive, summary }: DeploymentView): string {
  return isLive ? (summary ?? "").replace(liveText, "").replace(/^, with /, "") : (summary ?? "…");
}

/**
 * Returns the summary, adjusted to whether the deployment is live now. The stored summary describes the state
 * at the end of the deployment.
 */
function currentSummary({ summary, live_deployment_id, id }: DeploymentRow): string | null {
  if (summary === null) return null;
  if (live_deployment_id === id) return summary.replace(supersededText, liveText);
  return summary.startsWith(liveText) ? `Previously live${summary.slice(liveText.length)}` : summary;
}
