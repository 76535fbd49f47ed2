/**
 * Dashboard routes for a project's static exports. All members can see and download exports. Editors and
 * admins can start and cancel them.
 */

import { AppError, atField, invalid, notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { idempotent } from "../core/idempotency.ts";
import { mayActAs } from "../core/identity.ts";
import type { Service } from "../core/service.ts";
import { getDeployment } from "../deployments/deployments.ts";
import { validate } from "../http/read-body.ts";
import { projectDomains } from "../projects/projects.ts";
import type { ExportJobRow } from "../storage/fail-exports.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { idempotentForm, newIdempotencyKey } from "../ui/idempotent-form.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { cancelOwnExport } from "./cancel-export.ts";
import { startExport } from "./contract.ts";
import { createBundleLinks } from "./export-bundle.ts";
import { chosenAudience, exportDetails, getExportJob, listExportJobs } from "./export-job.ts";
import { Export } from "./export-view.tsx";
import { Exports, type ExportView } from "./exports-view.tsx";
import { createExportJob, exportObstacle, prepareExportJob } from "./start-export.ts";

export const exportRoutes = [
  projectRoute("GET /exports", "listStaticExports", "viewer", (visit) => showAll(visit)),
  projectRoute("POST /exports", "startStaticExport", "editor", async (visit) => start(visit), {
    showErrors: showAll,
  }),
  projectRoute("GET /exports/:jobId", "showStaticExport", "viewer", (visit) => showOne(visit)),
  projectRoute(
    "POST /exports/:jobId/cancel",
    "cancelOwnStaticExport",
    "editor",
    async (visit) => {
      const { id } = await jobOf(visit);
      await cancelOwnExport(visit.service, visit.scope, id);
      return redirect(exportsHref(visit, `/${id}`), "export-cancelled");
    },
    { showErrors: showOne },
  ),
  // The method is GET because the content security policy blocks forms that are redirected to an object
  // store.
  projectRoute(
    "GET /exports/:jobId/bundle",
    "downloadStaticExport",
    "viewer",
    async (visit) =>
      redirect((await createBundleLinks(visit.service, visit.scope, (await jobOf(visit)).id)).url),
    { recordedAs: "bundleStaticExport" },
  ),
];

function exportsHref({ member, project }: ProjectVisit, path = ""): string {
  return projectHref(member.organizationId, project.id, `/exports${path}`);
}

async function jobOf({ service, scope, project, params }: ProjectVisit): Promise<ExportJobRow> {
  const row = await getExportJob(service, scope, params.jobId!);
  if (row.project_id !== project.id) throw notFound();
  return row;
}

async function start(visit: ProjectVisit): Promise<DashboardResponse> {
  const { service, scope, form, recorded } = visit;
  const obstacle = await obstacleOf(visit);
  if (obstacle !== undefined) throw new AppError("forbidden", obstacle);

  const [domain, version] = [field(form, "domain"), field(form, "version")];
  const paths = (form.get("paths") ?? "").split(/\s+/).filter((line) => line !== "");
  if (!domainsOf(visit).includes(domain))
    throw invalid("Invalid export", atField("domain", "Choose one of this project's domains"));

  const audience = audienceIn(form);

  // The form hides the pages if readers are selected.
  const content = audience !== undefined ? { audience } : paths.length ? { paths } : {};
  const wanted = { domain, ...(version ? { version } : {}), ...content };
  const body = validate(startExport.body.schema, wanted, "Invalid export");
  const { answer: id } = await idempotent(
    service,
    scope,
    idempotentForm("dashboard startStaticExport", form),
    () => prepareExportJob(service, scope, body),
    async (tx, planned) => (await createExportJob(service, tx, scope, planned)).id,
  );

  recorded.jobId = id;
  return redirect(exportsHref(visit, `/${id}`), "export-started");
}

/** Returns the selected readers, as the API expects them. Undefined if none are selected. */
function audienceIn(form: URLSearchParams): "public" | string[] | undefined {
  const readers = field(form, "readers");
  if (readers === "") return undefined;
  if (readers === "public") return readers;
  if (readers !== "groups") throw invalid("Invalid export", atField("readers", "Select one of the options"));
  return field(form, "groups")
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "");
}

