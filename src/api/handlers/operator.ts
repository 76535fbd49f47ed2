import { createApiKey, listApiKeys, revokeApiKey } from "../../platform/access/keys.ts";
import { invitationPath, invite } from "../../platform/accounts/invitations.ts";
import { listDomains, vouchForDomain } from "../../platform/organizations/domains.ts";
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
} from "../../platform/organizations/organizations.ts";
import { createProject, deleteProject, listProjects, projectOwner } from "../../platform/organizations/projects.ts";
import type { Handlers } from "../call.ts";
import { showDomain, showProject } from "./projects.ts";

export const operatorHandlers: Handlers<
  | "createOrganization"
  | "listOrganizations"
  | "getOrganization"
  | "changeOrganization"
  | "deleteOrganization"
  | "createInvitation"
  | "createKey"
  | "listKeys"
  | "revokeKey"
  | "createProject"
  | "listOrganizationProjects"
  | "deleteProject"
  | "addOperatorDomain"
  | "listOperatorDomains"
> = {
  createOrganization: async ({ service, body }) => showOrganization(await createOrganization(service, body)),
  listOrganizations: async ({ service }) => ({ organizations: (await listOrganizations(service)).map(showOrganization) }),
  getOrganization: async ({ service, params }) => showOrganization(await getOrganization(service, params.organizationId)),
  changeOrganization: async ({ service, params, body }) => showOrganization(await changeOrganization(service, params.organizationId, body)),
  async deleteOrganization({ service, params }) {
    await deleteOrganization(service, params.organizationId);
    return undefined;
  },
  async createInvitation({ service, params, body }) {
    const { id, token } = await invite(service, params.organizationId, body);
    return { id, url: service.settings.url + invitationPath(token) };
  },
  async createKey({ service, params, body }) {
    await getOrganization(service, params.organizationId);
    const { row, key } = await createApiKey(service, params.organizationId, body);
    return { ...showKey(row), key };
  },
  async listKeys({ service, params }) {
    await getOrganization(service, params.organizationId);
    return { keys: (await listApiKeys(service, params.organizationId)).map(showKey) };
  },
  async revokeKey({ service, params }) {
    await revokeApiKey(service, params.organizationId, params.keyId);
    return undefined;
  },
  createProject: async ({ service, params, body }) => showProject(service, await createProject(service, params.organizationId, body)),
  async listOrganizationProjects({ service, params }) {
    await getOrganization(service, params.organizationId);
    return { projects: (await listProjects(service, params)).map((row) => showProject(service, row)) };
  },
  async deleteProject({ service, params }) {
    await deleteProject(service, params.projectId);
    return undefined;
  },
  async addOperatorDomain({ service, params, body }) {
    const owner = await projectOwner(service, params.projectId);
    return showDomain(await vouchForDomain(service, owner, params.projectId, body.domain, body.replace ?? false));
  },
  async listOperatorDomains({ service, params }) {
    const owner = await projectOwner(service, params.projectId);
    return { domains: (await listDomains(service, owner, params.projectId)).map(showDomain) };
  },
};

function showOrganization(row: Awaited<ReturnType<typeof getOrganization>>) {
  return { id: row.id, name: row.name, plan: row.plan, createdAt: row.created_at.toISOString() };
}

function showKey(row: Omit<Awaited<ReturnType<typeof listApiKeys>>[number], "maker" | "maker_role"> & { maker?: string | null }) {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    projectId: row.project_id,
    lastFour: row.last_four,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    groups: row.groups,
    createdBy: row.maker ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
