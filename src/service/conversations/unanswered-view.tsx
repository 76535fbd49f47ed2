import type { ComponentChildren } from "preact";
import type { LinkedPage } from "../storage/linked-pages.ts";
import { Choices } from "../ui/kit/choices.tsx";
import { Downloads } from "../ui/kit/downloads.tsx";
import { Form, Input, LinkButton, Select, Submit, When } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { count } from "../ui/kit/format-number.ts";
import { hrefWith, type Query } from "../ui/kit/href-with.ts";
import { PageLink } from "../ui/kit/page-link.tsx";
import { Badge, Empty, Facts, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Range, type RangeView, rangeQuery } from "../ui/kit/range.tsx";
import { SkipPager } from "../ui/kit/skip-pager.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { Truncated } from "../ui/kit/truncated.tsx";
import { pathOf } from "../ui/url-path.ts";
import { WebLink } from "./web-link.tsx";

export interface GroupView {
  key: string;
  /** ID of the newest question. */
  last: string;
  /** Text of the newest question. */
  example: string;
  count: number;
  firstAt: Date;
  lastAt: Date;
  pages: readonly { url: string; count: number }[];
  sections: readonly { title: string; url: string }[];
  status: "open" | "ignored" | "resolved";
  isReopened: boolean;
  assignee: { id: string; name: string } | null;
  answerPath: string | null;
}

/** A group of the list, and less frequent groups that ask the same in different words. */
type ListedGroup = GroupView & { similar: readonly GroupView[] };

export interface UnansweredQuestionsProps {
  path: string;
  conversationsPath: string;
  range: RangeView;
  /** Selected view of the list. `mine`: groups of every status that are assigned to the user. */
  status: GroupView["status"] | "mine";
  groups: readonly ListedGroup[];
  /** Pages of the live site by path. */
  linked: ReadonlyMap<string, LinkedPage>;
  /** Offsets of the previous and the next page; undefined if there is no such page. */
  previous: number | undefined;
  next: number | undefined;
  countedFrom: string | undefined;
}

const views: readonly (readonly [UnansweredQuestionsProps["status"], string, Query])[] = [
  ["open", "Open", {}],
  ["mine", "Assigned to me", { assignee: "me" }],
  ["ignored", "Ignored", { status: "ignored" }],
  ["resolved", "Resolved", { status: "resolved" }],
];

export function UnansweredQuestions({
  path,
  conversationsPath,
  range,
  status,
  groups,
  linked,
  previous,
  next,
  countedFrom,
}: UnansweredQuestionsProps) {
  const view = views.find(([name]) => name === status)![2];
  const query = { ...rangeQuery(range), ...view };
  return (
    <>
      <PageHead
        title="Unanswered questions"
        lead="Questions that the assistant couldn't answer from your documentation. Similar questions are grouped, most frequent first."
        actions={groups.length > 0 && <Downloads path={path} query={query} of="unanswered questions" />}
      />
      <Choices
        label="Status"
        choices={views.map(([name, label, only]) => ({
          label,
          href: hrefWith(path, { ...rangeQuery(range), ...only }),
          isChosen: name === status,
        }))}
      />
      <Range path={path} query={view} range={range} />
      {countedFrom !== undefined && (
        <Note kind="warning">{`There are too many questions to count every day in this period. Counts start on ${countedFrom}. To see earlier questions, select an earlier period.`}</Note>
      )}
      {groups.length === 0 ? (
        <EmptyList status={status} range={range} isFirst={previous === undefined}>
          <a href={hrefWith(conversationsPath, rangeQuery(range))}>View all conversations</a>
        </EmptyList>
      ) : (
        <GroupTable path={path} query={rangeQuery(range)} groups={groups} linked={linked} />
      )}
      <SkipPager path={path} query={query} previous={previous} next={next} />
    </>
  );
}

function EmptyList({
  status,
  range,
  isFirst,
  children,
}: Pick<UnansweredQuestionsProps, "status" | "range"> & { isFirst: boolean; children: ComponentChildren }) {
  if (!isFirst) return <Empty title="No more questions" />;
  const titles = {
    open: `No open questions from ${range.from} to ${range.to}`,
    mine: `No questions from ${range.from} to ${range.to} are assigned to you`,
    ignored: `No ignored questions from ${range.from} to ${range.to}`,
    resolved: `No resolved questions from ${range.from} to ${range.to}`,
  };
  return <Empty title={titles[status]}>{children}</Empty>;
}

function GroupTable({
  path,
  query,
  groups,
  linked,
}: { path: string; query: Query } & Pick<UnansweredQuestionsProps, "groups" | "linked">) {
  return (
    <Table
      label="Unanswered questions"
      rows={groups}
      keyOf={({ key }) => key}
      columns={[
        {
          title: "Question",
          isWide: true,
          cell: (group) => (
            <>
              <a
                href={hrefWith(`${path}/${group.last}`, {
                  ...query,
                  similar: group.similar.map(({ last }) => last).join(),
                })}
              >
                <Truncated text={group.example} />
              </a>{" "}
              {group.isReopened && <Badge kind="warning">Reopened</Badge>}
              {group.similar.length > 0 && (
                <ul class="d-list" aria-label="Similar questions">
                  {group.similar.map(({ key, last, example, count: asked }) => (
                    <li key={key}>
                      <a href={hrefWith(`${path}/${last}`, query)}>
                        <Truncated text={example} />
                      </a>{" "}
                      {`(${count(asked)})`}
                    </li>
                  ))}
                </ul>
              )}
            </>
          ),
        },
        {
          title: "Count",
          align: "end",
          cell: (group) => count(group.similar.reduce((sum, one) => sum + one.count, group.count)),
        },
        { title: "Page", cell: ({ pages }) => <PageNames pages={pages} linked={linked} /> },
        { title: "Assignee", isWide: true, cell: ({ assignee }) => assignee?.name ?? "–" },
        {
          title: "Last asked",
          cell: ({ lastAt, similar }) => (
            <Time at={similar.reduce((newest, one) => (one.lastAt > newest ? one.lastAt : newest), lastAt)} />
          ),
        },
      ]}
    />
  );
}

