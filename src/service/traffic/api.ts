import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";
import { viewsByPage, visitorsByPage } from "./traffic.ts";

export const trafficHandlers: Handlers<Pick<typeof contract, "listViews" | "listVisitors">> = {
  async listViews({ service, scope, params, query }) {
    const { rows, ...page } = await viewsByPage(service, scope, params.projectId, query);
    return { views: rows, ...page };
  },
  async listVisitors({ service, scope, params, query }) {
    const { rows, ...page } = await visitorsByPage(service, scope, params.projectId, query);
    return { visitors: rows, ...page };
  },
};
