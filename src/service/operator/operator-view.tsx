/** Renders the operator pages of the dashboard. */

import type { ComponentChildren } from "preact";
import { confirmHref } from "../ui/dashboard-urls.ts";
import { Choices } from "../ui/kit/choices.tsx";
import { Filters, Form, Input, LinkButton, PostButton, Select, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { bytes, count } from "../ui/kit/format-number.ts";
import { Badge, Empty, Facts, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { type Column, Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { browserName } from "../ui/user-agent.ts";
import type { HealthPart } from "./health.ts";
import {
  countedJobs_count,
  type JobLine,
  type JobType,
  type OrganizationLine,
  type SignInLine,
} from "./platform-lists.ts";

export const operatorHome = "/dashboard/operator";

const screens = [
  ["Organizations", ""],
  ["Queue", "/queue"],
  ["Health", "/health"],
  ["Storage", "/storage"],
  ["Sign-ins", "/sign-ins"],
] as const;

type Screen = (typeof screens)[number][0];

function OperatorPage({
  screen,
  lead,
  children,
}: {
  screen: Screen;
  lead: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <PageHead title={screen} lead={lead} />
      <Choices
        label="Operator"
        choices={screens.map(([label, path]) => ({
          label,
          href: operatorHome + path,
          isChosen: label === screen,
        }))}
      />
      {children}
    </>
  );
}

/**
 * Links to other pages of a list. `first`: the first page; undefined on the first page itself. `next`: the
 * next page; undefined on the last page.
 */
export interface ListPages {
  first: string | undefined;
  next: string | undefined;
}

const organizationHref = (id: string) => `${operatorHome}/organizations/${encodeURIComponent(id)}`;

const organizationColumns: readonly Column<OrganizationLine>[] = [
  { title: "Name", isWide: true, cell: ({ id, name }) => <a href={organizationHref(id)}>{name}</a> },
  { title: "Plan", cell: ({ plan }) => planLabel(plan) },
  { title: "Members", align: "end", cell: ({ members }) => count(members) },
  { title: "Projects", align: "end", cell: ({ projects }) => count(projects) },
  { title: "Storage", align: "end", cell: (row) => bytes(row.stored_bytes ?? 0) },
  { title: "Created", cell: (row) => <Time at={row.created_at} /> },
];

export function Organizations({
  rows,
  text,
  pages,
}: {
  rows: readonly OrganizationLine[];
  text: string;
  pages: ListPages;
}) {
  return (
    <OperatorPage
      screen="Organizations"
      lead={
        text
          ? "Organizations whose name begins with your search text, or whose ID matches it."
          : "All organizations on this service, newest first."
      }
    >
      <Filters action={operatorHome}>
        <Input name="q" label="Name or ID" type="search" value={text} maxLength={100} />
      </Filters>
      {rows.length === 0 ? (
        <Empty title={text ? "No matching organizations" : "No organizations yet"}>
          {text && <a href={operatorHome}>Clear search</a>}
        </Empty>
      ) : (
        <Table label="Organizations" rows={rows} keyOf={({ id }) => id} columns={organizationColumns} />
      )}
      <Pager first={pages.first} next={pages.next} />
    </OperatorPage>
  );
}

const plans = [
  { value: "free", label: "Free" },
  { value: "pro", label: "Pro" },
  { value: "enterprise", label: "Enterprise" },
];

function planLabel(plan: string): string {
  return plans.find(({ value }) => value === plan)?.label ?? plan;
}

export interface OperatorOrganizationProps {
  row: OrganizationLine;
  storageLimit_bytes: number;
  /**
   * Whether the operator confirmed their identity recently. If not, the page asks for this instead of showing
   * the form.
   */
  isConfirmed: boolean;
  errors: FormErrors | undefined;
}

export function OperatorOrganization({
  row,
  storageLimit_bytes,
  isConfirmed,
  errors,
}: OperatorOrganizationProps) {
  const path = organizationHref(row.id);
  return (
    <div class="d-narrow">
      <PageHead
        title={row.name}
        lead={<code>{row.id}</code>}
        back={{ label: "Organizations", href: operatorHome }}
      />
      <FormErrorNote errors={errors} />
      <Facts
        rows={[
          ["Members", count(row.members)],
          ["Projects", count(row.projects)],
          ["Storage", `${bytes(row.stored_bytes ?? 0)} of ${bytes(storageLimit_bytes)}`],
          ["Created", <Time key="created" at={row.created_at} />],
        ]}
      />
      <Section
        title="Plan"
        lead="The plan determines how much the assistant can use the service's language model, and whether the organization can create static exports. Changes take effect immediately."
      >
        {isConfirmed ? (
          <Form action={`${path}/plan`}>
            <Select name="plan" label="Plan" options={plans} value={row.plan} />
            <Submit>Change plan</Submit>
          </Form>
        ) : (
          <ConfirmFirst next={path} current={planLabel(row.plan)} />
        )}
      </Section>
    </div>
  );
}

function ConfirmFirst({ next, current }: { next: string; current: string }) {
  return (
    <>
      <p>{current}</p>
      <div>
        <LinkButton href={confirmHref(next)}>Confirm it's you to change the plan</LinkButton>
      </div>
    </>
  );
}

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
          organizationColumns[0]!,
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

export interface SignInsProps {
  rows: readonly SignInLine[];
  /** ID of the operator's own session. */
  ownId: string;
  /** Whether the operator has confirmed their identity recently. Otherwise, sessions can't be ended. */
  isConfirmed: boolean;
  pages: ListPages;
}

export function SignIns({ rows, ownId, isConfirmed, pages }: SignInsProps) {
  return (
    <OperatorPage screen="Sign-ins" lead="All users' active sessions, most recently used first.">
      {!isConfirmed && (
        <div>
          <LinkButton href={confirmHref(`${operatorHome}/sign-ins`)}>
            Confirm it's you to end sessions
          </LinkButton>
        </div>
      )}
      <Table
        label="Active sessions"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "User",
            isWide: true,
            cell: ({ id, name, email }) => (
              <>
                {name} {id === ownId && <Badge kind="check">You</Badge>}
                <small class="d-under">{email}</small>
              </>
            ),
          },
          { title: "Organizations", align: "end", cell: ({ organizations }) => count(organizations) },
          { title: "Browser", cell: (row) => browserName(row.user_agent) },
          { title: "Last used", cell: (row) => <Time at={row.seen_at} /> },
          {
            title: "Actions",
            isQuiet: true,
            align: "end",
            cell: ({ id, name }) =>
              isConfirmed &&
              id !== ownId && (
                <PostButton action={`${operatorHome}/sign-ins/${id}/end`} of={name} removesRow>
                  End session
                </PostButton>
              ),
          },
        ]}
      />
      <Pager first={pages.first} next={pages.next} />
    </OperatorPage>
  );
}
