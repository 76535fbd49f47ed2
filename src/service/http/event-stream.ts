/** Sends server-sent events in the AI SDK's UI message stream format. */

import type { ServerResponse } from "node:http";
import type { Events } from "../core/endpoint.ts";

/** Time between two keep-alive comments in a stream. Shorter than common proxy timeouts. */
const keepAliveComment_ms = 15_000;

/**
 * Sends the events as a response. If the client disconnects, the signal that was passed to `events` is
 * aborted. `events` can then continue, for example to store a result.
 */
export async function sendEvents<Event>(response: ServerResponse, events: Events<Event>): Promise<void> {
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  if (response.destroyed) disconnected.abort();

  const write = (text: string) => {
    if (!response.destroyed) response.write(text);
  };

  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-vercel-ai-ui-message-stream": "v1",
    // Turns off buffering in proxies.
    "x-accel-buffering": "no",
  });

  const keepAlive = setInterval(() => write(": keep-alive\n\n"), keepAliveComment_ms);
  try {
    await events((event) => write(`data: ${JSON.stringify(event)}\n\n`), disconnected.signal);
    write("data: [DONE]\n\n");
  } finally {
    clearInterval(keepAlive);
    response.end();
  }
}
