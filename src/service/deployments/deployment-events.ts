/**
 * Adds notification events about deployments that have ended. Call these functions in the transaction that
 * ends the deployment.
 */

import { newProblems } from "../../base/new-problems.ts";
import type { Problem } from "../../base/problem.ts";
import { addEvent } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../core/tables.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { brokenLinksOf } from "./broken-links.ts";
import { deploymentUrl, getDeployment } from "./deployments.ts";
import { liveState } from "./live-state.ts";

/** Maximum number of links in an event. */
const eventLinks_count = 20;

type Tools = Pick<Service, "ulid" | "settings">;

interface EndedDeployment {
  id: string;
  organization_id: string;
  project_id: string;
}

/**
 * Adds `deployment.failed` or `deployment.succeeded`. The deployment's row must already have its final
 * values.
 */
export async function addDeploymentEvent(
  tx: Tx,
  { ulid, settings }: Tools,
  { id, organization_id: organizationId, project_id: projectId }: EndedDeployment,
  isLive = false,
): Promise<void> {
  const row = await getDeployment({ db: tx }, { organizationId }, id);
  const data = {
    ...(await subjectOf(
      tx,
      settings,
      { id, organization_id: organizationId, project_id: projectId },
      row.number,
    )),
    branch: row.preview_branch,
    commit: row.commit?.sha ?? null,
    liveState: liveState(row),
    summary: row.summary ?? "",
  };

  if (row.status === "failure")
    await addEvent({ db: tx, ulid }, { organizationId, projectId, type: "deployment.failed", data });
  else {
    const succeeded = {
      ...data,
      isLive,
      isHeld: row.held_errors !== null,
      siteUrl: deploymentUrl({ settings }, row),
    };
    await addEvent(
      { db: tx, ulid },
      { organizationId, projectId, type: "deployment.succeeded", data: succeeded },
    );
  }
}

/**
 * Adds `links.broken` if the deployment that goes live has broken links that the previous live deployment
 * (`previousId`) didn't have.
 */
export async function addBrokenLinksEvent(
  tx: Tx,
  { ulid, settings }: Tools,
  deployment: EndedDeployment & { number: number; problems: readonly Problem[]; previousId: string | null },
): Promise<void> {
  if (brokenLinksOf(deployment.problems).length === 0) return;
  const { organization_id: organizationId, project_id: projectId, previousId } = deployment;
  const previous =
    previousId === null
      ? undefined
      : await tx.selectFrom("deployments").select("problems").where("id", "=", previousId).executeTakeFirst();

  const links = newProblems(brokenLinksOf(deployment.problems), previous?.problems ?? []);
  if (links.length === 0) return;

  const data = {
    ...(await subjectOf(tx, settings, deployment, deployment.number)),
    count: links.length,
    links: links
      .slice(0, eventLinks_count)
      .map(({ code, file, line, message }) => ({ code, file, line: line ?? null, message })),
    url: settings.url + projectHref(organizationId, projectId, "/broken-links"),
  };

  await addEvent({ db: tx, ulid }, { organizationId, projectId, type: "links.broken", data });
}

async function subjectOf(
  tx: Tx,
  settings: Service["settings"],
  { id, organization_id, project_id }: EndedDeployment,
  number: number,
) {
  const { name } = await tx
    .selectFrom("projects")
    .select("name")
    .where("id", "=", project_id)
    .executeTakeFirstOrThrow();
  const url = settings.url + projectHref(organization_id, project_id, `/deployments/${id}`);
  return { projectId: project_id, projectName: name, deploymentId: id, number, url };
}
