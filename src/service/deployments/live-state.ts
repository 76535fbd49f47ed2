import type { LiveState } from "./contract.ts";
import type { DeploymentRow } from "./deployments.ts";
import { supersededText } from "./outcome-text.ts";

/** Returns whether a deployment is live and, if not, why. */
export function liveState(
  row: Pick<
    DeploymentRow,
    "id" | "live_deployment_id" | "status" | "purged_at" | "preview_branch" | "held_errors" | "summary"
  >,
): LiveState {
  if (row.purged_at) return "deleted";
  if (row.status === "failure") return "failed";
  if (row.status !== "success") return "pending";
  if (row.live_deployment_id === row.id) return "live";
  if (row.preview_branch !== null) return "preview";
  if (row.held_errors !== null) return "held";
  return row.summary?.startsWith(supersededText) ? "superseded" : "replaced";
}
