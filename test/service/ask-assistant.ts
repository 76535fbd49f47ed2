/** Sends questions to the assistant and parses the streamed answers. */

import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { checkEvent } from "./contract.ts";

// biome-ignore lint/suspicious/noExplicitAny: responses are untyped in tests.
type Json = any;

export interface Asked {
  port: number;
  /** Host name of the site. If absent, the request goes to the API. */
  host?: string;
  path?: string;
  headers?: Record<string, string>;
  text?: string;
  body?: Json;
  /** Number of text pieces after which the client disconnects. */
  leaveAfter?: number;
}

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  events: Json[];
  /** Time at which the first piece of text arrived, from `performance.now()`. */
  firstAt: number;
  text: string;
  sources: { url: string; title: string }[];
  error: string | undefined;
  /** This field and those below are from the `finish` event. */
  threadId: string;
  resolutionStatus: string;
  responseType: string;
  answerKind: string;
  choices: string[] | undefined;
  related: { url: string; title: string }[] | undefined;
  turnId: string;
  isDone: boolean;
  json: Json;
}

export function bodyOf(text: string, more: object = {}): object {
  return { messages: [{ id: randomUUID(), role: "user", parts: [{ type: "text", text }] }], ...more };
}

/** Visitor cookies by thread id or message id, for requests that continue a thread or rate an answer. */
const visitorCookies = new Map<string, string>();

/**
 * Adds the cookie of the browser that began the thread or message, unless the headers have a visitor cookie.
 */
function withVisitor(headers: Record<string, string>, body: Json): Record<string, string> {
  const known = visitorCookies.get(body?.threadId ?? body?.turnId);
  if (known === undefined || headers.cookie?.includes("octavo_visitor")) return headers;
  return { ...headers, cookie: headers.cookie ? `${headers.cookie}; ${known}` : known };
}

export function ask({
  port,
  host,
  path = "/_octavo/assistant",
  headers = {},
  text = "How do I install it?",
  body,
  leaveAfter,
}: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = withVisitor(headers, body);
    const site = host === undefined ? `localhost:${port}` : host.includes(":") ? host : `${host}:${port}`;
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        path,
        method: "POST",
        agent: false,
        headers: {
          host: site,
          "content-type": "application/json",
          ...(host === undefined ? {} : { origin: `http://${site}` }),
          ...sent,
        },
      },
      (response) => {
        let raw = "";
        let firstAt = 0;
        const end = () => {
          const answered = read(response.statusCode!, response.headers, raw, firstAt);
          const cookie = [...(response.headers["set-cookie"] ?? []), sent.cookie ?? ""].find((line) =>
            line.includes("octavo_visitor="),
          );
          const visitor = /octavo_visitor=[^;]*/.exec(cookie ?? "")?.[0];
          if (visitor)
            for (const id of [answered.threadId, answered.turnId]) if (id) visitorCookies.set(id, visitor);
          resolve(answered);
        };
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          raw += chunk;
          if (!firstAt && raw.includes('"text-delta"')) firstAt = performance.now();
          if (leaveAfter !== undefined && raw.split('"text-delta"').length > leaveAfter) {
            request.destroy();
            end();
          }
        });
        response.on("end", end);
        response.on("error", (error) => (leaveAfter === undefined ? reject(error) : undefined));
      },
    );
    request.on("error", (error) => (leaveAfter === undefined ? reject(error) : undefined));
    request.end(JSON.stringify(body ?? bodyOf(text)));
  });
}

function read(status: number, headers: Answered["headers"], raw: string, firstAt: number): Answered {
  const isStream = String(headers["content-type"]).startsWith("text/event-stream");
  const lines = isStream ? raw.split("\n\n").filter((line) => line.startsWith("data: ")) : [];
  const data = lines.map((line) => line.slice("data: ".length));
  const events = data
    .filter((line) => line !== "[DONE]")
    .flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as Json] : []));
  for (const event of events) checkEvent("AnswerEvent", event);
  const of = (type: string) => events.filter((event) => event.type === type);
  const end = of("finish")[0]?.messageMetadata ?? {};
  return {
    status,
    headers,
    events,
    firstAt,
    text: of("text-delta")
      .map(({ delta }) => delta as string)
      .join(""),
    sources: of("source-url").map(({ url, title }) => ({ url, title })),
    error: of("error")[0]?.errorText,
    threadId: end.threadId,
    resolutionStatus: end.resolutionStatus,
    responseType: end.responseType,
    answerKind: end.answerKind,
    choices: end.choices,
    related: end.related,
    turnId: of("start")[0]?.messageId,
    isDone: data.at(-1) === "[DONE]",
    json: isStream || raw === "" ? undefined : JSON.parse(raw),
  };
}
