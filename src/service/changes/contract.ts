import { Type } from "@sinclair/typebox";
import { feedbackReasons } from "../../base/feedback-reasons.ts";
import { Conversation } from "../conversations/contract.ts";
import { endpoint, nullable, timestamp } from "../core/endpoint.ts";
import { cursorParameter, integer } from "../core/parameters.ts";
import { feedbackSources, feedbackStatuses } from "../feedback/contract.ts";

/** Cursor of the feed: the number of the last event, and the beginning of its digest in base64url. */
export const changesCursor = /^(0|[1-9]\d{0,14})-([\w-]{22})$/;

const ChangedConversation = Type.Composite(
  [
    Conversation,
    Type.Object({
      rating: nullable(
        Type.Object({
          helpful: Type.Boolean({ description: "Whether the reader found the answer helpful." }),
          comment: nullable(Type.String({ description: "The reader's comment." })),
        }),
      ),
      isResolved: Type.Boolean({
        description:
          "Whether a member resolved the unanswered question, together with similar ones, after it was asked.",
      }),
    }),
  ],
  { $id: "ChangedConversation" },
);

const ChangedFeedback = Type.Object(
  {
    id: Type.String({ description: "A ULID. Its timestamp matches `createdAt`." }),
    path: Type.String({ description: "Path of the page." }),
    source: Type.Union(
      feedbackSources.map((source) => Type.Literal(source)),
      { description: "As in `listFeedback`." },
    ),
    status: Type.Union(
      feedbackStatuses.map((status) => Type.Literal(status)),
      { description: "Review status. New feedback is `pending`." },
    ),
    helpful: nullable(
      Type.Boolean({ description: "Whether the reader found the page helpful. Null for feedback on code." }),
    ),
    reason: nullable(
      Type.Union(
        feedbackReasons.map((reason) => Type.Literal(reason)),
        { description: "Why the page wasn't helpful, if the reader chose a reason." },
      ),
    ),
    comment: nullable(Type.String({ description: "The reader's comment." })),
    contact: nullable(Type.String({ description: "The reader's email, if provided." })),
    code: nullable(Type.String({ description: "The code that the feedback is about." })),
    filename: nullable(Type.String()),
    lang: nullable(Type.String()),
    createdAt: timestamp("When the feedback was sent."),
  },
  { $id: "ChangedFeedback" },
);

const ChangedSearch = Type.Object(
  {
    day: Type.String({ description: "Day in UTC.", examples: ["2026-01-31"] }),
    searchQuery: Type.String({ description: "The query in lowercase." }),
    hits: Type.Integer({ description: "Number of searches on this day." }),
    apiHits: Type.Integer({ description: "Number of searches through the API, which `hits` includes." }),
    withoutResults: Type.Integer({ description: "Number of searches without results." }),
    clicks: Type.Integer({ description: "Number of clicks on results." }),
    lastSearchedAt: nullable(timestamp("When the query was last searched for on this day.")),
  },
  { $id: "ChangedSearch" },
);

const event = {
  id: Type.String({ description: "ULID of the event. It stays the same if the event is returned again." }),
  sequence: Type.Integer({
    minimum: 1,
    description: "Number of the event in the project's feed. Numbers start at 1, and none is left out.",
  }),
  timestamp: timestamp("When the record was last changed before the event was added."),
  kind: Type.Union(
    [
      Type.Literal("created"),
      Type.Literal("changed"),
      Type.Literal("rated"),
      Type.Literal("resolved"),
      Type.Literal("deleted"),
    ],
    {
      description:
        "`created`: the record is new. `rated`: a reader rated the answer, or changed a rating. `resolved`: a member resolved the question or the feedback. `changed`: any other change. `deleted`: the record was deleted.",
    },
  ),
  recordId: Type.String({
    description: "ID of the record. Searches have one record per day and query.",
  }),
  contentHash: nullable(
    Type.String({
      description:
        "SHA-256 of `data` as canonical JSON (RFC 8785), in hex. For a deleted record, that of its content before. Null if the record was deleted before it had an event.",
    }),
  ),
  digest: Type.String({
    description:
      "Running digest in hex: SHA-256 of the previous event's digest (64 zeros for the first event), `sequence`, `id`, `timestamp`, `kind`, `recordType`, `recordId`, and `contentHash` (empty if null), joined by line breaks.",
  }),
};

const dataDescription =
  "Null if the record was deleted or changed since. In this case, a later event follows.";

export const ChangeEvent = Type.Union(
  [
    Type.Object(
      {
        ...event,
        recordType: Type.Literal("conversation"),
        data: Type.Union([ChangedConversation, Type.Null()], { description: dataDescription }),
      },
      { $id: "ConversationChange", title: "Conversation" },
    ),
    Type.Object(
      {
        ...event,
        recordType: Type.Literal("feedback"),
        data: Type.Union([ChangedFeedback, Type.Null()], { description: dataDescription }),
      },
      { $id: "FeedbackChange", title: "Feedback" },
    ),
    Type.Object(
      {
        ...event,
        recordType: Type.Literal("search"),
        data: Type.Union([ChangedSearch, Type.Null()], { description: dataDescription }),
      },
      { $id: "SearchChange", title: "Search" },
    ),
  ],
  { $id: "ChangeEvent" },
);

export const listChanges = endpoint({
  operationId: "listChanges",
  tag: "Analytics",
  summary: "List changes",
  description:
    "Returns created, changed, rated, resolved, and deleted records of conversations, feedback, and searches in one order, oldest first. The cursor stays valid after the last page, so a later request with it returns only new events. Changes of a record in quick succession can share their events. A page has fewer events than `limit` if their data is longer than about 4 MB.",
  method: "GET",
  path: "/v1/analytics/{projectId}/changes",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    limit: integer("Number of events per page.", { minimum: 1, maximum: 1000, default: 100 }),
    cursor: cursorParameter(
      "`nextCursor` from the last response. Leave it out to read the feed from the beginning.",
      changesCursor,
    ),
  },
  success: {
    status: 200,
    description: "A page of events.",
    schema: Type.Object(
      {
        events: Type.Array(ChangeEvent),
        startsAfter: Type.Integer({
          minimum: 0,
          description:
            "Number of the event before this page. Less than that of your last event if the service was restored from an earlier backup.",
        }),
        nextCursor: Type.String({ description: "Cursor for the next request, also after the last page." }),
        hasMore: Type.Boolean({ description: "Whether there are more events now." }),
      },
      { $id: "ChangesPage" },
    ),
  },
});
