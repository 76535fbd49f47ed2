import { limits } from "../../base/limits.ts";
import type { CheckedAudience } from "../../engine/export/audience-report.ts";
import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { FieldRow, Form, IdempotencyKey, Input, Select, Submit, TextArea, When } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { bytes, count } from "../ui/kit/format-number.ts";
import { Badge, type BadgeKind, Empty, Live, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Pager } from "../ui/kit/pager.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface ExportView {
  id: string;
  status: "queued" | "running" | "completed" | "failed";
  /** Progress in percent. */
  progress: number;
  pageCount: number;
  totalPages: number | null;
  domain: string;
  /** Label that the user entered; null if none. */
  label: string | null;
  /**
   * Version of the bundle: the label, or a hash of the content. Null until the export is complete, unless
   * there is a label.
   */
  version: string | null;
  /** Selected pages; null for all. */
  paths: readonly string[] | null;
  /**
   * Groups of the readers that the export is for; `public` for visitors who aren't signed in. Null if none
   * were chosen.
   */
  audience: "public" | readonly string[] | null;
  /** Null until the export is complete, and without an audience. */
  audienceReport: CheckedAudience | null;
  error: string | null;
  bytes: number | null;
  sha256: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
}

export interface ExportsProps {
  ids: ProjectIds;
  exports: readonly ExportView[];
  domains: readonly string[];
  /** Message that explains why no export can be started. Undefined if one can be started. */
  obstacle: string | undefined;
  mayEdit: boolean;
  filled: { domain: string; version: string; readers: string; groups: string; paths: string };
  idempotencyKey: string;
  newer: string | undefined;
  older: string | undefined;
  errors: FormErrors | undefined;
}

export function Exports({
  ids,
  exports,
  domains,
  obstacle,
  mayEdit,
  filled,
  idempotencyKey,
  newer,
  older,
  errors,
}: ExportsProps) {
  const exportsPath = projectHref(ids.organizationId, ids.projectId, "/exports");
  return (
    <>
      <PageHead
        title="Static exports"
        lead="Download the live site as an archive of static files to host on any web server or in an air-gapped cluster."
      />
      <FormErrorNote errors={errors} />
      {obstacle && <Note kind="info">{obstacle}</Note>}
      {exports.length === 0 ? (
        <Empty title="No exports yet">{!obstacle && mayEdit && "Create one below."}</Empty>
      ) : (
        <Live
          id="exports"
          isFinal={exports.every(({ status }) => status === "completed" || status === "failed")}
          state={`Newest export: ${exports[0]!.status}`}
        >
          <Table
            label="Static exports"
            rows={exports}
            keyOf={({ id }) => id}
            columns={[
              {
                title: "Export",
                isWide: true,
                cell: (row) => (
                  <>
                    <a href={`${exportsPath}/${row.id}`}>{exportTitle(row)}</a>
                    {(row.error ?? row.version) !== row.label && (
                      <small class="d-under">{row.error ?? row.version}</small>
                    )}
                  </>
                ),
              },
              { title: "Status", cell: (row) => <ExportState row={row} /> },
              { title: "Created", cell: (row) => <Time at={row.createdAt} /> },
              { title: "Pages", align: "end", cell: (row) => count(row.pageCount) },
              { title: "Size", align: "end", cell: (row) => (row.bytes === null ? "–" : bytes(row.bytes)) },
            ]}
          />
        </Live>
      )}
      <Pager newer={newer} older={older} />
      {!obstacle && mayEdit && (
        <Section
          title="Create export"
          lead="Exports the live deployment or, if there's none yet, the one that is queued or being built."
        >
          <Form action={exportsPath}>
            <IdempotencyKey value={idempotencyKey} />
            <FieldRow>
              <Select
                name="domain"
                label="Domain"
                options={domains.map((domain) => ({ value: domain, label: domain }))}
                value={filled.domain}
              />
              <Input
                name="version"
                label="Version"
                value={filled.version}
                maxLength={limits.exportVersion_chars}
                isMono
                hint="Optional label. Generated if blank."
              />
            </FieldRow>
            <Select
              name="readers"
              label="Content"
              options={audiences}
              value={filled.readers}
              hint="An export for some readers contains exactly what they can read on the live site."
            />
            <When is="groups">
              <Input
                name="groups"
                errorName="audience"
                label="Reader groups"
                value={filled.groups}
                hint="Separate multiple groups with commas: readers are in all of them. Leave blank for signed-in readers without groups."
              />
            </When>
            <When is="all-pages">
              <TextArea
                name="paths"
                label="Pages"
                value={filled.paths}
                hint="Paths such as guides/install, one per line. Leave blank to export all pages that aren't restricted to groups."
              />
            </When>
            <Submit>Create export</Submit>
          </Form>
        </Section>
      )}
    </>
  );
}

const audiences = [
  { value: "", label: "All pages that aren't restricted to groups" },
  { value: "public", label: "What visitors who aren't signed in can read" },
  { value: "groups", label: "What readers in certain groups can read" },
];

export function audienceText(audience: NonNullable<ExportView["audience"]>): string {
  if (audience === "public") return "Not signed in";
  return audience.length ? `Groups: ${audience.join(", ")}` : "Signed in, without groups";
}

export function exportTitle({ label, domain }: Pick<ExportView, "label" | "domain">): string {
  return label ?? `Export of ${domain}`;
}

/** `hidesProgress`: whether the page shows the progress elsewhere. */
export function ExportState({
  row,
  hidesProgress,
}: {
  row: Pick<ExportView, "status" | "progress">;
  hidesProgress?: boolean;
}) {
  const labels: Record<ExportView["status"], [BadgeKind, string]> = {
    queued: ["plain", "Queued"],
    running: ["info", hidesProgress ? "Running" : `Running ${Math.floor(row.progress)}%`],
    completed: ["check", "Completed"],
    failed: ["danger", "Failed"],
  };
  const [kind, label] = labels[row.status];
  return <Badge kind={kind}>{label}</Badge>;
}
