/**
 * Dashboard routes for a project's deployments. All members can see deployments. Editors and admins can
 * create, cancel and purge deployments, and roll back to one.
 */

import { invalid, notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { readUlid } from "../../base/ulid.ts";
import { mayActAs } from "../core/identity.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { Confirm } from "../ui/kit/confirm.tsx";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { requireConfirmation } from "../ui/require-confirmation.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { comparisonOf } from "./compare-with-live.ts";
import { deploymentView } from "./deployment-summary.ts";
import { Deployment } from "./deployment-view.tsx";
import { cancel, getDeployment, listDeployments, promote, triggerDeployment } from "./deployments.ts";
import { Deployments } from "./deployments-view.tsx";
import { deployPreview, deployPullRequest, pullRequestOf } from "./previews.ts";
import { purge } from "./purge-deployment.ts";
import { questionTexts } from "./recorded-questions.ts";
import { rollBack } from "./roll-back.ts";
import { deployUpload } from "./upload.ts";

export const deploymentRoutes = [
  projectRoute("GET /deployments", "listDeployments", "viewer", (visit) => showAll(visit), {
    waitsForSites: true,
  }),
  projectRoute(
    "POST /deployments",
    "triggerUpdate",
    "editor",
    async (visit) =>
      started(visit, await triggerDeployment(visit.service, visit.scope, visit.project.id, "dashboard")),
    { showErrors: showAll },
  ),
  projectRoute(
    "POST /uploads",
    "createDeployment",
    "editor",
    async (visit) => {
      const { service, scope, project, file } = visit;
      if (!file) throw invalid("No file", "Choose a .zip or .tar.gz archive of your documentation folder");
      return started(visit, await deployUpload(service, scope, project.id, file, "upload"));
    },
    { showErrors: showAll, hasFile: true },
  ),
  projectRoute(
    "POST /previews",
    "triggerPreview",
    "editor",
    async (visit) => startedPreview(visit, field(visit.form, "branch")),
    { showErrors: showAll },
  ),
  projectRoute("GET /deployments/:deploymentId", "showDeployment", "viewer", (visit) => showOne(visit), {
    waitsForSites: true,
  }),
  projectRoute(
    "POST /deployments/:deploymentId/rollback",
    "rollBackDeployment",
    "editor",
    async (visit) => {
      const { id, held_errors } = await deploymentOf(visit);
      await rollBack(visit.service, visit.scope, id);
      return redirect(
        deploymentsHref(visit, `/${id}`),
        held_errors === null ? "rolled-back" : "deployment-published",
      );
    },
    { showErrors: showOne },
  ),
  projectRoute(
    "POST /deployments/:deploymentId/promote",
    "promoteDeployment",
    "editor",
    async (visit) =>
      started(visit, await promote(visit.service, visit.scope, (await deploymentOf(visit)).id)),
    { showErrors: showOne },
  ),
  projectRoute(
    "POST /deployments/:deploymentId/redeploy",
    "redeploy",
    "editor",
    async (visit) => {
      const { service, scope, project } = visit;
      const row = await deploymentOf(visit);
      const number = pullRequestOf(row.preview_branch);
      if (number !== undefined && row.commit) {
        const { id } = await deployPullRequest(service, scope, project.id, number, row.commit);
        return started(visit, id);
      }

      if (row.preview_branch !== null) return startedPreview(visit, row.preview_branch);

      // If the deployment failed before its sources were stored, the project's source is read again.
      const readsSource = !row.has_sources && row.purged_at === null;
      return started(
        visit,
        await (readsSource
          ? triggerDeployment(service, scope, project.id, "dashboard")
          : promote(service, scope, row.id)),
      );
    },
    { showErrors: showOne },
  ),
  projectRoute(
    "POST /deployments/:deploymentId/cancel",
    "cancelDeployment",
    "editor",
    async (visit) => {
      const { id } = await deploymentOf(visit);
      await cancel(visit.service, visit.scope, id);
      return redirect(deploymentsHref(visit, `/${id}`), "deployment-canceled");
    },
    { showErrors: showOne },
  ),
  projectRoute("GET /deployments/:deploymentId/purge", "askToPurge", "editor", (visit) => askToPurge(visit)),
  projectRoute(
    "POST /deployments/:deploymentId/purge",
    "purgeDeployment",
    "editor",
    async (visit) => {
      const { id, number } = await deploymentOf(visit);
      requireConfirmation(visit.form, String(number));
      await purge(visit.service, visit.scope, id);
      return redirect(deploymentsHref(visit, `/${id}`), "deployment-purged");
    },
    { showErrors: askToPurge },
  ),
];

function deploymentsHref({ member, project }: ProjectVisit, path = ""): string {
  return projectHref(member.organizationId, project.id, `/deployments${path}`);
}

function started(visit: ProjectVisit, deploymentId: string): DashboardResponse {
  visit.recorded.deploymentId = deploymentId;
  return redirect(deploymentsHref(visit, `/${deploymentId}`), "deployment-started");
}

async function startedPreview(visit: ProjectVisit, branch: string): Promise<DashboardResponse> {
  const { id } = await deployPreview(visit.service, visit.scope, visit.project.id, branch, "dashboard");
  Object.assign(visit.recorded, { deploymentId: id, branch });
  return redirect(deploymentsHref(visit, `/${id}`), "preview-started");
}

async function deploymentOf({ service, scope, project, params }: ProjectVisit) {
  const row = await getDeployment(service, scope, params.deploymentId!);
  if (row.project_id !== project.id) throw notFound();
  return row;
}

async function showAll(visit: ProjectVisit, errors?: FormErrors) {
  const { service, scope, member, project, url, form } = visit;
  const cursor = readUlid(url.searchParams.get("before") ?? "");
  const { rows, hasMore } = await listDeployments(service, scope, project.id, {
    limit: limits.listPage_count,
    cursor,
  });

  const isUpload = project.source.kind === "upload";
  return page(
    "Deployments",
    <Deployments
      ids={{ organizationId: member.organizationId, projectId: project.id }}
      deployments={rows.map((row) => deploymentView(service, row))}
      canDeploy={!isUpload || project.live_deployment_id !== null}
      canPreview={project.source.kind === "git"}
      canUpload={isUpload}
      mayEdit={mayActAs(member.role, "editor")}
      filled={{ branch: field(form, "branch") }}
      newer={cursor && deploymentsHref(visit)}
      older={hasMore ? `${deploymentsHref(visit)}?before=${rows.at(-1)!.id}` : undefined}
      url={service.settings.url}
      errors={errors}
    />,
  );
}

async function showOne(visit: ProjectVisit, errors?: FormErrors) {
  const { service, scope, member, project } = visit;
  const row = await deploymentOf(visit);
  const isLive = project.live_deployment_id === row.id;
  const live =
    isLive || project.live_deployment_id === null
      ? undefined
      : await getDeployment(service, scope, project.live_deployment_id);

  return page(
    `Deployment ${row.number}`,
    <Deployment
      ids={{ organizationId: member.organizationId, projectId: project.id }}
      deployment={{
        ...deploymentView(service, row),
        problems: row.problems,
        logs: row.logs,
        logTimes: row.log_times ?? [],
      }}
      liveNumber={isLive ? row.number : live?.number}
      comparison={await comparisonProps(visit, row.id)}
      mayEdit={mayActAs(member.role, "editor")}
      errors={errors}
    />,
  );
}

async function comparisonProps({ service, project }: ProjectVisit, deploymentId: string) {
  const comparison = await comparisonOf(service, deploymentId);
  if (!comparison) return undefined;
  const { lost = [], gained = [] } = "missing" in comparison ? {} : (comparison.answers ?? {});
  return {
    comparison,
    lost: await questionTexts(service, project.id, lost),
    gained: await questionTexts(service, project.id, gained),
  };
}

async function askToPurge(visit: ProjectVisit, errors?: FormErrors) {
  const { id, number } = await deploymentOf(visit);
  return page(
    "Delete deployment",
    <Confirm
      title={`Delete deployment ${number}?`}
      name={String(number)}
      action={deploymentsHref(visit, `/${id}/purge`)}
      button="Delete deployment"
      backTo={deploymentsHref(visit, `/${id}`)}
      errors={errors}
    >
      Its pages and source files will be permanently deleted, and you won't be able to roll back to it. The
      deployment will stay in the list until it's 90 days old.
    </Confirm>,
  );
}
