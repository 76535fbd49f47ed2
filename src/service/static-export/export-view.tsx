import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { CopyField, Snippet } from "../ui/kit/copy.tsx";
import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { bytes, count } from "../ui/kit/format-number.ts";
import { Facts, Live, Note, PageHead, Progress, Section } from "../ui/kit/page-parts.tsx";
import { duration, Time } from "../ui/kit/time.tsx";
import { LeftOut } from "./audience-report-view.tsx";
import { audienceText, ExportState, type ExportView, exportTitle } from "./exports-view.tsx";

export interface ExportProps {
  ids: ProjectIds;
  job: ExportView;
  deployment: { id: string; number: number } | undefined;
  /** Whether the bundle was deleted. */
  isGone: boolean;
  mayEdit: boolean;
  /** Commands and configuration to copy. */
  snippets: readonly { label: string; text: string }[];
  errors: FormErrors | undefined;
}

export function Export({ ids, job, deployment, isGone, mayEdit, snippets, errors }: ExportProps) {
  const projectPath = (path: string) => projectHref(ids.organizationId, ids.projectId, path);
  const exportPath = projectPath(`/exports/${job.id}`);
  const isFinal = job.status === "completed" || job.status === "failed";
  return (
    <>
      <Live id="export" isFinal={isFinal} state={`Export ${job.status}`}>
        <PageHead
          title={exportTitle(job)}
          back={{ label: "Static exports", href: projectPath("/exports") }}
          lead={<code>{job.id}</code>}
          actions={
            <>
              {mayEdit && !isFinal && <PostButton action={`${exportPath}/cancel`}>Cancel</PostButton>}
              {job.status === "completed" && !isGone && (
                <LinkButton href={`${exportPath}/bundle`} kind="primary">
                  Download
                </LinkButton>
              )}
            </>
          }
        />
        <FormErrorNote errors={errors} />
        {job.status === "failed" && <Note kind="danger">{job.error ?? "The export failed."}</Note>}
        {isGone && <Note kind="info">The archive was deleted. Create a new export.</Note>}
        {!isFinal && <Progress label="Export progress" done={job.progress} />}
        <Facts
          rows={[
            ["Status", <ExportState key="state" row={job} hidesProgress />],
            ["Domain", job.domain],
            ...(job.version === null ? [] : [["Version", <code key="version">{job.version}</code>] as const]),
            ...(job.audience === null ? [] : [["Readers", audienceText(job.audience)] as const]),
            ["Pages", pagesText(job)],
            [
              "Source",
              deployment ? (
                <a
                  key="deployment"
                  href={projectPath(`/deployments/${deployment.id}`)}
                >{`Deployment ${deployment.number}`}</a>
              ) : (
                "Deleted deployment"
              ),
            ],
            ["Created", <Time key="created" at={job.createdAt} />],
            ...(job.completedAt && job.startedAt
              ? [["Duration", duration(job.completedAt.getTime() - job.startedAt.getTime())] as const]
              : []),
            ...(job.bytes === null
              ? []
              : [["Size", `${bytes(job.bytes)} (${count(job.bytes)} bytes)`] as const]),
          ]}
        />
        {job.sha256 !== null && (
          <Section title="Checksum" lead="SHA-256 hash of the archive.">
            <CopyField label="SHA-256" text={job.sha256} />
          </Section>
        )}
        {job.paths && (
          <Section title="Selected pages">
            <ul class="d-list">
              {job.paths.map((path) => (
                <li key={path}>
                  <code>{path === "" ? "index" : path}</code>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {job.audienceReport && <LeftOut report={job.audienceReport} />}
      </Live>
      <Section
        title="Use the API"
        lead="Create and download exports with an API key that has write permission."
      >
        {snippets.map((snippet) => (
          <Snippet key={snippet.label} {...snippet} />
        ))}
      </Section>
    </>
  );
}

/** Number of exported pages. While the export is running, the number of pages that it will have. */
function pagesText({ status, pageCount, totalPages }: ExportView): string {
  if (status === "completed" || status === "failed") return count(pageCount);
  return totalPages === null ? "–" : count(totalPages);
}
