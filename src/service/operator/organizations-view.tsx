/** Renders the operator pages that list organizations, and show one of them. */

import { confirmHref } from "../ui/dashboard-urls.ts";
import { Filters, Form, Input, LinkButton, Select, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { bytes, count } from "../ui/kit/format-number.ts";
import { Empty, Facts, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { type Column, Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import type { OrganizationLine } from "./platform-lists.ts";
import { type ListPages, OperatorPage, operatorHome, organizationHref } from "./screen-view.tsx";

/** The column with the organization's name and a link to its page. */
export const nameColumn: Column<OrganizationLine> = {
  title: "Name",
  isWide: true,
  cell: ({ id, name }) => <a href={organizationHref(id)}>{name}</a>,
};

const organizationColumns: readonly Column<OrganizationLine>[] = [
  nameColumn,
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
