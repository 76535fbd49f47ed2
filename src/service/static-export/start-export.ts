/**
 * Starts a static export of the live deployment. Later deployments don't affect the export. If the first
 * deployment of a project is still being built, the export waits for it.
 */

import { sql } from "kysely";
import { isForGroups } from "../../base/access.ts";
import { AppError, atField, type FieldError, fieldThat, invalid } from "../../base/app-error.ts";
import { readSiteDomain, splitDomain } from "../../base/site-domain.ts";
import type { Scope } from "../core/scope.ts";
import { defaultHost, type Service } from "../core/service.ts";
import type { Tx } from "../core/tables.ts";
import { lockProject } from "../deployments/project-row.ts";
import { projectDomains, verifiedDomains } from "../projects/projects.ts";
import type { ExportJobRow } from "../storage/fail-exports.ts";
import { readManifest } from "../storage/manifests.ts";
import { requireStorage } from "../storage/storage-usage.ts";

/** Maximum number of queued static exports per organization. */
const waitingExports_count = 1_000;

export interface ExportRequest {
  domain: string;
  version?: string;
  paths?: string[];
  /** Groups of the readers. An empty list: all signed-in readers. */
  audience?: "public" | string[];
}

/** A validated request for an export. */
export interface PlannedExport {
  projectId: string;
  deploymentId: string;
  domain: string;
  version: string | null;
  /** Routes of pages; null for all. */
  paths: string[] | null;
  /** The readers, as in an `ExportAudience`; null if none were chosen. */
  audience: string | null;
}

/** Validates a request. Throws an AppError if the request is invalid, or no export can be started. */
export async function prepareExportJob(
  service: Service,
  scope: Scope,
  request: ExportRequest,
): Promise<PlannedExport> {
  const requested = readSiteDomain(request.domain);
  if (requested === undefined)
    throw invalid(
      "Invalid request body",
      fieldThat(
        "domain",
        "must be a host name without a scheme or port, such as docs.example.com, or a host name with a path, such as example.com/docs",
      ),
    );

  if (request.audience !== undefined && request.paths)
    throw invalid("Invalid request body", "paths and audience can't be combined. Leave out one of them.");
  const { domain, ...project } = await projectOf(service, scope, requested);
  const deployment = await deploymentOf(service, project, domain);
  await requireQueueCapacity(service, scope);
  await requireStorage(service.db, service.settings, scope.organizationId);
  if (request.paths && deployment.status !== "success")
    throw new AppError("conflict", `${domain} isn't live yet. You can select pages after the first build.`);

  const paths = request.paths ? await routesOf(service, deployment, request.paths) : null;
  return {
    projectId: project.id,
    deploymentId: deployment.id,
    domain,
    version: request.version ?? null,
    paths,
    audience: audienceOf(request),
  };
}

/** Returns the audience as JSON, with sorted groups, so that equal audiences are the same text. */
function audienceOf({ audience }: ExportRequest): string | null {
  if (audience === undefined) return null;
  return JSON.stringify(audience === "public" ? {} : { groups: [...new Set(audience)].sort() });
}

/**
 * Creates a job, or returns a queued one with the same parameters. Throws a conflict if the deployment no
 * longer exists or has failed since the request was validated.
 */
export async function createExportJob(
  { queue, random }: Service,
  tx: Tx,
  scope: Scope,
  planned: PlannedExport,
): Promise<ExportJobRow> {
  await lockProject(tx, scope, planned.projectId);

  const equal = await tx
    .selectFrom("static_export_jobs")
    .selectAll()
    .where("project_id", "=", planned.projectId)
    .where("deployment_id", "=", planned.deploymentId)
    .where("domain", "=", planned.domain)
    .where(sql<boolean>`version is not distinct from ${planned.version}::text`)
    .where(sql<boolean>`paths is not distinct from ${planned.paths}::text[]`)
    .where(sql<boolean>`audience is not distinct from ${planned.audience}::jsonb`)
    .where("status", "=", "queued")
    .limit(1)
    .executeTakeFirst();

  if (equal) return equal;

  // With this lock, the deployment can't end before the export is committed, so the transaction that ends it
  // sees the export.
  const deployment = await tx
    .selectFrom("deployments")
    .select("status")
    .where("id", "=", planned.deploymentId)
    .forShare()
    .executeTakeFirst();

  if (!deployment || deployment.status === "failure") throw notDeployed(planned.domain);

  const row = await tx
    .insertInto("static_export_jobs")
    .values({
      id: `se_${random(8).toString("hex")}`,
      organization_id: scope.organizationId,
      project_id: planned.projectId,
      deployment_id: planned.deploymentId,
      domain: planned.domain,
      version: planned.version,
      paths: planned.paths,
      audience: planned.audience,
      status: "queued",
    })
    .returningAll()
    .executeTakeFirstOrThrow();

  if (deployment.status === "success")
    await queue.enqueue(
      tx,
      "static-export",
      { exportId: row.id },
      {
        organizationId: scope.organizationId,
        projectId: planned.projectId,
      },
    );
  return row;
}

