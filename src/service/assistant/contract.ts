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
      description: "Your ID for the message. If you send the same ID and `threadId` again, the new answer replaces the first one.",
    }),
    role: Type.Union([Type.Literal("system"), Type.Literal("assistant"), Type.Literal("user")]),
    parts: Type.Array(
      Type.Object({
        type: Type.String({ maxLength: 50, description: "`text`. Other types are ignored." }),
        text: Type.Optional(Type.String({ maxLength: limits.question_chars })),
      }),
      { maxItems: 100 },
    ),
  },
  { description: "A message in the AI SDK format." },
);

/** Body of a question from a site's page. The body of the API endpoint also has `fp`. */
export const AskBody = Type.Object({
  messages: Type.Array(Message, {
    minItems: 1,
    maxItems: messages_count,
    description:
      "The last message is the question. Earlier messages in the array are ignored. The conversation is loaded using `threadId`.",
  }),
  threadId: Type.Optional(
    nullable(Type.String({ description: "`threadId` from the end of the previous stream. Continues that conversation." })),
  ),
  currentPath: Type.Optional(Type.String({ maxLength: limits.currentPath_chars, description: "Page where the question was asked." })),
  context: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.Union([Type.Literal("code"), Type.Literal("textSelection")]),
        value: Type.String({ maxLength: limits.question_chars }),
        path: Type.Optional(Type.String({ maxLength: limits.currentPath_chars })),
      }),
      { maxItems: limits.context_count, description: "Text that the reader selected." },
    ),
  ),
  filter: Type.Optional(Type.Object({ version, language, groups })),
  retrievalPageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      description: `Maximum number of sections to base the answer on, up to ${limits.retrieval_sections}.`,
    }),
  ),
});

const answerKind = Type.Union([Type.Literal("generated"), Type.Literal("quote"), Type.Literal("related"), Type.Literal("none")], {
  description:
    "`generated`: written by a model. `quote`: quoted from the documentation. `related`: no answer, but up to five sections that may help. `none`: nothing was found.",
});

export const AnswerEvent = Type.Union(
  [
    Type.Object({ type: Type.Literal("start"), messageId: Type.String({ description: "ID of the message, a ULID." }) }, { title: "Start" }),
    Type.Object({ type: Type.Literal("text-start"), id: Type.String() }, { title: "Text start" }),
    Type.Object({ type: Type.Literal("text-delta"), id: Type.String(), delta: Type.String() }, { title: "Text chunk" }),
    Type.Object({ type: Type.Literal("text-end"), id: Type.String() }, { title: "Text end" }),
    Type.Object(
      {
        type: Type.Literal("source-url"),
        sourceId: Type.String({ description: "Source number. `[1]` in the text refers to the first source." }),
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
          threadId: Type.String({ description: "Send this ID to continue the conversation." }),
          resolutionStatus: Type.Union([Type.Literal("answered"), Type.Literal("unanswered")], {
            description:
              "`answered` for a quote, a clarifying question, and a generated answer that cites at least one section, unless the model reports that the documentation doesn't answer the question. Otherwise `unanswered`.",
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
    description: "The `data` field of one event. `finish` is sent once, even after an error. `[DONE]` is the last event.",
  },
);

export type AnswerEvent = Static<typeof AnswerEvent>;

export const askAssistant = endpoint({
  operationId: "askAssistant",
  tag: "Assistant",
  summary: "Ask the assistant",
  description:
    "Streams the answer as server-sent events in the AI SDK's UI message format. The text cites sources by number: `[1]` is the first `source-url`. Each question and its answer are recorded.",
  method: "POST",
  path: "/v1/assistant/{domain}/message",
  caller: "assistant",
  rateLimit: "messages",
  params: domain,
  body: {
    type: "application/json",
    schema: Type.Composite([
      AskBody,
      Type.Object({
        fp: Type.Optional(Type.String({ maxLength: 200, description: "ID of the reader in your system, or `anonymous`. Not stored." })),
      }),
    ]),
  },
  success: { status: 200, description: "The answer, streamed as it's generated.", events: AnswerEvent },
});
