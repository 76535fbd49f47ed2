/** Describes deployments on the terminal of the person whose push started them. */

import { setTimeout as wait } from "node:timers/promises";
import { limits } from "../../base/limits.ts";
import { plural } from "../../base/plural.ts";
import type { Problem } from "../../base/problem.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { deploymentUrl, getDeployment } from "../deployments/deployments.ts";
import { liveState } from "../deployments/live-state.ts";
import { projectHref } from "../ui/dashboard-urls.ts";

/** Interval at which a deployment is polled. */
const poll_ms = 300;
/** Maximum number of errors that are printed. */
const errors_count = 10;

type Say = (line: string) => void;

/** Prints the errors of a site. `unlisted`: number of those that aren't in `problems`. */
export function sayErrors(problems: readonly Problem[], unlisted: number, say: Say): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  const count = errors.length + unlisted;
  if (count === 0) return;
  say(`${plural(count, "error")}:`);
  for (const { file, line, message } of errors.slice(0, errors_count))
    say(`  ${[file, line].filter(Boolean).join(":")}: ${message}`);
  if (count > errors_count) say(`  and ${count - errors_count} more`);
}

/** Number of pushes that wait for their deployments, in this process. */
let waits = 0;

/**
 * Waits until a deployment has ended, and prints its outcome. If this takes too long, prints where to follow
 * it.
 */
export async function reportDeployment(
  service: Service,
  scope: Pick<Scope, "organizationId">,
  { id, commit, branch }: { id: string; commit: string; branch: string | undefined },
  { say, signal, waitForSites }: { say: Say; signal: AbortSignal; waitForSites(): Promise<void> },
): Promise<void> {
  say(
    branch === undefined
      ? `Deploying ${commit.slice(0, 7)}…`
      : `Previewing ${branch} at ${commit.slice(0, 7)}…`,
  );
  const until_ms = performance.now() + limits.git.deployment_ms;
  const mayWait = waits < limits.git.waits_count;
  waits++;
  try {
    for (;;) {
      const row = await getDeployment(service, scope, id);
      const page = `${service.settings.url}${projectHref(scope.organizationId, row.project_id, `/deployments/${id}`)}`;
      if (row.status === "success" || row.status === "failure") {
        await waitForSites();
        return sayOutcome(service, row, page, say);
      }
      if (!mayWait || performance.now() > until_ms || signal.aborted)
        return say(`The deployment continues. Follow it at ${page}`);
      await wait(poll_ms);
    }
  } finally {
    waits--;
  }
}

function sayOutcome(
  service: Service,
  row: Awaited<ReturnType<typeof getDeployment>>,
  page: string,
  say: Say,
): void {
  const listed = row.problems.filter(({ severity }) => severity === "error").length;
  sayErrors(row.problems, Math.max(0, (row.error_count ?? listed) - listed), say);
  switch (liveState(row)) {
    case "live":
    case "live-with-errors":
      return say(`Live: ${deploymentUrl(service, row)}`);
    case "ready":
    case "ready-with-errors":
      return say(`Preview: ${deploymentUrl(service, row)}`);
    case "held":
      return say(
        `Not live, because the live site doesn't have these errors. Fix them and push again, or publish the deployment at ${page}`,
      );
    case "superseded":
    case "replaced":
      return say(`Built, but a later deployment is live: ${deploymentUrl(service, row)}`);
    case "deleted":
      return say("The deployment was deleted");
    default:
      return say(`Not deployed: ${row.summary ?? "the deployment failed"}. Details: ${page}`);
  }
}
