/** What a deployment's row says about its sources, its address, and when it goes live. */

import { signInOf } from "../../base/reader-sign-in.ts";
import type { ExportTarget } from "../../engine/plan/export-target.ts";
import { gitSource, linkedRepository } from "../core/git-source.ts";
import { deploymentDomain, type ServiceSettings, siteUrl } from "../core/service.ts";
import type { Commit, ProjectRow, Snapshot, Tables } from "../core/tables.ts";
import { pullRequestOf } from "./previews.ts";
import type { SourceLocation } from "./sources.ts";

/** The deployment's row at the start of the job, with its project. */
export type DeployJobRow = Pick<
  Tables["deployments"],
  "organization_id" | "project_id" | "preview_branch" | "preview_host" | "trigger"
> & {
  publish_with_errors: boolean | null;
  snapshot: Snapshot | null;
  commit: Commit | null;
  project: Pick<ProjectRow, "source" | "connection" | "subdomain" | "sign_in" | "publish_with_errors">;
  /** First verified domain; null if there is none. */
  domain: string | null;
};

/**
 * Returns the location of the sources: the project's branch or folder, or the branch or pull request of a
 * preview. Of a connected repository, its latest commit is read, not the one in the webhook delivery, since
 * deliveries can arrive in any order.
 */
export function sourceOf({
  project_id: projectId,
  project: { source, connection },
  preview_branch: branch,
  commit,
}: DeployJobRow): SourceLocation {
  if (source.kind === "upload" && commit) return { projectId, commit };
  if (source.kind !== "git") return { folder: source.kind === "folder" ? source.folder : undefined };
  const repository = gitSource(source, connection);
  if (branch === null) return repository;
  if (pullRequestOf(branch) === undefined) return { ...repository, branch };
  return { ...repository, ...(commit ? { ref: `refs/${commit.ref}` } : {}) };
}

/** Returns the URL that the site is built for. */
export function originOf(
  settings: ServiceSettings,
  { preview_host, domain, project: { subdomain } }: DeployJobRow,
): string {
  return siteUrl(settings, deploymentDomain(settings, { preview_host, domain, subdomain }));
}

/** Returns the target that the site is built for. */
export function targetOf(settings: ServiceSettings, row: DeployJobRow): ExportTarget {
  return {
    kind: settings.kind,
    links: "clean",
    origin: originOf(settings, row),
    // Views of previews aren't counted.
    ...(row.preview_host === null ? {} : { analytics: false as const }),
    ...(signInOf(row.project.sign_in) ? { readers: "signed-in" as const } : {}),
    ...linkedRepository(row.project, branchOf(row)),
  };
}

/**
 * Returns the choice for this deployment or, without one, the project's setting. Null: deployments with new
 * errors are held.
 */
export function publishesWithErrors({ publish_with_errors, project }: DeployJobRow): boolean | null {
  return publish_with_errors || project.publish_with_errors;
}

/**
 * Whether someone wants the deployment's content to go live. False for previews, and for rebuilds of content
 * that is already live.
 */
export function goesLiveByChoice({ preview_branch, trigger }: DeployJobRow): boolean {
  return preview_branch === null && trigger !== "settings";
}

/** Returns the branch that pages link to. Undefined for uploads, folders and previews of pull requests. */
function branchOf({
  project: { source },
  preview_branch: preview,
  snapshot,
  commit,
}: DeployJobRow): string | undefined {
  if (source.kind !== "git" || (snapshot && !commit) || pullRequestOf(preview) !== undefined)
    return undefined;
  return preview ?? source.branch;
}
