import type { Problem } from "../../base/problem.ts";
import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { Lines } from "../ui/kit/copy.tsx";
import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { count } from "../ui/kit/format-number.ts";
import { Facts, Live, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { ProblemList } from "../ui/kit/problem-list.tsx";
import { duration, Time } from "../ui/kit/time.tsx";
import { DeploymentState, type DeploymentView, Sources, triggerLabel } from "./deployment-table.tsx";

export interface DeploymentProps {
  ids: ProjectIds;
  deployment: DeploymentView & { problems: readonly Problem[]; logs: readonly string[] };
  /** Number of the live deployment; undefined if there is none. */
  liveNumber: number | undefined;
  mayEdit: boolean;
  errors: FormErrors | undefined;
}

export function Deployment({ ids, deployment: row, liveNumber, mayEdit, errors }: DeploymentProps) {
  const list = projectHref(ids.organizationId, ids.projectId, "/deployments");
  const hasEnded = row.status === "success" || row.status === "failure";
  const isRead = row.status === "success" && !row.isPurged && (row.isLive || row.branch !== null);
  return (
    <Live id="deployment" isFinal={hasEnded} state={`${row.status === "in_progress" ? "in progress" : row.status}. ${row.summary ?? ""}`}>
      <PageHead
        title={`Deployment ${row.number}`}
        back={{ label: "Deployments", href: list }}
        lead={row.status === "failure" ? undefined : (row.summary ?? (row.status === "queued" ? "Waits for a worker." : "Is being built."))}
        actions={
          <>
            {isRead && <LinkButton href={row.url}>{row.branch === null ? "Open the site" : "Open the preview"}</LinkButton>}
            {mayEdit && hasEnded && <Actions deploymentPath={`${list}/${row.id}`} row={row} liveNumber={liveNumber} />}
          </>
        }
      />
      <FormErrorNote errors={errors} />
      {row.status === "failure" && (
        <Note kind="danger">
          <p>{row.summary ?? "It failed."}</p>
          {liveNumber !== undefined && <p>{`Readers go on reading deployment ${liveNumber}.`}</p>}
        </Note>
      )}
      <Facts
        rows={[
          ["State", <DeploymentState key="state" row={row} />],
          ["Sources", <Sources key="sources" row={row} />],
          ["Created", <Time key="created" at={row.createdAt} />],
          ["By", `${row.by}, ${triggerLabel(row.trigger)}`],
          ["Took", row.took_ms === undefined ? "…" : duration(row.took_ms)],
          ["Pages", row.pageCount === null ? "–" : count(row.pageCount)],
          ...(isRead
            ? [
                [
                  "Address",
                  <a key="url" href={row.url}>
                    {row.url}
                  </a>,
                ] as const,
              ]
            : []),
        ]}
      />
      <ProblemList problems={row.problems} />
      <Section title="Log">
        {row.logs.length === 0 ? <p class="d-muted">Nothing happened yet.</p> : <Lines label="Log" text={row.logs.join("\n")} />}
      </Section>
    </Live>
  );
}

function Actions({ deploymentPath, row, liveNumber }: { deploymentPath: string; row: DeploymentView; liveNumber: number | undefined }) {
  const isGood = row.status === "success" && !row.isPurged;
  return (
    <>
      {!row.isPurged && !row.isLive && <LinkButton href={`${deploymentPath}/purge`}>Purge</LinkButton>}
      {!row.isPurged && <PostButton action={`${deploymentPath}/redeploy`}>Redeploy</PostButton>}
      {isGood && !row.isLive && (
        <PostButton action={`${deploymentPath}/${row.branch === null ? "rollback" : "promote"}`} kind="primary">
          {row.branch === null && liveNumber !== undefined && row.number < liveNumber ? "Roll back to this" : "Make live"}
        </PostButton>
      )}
    </>
  );
}
