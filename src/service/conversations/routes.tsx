/**
 * Dashboard routes for conversations with the assistant: the list, a single conversation, and deleting a
 * message.
 */

import { notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { readUlid, ulidTime } from "../../base/ulid.ts";
import { mayActAs } from "../core/identity.ts";
import { projectUrl } from "../projects/projects.ts";
import { rangeOf } from "../ui/analytics-range.ts";
import { page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { truncate } from "../ui/kit/truncated.tsx";
import { analyticsDownload, type DownloadColumn, downloadFormat } from "../ui/list-download.ts";
import { requireConfirmation } from "../ui/require-confirmation.ts";
import { projectRoute } from "../ui/route.ts";
import { pathOf } from "../ui/url-path.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { countConversations } from "./conversation-counts.ts";
import { Conversation, DeleteMessage, type MessageView } from "./conversation-view.tsx";
import { deleteMessage, timestampOf } from "./conversations.ts";
import { Conversations, noCategory } from "./conversations-view.tsx";
import {
  type ConversationFilters,
  type FoundMessage,
  findMessages,
  getThread,
} from "./find-conversations.ts";

/** Maximum number of categories in the filter. */
const listedCategories_count = 200;

export const conversationRoutes = [
  projectRoute("GET /conversations", "showConversations", "viewer", showList, {
    recordedAs: "listConversations",
  }),
  projectRoute("GET /conversations/:threadId", "showConversation", "viewer", showThread, {
    recordedAs: "getThread",
  }),
  projectRoute(
    "GET /conversations/:threadId/messages/:messageId/delete",
    "askToDeleteMessage",
    "editor",
    (visit) => askToDelete(visit),
  ),
  projectRoute(
    "POST /conversations/:threadId/messages/:messageId/delete",
    "deleteConversation",
    "editor",
    async (visit) => {
      const message = await messageOf(visit);
      requireConfirmation(visit.form, shortName(message.id));
      await deleteMessage(visit.service, visit.scope, visit.project.id, message.id);
      return redirect(listPath(visit), "conversation-deleted");
    },
    { showErrors: askToDelete },
  ),
];

async function showList(visit: ProjectVisit) {
  const { service, scope, project, url } = visit;
  const range = rangeOf(url);
  const selected = readFilters(url);
  const filters = filtersOf(selected, range);
  const format = downloadFormat(visit);
  if (format) return analyticsDownload(visit, "conversations", format, columns, allOf(visit, filters));

  const cursor = readUlid(url.searchParams.get("before") ?? "");
  const { text, page: pagePath, rating, group, ...counted } = filters;
  const isCounted = [text, pagePath, rating, group].every((filter) => filter === undefined);

  const [result, counts] = await Promise.all([
    findMessages(service, scope, project.id, filters, { cursor, limit: limits.listPage_count }),
    countConversations(service, scope, project.id, counted),
  ]);

  return page(
    "Conversations",
    <Conversations
      path={listPath(visit)}
      range={range}
      filters={selected}
      categories={counts.categories
        .slice(0, listedCategories_count)
        .map((row) => ({ name: row.name, count: row.answered + row.unanswered }))}
      counts={
        isCounted
          ? {
              total: counts.total,
              days: new Map(
                counts.days.map(({ day, answered, unanswered }) => [day, [answered, unanswered]]),
              ),
            }
          : undefined
      }
      rows={result.rows.map((row) => ({ ...messageView(row), threadId: row.thread_id }))}
      linked={await visit.linkedPages(pathsOf(result.rows))}
      next={result.next}
      isDeeper={cursor !== undefined}
    />,
    { hasChart: isCounted },
  );
}

/** Returns the paths of the pages where the conversations began. */
function pathsOf(rows: readonly { page_url: string | null }[]): string[] {
  return rows.flatMap(({ page_url }) => (page_url === null ? [] : pathOf(page_url)));
}

type SelectedFilters = Record<"q" | "status" | "category" | "page" | "source" | "rating" | "group", string>;

function readFilters({ searchParams }: URL): SelectedFilters {
  const text = (name: string) => (searchParams.get(name) ?? "").trim().slice(0, limits.searchText_chars);
  const one = (name: string, values: readonly string[]) =>
    values.find((value) => value === searchParams.get(name)) ?? "";
  return {
    q: text("q"),
    status: one("status", ["answered", "unanswered"]),
    category: text("category"),
    page: text("page"),
    source: one("source", ["web", "api", "other"]),
    rating: one("rating", ["up", "down"]),
    group: text("group"),
  };
}

function filtersOf(
  { q, status, category, page, source, rating, group }: SelectedFilters,
  { dateFrom, dateTo }: { dateFrom: number; dateTo: number },
): ConversationFilters & { dateFrom: number; dateTo: number } {
  return {
    dateFrom,
    dateTo,
    ...(q === "" ? {} : { text: q }),
    ...(status === "" ? {} : { status: status as "answered" | "unanswered" }),
    ...(category === "" ? {} : { category: category === noCategory ? "" : category }),
    ...(page === "" ? {} : { page }),
    ...(source === "" ? {} : { caller: source as "web" | "api" | "other" }),
    ...(rating === "" ? {} : { rating: rating as "up" | "down" }),
    ...(group === "" ? {} : { group }),
  };
}

async function* allOf(
  { service, scope, project }: ProjectVisit,
  filters: ConversationFilters,
): AsyncGenerator<FoundMessage[]> {
  let cursor: string | undefined;
  do {
    const { rows, next } = await findMessages(service, scope, project.id, filters, {
      cursor,
      limit: limits.downloadBatch_count,
    });
    yield rows;
    cursor = next;
  } while (cursor !== undefined);
}

/**
 * Columns of a download. Includes all properties of the API's conversations, so that an NDJSON download can
 * be imported.
 */
const columns: readonly DownloadColumn<FoundMessage>[] = [
  { name: "id", value: ({ id }) => id },
  { name: "timestamp", value: (row) => timestampOf(row) },
  { name: "query", value: ({ query }) => query },
  { name: "response", value: ({ response }) => response },
  {
    name: "sources",
    value: ({ sources }) => sources,
    cell: ({ sources }) => sources.map(({ url }) => url).join("\n"),
  },
  { name: "resolutionStatus", value: (row) => row.resolution_status },
  { name: "queryCategory", value: (row) => row.query_category },
  { name: "pageUrl", value: (row) => row.page_url },
  { name: "conversationId", value: (row) => row.thread_id },
  { name: "responseType", value: (row) => row.response_type ?? "answer" },
  { name: "caller", value: ({ caller }) => caller },
  { name: "helpful", value: ({ helpful }) => helpful },
  { name: "comment", value: ({ comment }) => comment },
  { name: "handedOverAt", value: (row) => row.handed_over_at?.toISOString() ?? null },
];

async function showThread(visit: ProjectVisit) {
  const { service, scope, project, params, member } = visit;
  const rows = await getThread(service, scope, project.id, params.threadId!);
  return page(
    truncate(rows[0]!.query, 100),
    <Conversation
      path={`${listPath(visit)}/${rows[0]!.thread_id}`}
      listPath={listPath(visit)}
      caller={rows[0]!.caller}
      messages={rows.map(messageView)}
      linked={await visit.linkedPages(pathsOf(rows))}
      siteUrl={projectUrl(service.settings, project)}
      mayDelete={mayActAs(member.role, "editor")}
    />,
  );
}

async function askToDelete(visit: ProjectVisit, errors?: FormErrors) {
  const message = await messageOf(visit);
  const thread = `${listPath(visit)}/${message.thread_id}`;
  return page(
    "Delete question",
    <DeleteMessage
      message={messageView(message)}
      name={shortName(message.id)}
      action={`${thread}/messages/${message.id}/delete`}
      backTo={thread}
      errors={errors}
    />,
  );
}

async function messageOf({ service, scope, project, params }: ProjectVisit): Promise<FoundMessage> {
  const rows = await getThread(service, scope, project.id, params.threadId!);
  const message = rows.find(({ id }) => id === readUlid(params.messageId!));
  if (!message) throw notFound();
  return message;
}

/** Returns the text that the user types to confirm the deletion of a message: the end of the message's ID. */
function shortName(id: string): string {
  return id.slice(-6);
}

function messageView(row: FoundMessage): MessageView {
  return {
    id: row.id,
    query: row.query,
    response: row.response,
    sources: row.sources,
    isAnswered: row.resolution_status === "answered",
    isClarifying: row.response_type === "clarifying_question",
    category: row.query_category,
    pageUrl: row.page_url,
    helpful: row.helpful,
    comment: row.comment,
    handedOverAt: row.handed_over_at,
    at: new Date(ulidTime(row.id)),
  };
}

function listPath({ scope, project }: ProjectVisit): string {
  return projectHref(scope.organizationId, project.id, "/conversations");
}
