/** Renders the operator page that shows the status and versions of the service. */

import { Badge, Facts, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import type { HealthPart } from "./health.ts";
import { OperatorPage } from "./screen-view.tsx";

export function HealthScreen({
  parts,
  versions,
}: {
  parts: readonly HealthPart[];
  versions: readonly (readonly [string, string])[];
}) {
  return (
    <OperatorPage
      screen="Health"
      lead="The status of this service's components. With several processes, of the one that shows this page."
    >
      <Table
        label="Health"
        rows={parts}
        keyOf={({ name }) => name}
        columns={[
          { title: "Component", cell: ({ name }) => name },
          {
            title: "State",
            cell: ({ isGood }) => (
              <Badge kind={isGood ? "check" : "danger"}>{isGood ? "OK" : "Problem"}</Badge>
            ),
          },
          { title: "Details", isWide: true, cell: ({ detail }) => detail },
        ]}
      />
      <Section title="Versions">
        <Facts rows={versions} />
      </Section>
    </OperatorPage>
  );
}
