/** Renders the table of deployments and its cells. */

import { type ProjectIds, projectHref } from "../ui/dashboard-urls.ts";
import { count } from "../ui/kit/format-number.ts";
import { Badge, type BadgeKind } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { duration, Time } from "../ui/kit/time.tsx";
import { type LiveState, stateLabel } from "./contract.ts";
import { type DeploymentView, resultDetail } from "./deployment-summary.ts";
import { pullRequestOf } from "./previews.ts";

/**
 * Formats the duration for display: `…` while the deployment is queued or running, `–` if it ended without
 * starting.
 */
export function durationText({ took_ms, endedAt }: DeploymentView): string {
  if (took_ms !== undefined) return duration(took_ms);
  return endedAt ? "–" : "…";
}

export function DeploymentTable({
  ids,
  deployments,
}: {
  ids: ProjectIds;
  deployments: readonly DeploymentView[];
}) {
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
              <small class="d-under">{resultDetail(row)}</small>
            </>
          ),
        },
        { title: "State", cell: (row) => <DeploymentState row={row} /> },
        { title: "Source", cell: (row) => <Source row={row} /> },
        {
          title: "Created",
          cell: (row) => (
            <>
              <Time at={row.createdAt} />
              <small class="d-under">{row.by}</small>
            </>
          ),
        },
        { title: "Duration", align: "end", cell: (row) => durationText(row) },
        {
          title: "Pages",
          align: "end",
          cell: (row) => (row.pageCount === null ? "–" : count(row.pageCount)),
        },
      ]}
    />
  );
}

const stateKinds: Record<LiveState, BadgeKind> = {
  queued: "plain",
  building: "info",
  live: "check",
  "live-with-errors": "warning",
  held: "warning",
  superseded: "plain",
  replaced: "plain",
  ready: "check",
  "ready-with-errors": "warning",
  failed: "danger",
  canceled: "plain",
  deleted: "plain",
};

export function StateBadge({ state, progress }: { state: LiveState; progress?: number }) {
  const label = stateLabel(state);
  return (
    <Badge kind={stateKinds[state]}>
      {state === "building" && progress !== undefined ? `${label} ${progress}%` : label}
    </Badge>
  );
}

export function DeploymentState({ row }: { row: Pick<DeploymentView, "state" | "progress" | "branch"> }) {
  return (
    <span class="d-badges">
      <StateBadge state={row.state} progress={row.progress} />
      {row.branch !== null && <Badge kind="info">Preview</Badge>}
    </span>
  );
}

/** The origin of the deployment, such as `Push to main`, with the commit below it. */
export function Source({ row }: { row: Pick<DeploymentView, "branch" | "commit" | "trigger"> }) {
  const { commit } = row;
  return (
    <>
      {originText(row)}
      {commit && (
        <small class="d-under">
          <code title={commit.sha}>{commit.sha.slice(0, 7)}</code>
          {commit.message && ` · ${shortened(commit.message)}`}
        </small>
      )}
    </>
  );
}

/** Returns the origin and the commit as plain text, such as `Push to main · 1a2b3c4 · Fix a typo`. */
export function sourceText(row: Pick<DeploymentView, "branch" | "commit" | "trigger">): string {
  const { commit } = row;
  return [originText(row), commit?.sha.slice(0, 7), commit && shortened(commit.message)]
    .filter(Boolean)
    .join(" · ");
}

function originText({
  branch,
  commit,
  trigger,
}: Pick<DeploymentView, "branch" | "commit" | "trigger">): string {
  const number = pullRequestOf(branch);
  if (number !== undefined) return `Pull request #${number}`;
  if (trigger === "push" && commit) return `Push to ${commit.ref}`;
  if (branch !== null || commit) return `Branch ${branch ?? commit!.ref}`;
  const labels: Record<string, string> = {
    upload: "Upload",
    cli: "octavo deploy",
    api: "API",
    dashboard: "Dashboard",
    settings: "Settings change",
    start: "Initial deployment",
  };
  return labels[trigger] ?? trigger;
}

function shortened(message: string): string {
  const first = message.split("\n")[0]!;
  return first.length > 48 ? `${first.slice(0, 47)}…` : first;
}
