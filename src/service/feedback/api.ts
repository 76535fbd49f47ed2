import { ulidTime } from "../../base/ulid.ts";
import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";
import { type FeedbackRow, feedbackByPage, listFeedback } from "./feedback.ts";

export const feedbackHandlers: Handlers<Pick<typeof contract, "listFeedback" | "listFeedbackByPage">> = {
  async listFeedback({ service, scope, params, query }) {
    const { rows, hasMore } = await listFeedback(service, scope, params.projectId, query);
    return { feedback: rows.map(showFeedback), nextCursor: hasMore ? rows.at(-1)!.id : null, hasMore };
  },
  async listFeedbackByPage({ service, scope, params, query }) {
    const { rows, ...page } = await feedbackByPage(service, scope, params.projectId, query);
    return { feedback: rows, ...page };
  },
};

function showFeedback(row: FeedbackRow) {
  const { id, path, comment, status } = row;
  const base = { id, path, comment, createdAt: new Date(ulidTime(id)).toISOString(), status };
  switch (row.source) {
    case "contextual":
      return {
        ...base,
        source: row.source,
        helpful: row.helpful === true,
        reason: row.reason,
        contact: row.contact,
      };
    case "code_snippet":
      return { ...base, source: row.source, code: row.code ?? "", filename: row.filename, lang: row.lang };
    default:
      return { ...base, source: row.source };
  }
}
