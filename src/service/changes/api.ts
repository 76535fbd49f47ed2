import type { Static } from "@sinclair/typebox";
import type { Handlers } from "../http/call.ts";
import { type ChangesPage, listChanges } from "./changes.ts";
import type * as contract from "./contract.ts";

export const changesHandlers: Handlers<Pick<typeof contract, "listChanges">> = {
  async listChanges({ service, scope, params, query }) {
    const { events, ...page } = await listChanges(service, scope, params.projectId, query);
    return { events: events.map(showEvent), ...page };
  },
};

function showEvent(event: ChangesPage["events"][number]): Static<typeof contract.ChangeEvent> {
  return {
    id: event.id,
    sequence: event.sequence,
    timestamp: event.at.toISOString(),
    kind: event.kind,
    recordType: event.record_type,
    recordId: event.record_id,
    contentHash: event.content_hash?.toString("hex") ?? null,
    digest: event.digest.toString("hex"),
    data: event.data,
  } as Static<typeof contract.ChangeEvent>;
}
