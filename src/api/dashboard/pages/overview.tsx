/** A project at a glance. */
import { Overview } from "../../../dashboard/pages/overview.tsx";
import { mayActAs } from "../../../platform/accounts/members.ts";
import { getDeployment, listDeployments } from "../../../platform/deployments/deployments.ts";
import { siteUrl } from "../../../platform/service.ts";
import { page } from "../answer.ts";
import { projectRoute } from "../route.ts";
import { deploymentView } from "./deployments.tsx";

const deployments_count = 5;

export const overviewRoutes = [
  projectRoute("GET /", "showProject", "viewer", async ({ service, scope, member, project }) => {
    const { settings } = service;
    const { rows } = await listDeployments(service, scope, project.id, { limit: deployments_count });
    const live = project.live_deployment_id === null ? undefined : await getDeployment(service, scope, project.live_deployment_id);
    return page(
      "Overview",
      <Overview
        place={{ organizationId: member.organizationId, projectId: project.id }}
        name={project.name}
        url={siteUrl(settings, project.domains[0] ?? `${project.subdomain}.${settings.sitesDomain}`)}
        live={live && deploymentView(service, live)}
        deployments={rows.map((row) => deploymentView(service, row))}
        hasSource={project.source.kind !== "upload"}
        mayEdit={mayActAs(member.role, "editor")}
        apiUrl={settings.url}
      />,
    );
  }),
];
