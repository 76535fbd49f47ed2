/** Dashboard routes for groups of similar unanswered questions: the list, a single group, and decisions about groups. */

import { invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { ulidTime } from "../../base/ulid.ts";
import { listMembers } from "../accounts/members.ts";
import { mayActAs } from "../core/identity.ts";
import { rangeOf } from "../ui/analytics-range.ts";
import { page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { analyticsDownload, type DownloadColumn, downloadFormat } from "../ui/list-download.ts";
import { field } from "../ui/read-form.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { projectRoute } from "../ui/route.ts";
import { adjacentOffsets, readSkip } from "../ui/skip-paging.ts";
import { pathOf } from "../ui/url-path.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { joinSimilar } from "./similar-groups.ts";
import {
  decideUnanswered,
  type GroupStatus,
  getUnanswered,
  listUnanswered,
  type UnansweredGroup,
  type UnansweredQuery,
} from "./unanswered.ts";
import { groupStatuses } from "./unanswered-contract.ts";
import { type GroupView, QuestionGroup, Questions } from "./unanswered-view.tsx";

export const questionRoutes = [
  projectRoute("GET /questions", "showQuestions", "viewer", showList, { recordedAs: "showQuestions" }),
  projectRoute("GET /questions/:questionId", "showQuestionGroup", "viewer", (visit) => showGroup(visit), {
    recordedAs: "showQuestionGroup",
  }),
  projectRoute("POST /questions/:questionId", "changeQuestionGroup", "editor", (visit) =>
    rerenderOnError(
      async () => {
        const { service, scope, project, params, form } = visit;
        const status = statusOf(field(form, "status"));
        if (!status) throw invalid("The questions weren't updated", "status: Select a status");
        await decideUnanswered(service, scope, project.id, params.questionId!, {
          status,
          assigneeId: field(form, "assignee") || null,
          answerPath: status === "resolved" ? readPath(field(form, "answer")) : null,
        });
        return redirect(listPath(visit), "question-group-changed");
      },
      (errors) => showGroup(visit, errors),
    ),
  ),
];

async function showList(visit: ProjectVisit) {
  const { service, scope, project, url, session } = visit;
  const range = rangeOf(url);
  const isMine = url.searchParams.get("assignee") === "me";
  const status = isMine ? undefined : (statusOf(url.searchParams.get("status") ?? "") ?? "open");
  const query = { ...range, status, assigneeId: isMine ? session.user.id : undefined };
  const format = downloadFormat(visit);
  if (format) return analyticsDownload(visit, "unanswered-questions", format, columns, allOf(visit, query));
  const [skip, limit] = [readSkip(url), limits.listPage_count];
  const { groups, hasMore, countedFrom } = await listUnanswered(service, scope, project.id, { ...query, limit, offset: skip });
  const joined = await joinSimilar(service.embedding?.embedder, groups);
  return page(
    "Unanswered questions",
    <Questions
      path={listPath(visit)}
      conversationsPath={projectHref(scope.organizationId, project.id, "/conversations")}
      range={range}
      status={status ?? "mine"}
      groups={joined.map(({ similar, ...group }) => ({ ...groupView(group), similar: similar.map(groupView) }))}
      linked={await visit.linkedPages(groups.flatMap(({ pages }) => (pages[0] ? pathOf(pages[0].url) : [])))}
      {...adjacentOffsets(skip, limit, hasMore)}
      countedFrom={countedFrom}
    />,
  );
}

async function showGroup(visit: ProjectVisit, errors?: FormErrors) {
  const { service, scope, project, url, params, member, form } = visit;
  const range = rangeOf(url);
  const group = await getUnanswered(service, scope, project.id, params.questionId!, range);
  const members = mayActAs(member.role, "editor") ? await listMembers(service, scope.organizationId) : undefined;
  return page(
    "Unanswered question",
    <QuestionGroup
      path={listPath(visit)}
      conversationsPath={projectHref(scope.organizationId, project.id, "/conversations")}
      range={range}
      group={groupView(group)}
      linked={await visit.linkedPages([...group.pages.map(({ url }) => pathOf(url)), ...(group.answer_path ? [group.answer_path] : [])])}
      form={
        members && {
          members,
          filled: form.has("status")
            ? { status: field(form, "status"), assignee: field(form, "assignee"), answer: field(form, "answer") }
            : { status: group.status, assignee: group.assignee?.id ?? "", answer: group.answer_path ?? "" },
        }
      }
      errors={errors}
    />,
  );
}

function statusOf(text: string): GroupStatus | undefined {
  return groupStatuses.find((status) => status === text);
}

/** Returns the path of a page, from a path or a URL. Null if the text is empty. Throws an AppError if it is invalid. */
function readPath(text: string): string | null {
  if (text === "") return null;
  const path = text.replace(/^https?:\/\/[^/]+(?=\/)/i, "");
  if (!/^\/[^\s\\]{0,499}$/.test(path))
    throw invalid("The questions weren't updated", "answer: Enter the page's path, such as /guides/keys");
  return path;
}

function listPath({ scope, project }: ProjectVisit): string {
  return projectHref(scope.organizationId, project.id, "/questions");
}

function groupView({ first, is_reopened, answer_path, ...group }: UnansweredGroup): GroupView {
  return {
    ...group,
    isReopened: is_reopened,
    answerPath: answer_path,
    firstAt: new Date(ulidTime(first)),
    lastAt: new Date(ulidTime(group.last)),
  };
}

async function* allOf(
  { service, scope, project }: ProjectVisit,
  query: Omit<UnansweredQuery, "limit" | "offset">,
): AsyncGenerator<UnansweredGroup[]> {
  const limit = limits.downloadBatch_count;
  for (let offset = 0; ; offset += limit) {
    const { groups, hasMore } = await listUnanswered(service, scope, project.id, { ...query, limit, offset });
    yield groups;
    if (!hasMore) return;
  }
}

const columns: readonly DownloadColumn<UnansweredGroup>[] = [
  { name: "question", value: ({ example }) => example },
  { name: "count", value: ({ count }) => count },
  { name: "firstAskedAt", value: ({ first }) => new Date(ulidTime(first)).toISOString() },
  { name: "lastAskedAt", value: ({ last }) => new Date(ulidTime(last)).toISOString() },
  { name: "pages", value: ({ pages }) => pages, cell: ({ pages }) => pages.map(({ url }) => url).join("\n") },
  { name: "sections", value: ({ sections }) => sections, cell: ({ sections }) => sections.map(({ url }) => url).join("\n") },
  { name: "status", value: ({ status }) => status },
  { name: "assignee", value: ({ assignee }) => assignee?.name ?? null },
  { name: "answerPath", value: (group) => group.answer_path },
  { name: "terms", value: ({ key }) => key },
];
