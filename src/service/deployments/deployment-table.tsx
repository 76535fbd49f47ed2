import type { Service } from "../core/service.ts";
import { actorName } from "../ui/actor.ts";
import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { count } from "../ui/kit/format-number.ts";
import { Badge, type BadgeKind } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { duration, Time } from "../ui/kit/time.tsx";
import { type DeploymentRow, deploymentUrl } from "./deployments.ts";

export interface DeploymentView {
  id: string;
  number: number;
  status: "queued" | "in_progress" | "success" | "failure";
  isLive: boolean;
  isPurged: boolean;
  trigger: string;
  /** Branch of a preview; null if the deployment isn't a preview. */
  branch: string | null;
  /** URL of the site or preview. */
  url: string;
  commit: { sha: string; ref: string; message: string } | null;
  summary: string | null;
  pageCount: number | null;
  /** Name of the actor that created the deployment. */
  by: string;
  createdAt: Date;
  endedAt: Date | null;
  /** Time between the start and the end; undefined if the deployment wasn't started or hasn't ended. */
  took_ms: number | undefined;
}

export function deploymentView(service: Pick<Service, "settings">, row: DeploymentRow): DeploymentView {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    isLive: row.live_deployment_id === row.id,
    isPurged: row.purged_at !== null,
    trigger: row.trigger,
    branch: row.preview_branch,
    url: deploymentUrl(service, row),
    commit: row.commit,
    summary: currentSummary(row),
    pageCount: row.page_count,
    by: actorName(row.actor),
    createdAt: row.created_at,
    endedAt: row.ended_at,
    took_ms: row.started_at && row.ended_at ? row.ended_at.getTime() - row.started_at.getTime() : undefined,
  };
}

/** The stored summary describes the moment when the deployment ended. Returns it for the present: live, or no longer live. */
function currentSummary({ summary, live_deployment_id, id }: DeploymentRow): string | null {
  if (summary === null) return null;
  return live_deployment_id === id ? summary.replace(/^Superseded:[^,]*, or[^,]*is live/, "Live") : summary.replace(/^Live\b/, "Was live");
}

export function DeploymentTable({ ids, deployments }: { ids: ProjectIds; deployments: readonly DeploymentView[] }) {
  const deploymentsPath = projectHref(ids.organizationId, ids.projectId, "/deployments");
  return (
    <Table
      label="Deployments"
      rows={deployments}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Deployment",
          isWide: true,
          cell: (row) => (
            <>
              <a href={`${deploymentsPath}/${row.id}`}>Deployment {row.number}</a>
              <small class="d-under">{row.summary ?? "…"}</small>
            </>
          ),
        },
        { title: "State", cell: (row) => <DeploymentState row={row} /> },
        { title: "Sources", cell: (row) => <Sources row={row} /> },
        {
          title: "Created",
          cell: (row) => (
            <>
              <Time at={row.createdAt} />
              <small class="d-under">{`${triggerLabel(row.trigger)}, ${row.by}`}</small>
            </>
          ),
        },
        { title: "Took", align: "end", cell: (row) => (row.took_ms === undefined ? "…" : duration(row.took_ms)) },
        { title: "Pages", align: "end", cell: (row) => (row.pageCount === null ? "–" : count(row.pageCount)) },
      ]}
    />
  );
}

export function DeploymentState({ row }: { row: Pick<DeploymentView, "status" | "isLive" | "isPurged" | "branch"> }) {
  const labels: Record<DeploymentView["status"], [BadgeKind, string]> = {
    queued: ["plain", "queued"],
    in_progress: ["info", "in progress"],
    success: ["check", "success"],
    failure: ["danger", "failure"],
  };
  const [kind, label] = labels[row.status];
  return (
    <span class="d-badges">
      {row.isLive ? <Badge kind="check">live</Badge> : <Badge kind={kind}>{label}</Badge>}
      {row.branch !== null && <Badge kind="info">preview</Badge>}
      {row.isPurged && <Badge>purged</Badge>}
    </span>
  );
}

export function Sources({ row: { branch, commit } }: { row: Pick<DeploymentView, "branch" | "commit"> }) {
  if (!commit) return <>{branch ?? "a folder"}</>;
  return (
    <>
      <code title={commit.sha}>{`${commit.ref} ${commit.sha.slice(0, 7)}`}</code>
      <small class="d-under">{shortened(commit.message)}</small>
    </>
  );
}

function shortened(message: string): string {
  const first = message.split("\n")[0]!;
  return first.length > 48 ? `${first.slice(0, 47)}…` : first;
}

export function triggerLabel(trigger: string): string {
  const labels: Record<string, string> = {
    upload: "upload",
    cli: "octavo deploy",
    api: "API",
    dashboard: "dashboard",
    settings: "changed settings",
    start: "first start",
  };
  return labels[trigger] ?? trigger;
}
