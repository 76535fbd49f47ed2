import type { LinkedPage } from "../storage/linked-pages.ts";
import { Chart } from "../ui/kit/chart.tsx";
import { Choices } from "../ui/kit/choices.tsx";
import { Downloads } from "../ui/kit/downloads.tsx";
import { count } from "../ui/kit/format-number.ts";
import { hrefWith } from "../ui/kit/href-with.ts";
import { PageLink } from "../ui/kit/page-link.tsx";
import { Empty, MetricTiles, PageHead } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { Range, type RangeView, rangeQuery } from "../ui/kit/range.tsx";
import { type Column, Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface SearchLine {
  query: string;
  hits: number;
  /** Click-through rate: clicks on results divided by readers' searches, at most 1. */
  ctr?: number;
  withoutResults?: number;
  topPage?: string | null;
  lastAt: Date | null;
}

export interface SearchesProps {
  path: string;
  range: RangeView;
  show: "all" | "without-results";
  total: { hits: number; withoutResults: number; clicks: number };
  days: ReadonlyMap<string, readonly number[]>;
  rows: readonly SearchLine[];
  /** Pages of the live site by path. */
  linked: ReadonlyMap<string, LinkedPage>;
  /** Cursor of the next page; undefined if there is none. */
  next: string | undefined;
  /** Whether this is a page after the first one. */
  isDeeper: boolean;
}

export function Searches({ path, range, show, total, days, rows, linked, next, isDeeper }: SearchesProps) {
  const isAll = show === "all";
  const query = { ...rangeQuery(range), show: isAll ? "" : show };
  const columns: Column<SearchLine>[] = [
    { title: "Query", isWide: true, cell: ({ query }) => query },
    { title: "Searches", align: "end", cell: ({ hits }) => count(hits) },
    ...(isAll
      ? [
          {
            title: "Click-through rate",
            align: "end" as const,
            cell: ({ ctr }: SearchLine) => `${((ctr ?? 0) * 100).toFixed(0)}%`,
          },
          {
            title: "Top result clicked",
            cell: ({ topPage }: SearchLine) =>
              topPage ? <PageLink path={topPage} page={linked.get(topPage)} /> : "–",
          },
        ]
      : [
          {
            title: "No results",
            align: "end" as const,
            cell: ({ withoutResults }: SearchLine) => count(withoutResults ?? 0),
          },
        ]),
    { title: "Last searched", cell: ({ lastAt }) => (lastAt ? <Time at={lastAt} /> : "–") },
  ];

  return (
    <>
      <PageHead
        title="Searches"
        lead="Searches on your site and through the API, and the results that readers clicked."
        actions={<Downloads path={path} query={query} of="searches" />}
      />
      <Range path={path} query={{ show: isAll ? "" : show }} range={range} />
      <MetricTiles
        tiles={[
          { label: "Searches", value: count(total.hits) },
          {
            label: "No results",
            value: count(total.withoutResults),
            hint: percent(total.withoutResults, total.hits),
          },
          { label: "Clicks", value: count(total.clicks) },
        ]}
      />
      <Chart
        title="Searches"
        unit="searches"
        series={["With results", "No results"]}
        days={days}
        from={range.from}
        to={range.to}
      />
      <Choices
        label="View"
        choices={[
          { label: "All searches", href: hrefWith(path, rangeQuery(range)), isChosen: isAll },
          {
            label: "Without results",
            href: hrefWith(path, { ...rangeQuery(range), show: "without-results" }),
            isChosen: !isAll,
          },
        ]}
      />
      {rows.length === 0 ? (
        <Empty title={isAll ? "No searches in this period" : "No searches without results"}>
          {isAll
            ? "Searches appear here when readers search your site."
            : total.hits > 0 && total.withoutResults === 0 && "Every search in this period returned results."}
        </Empty>
      ) : (
        <Table
          label={isAll ? "Searches" : "Searches without results"}
          rows={rows}
          keyOf={({ query }) => query}
          columns={columns}
        />
      )}
      <Pager
        more={isDeeper ? hrefWith(path, query) : undefined}
        less={next === undefined ? undefined : hrefWith(path, { ...query, after: next })}
      />
    </>
  );
}

function percent(part: number, all: number): string {
  return all === 0 ? "–" : `${((100 * part) / all).toFixed(1)}% of total`;
}
