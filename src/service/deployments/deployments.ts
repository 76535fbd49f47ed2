/** Deployments of a project: create, list, promote, roll back, purge. */

import { sql } from "kysely";
import { AppError, notFound } from "../../base/app-error.ts";
import { databaseJson } from "../core/database-json.ts";
import type { Queue } from "../core/queue.ts";
import type { Scope } from "../core/scope.ts";
import { defaultHost, type Service, siteUrl } from "../core/service.ts";
import type { Commit, Snapshot, Tables, Tx } from "../core/tables.ts";
import { deleteManifest } from "../storage/manifests.ts";
import { measureStorage, requireStorage } from "../storage/storage-usage.ts";
import { deleteUnusedSources } from "./sources.ts";

/** Maximum number of queued and running deployments of an organization. */
const openDeployments_count = 100;

export type Trigger = "upload" | "api" | "cli" | "dashboard" | "settings" | "start";

type Owner = Pick<Scope, "organizationId">;

/** Requester of a deployment. Without an actor, the requester is the service. */
export type Requester = Owner & Partial<Pick<Scope, "actor">>;

/** Columns of lists, without the long ones (problems, logs and snapshot). */
const shortColumns = [
  "deployments.id",
  "deployments.project_id",
  "deployments.number",
  "deployments.status",
  "deployments.actor",
  "deployments.trigger",
  "deployments.preview_branch",
  "deployments.preview_host",
  "deployments.commit",
  "deployments.summary",
  "deployments.page_count",
  "deployments.created_at",
  "deployments.started_at",
  "deployments.ended_at",
  "deployments.purged_at",
  "projects.live_deployment_id",
  "projects.subdomain",
] as const;

const firstDomain = sql<string | null>`(
  select domain from domains where domains.project_id = deployments.project_id and verified_at is not null order by domain limit 1)`.as(
  "domain",
);

export async function listDeployments(
  { db }: Service,
  owner: Owner,
  projectId: string,
  page: { limit: number; cursor?: string | undefined },
) {
  const rows = await db
    .selectFrom("deployments")
    .innerJoin("projects", "projects.id", "deployments.project_id")
    .select(shortColumns)
    .select(firstDomain)
    .where("deployments.organization_id", "=", owner.organizationId)
    .where("deployments.project_id", "=", projectId)
    .$if(page.cursor !== undefined, (query) => query.where("deployments.id", "<", page.cursor!))
    .orderBy("deployments.id", "desc")
    .limit(page.limit + 1)
    .execute();
  const shown = rows.slice(0, page.limit).map((row) => ({ ...row, problems: [], logs: [] }));
  return { rows: shown, hasMore: rows.length > page.limit };
}

