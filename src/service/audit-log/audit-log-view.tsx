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
        lead="Everything that was changed in the organization's name, and every reading of conversations. Entries are never removed: each holds a hash over itself and the one before."
      />
      {entries.length === 0 ? (
        <Empty title="Nothing was recorded yet." />
      ) : (
        <Table
          label="Audit log"
          rows={entries}
          keyOf={({ number }) => String(number)}
          columns={[
            { title: "Action", cell: (row) => row.action },
            { title: "Who", cell: (row) => row.actor },
            { title: "On", isWide: true, cell: (row) => <code>{row.target}</code> },
            { title: "Outcome", cell: (row) => <Badge kind={isGood(row.outcome) ? "check" : "warning"}>{row.outcome}</Badge> },
            { title: "From", cell: (row) => row.address ?? "the service" },
            { title: "When", cell: (row) => <Time at={row.at} /> },
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
