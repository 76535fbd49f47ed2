import { fieldThat, invalid } from "../../base/app-error.ts";
import { readUlid } from "../../base/ulid.ts";
import type { Handlers } from "../http/call.ts";
import { callerStats } from "./caller-stats.ts";
import type * as contract from "./contract.ts";
import { deleteMessage, listMessages, type MessageRow, timestampOf } from "./conversations.ts";
import { getThread } from "./find-conversations.ts";
import { importConversations } from "./import-conversations.ts";

export const conversationHandlers: Handlers<
  Pick<
    typeof contract,
    "listConversations" | "getThread" | "importConversations" | "deleteConversation" | "getCallerStats"
  >
> = {
  async listConversations({ service, scope, params, query }) {
    const { rows, hasMore } = await listMessages(service, scope, params.projectId, query);
    return { conversations: rows.map(showMessage), nextCursor: hasMore ? rows.at(-1)!.id : null, hasMore };
  },
  async getThread({ service, scope, params }) {
    if (readUlid(params.threadId) === undefined)
      throw invalid(
        "Invalid conversation",
        fieldThat("threadId", "must be the ID of a conversation or message"),
      );
    const rows = await getThread(service, scope, params.projectId, params.threadId);
    const createdAt = timestampOf(rows[0]!);
    return {
      threadId: rows[0]!.thread_id,
      createdAt,
      messages: rows.flatMap((row) => [
        { id: row.id, role: "user" as const, content: row.query, createdAt: timestampOf(row) },
        {
          id: `${row.id}-answer`,
          role: "assistant" as const,
          content: row.response,
          createdAt: timestampOf(row),
        },
      ]),
    };
  },
  async deleteConversation({ service, scope, params }) {
    await deleteMessage(service, scope, params.projectId, params.id);
    return undefined;
  },
  getCallerStats: ({ service, scope, params, query }) => callerStats(service, scope, params.projectId, query),
  importConversations: ({ service, scope, params, body }) =>
    importConversations(service, scope, params.projectId, body),
};

function showMessage(row: MessageRow) {
  return {
    id: row.id,
    timestamp: timestampOf(row),
    query: row.query,
    response: row.response,
    sources: row.sources,
    resolutionStatus: row.resolution_status,
    queryCategory: row.query_category,
    pageUrl: row.page_url,
    conversationId: row.thread_id,
    ...(row.response_type === null ? {} : { responseType: row.response_type }),
  };
}
