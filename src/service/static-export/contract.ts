import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { integer, type QueryParameter, ulid } from "../core/parameters.ts";

const tag = "Static export";
const jobId = { jobId: "The job, as the start of it answered." };

/** A parameter whose value is a cursor: the id of an export job. */
function exportCursor(description: string): QueryParameter<string | undefined> {
  const pattern = "^se_[0-9a-f]{16}$";
  return {
    description,
    schema: { type: "string", pattern },
    read: (text) => (text === undefined || new RegExp(pattern).test(text) ? { value: text } : { message: "is not a valid cursor" }),
  };
}

export const ExportJob = Type.Object(
  {
    jobId: Type.String(),
    status: Type.Union([Type.Literal("queued"), Type.Literal("running"), Type.Literal("completed"), Type.Literal("failed")], {
      description: "`queued`, then `running`, then `completed` or `failed`, and never back.",
    }),
    progress: Type.Number({ minimum: 0, maximum: 100, description: "Percent; 100 when completed and not before." }),
    pageCount: Type.Integer({ minimum: 0, description: "Pages that are exported so far." }),
    totalPages: nullable(Type.Integer({ description: "Pages of the site; null until they are counted." })),
    domain: Type.String(),
    version: nullable(
      Type.String({
        description:
          "The version to pin, as the bundle's `manifest.json` has it: your label, or one made from the content. Without a label null until the job is completed.",
      }),
    ),
    deploymentId: Type.String({
      description: "The deployment that is exported: the live one, or the one that was being built if none was live yet.",
    }),
    error: nullable(Type.String({ description: "Why the job failed." })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    startedAt: nullable(Timestamp),
    completedAt: nullable(Timestamp),
  },
  { $id: "StaticExportJob" },
);

export const startExport = endpoint({
  operationId: "startStaticExport",
  tag,
  summary: "Start a static export",
  description:
    "Queues a job that renders the live site of a domain into static files. If the first deployment is still being built, the job waits for it. A start that equals a queued job answers with that job. With an `Idempotency-Key` header, sending the same request again within 24 hours answers with the job of the first.",
  method: "POST",
  path: "/v1/static-export/jobs",
  caller: "admin",
  role: "editor",
  plan: "enterprise",
  body: {
    type: "application/json",
    schema: Type.Object({
      domain: Type.String({
        minLength: 1,
        maxLength: 253,
        description: "Host name of the site: its own domain, or its subdomain of the service. No scheme, port or path.",
      }),
      version: Type.Optional(
        Type.String({ minLength: 1, maxLength: limits.exportVersion_chars, description: "A label of yours; `manifest.json` carries it." }),
      ),
      paths: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
          maxItems: limits.exportPaths_count,
          description: "Pages to export; all when absent.",
        }),
      ),
    }),
  },
  success: { status: 202, description: "The job is queued.", schema: ExportJob },
  refusals: {
    404: "No site of your organization has the domain.",
    409: "The project isn't deployed, the domain isn't verified, or the first request with this Idempotency-Key is still under way.",
    422: "The Idempotency-Key was used with another body.",
    429: "Too many exports of yours are waiting; `Retry-After` says when to try again.",
  },
});

export const listExports = endpoint({
  operationId: "listStaticExports",
  tag,
  summary: "List static exports",
  description: "Newest first, of all projects of the organization.",
  method: "GET",
  path: "/v1/static-export/jobs",
  caller: "admin",
  role: "viewer",
  plan: "enterprise",
  query: {
    projectId: ulid("Only jobs of this project."),
    limit: integer("Items of a page.", { minimum: 1, maximum: 100, default: 20 }),
    cursor: exportCursor("`nextCursor` of the page before."),
  },
  success: {
    status: 200,
    description: "A page of jobs.",
    schema: Type.Object(
      { jobs: Type.Array(ExportJob), nextCursor: nullable(Type.String()), hasMore: Type.Boolean() },
      { $id: "StaticExportJobPage" },
    ),
  },
});

export const cancelOwnExport = endpoint({
  operationId: "cancelOwnStaticExport",
  tag,
  summary: "Cancel a static export",
  description: "The job ends as failed. What it exported so far is deleted.",
  method: "POST",
  path: "/v1/static-export/jobs/{jobId}/cancel",
  caller: "admin",
  role: "editor",
  plan: "enterprise",
  params: jobId,
  success: { status: 200, description: "The job.", schema: ExportJob },
  refusals: { 409: "The job has ended." },
});

export const getExport = endpoint({
  operationId: "getStaticExport",
  tag,
  summary: "Get a static export",
  method: "GET",
  path: "/v1/static-export/jobs/{jobId}",
  caller: "admin",
  role: "viewer",
  plan: "enterprise",
  params: jobId,
  success: { status: 200, description: "The job.", schema: ExportJob },
});

export const bundleExport = endpoint({
  operationId: "bundleStaticExport",
  tag,
  summary: "Get the bundle of a static export",
  description: "Answers with a link to one archive. The link expires; asking again gives a fresh one to the same bytes.",
  method: "POST",
  path: "/v1/static-export/jobs/{jobId}/bundle",
  caller: "admin",
  role: "viewer",
  plan: "enterprise",
  params: jobId,
  success: {
    status: 200,
    description: "Where the archive can be downloaded.",
    schema: Type.Object(
      {
        jobId: Type.String(),
        bundleUrl: Type.String({ format: "uri", description: "A presigned link: whoever holds it may download until it expires." }),
        expiresAt: Timestamp,
        sizeBytes: Type.Integer(),
        sha256: Type.String(),
        version: nullable(Type.String({ description: "The version to pin, as the `manifest.json` of the bundle has it." })),
        format: Type.Literal("tar.gz"),
        deltaUrl: nullable(
          Type.String({
            format: "uri",
            description: "A presigned link to what leads from the export before to this one; null when there is none.",
          }),
        ),
        deltaSizeBytes: nullable(Type.Integer()),
      },
      { $id: "ExportBundle" },
    ),
  },
  refusals: { 409: "The job is not completed.", 410: "The bundle is no longer kept; a new export makes it anew." },
});

export const cancelExport = endpoint({
  operationId: "cancelStaticExport",
  tag: "Operator",
  summary: "Cancel a static export",
  description: "The job ends as failed, with the reason that the operator cancelled it.",
  method: "POST",
  path: "/operator/v1/static-export/jobs/{jobId}/cancel",
  caller: "operator",
  params: { jobId: "The job." },
  success: { status: 200, description: "The job.", schema: ExportJob },
  refusals: { 409: "The job has ended." },
});
