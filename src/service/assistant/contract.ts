import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { describedUlid } from "../core/described.ts";
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
        "Your ID for the message. If you send the same ID and `threadId` again, the new answer replaces the previous one.",
    }),
    role: Type.Union([Type.Literal("system"), Type.Literal("assistant"), Type.Literal("user")]),
    parts: Type.Array(
      Type.Object({
        type: Type.String({
          maxLength: 50,
          description: "Type of the part. Only parts with the type `text` are used.",
        }),
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
      "The last message is the question. Earlier messages are ignored, because the service loads the conversation by its `threadId`.",
  }),
  threadId: Type.Optional(
    nullable(
      Type.String({
        described: describedUlid,
        description:
          "ID of the conversation to continue, from the `finish` event of a previous answer. If omitted or null, a new conversation starts.",
      }),
    ),
  ),
  currentPath: Type.Optional(
    Type.String({
      maxLength: limits.currentPath_chars,
      description: "Path or URL of the page where the reader asked the question.",
    }),
  ),
  context: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.Union([Type.Literal("code"), Type.Literal("textSelection")]),
        value: Type.String({
          maxLength: limits.question_chars,
          description: "The selected text.",
          examples: ["npm install octavo"],
        }),
        path: Type.Optional(
          Type.String({
            maxLength: limits.currentPath_chars,
            description: "Path of the page that contains the text.",
          }),
        ),
      }),
      { maxItems: limits.context_count, description: "Code or text that the reader selected to ask about." },
    ),
  ),
  currentProduct: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "Name of the product in the navigation to which this page belongs. If the question fits several products about equally, it's answered for this one.",
    }),
  ),
  filter: Type.Optional(Type.Object({ version, language, groups })),
  retrievalPageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      description: `Maximum number of sections to use for the answer. Default: ${limits.retrieval_sections}. Larger values have no effect.`,
    }),
  ),
});

const answerKinds = ["generated", "question", "quote", "related", "none"] as const;

const answerKind = Type.Union(
  answerKinds.map((kind) => Type.Literal(kind)),
  {
    description:
      "`generated`: a model wrote the answer. `question`: the assistant asks which product or version is meant. `quote`: the answer is quoted from the documentation. `related`: links to up to five related sections, and the beginning of the best one if the question names it. `none`: no relevant sections were found, or the assistant failed before it wrote any text.",
  },
);

export const AnswerEvent = Type.Union(
  [
    Type.Object(
      { type: Type.Literal("start"), messageId: Type.String({ description: "ULID of the message." }) },
      { $id: "AnswerStart", title: "Start" },
    ),
    Type.Object(
      { type: Type.Literal("text-start"), id: Type.String() },
      { $id: "AnswerTextStart", title: "Text start" },
    ),
    Type.Object(
      { type: Type.Literal("text-delta"), id: Type.String(), delta: Type.String() },
      { $id: "AnswerTextDelta", title: "Text chunk" },
    ),
    Type.Object(
      { type: Type.Literal("text-end"), id: Type.String() },
      { $id: "AnswerTextEnd", title: "Text end" },
    ),
    Type.Object(
      {
        type: Type.Literal("source-url"),
        sourceId: Type.String({
          description: "Number of the source, starting at `1`. The text cites source `1` as `[1]`.",
        }),
        url: Type.String({
          description: "URL of the section.",
          examples: ["https://docs.example.com/guides/keys#create-a-key"],
        }),
        title: Type.String({ description: "Title of the page or section." }),
      },
      { $id: "AnswerSource", title: "Source" },
    ),
    Type.Object(
      { type: Type.Literal("error"), errorText: Type.String() },
      { $id: "AnswerError", title: "Error" },
    ),
    Type.Object(
      {
        type: Type.Literal("finish"),
        messageMetadata: Type.Object({
          threadId: Type.String({
            description:
              "ID of the conversation. Send it with the next question to continue the conversation.",
          }),
          resolutionStatus: Type.Union([Type.Literal("answered"), Type.Literal("unanswered")], {
            description:
              "`answered`: the assistant asked a clarifying question, generated an answer based on at least one section or, without a model, the documentation covers the question. `unanswered`: the documentation doesn't cover the question, the answer isn't based on any section, or the model reported that the documentation doesn't answer the question.",
          }),
          responseType: Type.Union([Type.Literal("answer"), Type.Literal("clarifying_question")]),
          answerKind,
          choices: Type.Optional(
            Type.Array(Type.String(), {
              description:
                "Names of the products or versions that the question may be about, if `answerKind` is `question`. Send the question again in the same conversation, with one of the names in parentheses at its end.",
            }),
          ),
          related: Type.Optional(
            Type.Array(Type.Object({ url: Type.String(), title: Type.String() }), {
              description:
                "Sections that are likely about the same subject, if the model reported that the documentation doesn't answer the question.",
            }),
          ),
        }),
      },
      { $id: "AnswerFinish", title: "Finish" },
    ),
  ],
  {
    $id: "AnswerEvent",
    description:
      "The `data` field of a server-sent event. The `finish` event is sent exactly once, even after an error. The stream ends with `data: [DONE]`.",
  },
);

export type AnswerEvent = Static<typeof AnswerEvent>;

export const askAssistant = endpoint({
  operationId: "askAssistant",
  tag: "Assistant",
  summary: "Ask the assistant",
  description:
    "Streams the answer as server-sent events in the AI SDK's UI message stream format. The text cites sources by number: `[1]` is the first `source-url` event. The service stores the question and the answer, unless the assistant fails before it writes any text.",
  method: "POST",
  path: "/v1/assistant/{domain}/message",
  caller: "assistant",
  rateLimit: "messages",
  params: domain,
  body: {
    type: "application/json",
    // Clients of the AI SDK add properties to the body and to messages.
    allowsUnknown: true,
    schema: Type.Composite([
      AskBody,
      Type.Object({
        fp: Type.Optional(
          Type.String({
            maxLength: 200,
            description: "The reader's ID in your system, or `anonymous`. It isn't stored.",
          }),
        ),
      }),
    ]),
  },
  success: { status: 200, description: "The answer, streamed as it's generated.", events: AnswerEvent },
});
