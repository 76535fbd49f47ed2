/** Creates deployments and their jobs. */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import { databaseJson } from "../core/database-json.ts";
import type { Queue } from "../core/queue.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { Commit, Database, Snapshot, Tables, Tx } from "../core/tables.ts";
import { transact } from "../core/transact.ts";
import { requireStorage } from "../storage/storage-usage.ts";
import { lockProject, type Owner } from "./project-row.ts";

/**
 * Maximum number of queued and running deployments per organization, not including those of pull requests.
 */
const openDeployments_count = 100;
/** Maximum number of queued and running deployments of pull requests per organization. */
const openPullRequests_count = 20;
/**
 * Share of the storage limit that deployments of pull requests can't use, so that they don't block the
 * others.
 */
const storageForOthers = 0.1;

export type Trigger = "upload" | "api" | "cli" | "dashboard" | "settings" | "start" | "push" | "pull-request";

/** Requester of a deployment. If there is no actor, the service is the requester. */
export type Requester = Owner & Partial<Pick<Scope, "actor">>;

export interface NewDeployment {
  id: string;
  trigger: Trigger;
  /** Object key of stored sources. If absent, the job reads the project's source. */
  archive?: string;
  preview?: { branch: string; host: string };
  /**
   * Whether the deployment goes live even if it has errors that the live site doesn't have. Default: the
   * project's setting.
   */
  publishWithErrors?: boolean;
  /** Commit of the stored sources or, without them, the commit to read from the repository. */
  commit?: Commit;
}

/**
 * Inserts a deployment and its job in one transaction. If a deployment of the same branch or pull request is
 * already waiting for the latest commit, only changes its commit. Returns the ID of the deployment, and false
 * for `isNew` if its commit was already queued. Throws an AppError if the organization's storage is used up,
 * too many of its deployments are queued or running, or the project doesn't exist.
 */
export async function addDeployment(
  service: Service,
  requester: Requester,
  projectId: string,
  deployment: NewDeployment,
): Promise<{ id: string; isNew: boolean }> {
  return transact(service.db, async (tx) => {
    await lockProject(tx, requester, projectId);
    return addLockedDeployment(tx, service, requester, projectId, deployment);
  });
}

/** Like `addDeployment`, in a transaction that has locked the project (`lockProject`). */
export async function addLockedDeployment(
  tx: Tx,
  { queue, settings }: Pick<Service, "queue" | "settings">,
  requester: Requester,
  projectId: string,
  deployment: NewDeployment,
): Promise<{ id: string; isNew: boolean }> {
  const queued = await setQueuedCommit(tx, queue, requester, projectId, deployment);
  if (queued) return queued;
  await requireStorageFor(tx, settings, requester.organizationId, deployment.trigger);
  await insertDeployment(tx, queue, requester, projectId, deployment);
  return { id: deployment.id, isNew: true };
}

/**
 * Throws an AppError if the organization has used up the storage for deployments with this trigger. The limit
 * doesn't apply to rebuilds after a settings change or to initial deployments. `own_bytes`: already counted
 * bytes of the deployment that is checked.
 */
export async function requireStorageFor(
  db: Database,
  settings: Service["settings"],
  organizationId: string,
  trigger: string,
  own_bytes = 0,
): Promise<void> {
  if (trigger === "settings" || trigger === "start") return;
  const { storageLimit_bytes } = settings;
  const share = trigger === "pull-request" ? 1 - storageForOthers : 1;
  await requireStorage(
    db,
    { ...settings, storageLimit_bytes: storageLimit_bytes * share },
    organizationId,
    own_bytes,
  );
}

/**
 * Sets the commit of the queued deployment of the same branch or pull request. Undefined if there is none.
 */
async function setQueuedCommit(
  tx: Tx,
  queue: Queue,
  { organizationId }: Requester,
  projectId: string,
  { trigger, commit, preview }: NewDeployment,
): Promise<{ id: string; isNew: boolean } | undefined> {
  if (!commit || (trigger !== "push" && trigger !== "pull-request")) return undefined;

  const row = await tx
    .selectFrom("deployments")
    .select(["id", sql<string | null>`commit ->> 'sha'`.as("sha")])
    .where("project_id", "=", projectId)
    .where("status", "=", "queued")
    .where("trigger", "=", trigger)
    .where("preview_branch", preview ? "=" : "is", preview?.branch ?? null)
    .forUpdate()
    .executeTakeFirst();

  if (!row) return undefined;
  if (row.sha === commit.sha) return { id: row.id, isNew: false };

  await tx
    .updateTable("deployments")
    .set({ commit: databaseJson(commit) })
    .where("id", "=", row.id)
    .execute();

  await enqueueReport(tx, queue, {
    id: row.id,
    trigger,
    organization_id: organizationId,
    project_id: projectId,
  });
  return { id: row.id, isNew: true };
}

/**
 * Inserts a deployment and its job. The project must be locked (`lockProject`). Throws an AppError if too
 * many deployments of the organization are queued or running.
 */
export async function insertDeployment(
  tx: Tx,
  queue: Queue,
  requester: Requester,
  projectId: string,
  deployment: NewDeployment,
): Promise<void> {
  await requireQueueCapacity(tx, requester, deployment.trigger);
  const { id, trigger, archive, preview, commit, publishWithErrors } = deployment;
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
      publish_with_errors: publishWithErrors ?? null,
      ...(snapshot ? { snapshot: databaseJson(snapshot) } : {}),
      ...(commit ? { commit: databaseJson(commit) } : {}),
    })
    .execute();

  const job = trigger === "pull-request" ? "deploy-pull-request" : "deploy";
  await queue.enqueue(tx, job, { deploymentId: id }, { organizationId: requester.organizationId, projectId });
  await enqueueReport(tx, queue, {
    id,
    trigger,
    organization_id: requester.organizationId,
    project_id: projectId,
  });
}

/**
 * Queues a report of the deployment's state to the git host, if the deployment is for a push or a pull
 * request.
 */
export async function enqueueReport(
  tx: Tx,
  queue: Queue,
  {
    id,
    trigger,
    organization_id,
    project_id,
  }: Pick<Tables["deployments"], "id" | "trigger" | "organization_id" | "project_id">,
): Promise<void> {
  if (trigger !== "push" && trigger !== "pull-request") return;
  await queue.enqueue(
    tx,
    "report-deployment",
    { deploymentId: id, organizationId: organization_id },
    { organizationId: organization_id, projectId: project_id },
  );
}

async function requireQueueCapacity(tx: Tx, owner: Owner, trigger: Trigger): Promise<void> {
  const isPullRequest = trigger === "pull-request";
  const most = isPullRequest ? openPullRequests_count : openDeployments_count;

  const { open } = await tx
    .selectFrom("deployments")
    .select(({ fn }) => fn.countAll<number>().as("open"))
    .where("organization_id", "=", owner.organizationId)
    .where("status", "in", ["queued", "in_progress"])
    .where("trigger", isPullRequest ? "=" : "<>", "pull-request")
    .executeTakeFirstOrThrow();

  if (open >= most)
    throw new AppError(
      "rate-limited",
      `Your organization already has ${most} queued or running deployments${isPullRequest ? " of pull requests" : ""}. Wait for one to finish.`,
      {
        retryAfter_s: 30,
      },
    );
}
