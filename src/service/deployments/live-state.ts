import type { LiveState } from "./contract.ts";
import type { DeploymentRow } from "./deployments.ts";

/** Returns whether a deployment is live and, if not, why. */
export function liveState(
  row: Pick<DeploymentRow, "id" | "live_deployment_id" | "status" | "purged_at" | "outcome">,
): LiveState {
  if (row.purged_at) return "deleted";
  if (row.status === "failure") return "failed";
  if (row.status !== "success") return "pending";
  if (row.live_deployment_id === row.id) return "live";
  return row.outcome === null || row.outcome === "live" ? "replaced" : row.outcome;
}
