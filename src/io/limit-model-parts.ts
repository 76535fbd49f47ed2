/**
 * Limits what the AI SDK handles for one response of a language model, whose server a tenant can choose. The
 * SDK reads all tool calls of a response in one turn of the event loop.
 */

import type { LanguageModelMiddleware } from "ai";

/** Maximum number of parts of a response. One line can contain many. */
const parts_count = 15_000;
/** Maximum number of parts that begin or complete a tool call. */
const toolParts_count = 16;
/**
 * Maximum length of the input of all tool calls, in characters. For each part of the input, the SDK parses
 * all parts before it.
 */
const toolInput_chars = 16_384;
/** Maximum number of texts in a response that isn't streamed. */
const texts_count = 20;

/** Types of parts that answers are made of. The others, such as sources, aren't used. */
const usedParts: ReadonlySet<string> = new Set([
  "stream-start",
  "text-start",
  "text-delta",
  "text-end",
  "tool-input-start",
  "tool-input-delta",
  "tool-input-end",
  "tool-call",
  "finish",
  "error",
]);

type Answer = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapStream"]>>>;
type Part = Answer["stream"] extends ReadableStream<infer P> ? P : never;

class TooManyParts extends Error {
  override name = "TooManyParts";
}

export const limitModelParts: LanguageModelMiddleware = {
  specificationVersion: "v3",
  async wrapStream({ doStream }) {
    const { stream, ...rest } = await doStream();
    let parts = 0;
    let toolParts = 0;
    let input_chars = 0;
    const used = new TransformStream<Part, Part>({
      transform(part, controller) {
        parts++;
        if (part.type === "tool-input-start" || part.type === "tool-call") toolParts++;
        if (part.type === "tool-input-delta") input_chars += part.delta.length;
        if (parts > parts_count || toolParts > toolParts_count || input_chars > toolInput_chars)
          throw new TooManyParts();
        if (usedParts.has(part.type)) controller.enqueue(part);
      },
    });
    return { ...rest, stream: stream.pipeThrough(used) };
  },
  async wrapGenerate({ doGenerate }) {
    const { content, ...rest } = await doGenerate();
    return { ...rest, content: content.filter(({ type }) => type === "text").slice(0, texts_count) };
  },
};
