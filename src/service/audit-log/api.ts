import { listAudit } from "../core/audit.ts";
import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";

export const auditHandlers: Handlers<Pick<typeof contract, "listAudit">> = {
  async listAudit({ service, scope, query }) {
    const { entries, hasMore } = await listAudit(service.db, scope, query);
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
      hasMore,
    };
  },
};
