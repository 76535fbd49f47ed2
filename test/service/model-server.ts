/** A language model for tests: a server that speaks both protocols and does what it is told, well or badly. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export interface Verdict {
  covered: boolean;
  used: number[];
  clarifying: boolean;
}

/** What the model does with one question. */
export interface Behaviour {
  /** Pieces of its text, one event each. */
  text?: readonly string[];
  /** What it reports; absent: nothing. */
  finish?: Verdict | string;
  /** Before the head of the answer; before the first piece; between two. */
  head_ms?: number;
  first_ms?: number;
  between_ms?: number;
  status?: number;
  /** Ends the connection after so many pieces, without a word. */
  cutAfter?: number;
  /** Never goes on after so many pieces. */
  hangAfter?: number;
  /** Goes out as it is in place of a well-formed stream. */
  raw?: string;
  tokens?: number;
}

export interface AskedOfModel {
  path: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: whatever the client sent.
  body: any;
  /** All texts of the request, one after the other. */
  text: string;
  /** Aborted when the client has left. */
  gone: Promise<void>;
}

export interface ModelServer {
  /** With its `/v1`. */
  url: string;
  asked: AskedOfModel[];
  /** When the first piece of each answer left, by the clock of `performance`. */
  firstAt: number[];
  behave(behaviour: Behaviour | ((asked: AskedOfModel) => Behaviour)): void;
  stop(): Promise<void>;
}

export const answered: Behaviour = {
  text: ["You ", "install it ", "with one command ", "[1]."],
  finish: { covered: true, used: [1], clarifying: false },
};

export async function startModelServer(): Promise<ModelServer> {
  let behave: (asked: AskedOfModel) => Behaviour = () => answered;
  const asked: AskedOfModel[] = [];
  const firstAt: number[] = [];
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const gone = new Promise<void>((resolve) => response.once("close", resolve));
    const one: AskedOfModel = { path: request.url!, headers: request.headers, body, text: textsOf(body), gone };
    asked.push(one);
    const told = behave(one);
    if (told.head_ms) await wait(told.head_ms);
    if (told.status) {
      response.writeHead(told.status, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ error: { message: "No", type: "server_error" } }));
    }
    const protocol = request.url!.endsWith("/messages") ? anthropic : openAi;
    if (!body.stream) {
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify(protocol.whole(told)));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (told.raw !== undefined) return void response.end(told.raw);
    response.write(protocol.begin());
    if (told.first_ms) await wait(told.first_ms);
    for (const [index, piece] of (told.text ?? []).entries()) {
      if (index === told.cutAfter) return void response.destroy();
      if (index === told.hangAfter) return;
      if (index > 0 && told.between_ms) await wait(told.between_ms);
      if (index === 0) firstAt.push(performance.now());
      response.write(protocol.piece(piece));
    }
    if ((told.text ?? []).length === told.cutAfter) {
      // What was written goes out before the connection ends.
      await wait(50);
      return void response.destroy();
    }
    if ((told.text ?? []).length === told.hangAfter) return;
    response.end(protocol.end(told));
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
  end(told: Behaviour): string;
  whole(told: Behaviour): object;
}

function json(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const openAi: Protocol = {
  begin: () => `data: ${JSON.stringify(chunk({ role: "assistant", content: "" }))}\n\n`,
  piece: (text) => `data: ${JSON.stringify(chunk({ content: text }))}\n\n`,
  end({ finish, tokens = 100 }) {
    const call = { index: 0, id: "call_1", type: "function", function: { name: "finish", arguments: json(finish) } };
    return [
      ...(finish === undefined ? [] : [chunk({ tool_calls: [call] })]),
      { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: finish === undefined ? "stop" : "tool_calls" }] },
      { ...chunk({}), choices: [], usage: { prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens } },
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
      message: { id: "m", type: "message", role: "assistant", model: "test", content: [], usage: { input_tokens: 0, output_tokens: 0 } },
    }) + event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  piece: (text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
  end: ({ finish, tokens = 100 }) =>
    event("content_block_stop", { index: 0 }) +
    (finish === undefined
      ? ""
      : event("content_block_start", { index: 1, content_block: { type: "tool_use", id: "t", name: "finish", input: {} } }) +
        event("content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: json(finish) } }) +
        event("content_block_stop", { index: 1 })) +
    event("message_delta", { delta: { stop_reason: finish === undefined ? "end_turn" : "tool_use" }, usage: { output_tokens: tokens } }) +
    event("message_stop", {}),
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
    typeof content === "string" ? content : ((content as { text?: string }[] | undefined) ?? []).map((part) => part.text ?? "").join("\n");
  return [text(system), ...(messages ?? []).map(({ content }) => text(content))].join("\n");
}
