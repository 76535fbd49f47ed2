import { ulidTime } from "../../base/ulid.ts";
import { callerStats } from "../../platform/conversations/caller-stats.ts";
import { type FeedbackRow, feedbackByPage, listFeedback } from "../../platform/feedback/feedback.ts";
import { topSearches } from "../../platform/searches/top-searches.ts";
import { viewsByPage, visitorsByPage } from "../../platform/traffic/traffic.ts";
import type { Handlers } from "../call.ts";

export const analyticsHandlers: Handlers<
  "getCallerStats" | "listFeedback" | "listFeedbackByPage" | "listSearches" | "listViews" | "listVisitors"
> = {
  getCallerStats: ({ service, scope, params, query }) => callerStats(service, scope, params.projectId, query),
  async listFeedback({ service, scope, params, query }) {
    const { rows, hasMore } = await listFeedback(service, scope, params.projectId, query);
    return { feedback: rows.map(showFeedback), nextCursor: hasMore ? rows.at(-1)!.id : null, hasMore };
  },
  async listFeedbackByPage({ service, scope, params, query }) {
    const { rows, hasMore } = await feedbackByPage(service, scope, params.projectId, query);
    return { feedback: rows, hasMore };
  },
  async listSearches({ service, scope, params, query }) {
    const { searches, ...page } = await topSearches(service, scope, params.projectId, query);
    return {
      searches: searches.map(({ lastSearchedAt, ...search }) => ({ ...search, lastSearchedAt: lastSearchedAt.toISOString() })),
      ...page,
    };
  },
  async listViews({ service, scope, params, query }) {
    const { rows, ...page } = await viewsByPage(service, scope, params.projectId, query);
    return { views: rows, ...page };
  },
  async listVisitors({ service, scope, params, query }) {
    const { rows, ...page } = await visitorsByPage(service, scope, params.projectId, query);
    return { visitors: rows, ...page };
  },
};

function showFeedback(row: FeedbackRow) {
  const { id, path, comment, status } = row;
  const base = { id, path, comment, createdAt: new Date(ulidTime(id)).toISOString(), status };
  switch (row.source) {
    case "contextual":
      return { ...base, source: row.source, helpful: row.helpful === true, contact: row.contact };
    case "code_snippet":
      return { ...base, source: row.source, code: row.code ?? "", filename: row.filename, lang: row.lang };
    default:
      return { ...base, source: row.source };
  }
}
