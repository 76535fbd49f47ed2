/** Renders the operator page that shows the job queue. */

import { count } from "../ui/kit/format-number.ts";
import { Badge, Empty, Note } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { countedJobs_count, type JobLine, type JobType } from "./platform-lists.ts";
import { type ListPages, OperatorPage, organizationHref } from "./screen-view.tsx";

export function QueueScreen({
  types,
  rows,
  pages,
}: {
  types: readonly JobType[];
  rows: readonly JobLine[];
  pages: ListPages;
}) {
  const isCut = types.reduce((sum, { waiting, running }) => sum + waiting + running, 0) >= countedJobs_count;
  return (
    <OperatorPage screen="Queue" lead="Background jobs, oldest first. Finished jobs aren't stored.">
      {isCut && <Note kind="warning">{`Only the oldest ${count(countedJobs_count)} jobs are counted.`}</Note>}
      {types.length === 0 ? (
        <Empty title="The queue is empty">Jobs appear here while they're waiting or running.</Empty>
      ) : (
        <>
          <Table
            label="Jobs by type"
            rows={types}
            keyOf={({ name }) => name}
            columns={[
              { title: "Type", isWide: true, cell: ({ name }) => <code>{name}</code> },
              { title: "Waiting", align: "end", cell: ({ waiting }) => count(waiting) },
              { title: "Running", align: "end", cell: ({ running }) => count(running) },
              { title: "Failed, will retry", align: "end", cell: ({ failed }) => count(failed) },
              { title: "Oldest", cell: ({ oldest }) => (oldest ? <Time at={oldest} /> : "–") },
            ]}
          />
          <Table
            label="Jobs"
            rows={rows}
            keyOf={({ id }) => String(id)}
            columns={[
              { title: "Type", cell: ({ name }) => <code>{name}</code> },
              {
                title: "Organization",
                isWide: true,
                cell: (row) =>
                  row.organization ? (
                    <a href={organizationHref(row.organization_id)}>{row.organization}</a>
                  ) : (
                    "–"
                  ),
              },
              { title: "State", cell: (row) => <JobState row={row} /> },
              { title: "Attempts", align: "end", cell: ({ attempt }) => count(attempt) },
              { title: "Due", cell: (row) => <Time at={row.run_at} /> },
            ]}
          />
        </>
      )}
      <Pager first={pages.first} next={pages.next} />
    </OperatorPage>
  );
}

function JobState({ row: { isRunning, faults } }: { row: JobLine }) {
  if (isRunning) return <Badge kind="info">Running</Badge>;
  return faults > 0 ? <Badge kind="warning">Failed, will retry</Badge> : <Badge>Waiting</Badge>;
}
