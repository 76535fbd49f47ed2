import type { Service } from "../core/service.ts";
import type { Commit } from "../core/tables.ts";
import type { Handlers } from "../http/call.ts";
import { once } from "../http/once.ts";
import type * as contract from "./contract.ts";
import { currentSummary } from "./deployment-summary.ts";
import {
  cancel,
  type DeploymentRow,
  deploymentUrl,
  getDeployment,
  listDeployments,
  triggerDeployment,
} from "./deployments.ts";
import { liveState } from "./live-state.ts";
import { addBranchPreview, purgeOldPreviews } from "./previews.ts";
import { purge } from "./purge-deployment.ts";
import { rollBack } from "./roll-back.ts";
import { receiveUpload } from "./upload.ts";

/** Value of `Retry-After` in responses to requests that create a deployment. */
const statusPoll_s = 2;

export const deploymentHandlers: Handlers<
  Pick<
    typeof contract,
    | "createDeployment"
    | "listDeployments"
    | "getDeployment"
    | "cancelDeployment"
    | "rollBack"
    | "purge"
    | "update"
    | "updateStatus"
    | "preview"
  >
> = {
  createDeployment(call) {
    const { service, scope, params, query, body } = call;
    const trigger = query.trigger ?? "upload";
    const publishWithErrors = query.publishWithErrors === "true";
    return receiveUpload(service, scope, params.projectId, body, { trigger, publishWithErrors }, (upload) =>
      once(call, {
        operationId: "createDeployment",
        organizationId: scope.organizationId,
        input: [upload.sha256, trigger, publishWithErrors],
        prepare: () => upload.store(),
        run: async (service) =>
          showDeployment(service, await getDeployment(service, scope, await upload.deploy(service))),
        headers: ({ id }) => ({
          location: `/v1/deployments/${id}`,
          "retry-after": String(statusPoll_s),
        }),
      }),
    );
  },
  async listDeployments({ service, scope, params, query }) {
    const { rows, hasMore } = await listDeployments(service, scope, params.projectId, query);
    return {
      deployments: rows.map((row) => showDeployment(service, row)),
      nextCursor: hasMore ? rows.at(-1)!.id : null,
      hasMore,
    };
  },
  getDeployment: async ({ service, scope, params }) =>
    showDeployment(service, await getDeployment(service, scope, params.id)),
  async cancelDeployment({ service, scope, params }) {
    await cancel(service, scope, params.id);
    return showDeployment(service, await getDeployment(service, scope, params.id));
  },
  rollBack: async ({ service, scope, params }) =>
    showDeployment(service, await rollBack(service, scope, params.id)),
  async purge({ service, scope, params }) {
    await purge(service, scope, params.id);
    return undefined;
  },
  update: (call) =>
    once(call, {
      operationId: "triggerUpdate",
      organizationId: call.scope.organizationId,
      run: async (service) => ({
        statusId: await triggerDeployment(service, call.scope, call.params.projectId, "api"),
      }),
      headers: ({ statusId }) => statusHeaders(statusId),
    }),
  async updateStatus({ service, scope, params }) {
    const row = await getDeployment(service, scope, params.statusId);
    const { commit } = row;
    return {
      _id: row.id,
      projectId: row.project_id,
      createdAt: row.created_at.toISOString(),
      endedAt: row.ended_at?.toISOString() ?? null,
      status: row.status,
      liveState: liveState(row),
      summary: currentSummary(row),
      logs: row.logs,
      subdomain: row.subdomain,
      author: commit?.author ? { name: commit.author } : null,
      commit: commit && { ...shownCommit(commit), filesChanged: commit.filesChanged ?? null },
      source: row.trigger === "start" ? "internal" : row.trigger === "dashboard" ? "dashboard" : "api",
    };
  },
  async preview(call) {
    const { scope, params, body } = call;
    const reply = await once(call, {
      operationId: "triggerPreview",
      organizationId: scope.organizationId,
      async run(service) {
        const { id, url } = await addBranchPreview(service, scope, params.projectId, body.branch, "api");
        return { statusId: id, previewUrl: url };
      },
      headers: ({ statusId }) => statusHeaders(statusId),
    });

    await purgeOldPreviews(call.service, scope, params.projectId, body.branch);
    return reply;
  },
};

function statusHeaders(statusId: string): Record<string, string> {
  return { location: `/v1/project/update-status/${statusId}`, "retry-after": String(statusPoll_s) };
}

function shownCommit({ sha, ref, message, author }: Commit) {
  return { sha, ref, message, author };
}

function showDeployment(service: Service, row: DeploymentRow) {
  return {
    id: row.id,
    projectId: row.project_id,
    status: row.status,
    isLive: row.live_deployment_id === row.id,
    liveState: liveState(row),
    trigger: row.trigger,
    url: deploymentUrl(service, row),
    branch: row.preview_branch,
    commit: row.commit && shownCommit(row.commit),
    summary: currentSummary(row),
    pageCount: row.page_count,
    problems: row.problems,
    logs: row.logs,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}
