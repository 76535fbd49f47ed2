/**
 * Runs the job that reports a deployment's state to the git host: a commit status and, for a pull request, a
 * comment. If the job fails, the dashboard shows the error with the deployment.
 */

import { sql } from "kysely";
import { newProblems } from "../../base/new-problems.ts";
import { oneLine } from "../../base/one-line.ts";
import type { GitProjectSource } from "../core/git-source.ts";
import { decrypted } from "../core/project-secrets.ts";
import type { JobHandler } from "../core/queue.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../core/tables.ts";
import { comparisonOf } from "../deployments/compare-with-live.ts";
import { type DeploymentRow, deploymentUrl, getDeployment } from "../deployments/deployments.ts";
import { pullRequestOf } from "../deployments/previews.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { comparisonText } from "./comparison-text.ts";
import { type CommitStatus, GitHostApi, HostRefused } from "./git-host-requests.ts";

export function reportHandler(service: Service): JobHandler<"report-deployment"> {
  const setError = async ({ db }: Pick<Service, "db">, id: string, error: string | null) => {
    await db.updateTable("deployments").set({ status_error: error }).where("id", "=", id).execute();
  };

  return {
    attempts: 3,
    run: ({ payload: { deploymentId, organizationId } }) =>
      service.db.transaction().execute(async (tx) => {
        const row = await getDeployment({ db: tx }, { organizationId }, deploymentId).catch(() => undefined);
        if (!row?.commit) return;

        // One report per project at a time, so that an older state doesn't replace a newer one and only one
        // comment is created.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`report ${row.project_id}`}, 0))`.execute(
          tx,
        );
        const api = await apiOf(service, tx, row.project_id);
        if (!api) return;

        const current = await getDeployment({ db: tx }, { organizationId }, deploymentId);
        try {
          await report(service, tx, organizationId, current, api);
          await setError({ db: tx }, deploymentId, null);
        } catch (error) {
          if (!(error instanceof HostRefused)) throw error;
          await setError({ db: tx }, deploymentId, error.message);
        }
      }),
    giveUp: ({ deploymentId }) =>
      setError(service, deploymentId, "It didn't respond, or responded with an error."),
  };
}

async function apiOf(
  { secrets, settings }: Service,
  tx: Tx,
  projectId: string,
): Promise<GitHostApi | undefined> {
  const row = await tx
    .selectFrom("projects")
    .select(["source", "connection"])
    .where("id", "=", projectId)
    .executeTakeFirst();
  if (row?.source.kind !== "git" || !row.connection) return undefined;
  const { source, connection } = decrypted(secrets, projectId, {
    source: row.source,
    connection: row.connection,
  });
  return GitHostApi.of(settings, source as GitProjectSource, connection);
}

async function report(
  service: Service,
  tx: Tx,
  organizationId: string,
  row: DeploymentRow,
  api: GitHostApi,
): Promise<void> {
  const status = statusOf(service, organizationId, row);
  await api.setStatus(status);
  const number = pullRequestOf(row.preview_branch);
  if (number === undefined) return;

  const key = { project_id: row.project_id, number };
  const known = await tx
    .selectFrom("pull_requests")
    .select("comment_id")
    .where("project_id", "=", key.project_id)
    .where("number", "=", number)
    .executeTakeFirst();

  const differences = await differencesOf(service, tx, organizationId, row);
  const text = commentText(row, status, differences);
  const comment_id = await api.comment(number, text, known?.comment_id ?? undefined);
  await tx
    .insertInto("pull_requests")
    .values({ ...key, comment_id })
    .onConflict((conflict) => conflict.columns(["project_id", "number"]).doUpdateSet({ comment_id }))
    .execute();
}

/** Returns how a successful preview differs from the live site. Undefined if it wasn't compared. */
async function differencesOf(
  service: Service,
  tx: Tx,
  organizationId: string,
  row: DeploymentRow,
): Promise<string | undefined> {
  const comparison = row.status === "success" ? await comparisonOf({ db: tx }, row.id) : undefined;
  if (!comparison) return undefined;
  const live =
    row.live_deployment_id === null
      ? undefined
      : await getDeployment({ db: tx }, { organizationId }, row.live_deployment_id).catch(() => undefined);
  return comparisonText({
    comparison,
    newProblems: newProblems(row.problems, live?.problems ?? []),
    dashboardUrl: dashboardUrl(service, organizationId, row),
  });
}

function dashboardUrl({ settings }: Service, organizationId: string, row: DeploymentRow): string {
  return `${settings.url}${projectHref(organizationId, row.project_id, `/deployments/${row.id}`)}`;
}

function statusOf(service: Service, organizationId: string, row: DeploymentRow): CommitStatus {
  const page = dashboardUrl(service, organizationId, row);
  const sha = row.commit!.sha;
  if (row.outcome === "held")
    return { sha, state: "failure", description: `${row.summary}. The live site didn't change.`, url: page };

  if (row.status === "success")
    return {
      sha,
      state: "success",
      description: row.summary ?? "Deployed",
      url: deploymentUrl(service, row),
    };

  if (row.status === "failure")
    return { sha, state: "failure", description: row.summary ?? "The deployment failed", url: page };
  return { sha, state: "pending", description: row.status === "queued" ? "Queued" : "Building", url: page };
}

const previewNote =
  "Anyone with the link can view this preview, unless the site requires sign-in. It's deleted when the pull request is closed, or 14 days after the last push.";

function commentText(row: DeploymentRow, { state, url }: CommitStatus, differences = ""): string {
  const commit = row.commit!.sha.slice(0, 7);
  if (row.purged_at || state === "pending") return `**Docs preview**: building ${commit}…`;
  if (state === "success")
    return [`**Docs preview** of ${commit}: ${url}`, differences, previewNote].filter(Boolean).join("\n\n");
  // The summary can contain the author's text, which must not become Markdown.
  return `**Docs preview** of ${commit} failed: \`${oneLine((row.summary ?? "").replaceAll("`", "'"))}\`\n\n[Open the build log](${url})`;
}
