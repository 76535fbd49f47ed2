import type { Handlers } from "../http/call.ts";
import { once } from "../http/once.ts";
import type { ExportJobRow } from "../storage/fail-exports.ts";
import { cancelExport, cancelOwnExport } from "./cancel-export.ts";
import type * as contract from "./contract.ts";
import { createBundleLinks } from "./export-bundle.ts";
import { exportDetails, getExportJob, listExportJobs } from "./export-job.ts";
import { createExportJob, prepareExportJob } from "./start-export.ts";

export const exportHandlers: Handlers<
  Pick<
    typeof contract,
    "startExport" | "listExports" | "getExport" | "bundleExport" | "cancelOwnExport" | "cancelExport"
  >
> = {
  async startExport(call) {
    const { service, scope, body } = call;
    const input = [
      body.domain,
      body.version ?? null,
      body.paths ?? null,
      ...(body.audience === undefined ? [] : [body.audience]),
    ];

    return once(call, {
      operationId: "startStaticExport",
      organizationId: scope.organizationId,
      input,
      prepare: () => prepareExportJob(service, scope, body),
      run: async ({ db }, planned) => showExport(await createExportJob(service, db, scope, planned)),
      headers: ({ jobId }) => ({ location: `/v1/static-export/jobs/${jobId}`, "retry-after": "2" }),
    });
  },
  async listExports({ service, scope, query }) {
    const { rows, hasMore } = await listExportJobs(service, scope, query.projectId, query);
    return { jobs: rows.map(showExport), nextCursor: hasMore ? rows.at(-1)!.id : null, hasMore };
  },
  getExport: async ({ service, scope, params }) =>
    showExport(await getExportJob(service, scope, params.jobId)),
  async bundleExport({ service, scope, params }) {
    const { url, expiresAt, bytes, sha256, version, delta } = await createBundleLinks(
      service,
      scope,
      params.jobId,
    );

    return {
      jobId: params.jobId,
      bundleUrl: url,
      expiresAt: expiresAt.toISOString(),
      sizeBytes: bytes,
      sha256,
      version,
      format: "tar.gz" as const,
      deltaUrl: delta?.url ?? null,
      deltaSizeBytes: delta?.bytes ?? null,
    };
  },
  cancelOwnExport: async ({ service, scope, params }) =>
    showExport(await cancelOwnExport(service, scope, params.jobId)),
  cancelExport: async ({ service, params }) => showExport(await cancelExport(service, params.jobId)),
};

function showExport(row: ExportJobRow) {
  const { createdAt, startedAt, completedAt, ...details } = exportDetails(row);
  return {
    jobId: row.id,
    ...details,
    deploymentId: row.deployment_id,
    createdAt: createdAt.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
}
