/** Lists, creates, promotes and cancels deployments of a project. */

import { sql } from "kysely";
import { AppError, notFound } from "../../base/app-error.ts";
import { deploymentDomain, type Service, siteUrl } from "../core/service.ts";
import { storedCommit } from "../storage/git-copies.ts";
import {
  addDeployment,
  enqueueReport,
  insertDeployment,
  type Requester,
  type Trigger,
} from "./add-deployment.ts";
import { lockProject, type Owner } from "./project-row.ts";

/** Columns for lists. Leaves out the long ones (problems, logs and snapshot). */
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
  "deployments.progress",
  "deployments.canceled_at",
  "deployments.status_error",
  "deployments.held_errors",
  "deployments.error_count",
  "deployments.outcome",
  "deployments.unlisted_count",
  "projects.live_deployment_id",
  "projects.subdomain",
] as const;

const firstDomain = sql<string | null>`(
  select domain from domains where domains.project_id = deployments.project_id and verified_at is not null order by domain limit 1)`.as(
  "domain",
);

/**
 * Lists the deployments of a project, newest first, without problems and logs. `cursor`: ID of the last
 * deployment on the previous page.
 */
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
  const shown = rows.slice(0, page.limit).map((row) => ({ ...row, problems: [], logs: [], log_times: null }));
  return { rows: shown, hasMore: rows.length > page.limit };
}

/** Returns a deployment. Throws "not found" if the organization has no such deployment. */
export async function getDeployment({ db }: Pick<Service, "db">, owner: Owner, id: string) {
  const row = await db
    .selectFrom("deployments")
    .innerJoin("projects", "projects.id", "deployments.project_id")
    .select(shortColumns)
    .select(["deployments.problems", "deployments.logs", "deployments.log_times"])
    .select(sql<boolean>`deployments.snapshot is not null`.as("has_sources"))
    .select(firstDomain)
    .where("deployments.organization_id", "=", owner.organizationId)
    .where("deployments.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export type DeploymentRow = Omit<Awaited<ReturnType<typeof getDeployment>>, "has_sources">;

/** Returns the URL of a deployment's site or preview. */
export function deploymentUrl(
  { settings }: Pick<Service, "settings">,
  row: Pick<DeploymentRow, "preview_host" | "domain" | "subdomain">,
): string {
  return siteUrl(settings, deploymentDomain(settings, row));
}

/** Returns the projects whose source is a folder and that have no deployment yet. */
export function undeployedFolders({ db }: Service) {
  return db
    .selectFrom("projects")
    .select(["id as projectId", "organization_id as organizationId"])
    .where(sql<string>`source ->> 'kind'`, "=", "folder")
    .where((where) =>
      where.not(
        where.exists(where.selectFrom("deployments").select("id").whereRef("project_id", "=", "projects.id")),
      ),
    )
    .execute();
}

/**
 * Creates a deployment of the project's source. For uploads, these are the latest commit that was pushed or,
 * if there is none, the last successful deployment's sources. Returns its ID. Throws "not found" if there is
 * no such project, a conflict if the source is uploads and there are none of these, and the errors of
 * `addDeployment`.
 */
export async function triggerDeployment(
  service: Service,
  owner: Requester,
  projectId: string,
  trigger: Trigger,
): Promise<string> {
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

  const commit = await storedCommit(service, projectId);

  if (commit) {
    await addDeployment(service, owner, projectId, { id, trigger, commit });
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

  if (!last)
    throw new AppError(
      "conflict",
      "No upload has been deployed successfully, so there's no source to build. Upload a folder first.",
    );

  await addDeployment(service, owner, projectId, { id, trigger, archive: last.archive });
  return id;
}

/**
 * Rebuilds the live deployment from its sources, after a change that affects the build. Returns whether there
 * was one to rebuild.
 */
export async function rebuildLive(service: Service, owner: Requester, projectId: string): Promise<boolean> {
  const live = await service.db
    .selectFrom("projects")
    .innerJoin("deployments", "deployments.id", "projects.live_deployment_id")
    .select(sql<string | null>`snapshot ->> 'archive'`.as("archive"))
    .where("projects.organization_id", "=", owner.organizationId)
    .where("projects.id", "=", projectId)
    .executeTakeFirst();

  if (!live?.archive) return false;

  await addDeployment(service, owner, projectId, {
    id: service.ulid(),
    trigger: "settings",
    archive: live.archive,
  });

  return true;
}

/**
 * Creates a deployment from the sources of an existing deployment, which may be a preview. Returns the new
 * deployment's ID. Throws "not found" if there is no such deployment, and a conflict if the sources were
 * deleted or never read.
 */
export async function promote(service: Service, requester: Requester, deploymentId: string): Promise<string> {
  const { project_id } = await getDeployment(service, requester, deploymentId);
  const id = service.ulid();
  await service.db.transaction().execute(async (tx) => {
    await lockProject(tx, requester, project_id);

    const row = await tx
      .selectFrom("deployments")
      .select([sql<string | null>`snapshot ->> 'archive'`.as("archive"), "commit", "purged_at"])
      .where("id", "=", deploymentId)
      .executeTakeFirst();

    if (!row) throw notFound();
    const { archive } = row;
    if (archive === null) {
      const why = row.purged_at ? "it was deleted" : "it failed before they were read";
      throw new AppError("conflict", `The deployment has no source files: ${why}`);
    }

    await insertDeployment(tx, service.queue, requester, project_id, {
      id,
      trigger: "dashboard",
      archive,
      ...(row.commit ? { commit: row.commit } : {}),
    });
  });

  return id;
}

/**
 * Cancels a deployment that is queued or running. The worker stops the build within seconds. Throws "not
 * found" if there is no such deployment, and a conflict if the deployment has ended.
 */
export async function cancel(
  { db, queue }: Pick<Service, "db" | "queue">,
  owner: Owner,
  id: string,
): Promise<void> {
  const { status } = await getDeployment({ db }, owner, id);
  const row = await db.transaction().execute(async (tx) => {
    const canceled = await tx
      .updateTable("deployments")
      .set({
        status: "failure",
        summary: "Canceled",
        canceled_at: sql`clock_timestamp()`,
        ended_at: sql`clock_timestamp()`,
      })
      .where("organization_id", "=", owner.organizationId)
      .where("id", "=", id)
      .where("status", "in", ["queued", "in_progress"])
      .returning(["id", "trigger", "organization_id", "project_id"])
      .executeTakeFirst();

    if (canceled) await enqueueReport(tx, queue, canceled);
    return canceled;
  });

  if (!row) throw new AppError("conflict", `The deployment has already finished with status ${status}`);
}
