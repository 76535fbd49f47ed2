import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { instant, integer, ulid } from "../core/parameters.ts";

const tag = "Analytics";

export const Source = Type.Object(
  {
    title: Type.String({ description: "Title of the page or section." }),
    url: Type.String({ description: "URL of the cited section." }),
  },
  { $id: "Source" },
);

export const Conversation = Type.Object(
  {
    id: Type.String({ description: "A ULID. Its timestamp matches `timestamp`." }),
    timestamp: Timestamp,
    query: Type.String({ description: "The reader's question." }),
    response: Type.String({ description: "The assistant's answer." }),
    sources: Type.Array(Source, { description: "Sections that the answer cites or, if there's no direct answer, links to." }),
    resolutionStatus: Type.Union([Type.Literal("answered"), Type.Literal("unanswered")], {
      description:
        "`answered`: the assistant quoted the documentation, or a model answered with at least one source or asked a clarifying question. `unanswered`: no answer, or only related sections.",
    }),
    queryCategory: nullable(Type.String({ description: "Category assigned by the service. Null if none applies." })),
    pageUrl: nullable(Type.String({ description: "URL of the page where the conversation started. Null if unknown." })),
    conversationId: Type.Optional(Type.String({ description: "ID of the conversation, shared by all of its messages." })),
    responseType: Type.Optional(
      Type.Union([Type.Literal("answer"), Type.Literal("clarifying_question")], { description: "Default: `answer`." }),
    ),
  },
  { $id: "Conversation" },
);

export const listConversations = endpoint({
  operationId: "listConversations",
  tag,
  summary: "List assistant conversations",
  description:
    "Returns one item per question, newest first. Questions that arrive while you page through the list are added before the first page, so no item is repeated or skipped.",
  method: "GET",
  path: "/v1/analytics/{projectId}/assistant",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID, as shown in the dashboard and when the service starts." },
  query: {
    dateFrom: instant("Start of the period, inclusive. A date without a time means midnight UTC."),
    dateTo: instant("End of the period, exclusive."),
    limit: integer("Number of items per page.", { minimum: 1, maximum: 1000, default: 100 }),
    cursor: ulid("`nextCursor` from the previous page."),
  },
  success: {
    status: 200,
    description: "A page of conversations.",
    schema: Type.Object(
      {
        conversations: Type.Array(Conversation),
        nextCursor: nullable(Type.String({ description: "Cursor for the next page. Null on the last page." })),
        hasMore: Type.Boolean({ description: "Whether there is a next page." }),
      },
      { $id: "ConversationPage" },
    ),
  },
});

export const getThread = endpoint({
  operationId: "getThread",
  tag,
  summary: "Get a conversation's messages",
  description: "Returns all messages of one conversation, oldest first. Accepts the ID of the conversation or of any of its messages.",
  method: "GET",
  path: "/v1/analytics/{projectId}/assistant/threads/{threadId}",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID.", threadId: "`conversationId` or `id` from the list of conversations. Both are ULIDs." },
  success: {
    status: 200,
    description: "The conversation.",
    schema: Type.Object(
      {
        threadId: Type.String(),
        createdAt: Timestamp,
        messages: Type.Array(
          Type.Object({
            id: Type.String(),
            role: Type.Union([Type.Literal("user"), Type.Literal("assistant")]),
            content: Type.String(),
            createdAt: Timestamp,
          }),
        ),
      },
      { $id: "Thread" },
    ),
  },
});

export const getCallerStats = endpoint({
  operationId: "getCallerStats",
  tag,
  summary: "Count questions by source",
  description: "Returns the number of questions from each source: the docs site, the API and imports.",
  method: "GET",
  path: "/v1/analytics/{projectId}/assistant/caller-stats",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    dateFrom: instant("Start of the period, inclusive. A date without a time means midnight UTC."),
    dateTo: instant("End of the period, exclusive."),
  },
  success: {
    status: 200,
    description: "The counts.",
    schema: Type.Object(
      {
        web: Type.Integer({ description: "Questions from the docs site." }),
        api: Type.Integer({ description: "Questions from the API." }),
        other: Type.Integer({ description: "Questions from other sources, such as imports." }),
        total: Type.Integer(),
      },
      { $id: "CallerStats" },
    ),
  },
});

export const deleteConversation = endpoint({
  operationId: "deleteConversation",
  tag,
  summary: "Delete a message",
  description: "Permanently deletes the message and its feedback.",
  method: "DELETE",
  path: "/v1/analytics/{projectId}/assistant/{id}",
  caller: "admin",
  role: "editor",
  params: { projectId: "Project ID.", id: "`id` from the list of conversations." },
  success: { status: 204, description: "Deleted." },
});

export const importConversations = endpoint({
  operationId: "importConversations",
  tag,
  summary: "Import conversations",
  description:
    "Accepts NDJSON with one item from the list of conversations per line. The timestamp in each ID must match `timestamp`. Existing IDs are skipped, so you can safely send a file again. Invalid lines are reported by line number, and all other lines are imported. Imports don't count toward the analytics rate limit.",
  method: "POST",
  path: "/v1/analytics/{projectId}/assistant/import",
  caller: "admin",
  role: "editor",
  params: { projectId: "Project ID." },
  body: { type: "application/x-ndjson", description: "One conversation per line." },
  success: {
    status: 200,
    description: "Result of the import.",
    schema: Type.Object(
      {
        added: Type.Integer({ description: "Number of imported conversations." }),
        existing: Type.Integer({ description: "Number of conversations that already existed." }),
        failed: Type.Integer({ description: "Number of invalid lines." }),
        errors: Type.Array(Type.Object({ line: Type.Integer({ description: "Line number, starting at 1." }), message: Type.String() }), {
          description: "The first 1,000 errors.",
        }),
      },
      { $id: "ImportResult" },
    ),
  },
});
