import { limits } from "../../base/limits.ts";
import { listAudit } from "../core/audit.ts";
import { page } from "../ui/dashboard-response.ts";
import { organizationRoute } from "../ui/route.ts";
import { AuditLog } from "./audit-log-view.tsx";

export const auditRoutes = [
  organizationRoute("GET /audit", "showAuditLog", "admin", async ({ service, scope, url }) => {
    const given = url.searchParams.get("before") ?? "";
    const before = /^\d{1,15}$/.test(given) ? Number(given) : Number.MAX_SAFE_INTEGER;
    const { entries, hasMore } = await listAudit(service.db, scope, { limit: limits.listPage_count, before });
    return page(
      "Audit log",
      <AuditLog organizationId={scope.organizationId} entries={entries} older={hasMore ? entries.at(-1)!.number : undefined} />,
    );
  }),
];
