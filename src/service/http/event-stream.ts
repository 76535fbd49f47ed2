/** Server-sent events, in the form in which the AI SDK reads an answer. */
import type { ServerResponse } from "node:http";
import { limits } from "../../base/limits.ts";
import type { Events } from "../core/endpoint.ts";

/** Whoever makes the events goes on to the end, also when the reader has left: there may be something to write down. */
export async function sendEvents<Event>(response: ServerResponse, events: Events<Event>): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  if (response.destroyed) left.abort();
  const write = (text: string) => {
    if (!response.destroyed) response.write(text);
  };
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-vercel-ai-ui-message-stream": "v1",
    // Proxies that gather an answer would hold it back.
    "x-accel-buffering": "no",
  });
  const beat = setInterval(() => write(": still here\n\n"), limits.answerBeat_ms);
  try {
    await events((event) => write(`data: ${JSON.stringify(event)}\n\n`), left.signal);
    write("data: [DONE]\n\n");
  } finally {
    clearInterval(beat);
    response.end();
  }
}
