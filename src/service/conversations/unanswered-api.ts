import { ulidTime } from "../../base/ulid.ts";
import type { Handlers } from "../http/call.ts";
import { decideUnanswered, listUnanswered, type UnansweredGroup } from "./unanswered.ts";
import type * as contract from "./unanswered-contract.ts";

export const unansweredHandlers: Handlers<Pick<typeof contract, "listUnanswered" | "changeUnanswered">> = {
  async listUnanswered({ service, scope, params, query }) {
    const { groups, countedFrom, ...page } = await listUnanswered(service, scope, params.projectId, query);
    return { groups: groups.map(showGroup), ...page, countedFrom: countedFrom ?? null };
  },
  async changeUnanswered({ service, scope, params, body }) {
    const { status, assigneeId = null, answerPath = null } = body;
    await decideUnanswered(service, scope, params.projectId, params.questionId, {
      status,
      assigneeId,
      answerPath,
    });
    return undefined;
  },
};

function showGroup(group: UnansweredGroup) {
  const timestamp = (id: string) => new Date(ulidTime(id)).toISOString();
  return {
    id: group.last,
    terms: group.key,
    question: group.example,
    count: group.count,
    firstAskedAt: timestamp(group.first),
    lastAskedAt: timestamp(group.last),
    pages: group.pages,
    sections: group.sections,
    status: group.status,
    isReopened: group.is_reopened,
    assignee: group.assignee,
    answerPath: group.answer_path,
  };
}
