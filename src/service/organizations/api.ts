import { pageOf } from "../core/list-page.ts";
import type { Handlers } from "../http/call.ts";
import { once } from "../http/once.ts";
import type * as contract from "./contract.ts";
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
} from "./organizations.ts";

export const organizationHandlers: Handlers<
  Pick<
    typeof contract,
    | "createOrganization"
    | "listOrganizations"
    | "getOrganization"
    | "changeOrganization"
    | "deleteOrganization"
  >
> = {
  createOrganization: (call) =>
    once(call, {
      operationId: "createOrganization",
      organizationId: undefined,
      run: async (service) => showOrganization(await createOrganization(service, call.body)),
    }),
  async listOrganizations({ service, query }) {
    const { rows, ...page } = pageOf(await listOrganizations(service), ({ id }) => id, query);
    return { organizations: rows.map(showOrganization), ...page };
  },
  getOrganization: async ({ service, params }) =>
    showOrganization(await getOrganization(service, params.organizationId)),
  changeOrganization: async ({ service, params, body }) =>
    showOrganization(await changeOrganization(service, params.organizationId, body)),
  async deleteOrganization({ service, params }) {
    await deleteOrganization(service, params.organizationId);
    return undefined;
  },
};

function showOrganization(row: Awaited<ReturnType<typeof getOrganization>>) {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    defaultRole: row.default_role,
    requiresConfirmedSignIn: row.requires_proved_methods,
    createdAt: row.created_at.toISOString(),
  };
}
