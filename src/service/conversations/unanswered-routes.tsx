/**
 * Dashboard routes for groups of similar unanswered questions: the list, a single group, and decisions about
 * groups.
 */

import { Readable } from "node:stream";
import { AppError, atField, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { ulidTime } from "../../base/ulid.ts";
import { listMembers } from "../accounts/members.ts";
import type { DateRange } from "../core/day-blocks.ts";
import { linkedRepository } from "../core/git-source.ts";
import { mayActAs } from "../core/identity.ts";
import { newFileLink } from "../repositories/new-file-link.ts";
import { rangeOf } from "../ui/analytics-range.ts";
import { download, page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { analyticsDownload, type DownloadColumn, downloadFormat } from "../ui/list-download.ts";
import { field } from "../ui/read-form.ts";
import { projectRoute } from "../ui/route.ts";
import { adjacentOffsets, readSkip } from "../ui/skip-paging.ts";
import { pathOf } from "../ui/url-path.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { type DraftPage, draftPage } from "./draft-page.ts";
import { Draft } from "./draft-view.tsx";
import { joinSimilar } from "./similar-groups.ts";
import {
  decideUnanswered,
  type GroupStatus,
  getUnanswered,
  listUnanswered,
  textsOfGroup,
  type UnansweredGroup,
  type UnansweredQuery,
} from "./unanswered.ts";
import { groupStatuses } from "./unanswered-contract.ts";
import { type GroupView, QuestionGroup, UnansweredQuestions } from "./unanswered-view.tsx";

/** Maximum number of similar groups in a draft. */
const similar_count = 10;

export const questionRoutes = [
  projectRoute("GET /questions", "showQuestions", "viewer", showList, { recordedAs: "listUnanswered" }),
  projectRoute("GET /questions/:questionId", "showQuestionGroup", "viewer", (visit) => showGroup(visit), {
    recordedAs: "listUnanswered",
  }),
  projectRoute(
    "POST /questions/:questionId",
    "changeUnanswered",
    "editor",
    async (visit) => {
      const { service, scope, project, params, form } = visit;
      const status = statusOf(field(form, "status"));
      if (!status) throw invalid("The questions weren't updated", atField("status", "Select a status"));
      await decideUnanswered(service, scope, project.id, params.questionId!, {
        status,
        assigneeId: field(form, "assignee") || null,
        answerPath: status === "resolved" ? readPath(field(form, "answer")) : null,
      });
      return redirect(listPath(visit), "question-group-changed");
    },
    { showErrors: showGroup },
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
  const { groups, hasMore, countedFrom } = await listUnanswered(service, scope, project.id, {
    ...query,
    limit,
    offset: skip,
  });

  const joined = await joinSimilar(service.embedding?.embedder, groups);
  return page(
    "Unanswered questions",
    <UnansweredQuestions
      path={listPath(visit)}
      conversationsPath={projectHref(scope.organizationId, project.id, "/conversations")}
      range={range}
      status={status ?? "mine"}
      groups={joined.map(({ similar, ...group }) => ({
        ...groupView(group),
        similar: similar.map(groupView),
      }))}
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
  const draft = await draftOf(visit, group, range);
  const isDownload = url.searchParams.get("format") === "mdx";
  if (isDownload) return download(draft.name, "text/markdown; charset=utf-8", Readable.from([draft.content]));

  const { repository } = linkedRepository(
    project,
    project.source.kind === "git" ? project.source.branch : undefined,
  );

  const members = mayActAs(member.role, "editor")
    ? await listMembers(service, scope.organizationId)
    : undefined;

  return page(
    "Unanswered question",
    <QuestionGroup
      path={listPath(visit)}
      conversationsPath={projectHref(scope.organizationId, project.id, "/conversations")}
      range={range}
      group={groupView(group)}
      linked={
        await visit.linkedPages([
          ...group.pages.map(({ url }) => pathOf(url)),
          ...(group.answer_path ? [group.answer_path] : []),
        ])
      }
      draft={
        <Draft
          draft={draft}
          downloadHref={`${url.pathname}?${new URLSearchParams([...url.searchParams, ["format", "mdx"]])}`}
          newFile={repository && newFileLink(repository, draft.name, draft.content)}
        />
      }
      form={
        members && {
          members,
          filled: form.has("status")
            ? {
                status: field(form, "status"),
                assignee: field(form, "assignee"),
                answer: field(form, "answer"),
              }
            : { status: group.status, assignee: group.assignee?.id ?? "", answer: group.answer_path ?? "" },
        }
      }
      errors={errors}
    />,
  );
}

/**
 * Returns the draft of a page for a group, and for the groups in the query parameter `similar`, by the IDs of
 * their questions.
 */
async function draftOf(
  { service, scope, project, url }: ProjectVisit,
  group: UnansweredGroup,
  range: DateRange,
): Promise<DraftPage> {
  const ids = (url.searchParams.get("similar") ?? "").split(",").filter(Boolean).slice(0, similar_count);
  const similar = await Promise.all(
    ids.map((id) =>
      getUnanswered(service, scope, project.id, id, range).catch((error: unknown) => {
        // The group's questions were deleted.
        if (error instanceof AppError && error.code === "not-found") return undefined;
        throw error;
      }),
    ),
  );

  const groups = await Promise.all(
    [group, ...similar.filter((one) => one !== undefined)].map(async ({ key, example }) => {
      const texts = await textsOfGroup(service, project.id, key, range);
      return { question: example, others: texts.filter((text) => text !== example) };
    }),
  );

  return draftPage(groups, group.sections);
}

function statusOf(text: string): GroupStatus | undefined {
  return groupStatuses.find((status) => status === text);
}

/**
 * Returns the path of a page, from a path or a URL. Null if the text is empty. Throws an AppError if it is
 * invalid.
 */
function readPath(text: string): string | null {
  if (text === "") return null;
  const path = text.replace(/^https?:\/\/[^/]+(?=\/)/i, "");
  if (!/^\/[^\s\\]{0,499}$/.test(path))
    throw invalid(
      "The questions weren't updated",
      atField("answer", "Enter the page's path, such as /guides/keys"),
    );
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
  {
    name: "sections",
    value: ({ sections }) => sections,
    cell: ({ sections }) => sections.map(({ url }) => url).join("\n"),
  },
  { name: "status", value: ({ status }) => status },
  { name: "assignee", value: ({ assignee }) => assignee?.name ?? null },
  { name: "answerPath", value: (group) => group.answer_path },
  { name: "terms", value: ({ key }) => key },
];
