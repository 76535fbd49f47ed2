import type { LiveState } from "./contract.ts";
import type { DeploymentRow } from "./deployments.ts";

/** Returns the state of a deployment. Everything that shows a state gets it here. */
export function liveState(
  row: Pick<
    DeploymentRow,
    "id" | "live_deployment_id" | "status" | "purged_at" | "canceled_at" | "outcome" | "error_count"
  >,
): LiveState {
  if (row.purged_at) return "deleted";
  if (row.status === "queued") return "queued";
  if (row.status === "in_progress") return "building";
  if (row.status === "failure") return row.canceled_at ? "canceled" : "failed";
  if (row.live_deployment_id === row.id) return row.error_count ? "live-with-errors" : "live";
  if (row.outcome === "preview") return row.error_count ? "ready-with-errors" : "ready";
  return row.outcome === null || row.outcome === "live" ? "replaced" : row.outcome;
}
