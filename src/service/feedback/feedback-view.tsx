import { useContext } from "preact/hooks";
import type { FeedbackReason } from "../../base/feedback-reasons.ts";
import type { FeedbackSource, FeedbackStatus } from "../core/tables.ts";
import type { LinkedPage } from "../storage/linked-pages.ts";
import { Choices } from "../ui/kit/choices.tsx";
import { Downloads } from "../ui/kit/downloads.tsx";
import { buttonClass, Filters, FormToken, Select } from "../ui/kit/form.tsx";
import { count } from "../ui/kit/format-number.ts";
import { hrefWith } from "../ui/kit/href-with.ts";
import { PageLink } from "../ui/kit/page-link.tsx";
import { Badge, type BadgeKind, Empty, PageHead } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { Range, type RangeView, rangeQuery } from "../ui/kit/range.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export const statusNames: Record<FeedbackStatus, string> = {
  pending: "Pending",
  in_progress: "In progress",
  resolved: "Resolved",
  dismissed: "Dismissed",
};

export const sourceNames: Record<FeedbackSource, string> = {
  contextual: "With details",
  thumbs_only: "Rating only",
  code_snippet: "Code block",
  agent: "From an AI agent",
};

const reasonNames: Record<FeedbackReason, string> = {
  incorrect: "Incorrect or outdated",
  incomplete: "Missing information",
  unclear: "Hard to understand",
  other: "Other reason",
};

const statusKinds: Record<FeedbackStatus, BadgeKind> = {
  pending: "warning",
  in_progress: "info",
  resolved: "check",
  dismissed: "plain",
};

export interface FeedbackLine {
  id: string;
  path: string;
  source: FeedbackSource;
  status: FeedbackStatus;
  /** The rating. Null for feedback about a code block. */
  helpful: boolean | null;
  reason: FeedbackReason | null;
  comment: string | null;
  contact: string | null;
  code: string | null;
  at: Date;
}

export interface FeedbackProps {
  /** Path of this page of the dashboard. */
  path: string;
  range: RangeView;
  /** Whether the page lists single entries, or pages with the number of their entries. */
  show: "single" | "pages";
  /** The selected status; empty for all. */
  status: FeedbackStatus | "";
  /** The selected source; empty for all. */
  source: FeedbackSource | "";
  rows: readonly FeedbackLine[];
  pages: readonly { path: string; thumbsUp: number; thumbsDown: number; code: number; total: number }[];
  /** Pages of the live site by path. */
  linked: ReadonlyMap<string, LinkedPage>;
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined;
  /** Whether a page after the first one is shown. */
  isLaterPage: boolean;
  mayChange: boolean;
}

export function Feedback({
  path,
  range,
  show,
  status,
  source,
  rows,
  pages,
  linked,
  next,
  isLaterPage,
  mayChange,
}: FeedbackProps) {
  const isByPage = show === "pages";
  const view = { show: isByPage ? show : "" };
  const query = { ...rangeQuery(range), ...view, status, source };
  const any = { value: "", label: "Any" };
  const currentHref = hrefWith(path, query);
  return (
    <>
      <PageHead
        title="Feedback"
        lead="Ratings and comments on pages and code blocks."
        actions={<Downloads path={path} query={query} of={isByPage ? "feedback by page" : "feedback"} />}
      />
      <Range path={path} query={{ ...view, status, source }} range={range} />
      <Filters action={path} query={{ ...rangeQuery(range), ...view }} filters={[status, source]}>
        <Select
          name="status"
          label="Status"
          value={status}
          options={[any, ...Object.entries(statusNames).map(([value, label]) => ({ value, label }))]}
        />
        <Select
          name="source"
          label="Type"
          value={source}
          options={[any, ...Object.entries(sourceNames).map(([value, label]) => ({ value, label }))]}
        />
      </Filters>
      <Choices
        label="View"
        choices={[
          { label: "All", href: hrefWith(path, { ...query, show: "" }), isChosen: !isByPage },
          { label: "By page", href: hrefWith(path, { ...query, show: "pages" }), isChosen: isByPage },
        ]}
      />
      {(isByPage ? pages : rows).length === 0 ? (
        <Empty title={status || source ? "No matching feedback" : "No feedback in this period"}>
          {status || source ? (
            <a href={hrefWith(path, { ...query, status: "", source: "" })}>Clear filters</a>
          ) : (
            "Feedback appears here when readers rate a page or leave a comment."
          )}
        </Empty>
      ) : isByPage ? (
        <PageTable pages={pages} linked={linked} />
      ) : (
        <FeedbackTable path={path} rows={rows} linked={linked} mayChange={mayChange} backTo={currentHref} />
      )}
      <Pager
        newest={isLaterPage ? currentHref : undefined}
        older={next === undefined ? undefined : hrefWith(path, { ...query, before: next })}
      />
    </>
  );
}

