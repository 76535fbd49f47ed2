import { pageOf } from "../core/list-page.ts";
import type { Handlers } from "../http/call.ts";
import { once } from "../http/once.ts";
import { getOrganization } from "../organizations/organizations.ts";
import type * as contract from "./contract.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "./keys.ts";

export const keyHandlers: Handlers<Pick<typeof contract, "createKey" | "listKeys" | "revokeKey">> = {
  async createKey(call) {
    const { organizationId } = call.params;
    await getOrganization(call.service, organizationId);
    return once(call, {
      operationId: "createKey",
      organizationId,
      async run(service) {
        const { row, key } = await createApiKey(service, organizationId, call.body);
        return { ...showKey(row), key };
      },
    });
  },
  async listKeys({ service, params, query }) {
    await getOrganization(service, params.organizationId);
    const all = await listApiKeys(service, params.organizationId);
    const { rows, ...page } = pageOf(all, ({ id }) => id, query, true);
    return { keys: rows.map(showKey), ...page };
  },
  async revokeKey({ service, params }) {
    await revokeApiKey(service, params.organizationId, params.keyId);
    return undefined;
  },
};

function showKey(
  row: Omit<Awaited<ReturnType<typeof listApiKeys>>[number], "creator" | "creator_role"> & {
    creator?: string | null;
  },
) {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    projectId: row.project_id,
    lastFour: row.last_four,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    groups: row.groups,
    createdBy: row.creator ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
