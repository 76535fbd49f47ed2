import { listAudit } from "../../platform/access/audit.ts";
import { rebuildLive } from "../../platform/deployments/deployments.ts";
import { addDomain, listDomains, recordName, removeDomain, verifyDomain } from "../../platform/organizations/domains.ts";
import {
  changeProject,
  getProject,
  listProjects,
  type ProjectRow,
  projectUrl,
  sourceShown,
} from "../../platform/organizations/projects.ts";
import type { Service } from "../../platform/service.ts";
import type { AssistantSettings } from "../../platform/tables.ts";
import type { Handlers } from "../call.ts";

export const projectHandlers: Handlers<
  "listProjects" | "getProject" | "changeProject" | "addDomain" | "listDomains" | "verifyDomain" | "removeDomain" | "listAudit"
> = {
  async listProjects({ service, scope }) {
    return { projects: (await listProjects(service, scope)).map((row) => showProject(service, row)) };
  },
  async getProject({ service, scope, params }) {
    return showProject(service, await getProject(service, scope, params.projectId));
  },
  async changeProject({ service, scope, params, body }) {
    const row = await changeProject(service, scope, params.projectId, body);
    // Who may read what is worked out by a build.
    if (body.signIn) await rebuildLive(service, scope, params.projectId);
    return showProject(service, row);
  },
  async addDomain({ service, scope, params, body }) {
    return showDomain(await addDomain(service, scope, params.projectId, body.domain));
  },
  async listDomains({ service, scope, params }) {
    return { domains: (await listDomains(service, scope, params.projectId)).map(showDomain) };
  },
  async verifyDomain({ service, scope, params }) {
    return showDomain(await verifyDomain(service, scope, params.projectId, params.domain));
  },
  async removeDomain({ service, scope, params }) {
    await removeDomain(service, scope, params.projectId, params.domain);
    return undefined;
  },
  async listAudit({ service, scope, query }) {
    const { entries, hasMore } = await listAudit(service.db, scope, query);
    return {
      entries: entries.map((row) => ({
        number: row.number,
        at: row.at.toISOString(),
        actor: row.actor,
        action: row.action,
        target: row.target,
        outcome: row.outcome,
        requestId: row.request_id,
        address: row.address,
        metadata: row.metadata,
        hash: row.hash.toString("hex"),
      })),
      hasMore,
    };
  },
};

export function showProject({ settings }: Service, row: ProjectRow) {
  return {
    id: row.id,
    name: row.name,
    subdomain: row.subdomain,
    url: projectUrl(settings, row),
    source: sourceShown(row.source),
    signIn: { mode: row.sign_in?.mode ?? ("none" as const) },
    assistant: { enabled: row.assistant?.isEnabled !== false, model: shownModel(row.assistant) },
    liveDeploymentId: row.live_deployment_id,
    domains: row.domains,
    createdAt: row.created_at.toISOString(),
  };
}

/** The key is for the model only. */
function shownModel(settings: AssistantSettings | null) {
  if (!settings?.model) return null;
  const { provider, baseUrl, name } = settings.model;
  return { provider, baseUrl, name };
}

export function showDomain(row: Awaited<ReturnType<typeof addDomain>>) {
  return {
    id: row.domain,
    domain: row.domain,
    projectId: row.project_id,
    verifiedAt: row.verified_at?.toISOString() ?? null,
    verification: { type: "TXT" as const, name: recordName(row.domain), value: row.verification_token },
  };
}