function PageTable({ pages, linked }: Pick<FeedbackProps, "pages" | "linked">) {
  return (
    <Table
      label="Feedback by page"
      rows={pages}
      keyOf={(row) => row.path}
      columns={[
        {
          title: "Page",
          isWide: true,
          cell: (row) => <PageLink path={row.path} page={linked.get(row.path)} />,
        },
        { title: "Helpful", align: "end", cell: ({ thumbsUp }) => count(thumbsUp) },
        { title: "Not helpful", align: "end", cell: ({ thumbsDown }) => count(thumbsDown) },
        { title: "Code blocks", align: "end", cell: ({ code }) => count(code) },
        { title: "Total", align: "end", cell: ({ total }) => count(total) },
      ]}
    />
  );
}

function FeedbackTable({
  path,
  rows,
  linked,
  mayChange,
  backTo,
}: Pick<FeedbackProps, "path" | "rows" | "linked" | "mayChange"> & { backTo: string }) {
  return (
    <Table
      label="Feedback"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: "Page", cell: (row) => <PageLink path={row.path} page={linked.get(row.path)} /> },
        { title: "Feedback", isWide: true, cell: (row) => <FeedbackContent row={row} /> },
        { title: "Type", cell: (row) => sourceNames[row.source] },
        {
          title: "Status",
          cell: (row) =>
            mayChange ? (
              <StatusForm row={row} action={`${path}/${row.id}/status`} backTo={backTo} />
            ) : (
              <StatusBadge status={row.status} />
            ),
        },
        { title: "Received", cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  );
}

function FeedbackContent({ row }: { row: FeedbackLine }) {
  return (
    <>
      {row.helpful !== null && (
        <Badge kind={row.helpful ? "check" : "danger"}>{row.helpful ? "Helpful" : "Not helpful"}</Badge>
      )}
      {row.reason && <> {reasonNames[row.reason]}</>}
      {row.comment && <p class="d-said">{row.comment}</p>}
      {row.code && (
        <pre tabIndex={0}>
          <code>{row.code}</code>
        </pre>
      )}
      {row.contact && <p class="d-muted">Contact: {row.contact}</p>}
    </>
  );
}

function StatusBadge({ status }: { status: FeedbackStatus }) {
  return <Badge kind={statusKinds[status]}>{statusNames[status]}</Badge>;
}

function StatusForm({ row, action, backTo }: { row: FeedbackLine; action: string; backTo: string }) {
  return (
    <form class="d-status" method="post" action={action} data-saves="">
      <input type="hidden" name="_token" value={useContext(FormToken)} />
      <input type="hidden" name="back" value={backTo} />
      <select name="status" aria-label={`Status of the feedback on ${row.path}`}>
        {(Object.keys(statusNames) as FeedbackStatus[]).map((status) => (
          <option key={status} value={status} selected={status === row.status}>
            {statusNames[status]}
          </option>
        ))}
      </select>
      <button type="submit" class={`${buttonClass("plain")} d-no-js`}>
        Save
      </button>
      {/* A script saves changes, and shows this button after a change. */}
      <button type="button" class="d-link" hidden>
        Undo
      </button>
    </form>
  );
}
