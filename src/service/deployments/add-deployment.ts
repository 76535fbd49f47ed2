/** Creates deployments and their jobs. */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import { databaseJson } from "../core/database-json.ts";
import type { Queue } from "../core/queue.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { Commit, Snapshot, Tables, Tx } from "../core/tables.ts";
import { requireStorage } from "../storage/storage-usage.ts";
import { lockProject, type Owner } from "./project-row.ts";

/** Maximum number of queued and running deployments per organization. */
const openDeployments_count = 100;

export type Trigger = "upload" | "api" | "cli" | "dashboard" | "settings" | "start" | "push" | "pull-request";

/** Requester of a deployment. If there is no actor, the service is the requester. */
export type Requester = Owner & Partial<Pick<Scope, "actor">>;

export interface NewDeployment {
  id: string;
  trigger: Trigger;
  /** Object key of stored sources. If absent, the job reads the project's source. */
  archive?: string;
  preview?: { branch: string; host: string };
  /** Commit of the stored sources or, without them, the commit to read from the repository. */
  commit?: Commit;
}

/**
 * Inserts a deployment and its job in one transaction. Returns false, without inserting anything, for a push whose commit is already
 * queued. Throws an AppError if the organization's storage is used up, too many of its deployments are queued or running, or the
 * project doesn't exist.
 */
export async function addDeployment(
  service: Service,
  requester: Requester,
  projectId: string,
  deployment: NewDeployment,
): Promise<boolean> {
  return service.db.transaction().execute(async (tx) => {
    await lockProject(tx, requester, projectId);
    if (deployment.trigger === "push" && (await isQueued(tx, projectId, deployment.commit!.sha))) return false;
    // The storage limit doesn't apply to rebuilds after a settings change or to initial deployments.
    if (deployment.trigger !== "settings" && deployment.trigger !== "start")
      await requireStorage(tx, service.settings, requester.organizationId);
    await insertDeployment(tx, service.queue, requester, projectId, deployment);
    return true;
  });
}

async function isQueued(tx: Tx, projectId: string, sha: string): Promise<boolean> {
  const row = await tx
    .selectFrom("deployments")
    .select("id")
    .where("project_id", "=", projectId)
    .where("status", "=", "queued")
    .where("preview_branch", "is", null)
    .where(sql<string>`commit ->> 'sha'`, "=", sha)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Inserts a deployment and its job. The project must be locked (`lockProject`). Throws an AppError if too many deployments of the
 * organization are queued or running.
 */
export async function insertDeployment(
  tx: Tx,
  queue: Queue,
  requester: Requester,
  projectId: string,
  deployment: NewDeployment,
): Promise<void> {
  await requireQueueCapacity(tx, requester);
  const { id, trigger, archive, preview, commit } = deployment;
  const snapshot: Snapshot | undefined = archive === undefined ? undefined : { archive, documents: {} };
  await tx
    .insertInto("deployments")
    .values({
      id,
      organization_id: requester.organizationId,
      project_id: projectId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from deployments where project_id = ${projectId})`,
      status: "queued",
      trigger,
      actor: requester.actor ?? "service",
      preview_branch: preview?.branch ?? null,
      preview_host: preview?.host ?? null,
      ...(snapshot ? { snapshot: databaseJson(snapshot) } : {}),
      ...(commit ? { commit: databaseJson(commit) } : {}),
    })
    .execute();
  await queue.enqueue(tx, "deploy", { deploymentId: id }, requester.organizationId);
  await enqueueReport(tx, queue, { id, trigger, organization_id: requester.organizationId });
}

/** Queues a report of the deployment's state to the git host, if the deployment is for a push or a pull request. */
export async function enqueueReport(
  tx: Tx,
  queue: Queue,
  { id, trigger, organization_id }: Pick<Tables["deployments"], "id" | "trigger" | "organization_id">,
): Promise<void> {
  if (trigger !== "push" && trigger !== "pull-request") return;
  await queue.enqueue(tx, "report-deployment", { deploymentId: id, organizationId: organization_id }, organization_id);
}

async function requireQueueCapacity(tx: Tx, owner: Owner): Promise<void> {
  const { open } = await tx
    .selectFrom("deployments")
    .select(({ fn }) => fn.countAll<number>().as("open"))
    .where("organization_id", "=", owner.organizationId)
    .where("status", "in", ["queued", "in_progress"])
    .executeTakeFirstOrThrow();
  if (open >= openDeployments_count)
    throw new AppError(
      "rate-limited",
      `Your organization already has ${openDeployments_count} queued or running deployments. Wait for one to finish.`,
      {
        retryAfter_s: 30,
      },
    );
}