interface ExportedProject {
  id: string;
  live_deployment_id: string | null;
}

/**
 * Finds the project by domain. Adds the path of the project's domains to its default host. Throws the same
 * error for an unknown domain and for a domain of another organization.
 */
async function projectOf(
  { db, settings }: Service,
  { organizationId }: Scope,
  domain: string,
): Promise<ExportedProject & { domain: string }> {
  const { host } = splitDomain(domain);
  const label = host.endsWith(`.${settings.sitesDomain}`)
    ? host.slice(0, -settings.sitesDomain.length - 1)
    : "";

  const own = db
    .selectFrom("projects")
    .select(["id", "live_deployment_id", "subdomain"])
    .select(verifiedDomains)
    .where("organization_id", "=", organizationId);

  const found = await own
    .where((where) =>
      where.or([
        where("subdomain", "=", label),
        where.exists(
          where
            .selectFrom("domains")
            .select("domain")
            .whereRef("domains.project_id", "=", "projects.id")
            .where("domain", "=", domain)
            .where("verified_at", "is not", null),
        ),
      ]),
    )
    .executeTakeFirst();

  const served =
    found &&
    projectDomains(settings, found).find(
      (own) => own === domain || own === `${domain}${splitDomain(own).path}`,
    );

  if (found && served !== undefined)
    return { id: found.id, live_deployment_id: found.live_deployment_id, domain: served };

  if (await own.where("subdomain", "=", domain).executeTakeFirst())
    throw invalid(
      "Invalid request body",
      fieldThat("domain", `must be the full host name: ${defaultHost(settings, domain)}`),
    );

  const unverified = await db
    .selectFrom("domains")
    .select("domain")
    .where("organization_id", "=", organizationId)
    .where("domain", "=", domain)
    .executeTakeFirst();

  if (unverified)
    throw new AppError(
      "conflict",
      `${domain} isn't verified. Verify it, or export the project with another domain.`,
    );

  throw new AppError("not-found", `No project in your organization has the domain ${domain}`);
}

/**
 * Returns the live deployment or, if there is none, the newest one that is queued or being built. Throws a
 * conflict if there is neither.
 */
async function deploymentOf(
  { db }: Pick<Service, "db">,
  { id, live_deployment_id }: ExportedProject,
  domain: string,
) {
  const deployments = db
    .selectFrom("deployments")
    .select(["id", "status", "attempt"])
    .where("project_id", "=", id);

  const deployment =
    live_deployment_id === null
      ? await deployments
          .where("preview_branch", "is", null)
          .where("status", "in", ["queued", "in_progress"])
          .orderBy("number", "desc")
          .limit(1)
          .executeTakeFirst()
      : await deployments
          .where("id", "=", live_deployment_id)
          .where("snapshot", "is not", null)
          .executeTakeFirst();

  if (!deployment) throw notDeployed(domain);
  return deployment;
}

/** Returns an error message if the project has no deployment to export. Undefined otherwise. */
export async function exportObstacle(
  service: Pick<Service, "db">,
  project: ExportedProject,
): Promise<string | undefined> {
  return deploymentOf(service, project, "The project").then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AppError) return error.message;
      throw error;
    },
  );
}

function notDeployed(domain: string): AppError {
  return new AppError("conflict", `${domain} isn't deployed yet. Deploy the project first.`);
}

async function requireQueueCapacity({ db }: Service, { organizationId }: Scope): Promise<void> {
  const { waiting } = await db
    .selectFrom("static_export_jobs")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where("organization_id", "=", organizationId)
    .where("status", "=", "queued")
    .executeTakeFirstOrThrow();

  if (waiting >= waitingExports_count)
    throw new AppError(
      "rate-limited",
      `Your organization already has ${waitingExports_count} queued exports. Wait for one to start.`,
      {
        retryAfter_s: 60,
      },
    );
}

/**
 * Converts paths to routes of pages. Throws an AppError for paths that aren't pages or that only groups can
 * read. Pages have a Markdown file, unlike other HTML files.
 */
async function routesOf(
  { objects }: Service,
  live: { id: string; attempt: number },
  paths: readonly string[],
): Promise<string[]> {
  const { files } = await readManifest(objects, live);
  const isOpen = (file: string) => Object.hasOwn(files, file) && !isForGroups(files[file]!.access);
  const routes = new Set<string>();
  const unknown: FieldError[] = [];
  for (const path of paths) {
    const name = path.replace(/^\/+|\/+$/g, "") || "index";
    if (isOpen(`${name}.html`) && isOpen(`${name}.md`)) routes.add(name === "index" ? "" : name);
    else unknown.push(atField("paths", `${path.slice(0, 64)} isn't a page that can be exported`));
  }
  if (unknown.length) throw invalid("Invalid request body", ...unknown);
  return [...routes].sort();
}
