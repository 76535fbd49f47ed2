/** Adds the event about the end of a static export. */

import { addEvent, type EventData } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import type { ExportJobRow } from "../storage/fail-exports.ts";
import { projectHref } from "../ui/dashboard-urls.ts";

/** Adds `export.completed` or `export.failed`. Call this in the transaction that ends the export. */
export async function addExportEvent(
  { db, ulid, settings }: Pick<Service, "ulid" | "settings"> & { db: Database },
  row: ExportJobRow,
): Promise<void> {
  const { id: jobId, organization_id: organizationId, project_id: projectId } = row;
  const project = await db
    .selectFrom("projects")
    .select("name")
    .where("id", "=", projectId)
    .executeTakeFirst();
  if (!project) return;

  const about = {
    projectId,
    projectName: project.name,
    jobId,
    deploymentId: row.deployment_id,
    domain: row.domain,
    version: row.bundle_version ?? row.version,
    url: settings.url + projectHref(organizationId, projectId, `/exports/${jobId}`),
  };
  const add = <Type extends "export.completed" | "export.failed">(type: Type, data: EventData[Type]) =>
    addEvent({ db, ulid }, { organizationId, projectId, type, data });

  if (row.status === "failed") await add("export.failed", { ...about, error: row.error ?? "" });
  else
    await add("export.completed", {
      ...about,
      pages: row.page_count,
      bytes: row.bundle_bytes ?? 0,
      sha256: row.bundle_sha256 ?? "",
    });
}
