/** A fake language model server with both protocols. Tests set its answers and failures. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export interface Verdict {
  covered: boolean;
  used: number[];
  clarifying: boolean;
}

/** Response of the model to one question. */
export interface Behaviour {
  /** Pieces of the text. Each is sent as one event. */
  text?: readonly string[];
  /** Arguments of the call of the `finish` tool. If absent, the tool isn't called. */
  finish?: Verdict | string;
  /** Query of a call of the `search` tool. If set, `finish` isn't called. */
  search?: string;
  /** Delay before the response head. */
  head_ms?: number;
  /** Delay before the first piece. */
  first_ms?: number;
  /** If set, the first piece isn't sent before it resolves. */
  until?: Promise<void>;
  /** Delay between pieces. */
  between_ms?: number;
  status?: number;
  /** Number of pieces after which the connection is closed. */
  cutAfter?: number;
  /** Number of pieces after which no more data is sent. */
  hangAfter?: number;
  /** Response body to send instead of a well-formed stream. */
  raw?: string;
  tokens?: number;
}

export interface ModelRequestLog {
  path: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: request bodies are untyped in tests.
  body: any;
  /** All texts in the request, joined. */
  text: string;
  /** Resolves when the client has disconnected. */
  disconnected: Promise<void>;
}

export interface ModelServer {
  /** Base URL with `/v1`. */
  url: string;
  asked: ModelRequestLog[];
  /** Times at which the first piece of each answer was sent, from `performance.now()`. */
  firstAt: number[];
  behave(behaviour: Behaviour | ((asked: ModelRequestLog) => Behaviour)): void;
  stop(): Promise<void>;
}

export const answered: Behaviour = {
  text: ["You ", "install it ", "with one command ", "[1]."],
  finish: { covered: true, used: [1], clarifying: false },
};

export async function startModelServer(): Promise<ModelServer> {
  let behave: (asked: ModelRequestLog) => Behaviour = () => answered;
  const asked: ModelRequestLog[] = [];
  const firstAt: number[] = [];
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const disconnected = new Promise<void>((resolve) => response.once("close", resolve));
    const one: ModelRequestLog = {
      path: request.url!,
      headers: request.headers,
      body,
      text: textsOf(body),
      disconnected,
    };
    asked.push(one);
    const behaviour = behave(one);
    if (behaviour.head_ms) await wait(behaviour.head_ms);
    if (behaviour.status) {
      response.writeHead(behaviour.status, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ error: { message: "No", type: "server_error" } }));
    }
    const protocol = request.url!.endsWith("/messages") ? anthropic : openAi;
    if (!body.stream) {
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify(protocol.whole(behaviour)));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (behaviour.raw !== undefined) return void response.end(behaviour.raw);
    response.write(protocol.begin());
    if (behaviour.first_ms) await wait(behaviour.first_ms);
    await behaviour.until;
    for (const [index, piece] of (behaviour.text ?? []).entries()) {
      if (index === behaviour.cutAfter) return void response.destroy();
      if (index === behaviour.hangAfter) return;
      if (index > 0 && behaviour.between_ms) await wait(behaviour.between_ms);
      if (index === 0) firstAt.push(performance.now());
      response.write(protocol.piece(piece));
    }
    if ((behaviour.text ?? []).length === behaviour.cutAfter) {
      // Gives the written data time to arrive.
      await wait(50);
      return void response.destroy();
    }
    if ((behaviour.text ?? []).length === behaviour.hangAfter) return;
    response.end(protocol.end(behaviour));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    firstAt,
    behave(behaviour) {
      behave = typeof behaviour === "function" ? behaviour : () => behaviour;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Protocol {
  begin(): string;
  piece(text: string): string;
  end(behaviour: Behaviour): string;
  whole(behaviour: Behaviour): object;
}

function json(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The tool call at the end of an answer. */
function callOf({ finish, search }: Behaviour): { name: string; input: string } | undefined {
  if (search !== undefined) return { name: "search", input: json({ query: search }) };
  return finish === undefined ? undefined : { name: "finish", input: json(finish) };
}

const openAi: Protocol = {
  begin: () => `data: ${JSON.stringify(chunk({ role: "assistant", content: "" }))}\n\n`,
  piece: (text) => `data: ${JSON.stringify(chunk({ content: text }))}\n\n`,
  end(behaviour) {
    const { tokens = 100 } = behaviour;
    const call = callOf(behaviour);
    return [
      ...(call
        ? [
            chunk({
              tool_calls: [
                {
                  index: 0,
                  id: "call_1",
                  type: "function",
                  function: { name: call.name, arguments: call.input },
                },
              ],
            }),
          ]
        : []),
      { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: call ? "tool_calls" : "stop" }] },
      {
        ...chunk({}),
        choices: [],
        usage: { prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens },
      },
    ]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .concat("data: [DONE]\n\n")
      .join("");
  },
  whole: ({ text = [], tokens = 10 }) => ({
    ...chunk({}),
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: text.join("") }, finish_reason: "stop" }],
    usage: { prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens },
  }),
};

function chunk(delta: object) {
  return {
    id: "1",
    object: "chat.completion.chunk",
    created: 1,
    model: "test",
    choices: [{ index: 0, delta, finish_reason: null as string | null }],
  };
}

const anthropic: Protocol = {
  begin: () =>
    event("message_start", {
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "test",
        content: [],
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    }) + event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  piece: (text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
  end(behaviour) {
    const { tokens = 100 } = behaviour;
    const call = callOf(behaviour);
    return (
      event("content_block_stop", { index: 0 }) +
      (call === undefined
        ? ""
        : event("content_block_start", {
            index: 1,
            content_block: { type: "tool_use", id: "t", name: call.name, input: {} },
          }) +
          event("content_block_delta", {
            index: 1,
            delta: { type: "input_json_delta", partial_json: call.input },
          }) +
          event("content_block_stop", { index: 1 })) +
      event("message_delta", {
        delta: { stop_reason: call ? "tool_use" : "end_turn" },
        usage: { output_tokens: tokens },
      }) +
      event("message_stop", {})
    );
  },
  whole: ({ text = [], tokens = 10 }) => ({
    id: "m",
    type: "message",
    role: "assistant",
    model: "test",
    content: [{ type: "text", text: text.join("") }],
    stop_reason: "end_turn",
    usage: { input_tokens: 0, output_tokens: tokens },
  }),
};

function event(type: string, more: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

function textsOf({ system, messages }: { system?: unknown; messages?: { content: unknown }[] }): string {
  const text = (content: unknown): string =>
    typeof content === "string"
      ? content
      : ((content as { text?: string }[] | undefined) ?? []).map((part) => part.text ?? "").join("\n");
  return [text(system), ...(messages ?? []).map(({ content }) => text(content))].join("\n");
}
