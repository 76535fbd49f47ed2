import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { describedDomain } from "../core/described.ts";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { cursorParameter, integer, ulidParameter } from "../core/parameters.ts";
import { domain_chars } from "../domains/contract.ts";

const tag = "Static export";
const jobId = { jobId: "Job ID, as returned when the export was created." };

/** Form of the cursors of lists of exports: the ID of an export job. */
const exportCursor = /^se_[0-9a-f]{16}$/;

const group = Type.String({ minLength: 1, maxLength: 200 });
const audience = Type.Union([Type.Literal("public"), Type.Array(group, { maxItems: 100 })], {
  description: "Readers that the export is for: `public`, or the groups of signed-in readers.",
});

const AudienceReport = Type.Object(
  {
    audience,
    pages: Type.Integer({ description: "Number of exported pages." }),
    leftOut: Type.Object({
      pages: Type.Array(
        Type.Object({
          path: Type.String(),
          readers: Type.Union([Type.Literal("signed-in"), Type.Array(Type.String())], {
            description: "Readers who may read the page.",
          }),
        }),
      ),
      parts: Type.Array(Type.Object({ document: Type.String(), pointer: Type.String() }), {
        description: "Operations and schemas of OpenAPI documents.",
      }),
      contentOn: Type.Array(Type.String(), { description: "Exported pages with content for other readers." }),
      files: Type.Optional(Type.Array(Type.String(), { description: "Files of the documentation folder." })),
    }),
    checked: Type.Object({
      files: Type.Integer({ description: "Number of files that were searched." }),
      texts: Type.Integer({ description: "Number of texts for other readers, none of which was found." }),
    }),
  },
  {
    $id: "AudienceReport",
    description:
      "Content that an export for an audience leaves out. Null if no audience was chosen, and until the job is completed.",
  },
);

export const ExportJob = Type.Object(
  {
    jobId: Type.String(),
    status: Type.Union(
      [Type.Literal("queued"), Type.Literal("running"), Type.Literal("completed"), Type.Literal("failed")],
      {
        description: "A job starts as `queued`, changes to `running`, and ends as `completed` or `failed`.",
      },
    ),
    progress: Type.Number({
      minimum: 0,
      maximum: 100,
      description: "Progress as a percentage. It reaches 100 only when the job is completed.",
    }),
    pageCount: Type.Integer({ minimum: 0, description: "Number of pages exported so far." }),
    totalPages: nullable(
      Type.Integer({ description: "Number of pages to export. Null until the pages are counted." }),
    ),
    domain: Type.String({ description: "Domain of the exported site, with its path if it has one." }),
    version: nullable(
      Type.String({
        description:
          "Version of the bundle, as shown in its `manifest.json`: your label or, if you didn't specify one, a hash of the content. Without a label, null until the job is completed.",
      }),
    ),
    deploymentId: Type.String({
      description:
        "ID of the exported deployment: the one that was live or, if none was, the newest one that was queued or running.",
    }),
    audience: nullable(audience),
    audienceReport: nullable(AudienceReport),
    error: nullable(Type.String({ description: "Why the job failed. Null if it hasn't failed." })),
    createdAt: timestamp("When the export was created."),
    updatedAt: timestamp("When the status or progress last changed."),
    startedAt: nullable(timestamp("When the export started. Null if it hasn't started.")),
    completedAt: nullable(timestamp("When the export completed or failed. Null until then.")),
  },
  { $id: "StaticExportJob" },
);

export const startExport = endpoint({
  operationId: "startStaticExport",
  isIdempotent: true,
  tag,
  summary: "Start a static export",
  description:
    "Queues a job that exports the live site of a domain as static files. If the first deployment is still building, the job waits for it. If an identical job is already queued, that job is returned.",
  method: "POST",
  path: "/v1/static-export/jobs",
  caller: "admin",
  role: "editor",
  plan: "enterprise",
  body: {
    type: "application/json",
    allowsUnknown: true,
    // Room for the maximum number of paths.
    most_bytes: 1024 * 1024,
    schema: Type.Object({
      domain: Type.String({
        minLength: 1,
        maxLength: domain_chars,
        described: describedDomain,
        description:
          "Domain of the site: a verified custom domain, with its path if it has one (`example.com/docs`), or the site's default host name. Without a scheme or port.",
      }),
      version: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.exportVersion_chars,
          description:
            "Label for the bundle, included in its `manifest.json`. Default: a hash of the content.",
        }),
      ),
      audience: Type.Optional(
        Type.Union([Type.Literal("public"), Type.Array(group, { maxItems: 100 })], {
          description:
            "Exports exactly what these readers may read: `public` for visitors who aren't signed in, or the groups of signed-in readers. An empty list is for signed-in readers without groups. Can't be combined with `paths`. Default: all pages that aren't restricted to reader groups.",
        }),
      ),
      paths: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
          maxItems: limits.exportPaths_count,
          description:
            "Paths of the pages to export. Default: all pages that aren't restricted to reader groups.",
        }),
      ),
    }),
  },
  success: {
    status: 202,
    description: "The job is queued.",
    schema: ExportJob,
    headers: ["Location", "Retry-After"],
  },
  refusals: {
    404: "No project in your organization has this domain.",
    409: "The project isn't deployed, the domain isn't verified, or the organization has reached its storage limit. Also returned if you send `paths` before the first deployment has succeeded.",
    429: "Too many exports are queued. Wait for the number of seconds in `Retry-After`.",
  },
});

