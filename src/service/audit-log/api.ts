import { listAudit } from "../core/audit.ts";
import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";

export const auditHandlers: Handlers<Pick<typeof contract, "listAudit">> = {
  async listAudit({ service, scope, query }) {
    const { limit, before, cursor = before } = query;
    const page = { limit, before: Math.min(before, Number(cursor)) };
    const { entries, hasMore } = await listAudit(service.db, scope, page);
    return {
      entries: entries.map((row) => ({
        number: row.number,
        at: row.at.toISOString(),
        actor: row.actor,
        action: row.action,
        target: row.target,
        outcome: row.outcome,
        requestId: row.request_id,
        address: row.address,
        metadata: row.metadata,
        hash: row.hash.toString("hex"),
      })),
      nextCursor: hasMore ? String(entries.at(-1)!.number) : null,
      hasMore,
    };
  },
};
