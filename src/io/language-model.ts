/**
 * A language model, by either of the two protocols that there are. The libraries are loaded when a model is first asked for:
 * a service without one never has them in memory.
 */
import type { lookup } from "node:dns";
import { outboundStream } from "./outbound-fetch.ts";

/** An answer of a model: what anybody reads of one. */
const modelAnswer_tokens = 1_200;

export interface ModelSettings {
  provider: "openai-compatible" | "anthropic";
  /** With its `/v1`. */
  baseUrl: string;
  name: string;
  apiKey?: string;
}

export interface ModelRequest {
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  /** What the model is to report by a call once it has written its text. */
  report?: { name: string; description: string; schema: object };
  /** Aborted when nobody wants the answer any more. */
  signal: AbortSignal;
  /** How long it may take altogether. */
  most_ms: number;
}

/** Pieces of the text as they arrive, the report, and at the end what it all took. */
export type ModelPart = { text: string } | { report: unknown } | { tokens: number };

/** Both throw a `ModelFailure` when the provider fails, says nothing for too long, or is told to stop. */
export interface LanguageModel {
  answer(request: ModelRequest): AsyncIterable<ModelPart>;
  /** A short text, at once. */
  complete(request: ModelRequest): Promise<{ text: string; tokens: number }>;
}

/** Its message holds nothing of what was sent. */
export class ModelFailure extends Error {}

export interface ModelOptions {
  /** Time without a sign of life. */
  timeout_s: number;
  /** Whether a tenant named the address: then it is one of the public internet. */
  isStranger: boolean;
  allowPrivate?: boolean;
  lookup?: typeof lookup;
}

export function openLanguageModel(settings: ModelSettings, options: ModelOptions): LanguageModel {
  const loaded = load(settings, options);
  // Who asks is told.
  loaded.catch(() => {});
  return {
    async *answer(request) {
      const watched = watch(request, options.timeout_s);
      try {
        const { streamText, jsonSchema, model } = await loaded;
        const { report } = request;
        const { fullStream } = streamText({
          ...common(request, watched.signal),
          model,
          ...(report ? { tools: { [report.name]: { description: report.description, inputSchema: jsonSchema(report.schema) } } } : {}),
          // By default it writes to the console.
          onError() {},
        });
        for await (const part of untilAborted(fullStream, watched.signal)) {
          watched.heard();
          if (part.type === "text-delta") yield { text: part.text };
          else if (part.type === "tool-call") yield { report: part.input };
          else if (part.type === "finish") yield { tokens: part.totalUsage.totalTokens ?? 0 };
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
        return { text, tokens: totalUsage.totalTokens ?? 0 };
      } catch (error) {
        throw failureOf(error);
      } finally {
        watched.end();
      }
    },
  };
}

function common({ system, messages }: ModelRequest, abortSignal: AbortSignal) {
  // Trying again is decided by who asks: a reader waits.
  return { system, messages, abortSignal, maxOutputTokens: modelAnswer_tokens, maxRetries: 0 };
}

async function load({ provider, baseUrl, name, apiKey }: ModelSettings, options: ModelOptions) {
  const { streamText, generateText, jsonSchema } = await import("ai");
  // What it warns of stands in no log of ours.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  // Not the global `fetch`: it may forget the signal of an answer that streams for long. The operator's own model may be anywhere.
  const send = outboundStream(options.isStranger ? options : { ...options, allowPrivate: true });
  const own = { baseURL: baseUrl.replace(/\/+$/, ""), fetch: send as typeof fetch };
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return { streamText, generateText, jsonSchema, model: createAnthropic({ ...own, apiKey: apiKey ?? "" })(name) };
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const made = createOpenAICompatible({ ...own, name: "model", includeUsage: true, ...(apiKey === undefined ? {} : { apiKey }) });
  return { streamText, generateText, jsonSchema, model: made(name) };
}

/**
 * Aborts when nothing was heard for so long, when it has taken too long altogether, or when whoever asks does. Timers of our
 * own: signals made of `AbortSignal.timeout` and `any` may be collected as garbage before they fire.
 */
function watch({ signal, most_ms }: ModelRequest, timeout_s: number) {
  const controller = new AbortController();
  const stop = (reason: string) => controller.abort(new ModelFailure(reason));
  const left = () => stop("Nobody wants the answer any more");
  if (signal.aborted) left();
  signal.addEventListener("abort", left);
  const last = setTimeout(() => stop(`The model took more than ${most_ms / 1_000} seconds`), most_ms);
  const silent = () => setTimeout(() => stop(`The model said nothing for ${timeout_s} seconds`), timeout_s * 1_000);
  let timer = silent();
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = silent();
    },
    end() {
      clearTimeout(timer);
      clearTimeout(last);
      signal.removeEventListener("abort", left);
      // What is left of the answer is not wanted.
      controller.abort();
    },
  };
}

/** A stream that does not heed the signal is left alone all the same. */
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
      // The library ends a stream that it was told to abort as if all was said.
      if (signal.aborted) throw signal.reason;
      return;
    }
    yield value;
  }
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { name = "Error", statusCode, cause } = error as { name?: string; statusCode?: number; cause?: { code?: string } };
  const status = statusCode === undefined ? "" : `, status ${statusCode}`;
  return new ModelFailure(`The model failed: ${name}${status}${cause?.code ? `, ${cause.code}` : ""}`);
}
