import { ulidTime } from "../../base/ulid.ts";
import type { LinkedPage } from "../storage/linked-pages.ts";
import { Chart } from "../ui/kit/chart.tsx";
import { Downloads } from "../ui/kit/downloads.tsx";
import { Filters, Input, type Option, Select } from "../ui/kit/form.tsx";
import { count } from "../ui/kit/format-number.ts";
import { hrefWith, type Query } from "../ui/kit/href-with.ts";
import { PageLink } from "../ui/kit/page-link.tsx";
import { Badge, Empty, MetricTiles, Note, PageHead } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { Range, type RangeView, rangeQuery } from "../ui/kit/range.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { Truncated } from "../ui/kit/truncated.tsx";
import { pathOf } from "../ui/url-path.ts";

export interface ConversationsProps {
  /** URL path of the page. */
  path: string;
  range: RangeView;
  /** Selected filters, by query parameter. Empty if a filter isn't set. */
  filters: Readonly<Record<"q" | "status" | "category" | "page" | "source" | "rating" | "group", string>>;
  categories: readonly { name: string; count: number }[];
  /** Numbers of questions for the chart. Undefined if a filter is set that the daily counts don't support. */
  counts:
    | { total: { answered: number; unanswered: number }; days: ReadonlyMap<string, readonly number[]> }
    | undefined;
  rows: readonly ConversationLine[];
  /** Pages of the live site by path. */
  linked: ReadonlyMap<string, LinkedPage>;
  /** Cursor of the next page; undefined if there is none. */
  next: string | undefined;
  /** Whether this is a page after the first one. */
  isDeeper: boolean;
}

export interface ConversationLine {
  id: string;
  threadId: string;
  query: string;
  isAnswered: boolean;
  isClarifying: boolean;
  category: string | null;
  pageUrl: string | null;
  helpful: boolean | null;
  at: Date;
}

export const noCategory = "(none)";

export function Conversations({
  path,
  range,
  filters,
  categories,
  counts,
  rows,
  linked,
  next,
  isDeeper,
}: ConversationsProps) {
  const query: Query = { ...rangeQuery(range), ...filters };
  const older = next === undefined ? undefined : hrefWith(path, { ...query, before: next });
  const isFiltered = Object.values(filters).some((value) => value !== "");
  const { group } = filters;
  return (
    <>
      <PageHead
        title="Conversations"
        lead="Readers' questions and the assistant's answers."
        actions={<Downloads path={path} query={query} of="conversations" />}
      />
      <Range path={path} query={filters} range={range} />
      {counts && (
        <>
          <MetricTiles
            tiles={[
              { label: "Questions", value: count(counts.total.answered + counts.total.unanswered) },
              {
                label: "Answered",
                value: count(counts.total.answered),
                hint: share(counts.total.answered, counts.total),
              },
              {
                label: "Unanswered",
                value: count(counts.total.unanswered),
                hint: share(counts.total.unanswered, counts.total),
              },
            ]}
          />
          <Chart
            title="Questions"
            unit="questions"
            series={["Answered", "Unanswered"]}
            days={counts.days}
            from={range.from}
            to={range.to}
          />
        </>
      )}
      <ConversationFilters path={path} range={range} filters={filters} categories={categories} />
      {group !== "" && (
        <Note>
          Showing similar unanswered questions.{" "}
          <a href={hrefWith(path, { ...query, group: "" })}>Show all conversations</a>
        </Note>
      )}
      {rows.length === 0 && next === undefined ? (
        <Nothing path={path} range={range} isFiltered={isFiltered} isDeeper={isDeeper} />
      ) : rows.length === 0 ? (
        <Empty title="No matches yet">
          Searched back to {dayOf(next!)} without a match. <a href={older}>Search older conversations</a>
        </Empty>
      ) : (
        <ConversationTable path={path} rows={rows} linked={linked} />
      )}
      <Pager
        newest={isDeeper ? hrefWith(path, query) : undefined}
        older={rows.length > 0 ? older : undefined}
      />
    </>
  );
}

