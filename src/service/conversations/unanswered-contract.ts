import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { choice, instant, integer, ulid } from "../core/parameters.ts";
import { Source } from "./contract.ts";

const tag = "Analytics";

export const groupStatuses = ["open", "ignored", "resolved"] as const;

const status = Type.Union(
  groupStatuses.map((name) => Type.Literal(name)),
  { description: "A resolved group is reopened when a reader asks one of its questions again." },
);
const answerPath = nullable(
  Type.String({
    pattern: "^/[^\\s\\\\]*$",
    maxLength: 500,
    description: "Path of the page that answers the questions, such as `/guides/keys`. Only for resolved groups.",
  }),
);

export const UnansweredGroup = Type.Object(
  {
    id: Type.String({ description: "ID of the newest question. The ID of any question in the group also identifies the group." }),
    terms: Type.String({ description: "Stems of the words that the questions have in common." }),
    question: Type.String({ description: "Text of the newest question." }),
    count: Type.Integer({ description: "Number of questions in the requested time range." }),
    firstAskedAt: Timestamp,
    lastAskedAt: Timestamp,
    pages: Type.Array(Type.Object({ url: Type.String(), count: Type.Integer() }), {
      description: "Up to 5 pages where the newest 200 questions were asked, most frequent first.",
    }),
    sections: Type.Array(Source, { description: "Related sections that the newest answer linked to, most relevant first." }),
    status,
    isReopened: Type.Boolean({ description: "Whether one of the questions was asked again after the group was resolved." }),
    assignee: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    answerPath,
  },
  { $id: "UnansweredGroup" },
);

export const listUnanswered = endpoint({
  operationId: "listUnanswered",
  tag,
  summary: "List unanswered questions",
  description: "Returns groups of similar unanswered questions, most frequent first. Counts cover whole days in UTC.",
  method: "GET",
  path: "/v1/analytics/{projectId}/unanswered",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    dateFrom: instant("Start of the time range, inclusive."),
    dateTo: instant("End of the time range, exclusive."),
    status: choice("Returns only groups with this status.", groupStatuses),
    assigneeId: ulid("Returns only groups that are assigned to this user."),
    limit: integer("Maximum number of groups.", { minimum: 1, maximum: 100, default: 50 }),
    offset: integer("Number of groups to skip.", { minimum: 0, maximum: 100_000, default: 0 }),
  },
  success: {
    status: 200,
    description: "A page of groups.",
    schema: Type.Object(
      {
        groups: Type.Array(UnansweredGroup),
        hasMore: Type.Boolean({ description: "Whether there are more groups after this page." }),
        countedFrom: nullable(
          Type.String({
            description:
              "First day that's included in the counts, such as `2026-05-03`, if there are too many questions to count all days.",
          }),
        ),
      },
      { $id: "UnansweredGroups" },
    ),
  },
});

export const changeUnanswered = endpoint({
  operationId: "changeUnanswered",
  tag,
  summary: "Assign, ignore or resolve unanswered questions",
  description: "Stores a decision about a group, replacing any previous decision.",
  method: "PATCH",
  path: "/v1/analytics/{projectId}/unanswered/{questionId}",
  caller: "admin",
  role: "editor",
  params: { projectId: "Project ID.", questionId: "ID of a question in the group." },
  body: {
    type: "application/json",
    schema: Type.Object(
      {
        status,
        assigneeId: Type.Optional(
          nullable(Type.String({ maxLength: 26, description: "ID of a member. If omitted or null, the group is unassigned." })),
        ),
        answerPath: Type.Optional(answerPath),
      },
      { additionalProperties: false },
    ),
  },
  success: { status: 204, description: "The decision is stored." },
});
