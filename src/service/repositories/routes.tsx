/** Dashboard routes for a project's repository: webhook and deliveries. */

import { notFound } from "../../base/app-error.ts";
import { ownRepositoryUrl } from "../core/git-source.ts";
import { readRepository } from "../storage/git-copies.ts";
import { page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { isPolled, rotateWebhookSecret, webhookPath } from "./connection.ts";
import { changeMirror, mirrorState } from "./mirror.ts";
import { OwnRepository } from "./own-repository-view.tsx";
import { storedFields } from "./repository-form.tsx";
import { Repository } from "./repository-view.tsx";
import { listDeliveries } from "./webhook-deliveries.ts";

export const repositoryRoutes = [
  projectRoute("GET /settings/repository", "showRepository", "admin", (visit) => show(visit)),
  projectRoute(
    "POST /settings/repository/secret",
    "rotateWebhookSecret",
    "admin",
    async ({ service, scope, project }) => {
      if (!project.connection) throw notFound();
      await rotateWebhookSecret(service, scope, project);
      return redirect(
        projectHref(scope.organizationId, project.id, "/settings/repository"),
        "webhook-secret-replaced",
      );
    },
  ),
  projectRoute("POST /settings/repository/mirror", "changeProject", "admin", (visit) =>
    rerenderOnError(
      async () => {
        const { service, scope, project, form } = visit;
        const [url, token] = [field(form, "url"), field(form, "token")];
        visit.recorded.changed = ["mirror"];
        const mirror = url === "" ? null : { url, ...(token === "" ? {} : { token }) };
        await changeMirror(service, scope, project, mirror);
        return redirect(
          projectHref(scope.organizationId, project.id, "/settings/repository"),
          "settings-saved",
        );
      },
      (errors) => showOwnRepository(visit, errors),
    ),
  ),
];

async function show(visit: ProjectVisit) {
  const { service, scope, project } = visit;
  const { source, connection } = project;
  if (source.kind === "upload") return showOwnRepository(visit);
  if (source.kind !== "git" || !connection)
    return redirect(projectHref(scope.organizationId, project.id, "/settings"));
  const { url, branch, directory } = storedFields(project);
  return page(
    "Repository",
    <Repository
      ids={{ organizationId: scope.organizationId, projectId: project.id }}
      repository={{ url, branch, directory }}
      webhook={{ url: `${service.settings.url}${webhookPath(project.id)}`, secret: connection.webhookSecret }}
      isPolled={await isPolled(service, scope, project.id)}
      deliveries={await listDeliveries(service, project.id)}
    />,
  );
}

async function showOwnRepository({ service, scope, project, form }: ProjectVisit, errors?: FormErrors) {
  const { branch, refs, packs } = await readRepository(service.db, project.id);
  return page(
    "Repository",
    <OwnRepository
      ids={{ organizationId: scope.organizationId, projectId: project.id }}
      url={ownRepositoryUrl(service.settings, project)}
      folder={project.subdomain}
      branch={branch}
      branchCount={Object.keys(refs).filter((ref) => ref.startsWith("refs/heads/")).length}
      bytes={packs.reduce((sum, pack) => sum + pack.bytes, 0)}
      mirror={{
        url: errors ? field(form, "url") : (project.mirror?.url ?? ""),
        hasToken: project.mirror?.token !== undefined,
        ...(await mirrorState(service.db, project.id)),
      }}
      errors={errors}
    />,
  );
}
