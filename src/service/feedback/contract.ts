import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { choice, choices, instant, integer, ulid } from "../core/parameters.ts";

const tag = "Analytics";

export const feedbackSources = ["code_snippet", "contextual", "agent", "thumbs_only"] as const;
export const feedbackStatuses = ["pending", "in_progress", "resolved", "dismissed"] as const;

const base = {
  id: Type.String({ description: "A ULID; its time part is `createdAt`." }),
  path: Type.String({ description: "Path of the page." }),
  comment: nullable(Type.String({ description: "What the reader wrote." })),
  createdAt: nullable(Timestamp),
  status: Type.Union(
    feedbackStatuses.map((status) => Type.Literal(status)),
    { description: "Where the team stands with it; `pending` at first." },
  ),
};

export const Feedback = Type.Union(
  [
    Type.Object({
      ...base,
      source: Type.Literal("contextual", { description: "A thumb with words, or with an address to answer to." }),
      helpful: Type.Boolean({ description: "The thumb." }),
      contact: nullable(Type.String({ description: "E-mail address that the reader left." })),
    }),
    Type.Object({
      ...base,
      source: Type.Literal("code_snippet", { description: "About code of the page." }),
      code: Type.String(),
      filename: nullable(Type.String()),
      lang: nullable(Type.String()),
    }),
    Type.Object({
      ...base,
      source: Type.Union([Type.Literal("agent"), Type.Literal("thumbs_only")], {
        description: "A thumb without words, or the word of a program.",
      }),
    }),
  ],
  { $id: "Feedback" },
);

const filters = {
  dateFrom: instant("Earliest instant, inclusive. A date is the start of its day in UTC."),
  dateTo: instant("Latest instant, exclusive."),
  source: choice("Only of this kind.", feedbackSources),
  status: choices("Only with one of these.", feedbackStatuses),
};

const hasMore = Type.Boolean({ description: "Whether there is a next page." });

export const listFeedback = endpoint({
  operationId: "listFeedback",
  tag,
  summary: "List feedback",
  description: "What readers think of pages, newest first.",
  method: "GET",
  path: "/v1/analytics/{projectId}/feedback",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "The project." },
  query: {
    ...filters,
    limit: integer("Items of a page.", { minimum: 1, maximum: 100, default: 50 }),
    cursor: ulid("`nextCursor` of the page before."),
  },
  success: {
    status: 200,
    description: "A page of feedback.",
    schema: Type.Object(
      {
        feedback: Type.Array(Feedback),
        nextCursor: nullable(Type.String({ description: "The cursor of the next page; null on the last one." })),
        hasMore,
      },
      { $id: "FeedbackPage" },
    ),
  },
});

export const listFeedbackByPage = endpoint({
  operationId: "listFeedbackByPage",
  tag,
  summary: "List feedback by page",
  description: "How many thumbs each page got, the pages with the most feedback first.",
  method: "GET",
  path: "/v1/analytics/{projectId}/feedback/by-page",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "The project." },
  query: { ...filters, limit: integer("Items at most.", { minimum: 1, maximum: 100, default: 10 }) },
  success: {
    status: 200,
    description: "Counts by page.",
    schema: Type.Object(
      {
        feedback: Type.Array(
          Type.Object({
            path: Type.String({ description: "Path of the page." }),
            thumbsUp: Type.Integer(),
            thumbsDown: Type.Integer(),
            code: Type.Integer({ description: "Feedback about code of the page." }),
            total: Type.Integer(),
          }),
        ),
        hasMore,
      },
      { $id: "FeedbackByPage" },
    ),
  },
});
