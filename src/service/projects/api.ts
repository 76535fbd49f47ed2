import { pageOf } from "../core/list-page.ts";
import type { Service } from "../core/service.ts";
import type { AssistantSettings, ProjectRow } from "../core/tables.ts";
import { rebuildLive } from "../deployments/deployments.ts";
import type { Call, Handlers } from "../http/call.ts";
import { once } from "../http/once.ts";
import { getOrganization } from "../organizations/organizations.ts";
import type * as contract from "./contract.ts";
import {
  changeProject,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  projectUrl,
  withoutCredentials,
} from "./projects.ts";

export const projectHandlers: Handlers<
  Pick<
    typeof contract,
    | "listProjects"
    | "getProject"
    | "changeProject"
    | "createOwnProject"
    | "createProject"
    | "listOrganizationProjects"
    | "deleteProject"
  >
> = {
  async listProjects({ service, scope, query }) {
    const { rows, ...page } = pageOf(await listProjects(service, scope), ({ id }) => id, query);
    return { projects: rows.map((row) => showProject(service, row)), ...page };
  },
  async getProject({ service, scope, params }) {
    return showProject(service, await getProject(service, scope, params.projectId));
  },
  async changeProject({ service, scope, params, body }) {
    const row = await changeProject(service, scope, params.projectId, body);
    // Page access is determined at build time.
    if (body.signIn) await rebuildLive(service, scope, params.projectId);
    return showProject(service, row);
  },
  createOwnProject: (call) => create(call, "createOwnProject", call.scope.organizationId),
  createProject: (call) => create(call, "createProject", call.params.organizationId),
  async listOrganizationProjects({ service, params, query }) {
    await getOrganization(service, params.organizationId);
    const { rows, ...page } = pageOf(await listProjects(service, params), ({ id }) => id, query);
    return { projects: rows.map((row) => showProject(service, row)), ...page };
  },
  async deleteProject({ service, params }) {
    await deleteProject(service, params.projectId);
    return undefined;
  },
};

function create(
  call: Call<typeof contract.createProject> | Call<typeof contract.createOwnProject>,
  operationId: string,
  organizationId: string,
) {
  return once(call, {
    operationId,
    organizationId,
    run: async (service) => showProject(service, await createProject(service, organizationId, call.body)),
  });
}

function showProject({ settings }: Service, row: ProjectRow) {
  return {
    id: row.id,
    name: row.name,
    subdomain: row.subdomain,
    url: projectUrl(settings, row),
    source: withoutCredentials(row.source),
    signIn: { mode: row.sign_in?.mode ?? ("none" as const) },
    assistant: { enabled: row.assistant?.isEnabled !== false, model: shownModel(row.assistant) },
    publishWithErrors: row.publish_with_errors,
    mirror: row.mirror && { url: row.mirror.url },
    liveDeploymentId: row.live_deployment_id,
    domains: row.domains,
    createdAt: row.created_at.toISOString(),
  };
}

/** Returns the project's own model without its API key. Null if there is none. */
function shownModel(settings: AssistantSettings | null) {
  if (!settings?.model) return null;
  const { provider, baseUrl, name } = settings.model;
  return { provider, baseUrl, name };
}
