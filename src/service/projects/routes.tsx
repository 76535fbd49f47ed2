/** Dashboard routes for an organization's projects: list and create. */

import { mayActAs } from "../core/identity.ts";
import { defaultHost, siteUrl } from "../core/service.ts";
import { triggerDeployment } from "../deployments/deployments.ts";
import { siteStates } from "../deployments/site-state.ts";
import {
  checkFields,
  type RepositoryFields,
  readRepository,
  storedFields,
  submittedFields,
} from "../repositories/repository-form.tsx";
import { page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { organizationRoute } from "../ui/route.ts";
import type { MemberVisit } from "../ui/visit.ts";
import { NewProject } from "./new-project-view.tsx";
import { createProject, projectUrl } from "./projects.ts";
import { Projects } from "./projects-view.tsx";

export const organizationRoutes = [
  organizationRoute(
    "GET /",
    "showOrganization",
    "viewer",
    async ({ member, projects, service: { db, settings } }) => {
      const states = await siteStates(db, member);
      return page(
        "Projects",
        <Projects
          organization={{ id: member.organizationId, name: member.organizationName, plan: member.plan }}
          projects={projects.map((row) => ({
            id: row.id,
            name: row.name,
            url: projectUrl(settings, row),
            ...states.get(row.id),
          }))}
          mayAdd={mayActAs(member.role, "admin")}
        />,
      );
    },
  ),
  organizationRoute("GET /projects/new", "showNewProject", "admin", async (visit) => showNew(visit)),
  organizationRoute(
    "POST /projects",
    "createProject",
    "admin",
    async (visit) => {
      const { service, scope, form } = visit;
      const submitted = readRepository(service, scope.organizationId, form);
      const { source, change } = submitted;
      if (source && !form.has("createAnyway")) {
        const checked = await checkFields(service, scope.organizationId, submitted, undefined);
        if (checked.check?.result !== "connected")
          return { ...showNew(visit, undefined, checked), status: 400 };
      }

      const created = await createProject(service, scope.organizationId, {
        name: field(form, "name"),
        subdomain: field(form, "subdomain"),
        ...(source ? { source, connection: change } : {}),
      });

      visit.recorded.projectId = created.id;
      const projectPath = projectHref(scope.organizationId, created.id);
      if (!source) return redirect(projectPath, "project-created");

      const deploymentId = await triggerDeployment(service, scope, created.id, "dashboard");
      return redirect(`${projectPath}/deployments/${deploymentId}`, "project-created");
    },
    { showErrors: showNew },
  ),
  organizationRoute(
    "POST /projects/check",
    "checkNewRepository",
    "admin",
    async (visit) => {
      const { service, scope, form } = visit;
      const submitted = readRepository(service, scope.organizationId, form);
      return showNew(
        visit,
        undefined,
        await checkFields(service, scope.organizationId, submitted, undefined),
      );
    },
    { showErrors: showNew },
  ),
];

function showNew(
  { member, scope, service, form }: MemberVisit,
  errors?: FormErrors,
  checked?: RepositoryFields,
) {
  const submitted = readRepository(service, scope.organizationId, form);
  const empty = storedFields({ source: { kind: "upload" }, connection: null });
  return page(
    "New project",
    <NewProject
      organization={{ id: member.organizationId, name: member.organizationName }}
      siteUrlExample={siteUrl(service.settings, defaultHost(service.settings, "acme"))}
      filled={{ name: field(form, "name"), subdomain: field(form, "subdomain") }}
      repository={checked ?? submittedFields(service, scope.organizationId, submitted, empty)}
      errors={errors}
    />,
  );
}
