/** Projects of an organization: list and create. */

import { mayActAs } from "../core/identity.ts";
import { page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { organizationRoute } from "../ui/route.ts";
import type { MemberVisit } from "../ui/visit.ts";
import { NewProject } from "./new-project-view.tsx";
import { createProject, projectUrl } from "./projects.ts";
import { Projects } from "./projects-view.tsx";
import { sourceOf } from "./repository-fields.ts";

export const organizationRoutes = [
  organizationRoute("GET /", "showOrganization", "viewer", async ({ member, projects, service: { settings } }) =>
    page(
      "Projects",
      <Projects
        organization={{ id: member.organizationId, name: member.organizationName, plan: member.plan }}
        projects={projects.map((row) => ({
          id: row.id,
          name: row.name,
          url: projectUrl(settings, row),
          isLive: row.live_deployment_id !== null,
        }))}
        mayAdd={mayActAs(member.role, "admin")}
      />,
    ),
  ),
  organizationRoute("GET /projects/new", "showNewProject", "admin", async (visit) => showNew(visit)),
  organizationRoute("POST /projects", "createProject", "admin", (visit) =>
    rerenderOnError(
      async () => {
        const { service, member, form } = visit;
        const source = sourceOf(form);
        const created = await createProject(service, member.organizationId, {
          name: field(form, "name"),
          subdomain: field(form, "subdomain"),
          ...(source ? { source } : {}),
        });
        return redirect(projectHref(member.organizationId, created.id), "project-made");
      },
      (errors) => showNew(visit, errors),
    ),
  ),
];

function showNew({ member, service, form }: MemberVisit, errors?: FormErrors) {
  const filled = {
    name: field(form, "name"),
    subdomain: field(form, "subdomain"),
    url: field(form, "url"),
    branch: field(form, "branch") || "main",
    directory: field(form, "directory"),
  };
  const organization = { id: member.organizationId, name: member.organizationName };
  return page(
    "New project",
    <NewProject organization={organization} sitesDomain={service.settings.sitesDomain} filled={filled} errors={errors} />,
  );
}
