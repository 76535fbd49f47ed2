import type { LinkedPage } from "../storage/linked-pages.ts";
import { Chart } from "../ui/kit/chart.tsx";
import { Choices } from "../ui/kit/choices.tsx";
import { Downloads } from "../ui/kit/downloads.tsx";
import { count } from "../ui/kit/format-number.ts";
import { hrefWith } from "../ui/kit/href-with.ts";
import { PageLink } from "../ui/kit/page-link.tsx";
import { Empty, MetricTiles, PageHead } from "../ui/kit/page-parts.tsx";
import { Range, type RangeView, rangeQuery } from "../ui/kit/range.tsx";
import { SkipPager } from "../ui/kit/skip-pager.tsx";
import { Table } from "../ui/kit/table.tsx";

export type TrafficShow = "views" | "visitors" | "referrers";

export interface TrafficProps {
  path: string;
  range: RangeView;
  show: TrafficShow;
  views: { human: number; ai: number };
  visitors: { human: number; ai: number };
  /** Numbers of views by people and by AI agents, by day. */
  days: ReadonlyMap<string, readonly number[]>;
  pages: readonly { path: string; human: number; ai: number; total: number }[];
  /** Pages of the live site by path. */
  linked: ReadonlyMap<string, LinkedPage>;
  referrers: readonly { host: string; views: number }[];
  previous: number | undefined;
  next: number | undefined;
}

const titles: Record<TrafficShow, string> = {
  views: "Views by page",
  visitors: "Visitors by page",
  referrers: "Referrers",
};

const emptyHints = {
  views:
    "Views appear here when readers open the site, unless analytics are turned off in docs.json or by the operator.",
  referrers: "Referrers appear here when readers follow links from other sites.",
};

export function Traffic({
  path,
  range,
  show,
  views,
  visitors,
  days,
  pages,
  linked,
  referrers,
  previous,
  next,
}: TrafficProps) {
  const query = { ...rangeQuery(range), show: show === "views" ? "" : show };
  const isEmpty = show === "referrers" ? referrers.length === 0 : pages.length === 0;
  return (
    <>
      <PageHead
        title="Traffic"
        lead="Page views by people and AI agents. Bots excluded, no cookies."
        actions={<Downloads path={path} query={query} of={titles[show].toLowerCase()} />}
      />
      <Range path={path} query={{ show: show === "views" ? "" : show }} range={range} />
      <MetricTiles
        tiles={[
          { label: "Views by people", value: count(views.human) },
          { label: "Visitors", value: count(visitors.human), hint: "Unique people per day" },
          { label: "Views by AI agents", value: count(views.ai) },
          { label: "AI visitors", value: count(visitors.ai), hint: "Unique AI agents per day" },
        ]}
      />
      <Chart
        title="Views"
        unit="views"
        series={["People", "AI agents"]}
        days={days}
        from={range.from}
        to={range.to}
      />
      <Choices
        label="View"
        choices={(Object.keys(titles) as TrafficShow[]).map((name) => ({
          label: titles[name],
          href: hrefWith(path, { ...rangeQuery(range), show: name === "views" ? "" : name }),
          isChosen: name === show,
        }))}
      />
      {isEmpty ? (
        <Empty title={previous === undefined ? `No ${show} in this period` : "No more results"}>
          {previous === undefined && emptyHints[show === "referrers" ? "referrers" : "views"]}
        </Empty>
      ) : show === "referrers" ? (
        <Table
          label={titles[show]}
          rows={referrers}
          keyOf={({ host }) => host}
          columns={[
            { title: "Referrer", isWide: true, cell: ({ host }) => host },
            { title: "Views", align: "end", cell: (row) => count(row.views) },
          ]}
        />
      ) : (
        <Table
          label={titles[show]}
          rows={pages}
          keyOf={(row) => row.path}
          columns={[
            {
              title: "Page",
              isWide: true,
              cell: (row) => <PageLink path={row.path} page={linked.get(row.path)} />,
            },
            { title: "People", align: "end", cell: ({ human }) => count(human) },
            { title: "AI agents", align: "end", cell: ({ ai }) => count(ai) },
            { title: "Total", align: "end", cell: ({ total }) => count(total) },
          ]}
        />
      )}
      <SkipPager path={path} query={query} previous={previous} next={next} />
    </>
  );
}
