import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { instant, integer, ulid } from "../core/parameters.ts";

const tag = "Analytics";

export const Source = Type.Object(
  {
    title: Type.String({ description: "Title of the page, or of the section." }),
    url: Type.String({ description: "Full address of what was cited." }),
  },
  { $id: "Source" },
);

export const Conversation = Type.Object(
  {
    id: Type.String({ description: "A ULID; its time part is the timestamp." }),
    timestamp: Timestamp,
    query: Type.String({ description: "The reader's question." }),
    response: Type.String({ description: "The assistant's answer." }),
    sources: Type.Array(Source, { description: "Sections that the answer cites or, if it found no direct answer, links to." }),
    resolutionStatus: Type.Union([Type.Literal("answered"), Type.Literal("unanswered")], {
      description:
        "`answered`: the documentation was quoted, or a model answered with at least one source or asked back. `unanswered`: the assistant found no answer, or only related sections.",
    }),
    queryCategory: nullable(Type.String({ description: "Assigned by the service; null when none applies." })),
    pageUrl: nullable(Type.String({ description: "Full address of the page where the conversation began; null when it is not known." })),
    conversationId: Type.Optional(Type.String({ description: "Shared by the turns of one conversation." })),
    responseType: Type.Optional(
      Type.Union([Type.Literal("answer"), Type.Literal("clarifying_question")], { description: "Absent means `answer`." }),
    ),
  },
  { $id: "Conversation" },
);

export const listConversations = endpoint({
  operationId: "listConversations",
  tag,
  summary: "List assistant conversations",
  description:
    "One item for each question that a reader asked, newest first. Rows that arrive while you read come before the first page: a scan to the end repeats nothing and leaves nothing out.",
  method: "GET",
  path: "/v1/analytics/{projectId}/assistant",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "The project, as the dashboard and the start of the service show it." },
  query: {
    dateFrom: instant("Earliest instant, inclusive. A date is the start of its day in UTC."),
    dateTo: instant("Latest instant, exclusive."),
    limit: integer("Items of a page.", { minimum: 1, maximum: 1000, default: 100 }),
    cursor: ulid("`nextCursor` of the page before."),
  },
  success: {
    status: 200,
    description: "A page of conversations.",
    schema: Type.Object(
      {
        conversations: Type.Array(Conversation),
        nextCursor: nullable(Type.String({ description: "The cursor of the next page; null on the last one." })),
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
  description: "All turns of one conversation, oldest first. Takes the id of the conversation or of any of its turns.",
  method: "GET",
  path: "/v1/analytics/{projectId}/assistant/threads/{threadId}",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "The project.", threadId: "A ULID: `conversationId` or `id` of an item of the list." },
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
  summary: "Count questions by who asked",
  description: "How many questions the assistant was asked by readers on the site, by programs, and elsewhere.",
  method: "GET",
  path: "/v1/analytics/{projectId}/assistant/caller-stats",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "The project." },
  query: {
    dateFrom: instant("Earliest instant, inclusive. A date is the start of its day in UTC."),
    dateTo: instant("Latest instant, exclusive."),
  },
  success: {
    status: 200,
    description: "The counts.",
    schema: Type.Object(
      {
        web: Type.Integer({ description: "By readers of the site." }),
        api: Type.Integer({ description: "By the API." }),
        other: Type.Integer({ description: "Elsewhere: imported ones are among them." }),
        total: Type.Integer(),
      },
      { $id: "CallerStats" },
    ),
  },
});

export const deleteConversation = endpoint({
  operationId: "deleteConversation",
  tag,
  summary: "Delete a conversation's turn",
  description: "For good, with what readers thought of it. It shows in no later page of the list.",
  method: "DELETE",
  path: "/v1/analytics/{projectId}/assistant/{id}",
  caller: "admin",
  role: "editor",
  params: { projectId: "The project.", id: "`id` of an item of the list." },
  success: { status: 204, description: "It is deleted." },
});

export const importConversations = endpoint({
  operationId: "importConversations",
  tag,
  summary: "Import conversations",
  description:
    "Takes NDJSON: one conversation to a line, in the shape of the list's items. The time part of each id must equal its timestamp. An id that is there already is left as it is, so a file may be sent again. Lines that cannot be taken are reported by number, and the others are kept. Does not use up the analytics budget.",
  method: "POST",
  path: "/v1/analytics/{projectId}/assistant/import",
  caller: "admin",
  role: "editor",
  params: { projectId: "The project." },
  body: { type: "application/x-ndjson", description: "One conversation to a line." },
  success: {
    status: 200,
    description: "What became of the lines.",
    schema: Type.Object(
      {
        added: Type.Integer({ description: "Conversations that are new." }),
        existing: Type.Integer({ description: "Conversations that were there." }),
        failed: Type.Integer({ description: "Lines that could not be taken." }),
        errors: Type.Array(Type.Object({ line: Type.Integer({ description: "Counted from 1." }), message: Type.String() }), {
          description: "The first 1,000 of them.",
        }),
      },
      { $id: "ImportResult" },
    ),
  },
});
