/** Renders the operator page that shows how much storage organizations use. */

import { bytes, count } from "../ui/kit/format-number.ts";
import { Table } from "../ui/kit/table.tsx";
import { nameColumn } from "./organizations-view.tsx";
import type { OrganizationLine } from "./platform-lists.ts";
import { OperatorPage } from "./screen-view.tsx";

export function StorageScreen({
  rows,
  limit_bytes,
}: {
  rows: readonly OrganizationLine[];
  limit_bytes: number;
}) {
  return (
    <OperatorPage
      screen="Storage"
      lead={`The organizations that use the most storage. Each can use up to ${bytes(limit_bytes)}.`}
    >
      <Table
        label="Storage"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          nameColumn,
          { title: "Storage", align: "end", cell: (row) => bytes(row.stored_bytes ?? 0) },
          {
            title: "Share of limit",
            align: "end",
            cell: (row) => `${((100 * (row.stored_bytes ?? 0)) / limit_bytes).toFixed(1)}%`,
          },
          { title: "Projects", align: "end", cell: ({ projects }) => count(projects) },
        ]}
      />
    </OperatorPage>
  );
}