async function obstacleOf({ member, project, service }: ProjectVisit): Promise<string | undefined> {
  if (member.plan !== "enterprise")
    return "Static exports require the enterprise plan. Contact this service's operator.";
  return exportObstacle(service, project);
}

function domainsOf({ project, service: { settings } }: ProjectVisit): string[] {
  return projectDomains(settings, project);
}

async function showAll(visit: ProjectVisit, errors?: FormErrors) {
  const { service, scope, member, project, url, form } = visit;
  const cursor = url.searchParams.get("before") ?? undefined;
  const { rows, hasMore } = await listExportJobs(service, scope, project.id, {
    limit: limits.listPage_count,
    cursor,
  });

  return page(
    "Static exports",
    <Exports
      ids={{ organizationId: member.organizationId, projectId: project.id }}
      exports={rows.map(exportView)}
      domains={domainsOf(visit)}
      obstacle={await obstacleOf(visit)}
      mayEdit={mayActAs(member.role, "editor")}
      filled={{
        domain: field(form, "domain"),
        version: field(form, "version"),
        readers: field(form, "readers"),
        groups: field(form, "groups"),
        paths: form.get("paths") ?? "",
      }}
      idempotencyKey={newIdempotencyKey(service)}
      newer={cursor && exportsHref(visit)}
      older={hasMore ? `${exportsHref(visit)}?before=${rows.at(-1)!.id}` : undefined}
      errors={errors}
    />,
  );
}

async function showOne(visit: ProjectVisit, errors?: FormErrors) {
  const { service, scope, member, project } = visit;
  const row = await jobOf(visit);

  // The deployment's row may have been deleted.
  const deployment = await getDeployment(service, scope, row.deployment_id).catch(() => undefined);
  return page(
    "Static export",
    <Export
      ids={{ organizationId: member.organizationId, projectId: project.id }}
      job={exportView(row)}
      deployment={deployment}
      isGone={row.status === "completed" && row.bundle_key === null}
      mayEdit={mayActAs(member.role, "editor")}
      snippets={snippetsOf(service, row)}
      errors={errors}
    />,
  );
}

function exportView(row: ExportJobRow): ExportView {
  return {
    id: row.id,
    ...exportDetails(row),
    label: row.version,
    paths: row.paths,
    bytes: row.bundle_bytes,
    sha256: row.bundle_sha256,
  };
}

/**
 * Returns example commands for an export. Quotes values, so that a label isn't executed as a command when a
 * snippet is pasted.
 */
function snippetsOf({ settings }: Pick<Service, "settings">, row: ExportJobRow) {
  const { id, domain, version, paths } = row;
  const audience = chosenAudience(row);
  const jobs = `${settings.url}/v1/static-export/jobs`;
  const key = `-H "Authorization: Bearer $OCTAVO_API_KEY"`;

  const body = JSON.stringify({
    domain,
    ...(version === null ? {} : { version }),
    ...(paths?.length ? { paths } : {}),
    ...(audience === null ? {} : { audience }),
  });

  return [
    {
      label: "Create the same export",
      text: `curl -fsS "${jobs}" ${key} \\\n  -H "Content-Type: application/json" -d ${shellQuoted(body)}`,
    },
    { label: "Get export status", text: `curl -fsS "${jobs}/${id}" ${key}` },
    { label: "Get download URL", text: `curl -fsS -X POST "${jobs}/${id}/bundle" ${key}` },
    {
      label: "values.yaml for the Helm chart",
      text: [
        "staticExport:",
        "  enabled: true",
        '  bundleUrl: ""  # set by the command below, because download URLs expire',
        ...(version === null ? [] : [`  version: ${JSON.stringify(version)}`]),
      ].join("\n"),
    },
    {
      label: "Deploy to Kubernetes",
      text: [
        `BUNDLE_URL=$(curl -fsS -X POST "${jobs}/${id}/bundle" ${key} | jq -r .bundleUrl)`,
        "helm upgrade --install docs ./chart --namespace docs --values values.yaml \\",
        '  --set-string "staticExport.bundleUrl=$BUNDLE_URL"',
      ].join("\n"),
    },
  ];
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
