import { Type } from "@sinclair/typebox";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { instant, integer, listCursor } from "../core/parameters.ts";

const tag = "Analytics";

export const Source = Type.Object(
  {
    title: Type.String({ description: "Title of the page or section." }),
    url: Type.String({
      description: "URL of the page or section.",
      examples: ["https://docs.example.com/guides/keys#create-a-key"],
    }),
  },
  { $id: "Source" },
);

export const Conversation = Type.Object(
  {
    id: Type.String({
      description:
        "ULID of the message (a question and its answer). The timestamp in the ULID matches `timestamp`.",
    }),
    timestamp: timestamp("When the question was asked."),
    query: Type.String({ description: "The reader's question." }),
    response: Type.String({ description: "The assistant's answer in Markdown." }),
    sources: Type.Array(Source, {
      description:
        "Sections that the response cites. If it contains only links to related sections, those sections.",
    }),
    resolutionStatus: Type.Union([Type.Literal("answered"), Type.Literal("unanswered")], {
      description:
        "`answered`: the assistant quoted the documentation, asked a clarifying question, or generated an answer based on at least one section. `unanswered`: there is no answer, the answer isn't based on any section, or the model reported that the documentation doesn't answer the question.",
    }),
    queryCategory: nullable(
      Type.String({ description: "Category of the question, assigned by the service. Null if it has none." }),
    ),
    pageUrl: nullable(
      Type.String({ description: "URL of the page where the conversation started. Null if unknown." }),
    ),
    conversationId: Type.Optional(
      Type.String({ description: "ID of the conversation, shared by all of its messages." }),
    ),
    responseType: Type.Optional(
      Type.Union([Type.Literal("answer"), Type.Literal("clarifying_question")], {
        description:
          "Whether the response answers the question or asks for clarification. If omitted, `answer` is assumed.",
      }),
    ),
  },
  { $id: "Conversation" },
);

export const listConversations = endpoint({
  operationId: "listConversations",
  tag,
  summary: "List assistant conversations",
  description:
    "Returns one item per question, newest first. Questions that arrive while you page through the list are added before the first page, so no items are repeated or skipped. A page has fewer items than `limit` if its answers are longer than about 4 MB.",
  method: "GET",
  path: "/v1/analytics/{projectId}/assistant",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    dateFrom: instant("Start of the period, inclusive. A date without a time means midnight UTC."),
    dateTo: instant("End of the period, exclusive."),
    limit: integer("Number of items per page.", { minimum: 1, maximum: 1000, default: 100 }),
    cursor: listCursor,
  },
  links: {
    getThread: { projectId: "$request.path.projectId", threadId: "$response.body#/conversations/0/id" },
  },
  success: {
    status: 200,
    description: "A page of conversations.",
    schema: Type.Object(
      {
        conversations: Type.Array(Conversation),
        ...nextPage,
      },
      { $id: "ConversationPage" },
    ),
  },
});

export const getThread = endpoint({
  operationId: "getThread",
  tag,
  summary: "Get a conversation's messages",
  description:
    "Returns all messages in a conversation, oldest first. Accepts the ID of the conversation or of any of its messages.",
  method: "GET",
  path: "/v1/analytics/{projectId}/assistant/threads/{threadId}",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID.", threadId: "`conversationId` or `id` from the list of conversations." },
  success: {
    status: 200,
    description: "The conversation.",
    schema: Type.Object(
      {
        threadId: Type.String(),
        createdAt: timestamp("When the first question was asked."),
        messages: Type.Array(
          Type.Object({
            id: Type.String(),
            role: Type.Union([Type.Literal("user"), Type.Literal("assistant")]),
            content: Type.String(),
            createdAt: timestamp(
              "When the question was asked. The answer has the same time as its question.",
            ),
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
  description: "Returns the number of questions from each source: the docs site, the API, and imports.",
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
    description: "The number of questions from each source.",
    schema: Type.Object(
      {
        web: Type.Integer({ description: "Number of questions from the docs site." }),
        api: Type.Integer({ description: "Number of questions from the API." }),
        other: Type.Integer({ description: "Number of questions from other sources, such as imports." }),
        total: Type.Integer({ description: "Number of questions from all sources." }),
      },
      { $id: "CallerStats" },
    ),
  },
});

export const deleteConversation = endpoint({
  operationId: "deleteConversation",
  tag,
  summary: "Delete a message",
  description: "Permanently deletes a question, its answer, and its feedback.",
  method: "DELETE",
  path: "/v1/analytics/{projectId}/assistant/{id}",
  caller: "admin",
  role: "editor",
  params: { projectId: "Project ID.", id: "Message ID: `id` from the list of conversations." },
  success: { status: 204, description: "The message was deleted." },
});

export const importConversations = endpoint({
  operationId: "importConversations",
  tag,
  summary: "Import conversations",
  description:
    "Accepts NDJSON. Each line is an item in the format that `listConversations` returns. The timestamp in each ID must match `timestamp`. Existing IDs are skipped, so it's safe to send the same file again. Invalid lines are skipped and reported by line number. Imports don't count toward the analytics rate limit.",
  method: "POST",
  path: "/v1/analytics/{projectId}/assistant/import",
  caller: "admin",
  role: "editor",
  params: { projectId: "Project ID." },
  body: { type: "application/x-ndjson", description: "NDJSON with one question and its answer per line." },
  success: {
    status: 200,
    description: "The import result.",
    schema: Type.Object(
      {
        added: Type.Integer({ description: "Number of items that were imported." }),
        existing: Type.Integer({
          description: "Number of items that were skipped because their IDs already exist.",
        }),
        failed: Type.Integer({ description: "Number of invalid lines, which were skipped." }),
        errors: Type.Array(
          Type.Object({
            line: Type.Integer({ description: "Line number, starting at 1." }),
            message: Type.String({ description: "Why the line is invalid." }),
          }),
          { description: "The first 1,000 errors." },
        ),
      },
      { $id: "ImportResult" },
    ),
  },
});
