/** Formats a request as HTTP text, from the same object that is sent. */

import { cutText } from "../../base/cut-text.ts";
import type { HttpRequest, RequestBody } from "../../engine/openapi/request/request-model.ts";
import { multipartText } from "../../engine/openapi/request/request-multipart.ts";
import {
  bodyNotSentByBrowsers,
  notSentByBrowsers,
  notSentBySites,
} from "../../engine/openapi/request/request-restrictions.ts";
import { sizeText } from "./format-amounts.ts";

export interface RequestLine {
  text: string;
  kind: "start" | "header" | "body";
  /** Language of the body, for highlighting. */
  syntax?: string;
  /** Whether the browser or the docs server leaves this line out. */
  notSent?: boolean;
}

/**
 * Maximum length of the displayed part of a body, in characters. Longer bodies are truncated here, but sent
 * completely.
 */
const shown_chars = 20_000;

/**
 * Returns the lines of a request, for display. `direct`: whether the browser sends the request, not the docs
 * server.
 */
export function requestLines(request: HttpRequest, direct: boolean): RequestLine[] {
  const lines: RequestLine[] = [{ kind: "start", text: `${request.method} ${request.url}` }];
  for (const header of request.headers) {
    lines.push({
      kind: "header",
      text: header.join(": "),
      notSent: direct ? notSentByBrowsers(header) : notSentBySites(header[0]),
    });
  }

  const body = request.body && bodyText(request.body);
  if (body) {
    const notSent = direct && bodyNotSentByBrowsers(request.method);
    lines.push(
      { kind: "body", text: "" },
      {
        kind: "body",
        syntax: syntaxOf(request),
        text: cutText(body, shown_chars),
        notSent,
      },
    );
  }

  return lines;
}

function syntaxOf({ body, headers }: HttpRequest): string | undefined {
  if (body?.kind !== "text") return undefined;
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return /[/+](json|xml)\s*(?:;|$)/.exec(type)?.[1];
}

/** Returns the request as text, for copying. Truncates a long body. */
export function requestText(request: HttpRequest): string {
  return requestLines(request, false)
    .map((line) => line.text)
    .join("\n");
}

/** Returns a body as text. Files are replaced with their name and size. */
export function bodyText(body: RequestBody): string {
  if (body.kind === "text") return body.text;
  if (body.kind === "file") return fileText(body.file);
  return multipartText(body, fileText).replaceAll("\r\n", "\n");
}

function fileText({ name, bytes }: { name: string; bytes?: Blob }): string {
  return `‹${name}${bytes ? `, ${sizeText(bytes.size)}` : ""}›`;
}
