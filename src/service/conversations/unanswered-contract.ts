import { Type } from "@sinclair/typebox";
import { countCursor } from "../core/count-cursor.ts";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { choice, instant, integer, ulidParameter } from "../core/parameters.ts";
import { Source } from "./contract.ts";

const tag = "Analytics";

export const groupStatuses = ["open", "ignored", "resolved"] as const;

const status = Type.Union(
  groupStatuses.map((name) => Type.Literal(name)),
  {
    description:
      "Status of the group. A resolved group reopens when one of its questions is asked again and the assistant can't answer it.",
  },
);
const answerPath = nullable(
  Type.String({
    pattern: "^/[^\\s\\\\]*$",
    maxLength: 500,
    description:
      "Path of the page that answers the questions, such as `/guides/keys`. Can be set only for resolved groups.",
  }),
);

export const UnansweredGroup = Type.Object(
  {
    id: Type.String({
      description:
        "ID of the newest question in the group. You can use the ID of any of its questions to refer to the group.",
    }),
    terms: Type.String({ description: "Word stems that the questions have in common." }),
    question: Type.String({ description: "Text of the newest question." }),
    count: Type.Integer({ description: "Number of questions in the period." }),
    firstAskedAt: timestamp("When one of the questions was first asked in the period."),
    lastAskedAt: timestamp("When one of the questions was last asked in the period."),
    pages: Type.Array(
      Type.Object({
        url: Type.String({
          description: "URL of the page.",
          examples: ["https://docs.example.com/guides/keys"],
        }),
        count: Type.Integer({ description: "How many of these questions readers asked on the page." }),
      }),
      {
        description:
          "Up to 5 pages where readers asked the group's 200 newest questions, most frequent first.",
      },
    ),
    sections: Type.Array(Source, {
      description: "Related sections that the newest answer linked to, most relevant first.",
    }),
    status,
    isReopened: Type.Boolean({
      description:
        "Whether one of the questions was asked again, and wasn't answered, after the group was resolved.",
    }),
    assignee: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    answerPath,
  },
  { $id: "UnansweredGroup" },
);

export const listUnanswered = endpoint({
  operationId: "listUnanswered",
  tag,
  summary: "List unanswered questions",
  description:
    "Returns groups of similar unanswered questions, most frequent first. Questions are counted by day in UTC, so every day that is at least partly in the period is included.",
  method: "GET",
  path: "/v1/analytics/{projectId}/unanswered",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    dateFrom: instant("Start of the period, inclusive."),
    dateTo: instant("End of the period, exclusive."),
    status: choice("Returns only groups with this status.", groupStatuses),
    assigneeId: ulidParameter("Returns only groups assigned to the user with this ID.", "must be a user ID"),
    limit: integer("Number of groups per page.", { minimum: 1, maximum: 100, default: 50 }),
    cursor: countCursor,
    offset: integer("Number of groups to skip. Instead, you can use `cursor`.", {
      minimum: 0,
      maximum: 100_000,
      default: 0,
    }),
  },
  success: {
    status: 200,
    description: "A page of groups.",
    schema: Type.Object(
      {
        groups: Type.Array(UnansweredGroup),
        ...nextPage,
        countedFrom: nullable(
          Type.String({
            description:
              "First day included in the counts, such as `2026-05-03`, if there are too many questions to count every day in the period. Otherwise null.",
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
  summary: "Assign, ignore, or resolve unanswered questions",
  description: "Sets the status, assignee, and answer page of a group. Omitted values are cleared.",
  method: "PATCH",
  path: "/v1/analytics/{projectId}/unanswered/{questionId}",
  caller: "admin",
  role: "editor",
  params: { projectId: "Project ID.", questionId: "ID of a question in the group." },
  body: {
    type: "application/json",
    schema: Type.Object({
      status,
      assigneeId: Type.Optional(
        nullable(
          Type.String({
            maxLength: 26,
            description:
              "User ID of a member of your organization. If omitted or null, the group has no assignee.",
          }),
        ),
      ),
      answerPath: Type.Optional(answerPath),
    }),
  },
  success: { status: 204, description: "The group was updated." },
});