export async function getDeployment({ db }: Pick<Service, "db">, owner: Owner, id: string) {
  const row = await db
    .selectFrom("deployments")
    .innerJoin("projects", "projects.id", "deployments.project_id")
    .select(shortColumns)
    .select(["deployments.problems", "deployments.logs"])
    .select(sql<boolean>`deployments.snapshot is not null`.as("has_sources"))
    .select(firstDomain)
    .where("deployments.organization_id", "=", owner.organizationId)
    .where("deployments.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export type DeploymentRow = Omit<Awaited<ReturnType<typeof getDeployment>>, "has_sources">;

/** URL of a deployment's site or preview. */
export function deploymentUrl(
  { settings }: Pick<Service, "settings">,
  row: Pick<DeploymentRow, "preview_host" | "domain" | "subdomain">,
): string {
  return siteUrl(settings, row.preview_host ?? row.domain ?? defaultHost(settings, row.subdomain));
}

export interface NewDeployment {
  id: string;
  trigger: Trigger;
  /** Object key of stored sources. If absent, the job reads the project's source. */
  archive?: string;
  preview?: { branch: string; host: string };
  /** Commit of the stored sources. */
  commit?: Commit;
}

/** Inserts a deployment and its job in one transaction. */
export async function addDeployment(service: Service, requester: Requester, projectId: string, deployment: NewDeployment): Promise<void> {
  await service.db.transaction().execute(async (tx) => {
    await lockProject(tx, requester, projectId);
    // Rebuilds for changed settings and first deployments aren't refused.
    if (deployment.trigger !== "settings" && deployment.trigger !== "start")
      await requireStorage(tx, service.settings, requester.organizationId);
    await insertDeployment(tx, service.queue, requester, projectId, deployment);
  });
}

/** Inserts a deployment and its job. The project must be locked (`lockProject`). */
async function insertDeployment(tx: Tx, queue: Queue, requester: Requester, projectId: string, deployment: NewDeployment): Promise<void> {
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
}

/** Locks the project's row. Deployments get their number, and go live, under this lock. */
export async function lockProject(tx: Tx, owner: Owner, projectId: string): Promise<Pick<Tables["projects"], "live_deployment_id">> {
  const row = await tx
    .selectFrom("projects")
    .select("live_deployment_id")
    .where("organization_id", "=", owner.organizationId)
    .where("id", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

async function requireQueueCapacity(tx: Tx, owner: Owner): Promise<void> {
  const { open } = await tx
    .selectFrom("deployments")
    .select(({ fn }) => fn.countAll<number>().as("open"))
    .where("organization_id", "=", owner.organizationId)
    .where("status", "in", ["queued", "in_progress"])
    .executeTakeFirstOrThrow();
  if (open >= openDeployments_count)
    throw new AppError("rate-limited", `${openDeployments_count} deployments of the organization are waiting`, { retryAfter_s: 30 });
}

/** Projects with a folder as their source that have no deployment yet. */
export function undeployedFolders({ db }: Service) {
  return db
    .selectFrom("projects")
    .select(["id as projectId", "organization_id as organizationId"])
    .where(sql<string>`source ->> 'kind'`, "=", "folder")
    .where((where) => where.not(where.exists(where.selectFrom("deployments").select("id").whereRef("project_id", "=", "projects.id"))))
    .execute();
}

/** Creates a deployment of the project's source or, for uploads, of the last successful deployment's sources. Returns its id. */
export async function triggerDeployment(service: Service, owner: Requester, projectId: string, trigger: Trigger): Promise<string> {
  const project = await service.db
    .selectFrom("projects")
    .select("source")
    .where("organization_id", "=", owner.organizationId)
    .where("id", "=", projectId)
    .executeTakeFirst();
  if (!project) throw notFound();
  const id = service.ulid();
  if (project.source.kind !== "upload") {
    await addDeployment(service, owner, projectId, { id, trigger });
    return id;
  }
  const last = await service.db
    .selectFrom("deployments")
    .select(sql<string>`snapshot ->> 'archive'`.as("archive"))
    .where("organization_id", "=", owner.organizationId)
    .where("project_id", "=", projectId)
    .where("status", "=", "success")
    .where("snapshot", "is not", null)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!last) throw new AppError("conflict", "The project has no source to build: nothing was deployed yet");
  await addDeployment(service, owner, projectId, { id, trigger, archive: last.archive });
  return id;
}

/** Rebuilds the live deployment from its sources, after a change of settings that affect the build. */
export async function rebuildLive(service: Service, owner: Requester, projectId: string): Promise<void> {
  const live = await service.db
    .selectFrom("projects")
    .innerJoin("deployments", "deployments.id", "projects.live_deployment_id")
    .select(sql<string | null>`snapshot ->> 'archive'`.as("archive"))
    .where("projects.organization_id", "=", owner.organizationId)
    .where("projects.id", "=", projectId)
    .executeTakeFirst();
  if (live?.archive) await addDeployment(service, owner, projectId, { id: service.ulid(), trigger: "settings", archive: live.archive });
}

/** Creates a deployment from the sources of an existing deployment, which may be a preview. Returns the new deployment's id. */
export async function promote(service: Service, requester: Requester, deploymentId: string): Promise<string> {
  const { project_id } = await getDeployment(service, requester, deploymentId);
  const id = service.ulid();
  await service.db.transaction().execute(async (tx) => {
    await lockProject(tx, requester, project_id);
    const row = await tx
      .selectFrom("deployments")
      .select(["snapshot", "commit", "purged_at"])
      .where("id", "=", deploymentId)
      .executeTakeFirst();
    if (!row) throw notFound();
    if (!row.snapshot) {
      const why = row.purged_at ? "it was purged" : "it failed before they were read";
      throw new AppError("conflict", `The deployment has no sources: ${why}`);
    }
    const { archive } = row.snapshot;
    await insertDeployment(tx, service.queue, requester, project_id, {
      id,
      trigger: "dashboard",
      archive,
      ...(row.commit ? { commit: row.commit } : {}),
    });
  });
  return id;
}

/** Makes an earlier deployment live again. Deployments that were created before this call no longer go live; later ones do. */
export async function rollBack(service: Service, owner: Owner, id: string): Promise<DeploymentRow> {
  const { project_id } = await getDeployment(service, owner, id);
  await service.db.transaction().execute(async (tx) => {
    await lockProject(tx, owner, project_id);
    const row = await tx
      .selectFrom("deployments")
      .select(["status", "preview_branch", "purged_at"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row) throw notFound();
    if (row.purged_at) throw new AppError("conflict", "The deployment was purged");
    if (row.preview_branch !== null) throw new AppError("conflict", "The deployment is a preview");
    if (row.status !== "success") throw new AppError("conflict", `The deployment did not succeed: its status is ${row.status}`);
    await tx
      .updateTable("projects")
      .set({
        live_deployment_id: id,
        live_after_number: sql`(select max(number) from deployments where project_id = ${project_id})`,
        ...publishRevision,
      })
      .where("id", "=", project_id)
      .execute();
  });
  return getDeployment(service, owner, id);
}

/** Deletes the files and sources of a deployment that isn't live. */
export async function purge(service: Service, owner: Owner, id: string): Promise<void> {
  const { project_id } = await getDeployment(service, owner, id);
  const purged = await service.db.transaction().execute(async (tx) => {
    const { live_deployment_id } = await lockProject(tx, owner, project_id);
    if (live_deployment_id === id) throw new AppError("conflict", "The deployment is live: deploy or roll back to another one first");
    return markPurged(tx, project_id, id);
  });
  if (!purged) return;
  await deletePurgedObjects(service, project_id, purged);
  await measureStorage(service, owner.organizationId);
}

interface PurgedDeployment {
  id: string;
  attempt: number;
  archive: string | null;
}

/** Marks the row as purged, which stops a worker that runs the deployment. The project must be locked. Undefined if the deployment was purged before. */
export async function markPurged(tx: Tx, projectId: string, id: string): Promise<PurgedDeployment | undefined> {
  const { rows } = await sql<PurgedDeployment>`
    with old as (select id, attempt, snapshot ->> 'archive' as archive from deployments where id = ${id} and purged_at is null)
    update deployments set
      purged_at = clock_timestamp(), snapshot = null, ended_at = coalesce(ended_at, clock_timestamp()),
      summary = case when status in ('queued', 'in_progress') then 'Purged before it was built' else summary end,
      status = case when status in ('queued', 'in_progress') then 'failure' else status end
    from old where deployments.id = old.id returning old.id, old.attempt, old.archive`.execute(tx);
  await tx.updateTable("projects").set(publishRevision).where("id", "=", projectId).execute();
  return rows[0];
}

/** Deletes the manifest and the sources of a purged deployment. */
export async function deletePurgedObjects(service: Service, projectId: string, { id, attempt, archive }: PurgedDeployment): Promise<void> {
  await deleteManifest(service.objects, { id, attempt });
  if (archive !== null) await deleteUnusedSources(service, projectId, archive);
}

/** Columns to set when a project changes, so that the hosting processes, which poll for new revisions, load the change. */
export const publishRevision = { revision: sql<number>`revision + 1`, changed_at: sql<Date>`clock_timestamp()` };
