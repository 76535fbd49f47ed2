import { organizationHref } from "../ui/dashboard-urls.ts";
import { Badge, Empty, PageHead } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface AuditLogProps {
  organizationId: string;
  entries: readonly {
    number: number;
    at: Date;
    actor: string;
    action: string;
    target: string;
    outcome: string;
    address: string | null;
  }[];
  /** Cursor of the next page; undefined if there is none. */
  older: number | undefined;
}

export function AuditLog({ organizationId, entries, older }: AuditLogProps) {
  return (
    <>
      <PageHead
        title="Audit log"
        lead="All changes in this organization, and who viewed conversations. Entries can't be changed or deleted: each one contains a hash of the previous entry."
      />
      {entries.length === 0 ? (
        <Empty title="No entries yet" />
      ) : (
        <Table
          label="Audit log"
          rows={entries}
          keyOf={({ number }) => String(number)}
          columns={[
            { title: "Action", cell: (row) => row.action },
            { title: "Actor", cell: (row) => row.actor },
            { title: "On", isWide: true, cell: (row) => <code>{row.target}</code> },
            { title: "Outcome", cell: (row) => <Badge kind={isGood(row.outcome) ? "check" : "warning"}>{row.outcome}</Badge> },
            { title: "IP address", cell: (row) => row.address ?? "–" },
            { title: "Time", cell: (row) => <Time at={row.at} /> },
          ]}
        />
      )}
      <Pager older={older === undefined ? undefined : `${organizationHref(organizationId, "/audit")}?before=${older}`} />
    </>
  );
}

function isGood(outcome: string): boolean {
  return outcome === "success" || /^[23]/.test(outcome);
}
