import { Downloads } from "../ui/kit/downloads.tsx";
import { Filters } from "../ui/kit/form.tsx";
import { count } from "../ui/kit/format-number.ts";
import { hrefWith } from "../ui/kit/href-with.ts";
import { Empty, Note, PageHead } from "../ui/kit/page-parts.tsx";
import { RangeFields, RangeLinks, type RangeView, rangeQuery } from "../ui/kit/range.tsx";
import { SkipPager } from "../ui/kit/skip-pager.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { Truncated } from "../ui/kit/truncated.tsx";
import { pathOf } from "../ui/url-path.ts";

export interface QuestionsProps {
  path: string;
  conversationsPath: string;
  range: RangeView;
  groups: readonly { key: string; example: string; count: number; pageUrl: string | null; firstAt: Date; lastAt: Date }[];
  /** Offsets of the previous and the next page; undefined if there is no such page. */
  previous: number | undefined;
  next: number | undefined;
  countedFrom: string | undefined;
}

export function Questions({ path, conversationsPath, range, groups, previous, next, countedFrom }: QuestionsProps) {
  const query = rangeQuery(range);
  return (
    <>
      <PageHead
        title="Unanswered questions"
        lead="Similar questions are grouped, most frequent first."
        actions={groups.length > 0 && <Downloads path={path} query={query} of="unanswered questions" />}
      />
      <RangeLinks path={path} query={{}} range={range} />
      <Filters action={path}>
        <RangeFields range={range} />
      </Filters>
      {countedFrom !== undefined && (
        <Note kind="warning">{`There are so many that they are counted from ${countedFrom} on. Choose earlier days to see those.`}</Note>
      )}
      {groups.length === 0 ? (
        <Empty title={previous === undefined ? "No unanswered questions in this period" : "No more questions"}>
          {previous === undefined && (
            <>
              <a href={hrefWith(conversationsPath, query)}>See all conversations</a>
            </>
          )}
        </Empty>
      ) : (
        <Table
          label="Unanswered questions"
          rows={groups}
          keyOf={({ key }) => key}
          columns={[
            {
              title: "Question",
              isWide: true,
              cell: ({ key, example }) => (
                <a href={hrefWith(conversationsPath, { ...query, status: "unanswered", group: key })}>
                  <Truncated text={example} />
                </a>
              ),
            },
            { title: "Times", align: "end", cell: (row) => count(row.count) },
            { title: "Last on the page", cell: ({ pageUrl }) => (pageUrl === null ? "–" : <code>{pathOf(pageUrl)}</code>) },
            { title: "First", cell: ({ firstAt }) => <Time at={firstAt} /> },
            { title: "Last", cell: ({ lastAt }) => <Time at={lastAt} /> },
          ]}
        />
      )}
      <SkipPager path={path} query={query} previous={previous} next={next} />
    </>
  );
}
