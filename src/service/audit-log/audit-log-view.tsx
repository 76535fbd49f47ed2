import { resultOf } from "../core/audit.ts";
import { actionLabel } from "../core/audit-actions.ts";
import { actorName } from "../ui/actor.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import { Downloads } from "../ui/kit/downloads.tsx";
import { Filters, Input, Select } from "../ui/kit/form.tsx";
import { hrefWith } from "../ui/kit/href-with.ts";
import { Badge, Empty, PageHead } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { Range, type RangeView, rangeQuery } from "../ui/kit/range.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface AuditLogProps {
  organizationId: string;
  range: RangeView;
  filters: { actor: string; result: string; show: string };
  entries: readonly {
    number: number;
    at: Date;
    actor: string;
    action: string;
    /** Name of the project. Undefined if the entry isn't about a project, or the project was deleted. */
    project: string | undefined;
    outcome: string;
    address: string | null;
  }[];
  /** Cursor of the next page; undefined if there is none. */
  older: number | undefined;
}

export function AuditLog({ organizationId, range, filters, entries, older }: AuditLogProps) {
  const path = organizationHref(organizationId, "/audit");
  const query = { ...rangeQuery(range), ...filters };
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Changes, views of conversations, and API requests for analytics. Entries can't be edited or deleted. Each hash includes the previous one, so tampering can be detected."
        actions={<Downloads path={path} query={query} of="the audit log" />}
      />
      <Range path={path} query={filters} range={range} />
      <Filters action={path} query={rangeQuery(range)} filters={Object.values(filters)}>
        <Input name="actor" label="Actor" type="search" value={filters.actor} />
        <Select
          name="result"
          label="Result"
          value={filters.result}
          options={[
            { value: "", label: "Any" },
            { value: "success", label: "Success" },
            { value: "failure", label: "Failed or denied" },
          ]}
        />
        <Select
          name="show"
          label="Show"
          value={filters.show}
          options={[
            { value: "", label: "Changes" },
            { value: "all", label: "Changes and views" },
          ]}
        />
      </Filters>
      {entries.length === 0 ? (
        <Empty title="No matching entries">
          {older !== undefined && "Older entries may match. Select Older to keep looking."}
        </Empty>
      ) : (
        <Table
          label="Audit log"
          rows={entries}
          keyOf={({ number }) => String(number)}
          columns={[
            { title: "Action", isWide: true, cell: ({ action }) => actionLabel(action) },
            { title: "Actor", isWide: true, cell: ({ actor }) => actorName(actor) },
            { title: "Project", isWide: true, cell: ({ project }) => project ?? "–" },
            { title: "Result", cell: ({ outcome }) => <Result outcome={outcome} /> },
            { title: "IP address", cell: (row) => row.address ?? "–" },
            { title: "Time", cell: (row) => <Time at={row.at} /> },
          ]}
        />
      )}
      <Pager older={older === undefined ? undefined : hrefWith(path, { ...query, before: String(older) })} />
    </>
  );
}

function Result({ outcome }: { outcome: string }) {
  const result = resultOf(outcome);
  if (result === undefined) return <Badge>{outcome}</Badge>;
  if (result === "success") return <Badge kind="check">Success</Badge>;
  return <Badge kind="warning">{result === "denied" ? "Denied" : "Failed"}</Badge>;
}
