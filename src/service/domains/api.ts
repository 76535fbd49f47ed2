import { pageOf } from "../core/list-page.ts";
import type { Handlers } from "../http/call.ts";
import { once } from "../http/once.ts";
import { projectOwner } from "../projects/projects.ts";
import type * as contract from "./contract.ts";
import { recordName } from "./dns-records.ts";
import { addDomain, addVerifiedDomain, listDomains, removeDomain, verifyDomain } from "./domains.ts";

export const domainHandlers: Handlers<
  Pick<
    typeof contract,
    | "addDomain"
    | "listDomains"
    | "verifyDomain"
    | "removeDomain"
    | "addOperatorDomain"
    | "listOperatorDomains"
  >
> = {
  addDomain: (call) =>
    once(call, {
      operationId: "addDomain",
      organizationId: call.scope.organizationId,
      run: async (service) =>
        showDomain(await addDomain(service, call.scope, call.params.projectId, call.body.domain)),
    }),
  async listDomains({ service, scope, params, query }) {
    return domainPage(await listDomains(service, scope, params.projectId), query);
  },
  async verifyDomain({ service, scope, params }) {
    return showDomain(await verifyDomain(service, scope, params.projectId, params.domain));
  },
  async removeDomain({ service, scope, params }) {
    await removeDomain(service, scope, params.projectId, params.domain);
    return undefined;
  },
  async addOperatorDomain({ service, params, body }) {
    const owner = await projectOwner(service, params.projectId);
    return showDomain(
      await addVerifiedDomain(service, owner, params.projectId, body.domain, body.replace ?? false),
    );
  },
  async listOperatorDomains({ service, params, query }) {
    const owner = await projectOwner(service, params.projectId);
    return domainPage(await listDomains(service, owner, params.projectId), query);
  },
};

function domainPage(all: Parameters<typeof showDomain>[0][], query: Parameters<typeof pageOf>[2]) {
  const { rows, ...page } = pageOf(all, ({ domain }) => domain, query);
  return { domains: rows.map(showDomain), ...page };
}

function showDomain(row: Awaited<ReturnType<typeof addDomain>>) {
  return {
    id: row.domain,
    domain: row.domain,
    projectId: row.project_id,
    verifiedAt: row.verified_at?.toISOString() ?? null,
    verification: { type: "TXT" as const, name: recordName(row.domain), value: row.verification_token },
  };
}
