/**
 * Replaces `assistant/post-json.ts` in the widget: a header identifies the browser, because the widget has no
 * cookies of the documentation site.
 */

import { visitorHeader } from "../../layout/site-layout.ts";
import { readOfReader, writeOfReader } from "./reader-storage.ts";

const key = "octavo-visitor";

export async function postJson(url: string, body: object, options?: RequestInit): Promise<Response> {
  const visitor = readOfReader("localStorage", key);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(visitor ? { [visitorHeader]: visitor } : {}) },
    body: JSON.stringify(body),
    credentials: "omit",
    ...options,
  });
  const assigned = response.headers.get(visitorHeader);
  if (assigned) writeOfReader("localStorage", key, assigned);
  return response;
}
