/**
 * Implements a client for language models with the OpenAI or Anthropic protocol. The libraries are loaded
 * when a model is opened, which saves memory in services without a model.
 */

import type { lookup } from "node:dns";
import { limitModelParts } from "./limit-model-parts.ts";
import { outboundStream } from "./outbound-fetch.ts";

/** Maximum number of tokens in an answer. */
const modelAnswer_tokens = 1_200;
/** Maximum number of tokens that are counted for a response, because the model's server reports it. */
const reportedTokens_count = 1_000_000_000;
/** Maximum number of line breaks of a response. Each token can be an event of three lines. */
const modelResponse_lines = 15_000;
/** Maximum size of a line. A response that isn't streamed is a single line. */
const modelLine_bytes = 256 * 1024;

export interface ModelSettings {
  provider: "openai-compatible" | "anthropic";
  /** Base URL, including `/v1`. */
  baseUrl: string;
  name: string;
  apiKey?: string;
}

export interface ModelRequest {
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  /** Tools that the model can call. `schema`: JSON Schema of the input. `complete` ignores them. */
  tools?: readonly { name: string; description: string; schema: object }[];
  /** Cancels the request. */
  signal: AbortSignal;
  /** Timeout for the whole answer. */
  most_ms: number;
}

/** A streamed part of the answer: text or a tool call. The last part is the number of tokens used. */
export type ModelPart = { text: string } | { tool: string; input: unknown } | { tokens: number };

/** Client for one language model. Both methods throw `ModelFailure` on errors, timeouts and aborts. */
export interface LanguageModel {
  answer(request: ModelRequest): AsyncIterable<ModelPart>;
  /** Generates a short text, which isn't streamed. */
  complete(request: ModelRequest): Promise<{ text: string; tokens: number }>;
}

/** Thrown if a request to the model fails. The message contains no part of the request. */
export class ModelFailure extends Error {}

export interface LanguageModelOptions {
  /**
   * Maximum time between two parts of an answer, in seconds. For `complete`, the maximum time for the whole
   * response.
   */
  timeout_s: number;
  /** Whether a tenant configured the URL. Such a URL must be on the public internet. */
  isUntrusted: boolean;
  allowPrivate?: boolean;
  lookup?: typeof lookup;
}

/** Returns a client without connecting to the model. */
export function openLanguageModel(settings: ModelSettings, options: LanguageModelOptions): LanguageModel {
  const loaded = load(settings, options);

  // Callers get the error.
  loaded.catch(() => {});

  return {
    async *answer(request) {
      const watched = watch(request, options.timeout_s);
      try {
        const { streamText, jsonSchema, model } = await loaded;
        const tools = request.tools?.map(({ name, description, schema }) => [
          name,
          { description, inputSchema: jsonSchema(schema) },
        ]);
        const { fullStream } = streamText({
          ...common(request, watched.signal),
          model,
          ...(tools ? { tools: Object.fromEntries(tools) } : {}),
          // By default, the library writes errors to the console.
          onError() {},
        });
        for await (const part of untilAborted(fullStream, watched.signal)) {
          watched.touch();
          if (part.type === "text-delta") yield { text: part.text };
          else if (part.type === "tool-call") yield { tool: part.toolName, input: part.input };
          else if (part.type === "finish") yield { tokens: tokensOf(part.totalUsage) };
          else if (part.type === "error") throw part.error;
        }
      } catch (error) {
        throw failureOf(error);
      } finally {
        watched.end();
      }
    },
    async complete(request) {
      const watched = watch(request, options.timeout_s);
      try {
        const { generateText, model } = await loaded;
        const { text, totalUsage } = await generateText({ ...common(request, watched.signal), model });
        return { text, tokens: tokensOf(totalUsage) };
      } catch (error) {
        throw failureOf(error);
      } finally {
        watched.end();
      }
    },
  };
}

function tokensOf({ totalTokens = 0 }: { totalTokens?: number | undefined }): number {
  return Math.ceil(Math.min(Math.max(totalTokens, 0), reportedTokens_count)) || 0;
}

function common({ system, messages }: ModelRequest, abortSignal: AbortSignal) {
  // No automatic retries: callers decide whether to retry.
  return { system, messages, abortSignal, maxOutputTokens: modelAnswer_tokens, maxRetries: 0 };
}

async function load({ provider, baseUrl, name, apiKey }: ModelSettings, options: LanguageModelOptions) {
  const { streamText, generateText, jsonSchema, wrapLanguageModel } = await import("ai");

  // Keeps the library's warnings out of the log.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

  // The global `fetch` isn't used, because it may lose the abort signal of a long stream.
  // The operator's own model may be in a private network.
  const send = outboundStream({
    ...options,
    ...(options.isUntrusted ? {} : { allowPrivate: true }),
    sender: "model",
    lines: { count: modelResponse_lines, bytes: modelLine_bytes },
  });
  const own = { baseURL: baseUrl.replace(/\/+$/, ""), fetch: send as typeof fetch };

  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return {
      streamText,
      generateText,
      jsonSchema,
      model: wrapLanguageModel({
        model: createAnthropic({ ...own, apiKey: apiKey ?? "" })(name),
        middleware: limitModelParts,
      }),
    };
  }

  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const createModel = createOpenAICompatible({
    ...own,
    name: "model",
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  });

  const model = wrapLanguageModel({ model: createModel(name), middleware: limitModelParts });
  return { streamText, generateText, jsonSchema, model };
}

/**
 * Aborts after `timeout_s` without data, after `most_ms`, or when the caller aborts. Uses timers, because the
 * signals of `AbortSignal.timeout` and `AbortSignal.any` may be garbage collected before they fire.
 */
function watch({ signal, most_ms }: ModelRequest, timeout_s: number) {
  const controller = new AbortController();
  const stop = (reason: string) => controller.abort(new ModelFailure(reason));
  const abandon = () => stop("The request was canceled");
  if (signal.aborted) abandon();

  signal.addEventListener("abort", abandon);

  const last = setTimeout(
    () => stop(`The model took longer than ${Math.round(most_ms / 1_000)} seconds`),
    most_ms,
  );

  const startTimer = () =>
    setTimeout(() => stop(`The model didn't send anything for ${timeout_s} seconds`), timeout_s * 1_000);
  let timer = startTimer();
  return {
    signal: controller.signal,
    touch() {
      clearTimeout(timer);
      timer = startTimer();
    },
    end() {
      clearTimeout(timer);
      clearTimeout(last);
      signal.removeEventListener("abort", abandon);
      // Cancels the rest of the response.
      controller.abort();
    },
  };
}

/** Iterates over a stream. Throws the abort reason on abort, even if the stream ignores the signal. */
async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

  aborted.catch(() => {});
  const parts = stream[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await Promise.race([parts.next(), aborted]);
    if (done) {
      // The library ends an aborted stream without an error.
      if (signal.aborted) throw signal.reason;
      return;
    }
    yield value;
  }
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const {
    name = "Error",
    statusCode,
    cause,
  } = error as { name?: string; statusCode?: number; cause?: { code?: string } };
  const status = statusCode === undefined ? "" : `, status ${statusCode}`;
  return new ModelFailure(`The model failed: ${name}${status}${cause?.code ? `, ${cause.code}` : ""}`);
}
