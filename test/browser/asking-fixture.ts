/**
 * A built site on a local server with the endpoints of a host. Requests to them are recorded, and the test
 * sets the responses.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { typeOf } from "../../src/host/content-type.ts";
import { notFoundPage, readRedirectTable, resolvePath } from "../../src/host/resolve-path.ts";
import type { BuiltSite } from "../engine/build.ts";

export type Handler = (
  body: string,
  response: ServerResponse,
  request: IncomingMessage,
) => void | Promise<void>;

export interface AskingHost {
  url: string;
  /** Requested paths. */
  asked: string[];
  /**
   * Handlers by path, such as `/_octavo/assistant`. Requests to other endpoints get 404, except for events.
   */
  handlers: Map<string, Handler>;
  close(): void;
}

/** Handlers that are always present. Every page reports a view to the events endpoint. */
const defaults = new Map<string, Handler>([
  ["/_octavo/events", (_, response) => void response.writeHead(204).end()],
]);

/** Starts a host for a site. It sends pages with the site's Content-Security-Policy. */
export async function serveAsking(site: BuiltSite): Promise<AskingHost> {
  const paths = new Set(site.paths);
  const table = readRedirectTable(Buffer.from(site.read("_octavo/redirects.json")));
  const { contentSecurityPolicy } = JSON.parse(site.read("_octavo/security.json")) as {
    contentSecurityPolicy: string;
  };
  const host: AskingHost = { url: "", asked: [], handlers: new Map(), close: () => server.close() };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost");
    host.asked.push(pathname);
    const handler = host.handlers.get(pathname) ?? defaults.get(pathname);
    if (request.method === "POST" && handler) {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => void handler(body, response, request));
      return;
    }
    const found = resolvePath(pathname, { has: (file) => paths.has(file) }, table, false);
    if ("location" in found) return void response.writeHead(found.status, { location: found.location }).end();
    const path = found.status === 200 ? found.path : notFoundPage;
    response.writeHead(found.status, {
      "content-type": typeOf(path),
      "content-security-policy": contentSecurityPolicy,
    });
    response.end(site.read(path));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return host;
}

export type StreamEvent = Record<string, unknown>;

export const turnId = "01JD3ZQ0000000000000000000";

/** Creates the events of a complete answer. */
export function answerEvents(
  text: string,
  sources: readonly { url: string; title: string }[] = [],
  status: "answered" | "unanswered" = "answered",
): StreamEvent[] {
  return [
    { type: "start", messageId: turnId },
    { type: "text-start", id: "0" },
    ...(text ? [{ type: "text-delta", id: "0", delta: text }] : []),
    { type: "text-end", id: "0" },
    ...sources.map((source, place) => ({ type: "source-url", sourceId: String(place + 1), ...source })),
    {
      type: "finish",
      messageMetadata: {
        threadId: turnId,
        resolutionStatus: status,
        responseType: "answer",
        answerKind: "generated",
      },
    },
  ];
}

export function streamText(events: readonly StreamEvent[]): string {
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
}

export function startStream(response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "x-vercel-ai-ui-message-stream": "v1",
    "cache-control": "no-store",
  });
  response.flushHeaders();
}

/** Sends all events of an answer at once. */
export function tell(response: ServerResponse, events: readonly StreamEvent[]): void {
  startStream(response);
  response.end(streamText(events));
}
