import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { endpoint, nullable } from "../core/endpoint.ts";
import { domain, groups, language, version } from "./search-contract.ts";

/** Maximum number of messages in the body of a question. */
const messages_count = 50;

const Message = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Your name for the message. The same question again, with the same id and `threadId`, is answered anew in place of the first.",
    }),
    role: Type.Union([Type.Literal("system"), Type.Literal("assistant"), Type.Literal("user")]),
    parts: Type.Array(
      Type.Object({
        type: Type.String({ maxLength: 50, description: "`text`; parts of other kinds are not read." }),
        text: Type.Optional(Type.String({ maxLength: limits.question_chars })),
      }),
      { maxItems: 100 },
    ),
  },
  { description: "A message in the form of the AI SDK." },
);

/** Body of a question from a site's page. The body of the API endpoint also has `fp`. */
export const AskBody = Type.Object({
  messages: Type.Array(Message, {
    minItems: 1,
    maxItems: messages_count,
    description: "The last one is the question. Those before are known by `threadId` and are not read.",
  }),
  threadId: Type.Optional(nullable(Type.String({ description: "From the end of the stream before: goes on with that conversation." }))),
  currentPath: Type.Optional(Type.String({ maxLength: limits.currentPath_chars, description: "The page that the question is asked on." })),
  context: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.Union([Type.Literal("code"), Type.Literal("textSelection")]),
        value: Type.String({ maxLength: limits.question_chars }),
        path: Type.Optional(Type.String({ maxLength: limits.currentPath_chars })),
      }),
      { maxItems: limits.context_count, description: "What the reader selected to ask about." },
    ),
  ),
  filter: Type.Optional(Type.Object({ version, language, groups })),
  retrievalPageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: `Sections to answer from; ${limits.retrieval_sections} at most.` }),
  ),
});

const answerKind = Type.Union([Type.Literal("generated"), Type.Literal("quote"), Type.Literal("related"), Type.Literal("none")], {
  description:
    "`generated`: a model wrote the answer. `quote`: a part of the documentation that answers the question, word for word. `related`: no answer, but up to five sections that may help. `none`: nothing was found.",
});

export const AnswerEvent = Type.Union(
  [
    Type.Object({ type: Type.Literal("start"), messageId: Type.String({ description: "Id of the turn, a ULID." }) }, { title: "Start" }),
    Type.Object({ type: Type.Literal("text-start"), id: Type.String() }, { title: "Start of the text" }),
    Type.Object({ type: Type.Literal("text-delta"), id: Type.String(), delta: Type.String() }, { title: "Piece of the text" }),
    Type.Object({ type: Type.Literal("text-end"), id: Type.String() }, { title: "End of the text" }),
    Type.Object(
      {
        type: Type.Literal("source-url"),
        sourceId: Type.String({ description: "Its number: `[1]` in the text means the first." }),
        url: Type.String(),
        title: Type.String(),
      },
      { title: "Source" },
    ),
    Type.Object({ type: Type.Literal("error"), errorText: Type.String() }, { title: "Error" }),
    Type.Object(
      {
        type: Type.Literal("finish"),
        messageMetadata: Type.Object({
          threadId: Type.String({ description: "Goes on with the conversation." }),
          resolutionStatus: Type.Union([Type.Literal("answered"), Type.Literal("unanswered")], {
            description:
              "`answered` for a quote, and for a generated answer whose model says that the sections answer the question and that cites at least one of them. `unanswered` for everything else.",
          }),
          responseType: Type.Union([Type.Literal("answer"), Type.Literal("clarifying_question")]),
          answerKind,
        }),
      },
      { title: "Finish" },
    ),
  ],
  {
    $id: "AnswerEvent",
    description: "The `data` of one event. `finish` comes once, also after an error; `[DONE]` is the last.",
  },
);

export type AnswerEvent = Static<typeof AnswerEvent>;

export const askAssistant = endpoint({
  operationId: "askAssistant",
  tag: "Assistant",
  summary: "Ask the assistant",
  description:
    "Streams the answer as server-sent events in the form of the AI SDK's UI messages. The text names its sources by numbers: `[1]` is the first `source-url`. Each question is recorded as one conversation.",
  method: "POST",
  path: "/v1/assistant/{domain}/message",
  caller: "assistant",
  rateLimit: "messages",
  params: domain,
  body: {
    type: "application/json",
    schema: Type.Composite([
      AskBody,
      Type.Object({ fp: Type.Optional(Type.String({ maxLength: 200, description: "Your reader, or `anonymous`. It is not kept." })) }),
    ]),
  },
  success: { status: 200, description: "The answer as it is written.", events: AnswerEvent },
});
