/** Dashboard routes for an organization's audit log: filtered list and download. */

import { limits } from "../../base/limits.ts";
import { type AuditEntry, type AuditFilter, findAudit } from "../core/audit.ts";
import { viewActionNames } from "../core/audit-actions.ts";
import { type AnalyticsRange, rangeOf } from "../ui/analytics-range.ts";
import { page } from "../ui/dashboard-response.ts";
import { type DownloadColumn, downloadFormat, fileDownload } from "../ui/list-download.ts";
import { organizationRoute } from "../ui/route.ts";
import type { MemberVisit } from "../ui/visit.ts";
import { AuditLog } from "./audit-log-view.tsx";
import { projectsOfEntries } from "./entry-projects.ts";

export const auditRoutes = [organizationRoute("GET /audit", "showAuditLog", "admin", show)];

async function show(visit: MemberVisit) {
  const { service, scope, url, projects } = visit;
  const range = rangeOf(url);
  const selected = readFilters(url);
  const filter = filterOf(selected, range);
  const format = downloadFormat(visit);
  if (format) return fileDownload("audit-log", format, columns, allOf(visit, filter));

  const given = url.searchParams.get("before") ?? "";
  const before = /^\d{1,15}$/.test(given) ? Number(given) : Number.MAX_SAFE_INTEGER;
  const { entries, next } = await findAudit(service.db, scope, filter, {
    limit: limits.listPage_count,
    before,
  });

  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const projectOf = await projectsOfEntries(service.db, scope, new Set(names.keys()), entries);
  return page(
    "Audit log",
    <AuditLog
      organizationId={scope.organizationId}
      range={range}
      filters={selected}
      entries={entries.map((entry) => ({ ...entry, project: names.get(projectOf.get(entry.number) ?? "") }))}
      older={next}
    />,
  );
}

interface AuditFilters {
  actor: string;
  result: "" | "success" | "failure";
  /** Actions to list: `all`, or all except views if empty. */
  show: "" | "all";
}

function readFilters({ searchParams }: URL): AuditFilters {
  const result = searchParams.get("result");
  return {
    actor: (searchParams.get("actor") ?? "").trim().slice(0, limits.searchText_chars),
    result: result === "success" || result === "failure" ? result : "",
    show: searchParams.get("show") === "all" ? "all" : "",
  };
}

function filterOf({ actor, result, show }: AuditFilters, { dateFrom, dateTo }: AnalyticsRange): AuditFilter {
  return {
    actor,
    result: result === "" ? undefined : result,
    without: show === "all" ? [] : viewActionNames,
    dateFrom,
    dateTo,
  };
}

async function* allOf({ service, scope }: MemberVisit, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const { entries, next } = await findAudit(service.db, scope, filter, {
      limit: limits.downloadBatch_count,
      before,
    });
    yield entries;
    before = next;
  }
}

const columns: readonly DownloadColumn<AuditEntry>[] = [
  { name: "number", value: ({ number }) => number },
  { name: "at", value: ({ at }) => at.toISOString() },
  { name: "actor", value: ({ actor }) => actor },
  { name: "action", value: ({ action }) => action },
  { name: "target", value: ({ target }) => target },
  { name: "outcome", value: ({ outcome }) => outcome },
  { name: "address", value: ({ address }) => address },
  { name: "requestId", value: (row) => row.request_id },
  { name: "metadata", value: ({ metadata }) => metadata, cell: ({ metadata }) => JSON.stringify(metadata) },
  { name: "hash", value: ({ hash }) => hash.toString("hex") },
];
