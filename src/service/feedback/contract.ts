import { Type } from "@sinclair/typebox";
import { feedbackReasons } from "../../base/feedback-reasons.ts";
import { countCursor } from "../core/count-cursor.ts";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { choice, choices, instant, integer, listCursor } from "../core/parameters.ts";

const tag = "Analytics";

export const feedbackSources = ["code_snippet", "contextual", "agent", "thumbs_only"] as const;
export const feedbackStatuses = ["pending", "in_progress", "resolved", "dismissed"] as const;

const base = {
  id: Type.String({ description: "A ULID. Its timestamp matches `createdAt`." }),
  path: Type.String({ description: "Path of the page." }),
  comment: nullable(Type.String({ description: "The reader's comment." })),
  createdAt: nullable(timestamp("When the feedback was sent.")),
  status: Type.Union(
    feedbackStatuses.map((status) => Type.Literal(status)),
    { description: "Review status. New feedback is `pending`." },
  ),
};

export const Feedback = Type.Union(
  [
    Type.Object(
      {
        ...base,
        source: Type.Literal("contextual", {
          description: "A rating with a reason, a comment, or an email.",
        }),
        helpful: Type.Boolean({ description: "Whether the reader found the page helpful." }),
        reason: nullable(
          Type.Union(
            feedbackReasons.map((reason) => Type.Literal(reason)),
            { description: "Why the page wasn't helpful, if the reader chose a reason." },
          ),
        ),
        contact: nullable(Type.String({ description: "The reader's email, if provided." })),
      },
      { $id: "PageFeedback", title: "Page" },
    ),
    Type.Object(
      {
        ...base,
        source: Type.Literal("code_snippet", { description: "Feedback on a code block." }),
        code: Type.String({ examples: ["npm install"] }),
        filename: nullable(Type.String()),
        lang: nullable(Type.String()),
      },
      { $id: "CodeFeedback", title: "Code" },
    ),
    Type.Object(
      {
        ...base,
        source: Type.Union([Type.Literal("agent"), Type.Literal("thumbs_only")], {
          description: "`agent`: feedback from an AI agent. `thumbs_only`: a rating without details.",
        }),
      },
      { $id: "OtherFeedback", title: "Other" },
    ),
  ],
  { $id: "Feedback" },
);

const filters = {
  dateFrom: instant("Start of the period, inclusive. A date without a time means midnight UTC."),
  dateTo: instant("End of the period, exclusive."),
  source: choice("Returns only feedback of this type.", feedbackSources),
  status: choices(
    "Returns only feedback with one of these statuses. Separate multiple statuses with commas.",
    feedbackStatuses,
  ),
};

export const listFeedback = endpoint({
  operationId: "listFeedback",
  tag,
  summary: "List feedback",
  description: "Returns ratings and comments, newest first.",
  method: "GET",
  path: "/v1/analytics/{projectId}/feedback",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    ...filters,
    limit: integer("Number of items per page.", { minimum: 1, maximum: 100, default: 50 }),
    cursor: listCursor,
  },
  success: {
    status: 200,
    description: "A page of feedback.",
    schema: Type.Object(
      {
        feedback: Type.Array(Feedback),
        ...nextPage,
      },
      { $id: "FeedbackPage" },
    ),
  },
});

export const listFeedbackByPage = endpoint({
  operationId: "listFeedbackByPage",
  tag,
  summary: "List feedback by page",
  description: "Returns feedback counts for each page, starting with the page that has the most feedback.",
  method: "GET",
  path: "/v1/analytics/{projectId}/feedback/by-page",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    ...filters,
    limit: integer("Maximum number of pages to return.", { minimum: 1, maximum: 100, default: 10 }),
    cursor: countCursor,
  },
  success: {
    status: 200,
    description: "Feedback counts for each page.",
    schema: Type.Object(
      {
        feedback: Type.Array(
          Type.Object({
            path: Type.String({ description: "Path of the page." }),
            thumbsUp: Type.Integer({ description: "Number of positive ratings." }),
            thumbsDown: Type.Integer({ description: "Number of negative ratings." }),
            code: Type.Integer({ description: "Number of feedback items about the page's code blocks." }),
            total: Type.Integer({ description: "Number of all feedback items on the page." }),
          }),
        ),
        ...nextPage,
      },
      { $id: "FeedbackByPage" },
    ),
  },
});