export const listExports = endpoint({
  operationId: "listStaticExports",
  tag,
  summary: "List static exports",
  description: "Returns the exports of all projects in the organization, newest first.",
  method: "GET",
  path: "/v1/static-export/jobs",
  caller: "admin",
  role: "viewer",
  plan: "enterprise",
  query: {
    projectId: ulidParameter("Returns only exports for this project.", "must be a project ID"),
    limit: integer("Number of items per page.", { minimum: 1, maximum: 100, default: 20 }),
    cursor: cursorParameter("`nextCursor` from the previous page.", exportCursor),
  },
  success: {
    status: 200,
    description: "A page of jobs.",
    schema: Type.Object(
      {
        jobs: Type.Array(ExportJob),
        ...nextPage,
      },
      { $id: "StaticExportJobPage" },
    ),
  },
});

export const cancelOwnExport = endpoint({
  operationId: "cancelOwnStaticExport",
  tag,
  summary: "Cancel a static export",
  description: "The job's status becomes `failed`, and its files are deleted.",
  method: "POST",
  path: "/v1/static-export/jobs/{jobId}/cancel",
  caller: "admin",
  role: "editor",
  plan: "enterprise",
  params: jobId,
  success: { status: 200, description: "The job.", schema: ExportJob },
  refusals: { 409: "The job has already finished." },
});

export const getExport = endpoint({
  operationId: "getStaticExport",
  tag,
  summary: "Get a static export",
  description:
    "Returns the status and the progress of the job and, once it completed, the version of its bundle.",
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
  description:
    "Returns temporary download URLs for the archive and its delta, if it has one. Each request returns new URLs for the same files.",
  method: "POST",
  path: "/v1/static-export/jobs/{jobId}/bundle",
  caller: "admin",
  role: "viewer",
  plan: "enterprise",
  params: jobId,
  success: {
    status: 200,
    description: "Download URLs.",
    schema: Type.Object(
      {
        jobId: Type.String(),
        bundleUrl: Type.String({
          format: "uri",
          description: "Presigned URL. Anyone with the URL can download the archive until it expires.",
        }),
        expiresAt: timestamp("When the download URLs expire."),
        sizeBytes: Type.Integer({ description: "Size of the archive in bytes." }),
        sha256: Type.String({ description: "SHA-256 hash of the archive, in hexadecimal." }),
        version: nullable(
          Type.String({ description: "Version of the bundle, as shown in its `manifest.json`." }),
        ),
        format: Type.Literal("tar.gz"),
        deltaUrl: nullable(
          Type.String({
            format: "uri",
            description: "Presigned URL for the delta from the previous export. Null if there's no delta.",
          }),
        ),
        deltaSizeBytes: nullable(
          Type.Integer({ description: "Size of the delta in bytes. Null if there's no delta." }),
        ),
      },
      { $id: "ExportBundle" },
    ),
  },
  refusals: { 409: "The job hasn't completed.", 410: "The bundle was deleted. Create a new export." },
});

export const cancelExport = endpoint({
  operationId: "cancelStaticExport",
  tag: "Operator",
  summary: "Cancel a static export",
  description: "The job's status becomes `failed`, and its error shows that the operator canceled it.",
  method: "POST",
  path: "/operator/v1/static-export/jobs/{jobId}/cancel",
  caller: "operator",
  params: { jobId: "Job ID." },
  success: { status: 200, description: "The job.", schema: ExportJob },
  refusals: { 409: "The job has already finished." },
});
