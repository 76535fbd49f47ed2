/** Conversations to import, as items of the export. */

import { randomBytes } from "node:crypto";
import { ulidMaker } from "../../src/base/ulid.ts";
import type { TestOrganization } from "./service.ts";

export interface Recorded {
  id: string;
  timestamp: string;
  query: string;
  response: string;
  sources: { title: string; url: string }[];
  resolutionStatus: "answered" | "unanswered";
  queryCategory: string | null;
  pageUrl: string | null;
  conversationId?: string;
}

export function recorded(at: number | Date, query: string, more: Partial<Recorded> = {}): Recorded {
  const time = Number(at);
  return {
    id: ulidMaker(() => time, randomBytes)(),
    timestamp: new Date(time).toISOString(),
    query,
    response: "See the guide.",
    sources: [{ title: "Guide", url: "https://docs.example.com/guide" }],
    resolutionStatus: "answered",
    queryCategory: null,
    pageUrl: null,
    ...more,
  };
}

export async function importAll(
  { ask, projectId }: TestOrganization,
  rows: readonly Recorded[],
): Promise<void> {
  const answer = await ask(`/v1/analytics/${projectId}/assistant/import`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: rows.map((row) => JSON.stringify(row)).join("\n"),
  });
  if (answer.json.added !== rows.length) throw new Error(answer.text);
}