function ConversationFilters({
  path,
  range,
  filters,
  categories,
}: Pick<ConversationsProps, "path" | "range" | "filters" | "categories">) {
  const { q, status, category, page, source, rating, group } = filters;
  return (
    <Filters
      action={path}
      query={{ ...rangeQuery(range), group }}
      filters={[q, status, category, page, source, rating]}
    >
      <Input name="q" label="Search questions" type="search" value={q} maxLength={500} />
      <Select
        name="status"
        label="Status"
        value={status}
        options={[
          any,
          { value: "answered", label: "Answered" },
          { value: "unanswered", label: "Unanswered" },
        ]}
      />
      <Select
        name="category"
        label="Category"
        value={category}
        options={[any, ...categoryOptions(categories, category)]}
      />
      <Input name="page" label="Page" value={page} placeholder="/quickstart" isMono maxLength={500} />
      <Select
        name="source"
        label="Source"
        value={source}
        options={[
          any,
          { value: "web", label: "Docs site" },
          { value: "api", label: "API" },
          { value: "other", label: "Imported" },
        ]}
      />
      <Select
        name="rating"
        label="Feedback"
        value={rating}
        options={[any, { value: "up", label: "Helpful" }, { value: "down", label: "Not helpful" }]}
      />
    </Filters>
  );
}

function ConversationTable({ path, rows, linked }: Pick<ConversationsProps, "path" | "rows" | "linked">) {
  return (
    <Table
      label="Conversations"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Question",
          isWide: true,
          cell: ({ id, threadId, query }) => (
            <a href={`${path}/${threadId}#t-${id}`}>
              <Truncated text={query} />
            </a>
          ),
        },
        { title: "Status", cell: (row) => <StatusBadge {...row} /> },
        { title: "Category", isWide: true, cell: (row) => row.category ?? "–" },
        {
          title: "Page",
          cell: ({ pageUrl }) =>
            pageUrl === null ? "–" : <PageLink path={pathOf(pageUrl)} page={linked.get(pathOf(pageUrl))} />,
        },
        { title: "Feedback", cell: ({ helpful }) => <Rating helpful={helpful} /> },
        { title: "Asked", cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  );
}

const any: Option = { value: "", label: "Any" };

/**
 * Returns the options of the category filter. Includes the selected category even if the range has no
 * question in that category.
 */
function categoryOptions(categories: ConversationsProps["categories"], selected: string): Option[] {
  const options = categories.map(({ name, count: of }) => ({
    value: name === "" ? noCategory : name,
    label: `${name === "" ? "None" : name} (${count(of)})`,
  }));
  if (selected !== "" && !options.some(({ value }) => value === selected))
    options.push({ value: selected, label: `${selected} (0)` });
  return options;
}

function Nothing({
  path,
  range,
  isFiltered,
  isDeeper,
}: Pick<ConversationsProps, "path" | "range" | "isDeeper"> & { isFiltered: boolean }) {
  if (isDeeper) return <Empty title="No older conversations" />;

  if (isFiltered)
    return (
      <Empty title="No matching conversations">
        Remove a filter or choose a longer period.{" "}
        <a href={hrefWith(path, rangeQuery(range))}>Clear filters</a>
      </Empty>
    );

  return (
    <Empty title="No questions in this period">
      Questions appear here when readers ask the assistant.{" "}
      <a href={hrefWith(path, { days: "365" })}>Show the last 12 months</a>
    </Empty>
  );
}

export function StatusBadge({ isAnswered, isClarifying }: { isAnswered: boolean; isClarifying: boolean }) {
  if (!isAnswered) return <Badge kind="warning">Unanswered</Badge>;
  return isClarifying ? <Badge kind="info">Clarifying question</Badge> : <Badge kind="check">Answered</Badge>;
}

export function Rating({ helpful }: { helpful: boolean | null }) {
  if (helpful === null) return <>–</>;
  return helpful ? <Badge kind="check">Helpful</Badge> : <Badge kind="danger">Not helpful</Badge>;
}

function share(part: number, { answered, unanswered }: { answered: number; unanswered: number }): string {
  const all = answered + unanswered;
  return all === 0 ? "–" : `${((100 * part) / all).toFixed(1)}% of total`;
}

/** Returns the date of a cursor, which is a ULID. */
function dayOf(cursor: string): string {
  return new Date(ulidTime(cursor)).toISOString().slice(0, 10);
}
