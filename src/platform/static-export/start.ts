/** Starts a static export: what is live now is frozen, so that a deployment in the meantime does not mix in. */

import { readHostName } from "../../base/host-name.ts";
import { limits } from "../../base/limits.ts";
import type { Scope } from "../access/scope.ts";
import { readManifest } from "../deployments/manifests.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import type { Tx } from "../tables.ts";
import type { ExportJobRow } from "./export-job.ts";

export interface ExportRequest {
  domain: string;
  version?: string;
  paths?: string[];
}

/** A request that was found to be good. */
export interface PlannedExport {
  projectId: string;
  deploymentId: string;
  domain: string;
  version: string | null;
  /** Routes of pages; null for all. */
  paths: string[] | null;
}

export async function planExport(service: Service, scope: Scope, request: ExportRequest): Promise<PlannedExport> {
  const domain = readHostName(request.domain);
  if (domain === undefined)
    throw invalid("Invalid request body", "domain must be a host name only, such as docs.example.com, without scheme, port or path");
  const live = await liveDeployment(service, scope, domain);
  await checkRoom(service, scope);
  const paths = request.paths ? await routesOf(service, live, request.paths) : null;
  return { projectId: live.project_id, deploymentId: live.id, domain, version: request.version ?? null, paths };
}

export async function startExport({ queue, random }: Service, tx: Tx, scope: Scope, planned: PlannedExport): Promise<ExportJobRow> {
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
      status: "queued",
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await queue.enqueue(tx, "static-export", row.id, scope.organizationId);
  return row;
}

/** One answer for a domain that nobody has, that somebody else has, and that shows nothing yet. */
async function liveDeployment({ db, settings }: Service, { organizationId }: Scope, domain: string) {
  const isOurs = domain.endsWith(`.${settings.sitesDomain}`);
  const label = isOurs ? domain.slice(0, -settings.sitesDomain.length - 1) : "";
  const row = await db
    .selectFrom("projects")
    .innerJoin("deployments", "deployments.id", "projects.live_deployment_id")
    .select(["deployments.id", "deployments.project_id", "deployments.attempt"])
    .where("projects.organization_id", "=", organizationId)
    .where("deployments.snapshot", "is not", null)
    .where((where) =>
      where.or([
        where("projects.subdomain", "=", label),
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
  if (!row) throw notFound();
  return row;
}

async function checkRoom({ db }: Service, { organizationId }: Scope): Promise<void> {
  const { waiting } = await db
    .selectFrom("static_export_jobs")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where("organization_id", "=", organizationId)
    .where("status", "=", "queued")
    .executeTakeFirstOrThrow();
  if (waiting >= limits.waitingExports_count)
    throw new Refusal("rate-limited", `Too many exports are waiting: ${limits.waitingExports_count} is the limit`, { retryAfter_s: 60 });
}

/** A page has a Markdown twin, which tells it from other HTML files. Pages of groups are no part of an export. */
async function routesOf({ objects }: Service, live: { id: string; attempt: number }, paths: readonly string[]): Promise<string[]> {
  const { files } = await readManifest(objects, live);
  const isOpen = (file: string) => Object.hasOwn(files, file) && typeof files[file]!.access === "string";
  const routes = new Set<string>();
  const unknown: string[] = [];
  for (const path of paths) {
    const name = path.replace(/^\/+|\/+$/g, "") || "index";
    if (isOpen(`${name}.html`) && isOpen(`${name}.md`)) routes.add(name === "index" ? "" : name);
    else unknown.push(`paths: ${path.slice(0, 64)} is not a page that can be exported`);
  }
  if (unknown.length) throw invalid("Invalid request body", ...unknown);
  return [...routes].sort();
}
