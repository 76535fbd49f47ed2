/** Defines the bodies of requests from a site's pages: feedback and events. */

import { Type } from "@sinclair/typebox";
import { feedbackReasons } from "../../base/feedback-reasons.ts";
import { limits } from "../../base/limits.ts";

/** Maximum number of events in a request. */
const events_count = 20;
/** Maximum length of a comment on a page, a code block or an answer, in characters. */
export const feedbackComment_chars = 2_000;
/** Maximum length of the code block that feedback is about, in characters. */
const feedbackCode_chars = 10_000;

export const optionalText = Type.Optional(Type.String({ maxLength: 200 }));

export const AnswerFeedbackBody = Type.Object({
  turnId: Type.String({ minLength: 26, maxLength: 26 }),
  helpful: Type.Boolean(),
  comment: Type.Optional(Type.String({ maxLength: feedbackComment_chars })),
});

export const HandOverBody = Type.Object({ turnId: Type.String({ minLength: 26, maxLength: 26 }) });

const path = Type.String({ maxLength: 1_000 });
const comment = Type.Optional(Type.String({ maxLength: feedbackComment_chars }));

export const PageFeedbackBody = Type.Union([
  Type.Object({
    /** ID of the feedback to change; absent for new feedback. */
    id: Type.Optional(Type.String({ minLength: 26, maxLength: 26 })),
    path,
    helpful: Type.Boolean(),
    reason: Type.Optional(Type.Union(feedbackReasons.map((reason) => Type.Literal(reason)))),
    comment,
    contact: Type.Optional(
      Type.String({ maxLength: limits.email_chars, pattern: "^(?:[^\\s@]+@[^\\s@]+)?$" }),
    ),
  }),
  Type.Object({
    path,
    code: Type.String({ minLength: 1, maxLength: feedbackCode_chars }),
    filename: optionalText,
    lang: optionalText,
    comment,
  }),
]);

const query = Type.String({ maxLength: limits.searchText_chars });

export const EventsBody = Type.Object({
  events: Type.Array(
    Type.Union([
      Type.Object({
        type: Type.Literal("search"),
        query,
        results_count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      }),
      Type.Object({ type: Type.Literal("search-click"), query, path }),
      /** A page view. `referrer`: a URL or a host name. */
      Type.Object({
        type: Type.Literal("view"),
        path,
        referrer: Type.Optional(Type.String({ maxLength: 2_000 })),
      }),
    ]),
    { maxItems: events_count },
  ),
});
