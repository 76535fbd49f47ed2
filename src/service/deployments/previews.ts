/**
 * Creates and purges previews: deployments of a branch or pull request at an unguessable host name. Previews
 * expire.
 */

import { AppError, fieldThat, invalid, notFound } from "../../base/app-error.ts";
import { isBranchName } from "../../io/branch-name.ts";
import type { Scope } from "../core/scope.ts";
import { defaultHost, type Service, siteUrl } from "../core/service.ts";
import type { Commit } from "../core/tables.ts";
import { storedCommit } from "../storage/git-copies.ts";
import { addDeployment, type NewDeployment, type Requester, type Trigger } from "./add-deployment.ts";
import type { Owner } from "./project-row.ts";
import { purge } from "./purge-deployment.ts";

/** Maximum number of previewed branches and pull requests of a project. */
const previews_count = 20;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Creates a preview of a branch. Throws an AppError for an invalid branch name, and a conflict if the project
 * has no repository.
 */
export async function deployPreview(
  service: Service,
  owner: Requester,
  projectId: string,
  branch: string,
  trigger: Trigger,
): Promise<Preview> {
  const preview = await addBranchPreview(service, owner, projectId, branch, trigger);
  await purgeOldPreviews(service, owner, projectId, branch);
  return preview;
}

/** Like `deployPreview`, but can run in a transaction and doesn't purge other previews. */
export async function addBranchPreview(
  service: Service,
  owner: Requester,
  projectId: string,
  branch: string,
  trigger: Trigger,
): Promise<Preview> {
  checkBranch(branch);
  return addPreview(service, owner, projectId, branch, { trigger });
}

/** Creates a preview of a pull request's commit. */
export async function deployPullRequest(
  service: Service,
  owner: Requester,
  projectId: string,
  number: number,
  commit: Commit,
): Promise<Preview> {
  const branch = pullRequestBranch(number);
  const preview = await addPreview(service, owner, projectId, branch, { trigger: "pull-request", commit });
  await purgeOldPreviews(service, owner, projectId, branch);
  return preview;
}

/** Purges the previews of a pull request. Returns the number of purged deployments. */
export function purgePullRequestPreviews(
  service: Service,
  owner: Owner,
  projectId: string,
  number: number,
): Promise<number> {
  return purgePreviews(service, owner, projectId, pullRequestBranch(number));
}

/** Purges the previews of a branch. Returns the number of purged deployments. */
export async function purgePreviews(
  service: Service,
  owner: Owner,
  projectId: string,
  branch: string,
): Promise<number> {
  const preview = (await previewsOf(service, owner, projectId)).find((known) => known.branch === branch);
  for (const id of preview?.ids ?? []) await purge(service, owner, id);
  return preview?.ids.length ?? 0;
}

/**
 * Returns the name that is stored instead of a branch for a pull request's previews. `checkBranch` rejects
 * branches with such a name.
 */
function pullRequestBranch(number: number): string {
  return `#${number}`;
}

/**
 * Returns the number of the pull request that a preview shows. Undefined if it shows a branch, or
 * `previewBranch` is null.
 */
export function pullRequestOf(previewBranch: string | null): number | undefined {
  return previewBranch !== null && /^#\d+$/.test(previewBranch) ? Number(previewBranch.slice(1)) : undefined;
}

interface Preview {
  id: string;
  url: string;
}

/**
 * Adds a preview at the host name of the branch's earlier previews or, if there are none, at a new host name.
 */
async function addPreview(
  service: Service,
  owner: Requester,
  projectId: string,
  branch: string,
  more: Pick<NewDeployment, "trigger" | "commit">,
): Promise<Preview> {
  const project = await service.db
    .selectFrom("projects")
    .select(["source", "subdomain"])
    .where("organization_id", "=", owner.organizationId)
    .where("id", "=", projectId)
    .executeTakeFirst();

  if (!project) throw notFound();
  const stored =
    project.source.kind === "upload" ? await storedCommit(service, projectId, branch) : undefined;

  if (project.source.kind !== "git" && !stored)
    throw new AppError(
      "conflict",
      `The project isn't connected to a Git repository, and the branch ${branch} wasn't pushed to its own repository. Push it, or connect a repository in the project's settings.`,
    );

  const preview = await previewFor(service, owner, { id: projectId, ...project }, branch);
  const { id } = await addDeployment(service, owner, projectId, {
    id: service.ulid(),
    ...more,
    ...(stored ? { commit: stored } : {}),
    preview,
  });

  return { id, url: siteUrl(service.settings, preview.host) };
}

/**
 * If there are too many previewed branches, purges the previews of the branches that were deployed least
 * recently, except `branch`.
 */
export async function purgeOldPreviews(
  service: Service,
  owner: Owner,
  projectId: string,
  branch: string,
): Promise<void> {
  const previews = await previewsOf(service, owner, projectId);
  const others = previews.filter((preview) => preview.branch !== branch);
  for (const { ids } of others.slice(previews_count - 1))
    for (const old of ids) await purge(service, owner, old);
}

/** Returns the branch and host name of a new preview. */
export async function previewFor(
  service: Service,
  owner: Owner,
  { id: projectId, subdomain }: { id: string; subdomain: string },
  branch: string,
): Promise<{ branch: string; host: string }> {
  const known = await previewsOf(service, owner, projectId);
  const label = `${subdomain.slice(0, 40)}-preview-${randomLabel(service.random)}`;
  const host =
    known.find((preview) => preview.branch === branch)?.host ?? defaultHost(service.settings, label);
  return { branch, host };
}

function checkBranch(branch: string): void {
  if (!isBranchName(branch))
    throw invalid("Invalid request body", fieldThat("branch", "must be a valid branch name"));
  if (pullRequestOf(branch) !== undefined)
    throw invalid(
      "Invalid request body",
      fieldThat("branch", `must not be ${branch}, which is the name of a pull request's preview`),
    );
}

/**
 * Returns the project's previews that weren't purged, grouped by branch. The branches, and the IDs of each
 * branch, are ordered newest first.
 */
async function previewsOf(
  { db }: Service,
  { organizationId }: Pick<Scope, "organizationId">,
  projectId: string,
) {
  const rows = await db
    .selectFrom("deployments")
    .select(["id", "preview_branch", "preview_host"])
    .where("organization_id", "=", organizationId)
    .where("project_id", "=", projectId)
    .where("preview_host", "is not", null)
    .where("purged_at", "is", null)
    .orderBy("number", "desc")
    .execute();

  const branches = new Map<string, { branch: string; host: string; ids: string[] }>();
  for (const { id, preview_branch, preview_host } of rows) {
    const known = branches.get(preview_branch!);
    if (known) known.ids.push(id);
    else branches.set(preview_branch!, { branch: preview_branch!, host: preview_host!, ids: [id] });
  }

  return [...branches.values()];
}

/** Returns a label for a host name, with 80 random bits. */
function randomLabel(random: (bytes: number) => Uint8Array): string {
  return [...random(16)].map((byte) => alphabet[byte % 32]).join("");
}