function PageNames({
  pages,
  linked,
}: Pick<GroupView, "pages"> & { linked: UnansweredQuestionsProps["linked"] }) {
  if (!pages[0]) return <>–</>;
  return (
    <>
      <PageLink path={pathOf(pages[0].url)} page={linked.get(pathOf(pages[0].url))} />
      {pages.length > 1 && ` +${pages.length - 1}`}
    </>
  );
}

export interface QuestionGroupProps {
  /** URL path of the list. */
  path: string;
  conversationsPath: string;
  range: RangeView;
  group: GroupView;
  linked: UnansweredQuestionsProps["linked"];
  draft: ComponentChildren;
  /** Form to change the group. Undefined for users who can't change it. */
  form:
    | {
        members: readonly { id: string; name: string; email: string }[];
        filled: { status: string; assignee: string; answer: string };
      }
    | undefined;
  errors: FormErrors | undefined;
}

const statusNames = { open: "Open", ignored: "Ignored", resolved: "Resolved" };

export function QuestionGroup({
  path,
  conversationsPath,
  range,
  group,
  linked,
  draft,
  form,
  errors,
}: QuestionGroupProps) {
  const query = rangeQuery(range);
  const status = group.isReopened ? "Reopened: asked again after it was resolved" : statusNames[group.status];
  return (
    <>
      <PageHead
        title="Unanswered question"
        lead={<Truncated text={group.example} most={300} />}
        back={{ label: "Unanswered questions", href: hrefWith(path, query) }}
        actions={
          <LinkButton
            href={hrefWith(conversationsPath, { ...query, status: "unanswered", group: group.key })}
          >
            View conversations
          </LinkButton>
        }
      />
      <Facts
        rows={[
          ["Asked", `${count(group.count)} ${group.count === 1 ? "time" : "times"}`],
          ["First asked", <Time at={group.firstAt} />],
          ["Last asked", <Time at={group.lastAt} />],
          ["Status", status],
          ["Assignee", group.assignee?.name ?? "None"],
          ...(group.answerPath === null
            ? []
            : [
                [
                  "Page with the answer",
                  <PageLink path={group.answerPath} page={linked.get(group.answerPath)} />,
                ] as const,
              ]),
        ]}
      />
      <Section title="Related sections" lead="Sections that the assistant linked to in its latest answer.">
        {group.sections.length === 0 ? (
          <Empty title="No related sections">
            Your documentation may not cover this topic. Consider adding a page.
          </Empty>
        ) : (
          <ol class="d-list">
            {group.sections.map(({ title, url }) => (
              <li key={url}>
                <WebLink url={url} text={title || url} />
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section title="Pages where readers asked this">
        {group.pages.length === 0 ? (
          <Empty title="No pages recorded">Questions from the API may not include a page.</Empty>
        ) : (
          <Table
            label="Pages where readers asked this"
            rows={group.pages}
            keyOf={({ url }) => url}
            columns={[
              {
                title: "Page",
                isWide: true,
                cell: ({ url }) => <PageLink path={pathOf(url)} page={linked.get(pathOf(url))} />,
              },
              { title: "Questions", align: "end", cell: (row) => count(row.count) },
            ]}
          />
        )}
      </Section>
      {draft}
      {form && <DecisionForm action={hrefWith(`${path}/${group.last}`, query)} form={form} errors={errors} />}
    </>
  );
}

function DecisionForm({
  action,
  form: { members, filled },
  errors,
}: {
  action: string;
  form: NonNullable<QuestionGroupProps["form"]>;
  errors: FormErrors | undefined;
}) {
  return (
    <Section
      title="Update"
      lead="A resolved question reopens if it's asked again and the assistant still can't answer it."
    >
      <div class="d-narrow">
        <FormErrorNote errors={errors} />
        <Form action={action}>
          <Select
            name="status"
            label="Status"
            value={filled.status}
            options={Object.entries(statusNames).map(([value, label]) => ({ value, label }))}
          />
          <Select
            name="assignee"
            label="Assignee"
            value={filled.assignee}
            options={[
              { value: "", label: "None" },
              ...members.map(({ id, name, email }) => ({ value: id, label: name || email })),
            ]}
          />
          <When is="resolved">
            <Input
              name="answer"
              label="Page with the answer"
              hint="Optional. Path or URL of the page, such as /guides/keys."
              value={filled.answer}
              isMono
            />
          </When>
          <Submit>Save</Submit>
        </Form>
      </div>
    </Section>
  );
}
