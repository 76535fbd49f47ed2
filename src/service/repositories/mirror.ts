/**
 * Copies a project's own repository to another Git server after each push. The other repository then has the
 * same branches and tags.
 */

import path from "node:path";
import { atField, type ErrorDetail, invalid } from "../../base/app-error.ts";
import { parseUrl } from "../../base/url.ts";
import { checkGitSource, GitRefused } from "../../io/check-git-source.ts";
import { Git } from "../../io/git-process.ts";
import { openRemote } from "../../io/git-remote.ts";
import { privateFolder } from "../../io/private-folder.ts";
import { removeFolder } from "../../io/remove-folder.ts";
import { mirrorSource } from "../core/git-source.ts";
import { decrypted, encrypted } from "../core/project-secrets.ts";
import { ForeignFailure, type JobHandler, type JobOwner, type Queue } from "../core/queue.ts";
import type { Scope } from "../core/scope.ts";
import type { Service, ServiceSettings } from "../core/service.ts";
import type { Database, ProjectMirror, ProjectRow, Tx } from "../core/tables.ts";
import { transact } from "../core/transact.ts";
import { openCopy } from "../storage/git-copies.ts";

/** Timeout of an update. */
const update_ms = 180_000;

export function mirrorHandler(service: Service): JobHandler<"mirror-repository"> {
  return {
    attempts: 5,
    slots: 2,
    async run({ payload: { projectId }, signal }) {
      try {
        await updateMirror(service, projectId, signal);
      } catch (error) {
        if (!(error instanceof GitRefused)) throw error;
        await setError(service, projectId, error.message);
        throw new ForeignFailure(error.message);
      }
    },
    giveUp: async ({ projectId }, { message }) => setError(service, projectId, message),
  };
}

/** A mirror as an admin enters it. Null removes it. An absent token is kept for the same server. */
export type MirrorChange = ProjectMirror | null;

/**
 * Changes or removes the mirror of a project with its own repository, and queues the first update. Throws an
 * AppError if a value is invalid, or the project has no repository of its own.
 */
export async function changeMirror(
  { db, secrets, settings, queue }: Pick<Service, "db" | "secrets" | "settings" | "queue">,
  { organizationId }: Pick<Scope, "organizationId">,
  { id, source, mirror: before }: Pick<ProjectRow, "id" | "source" | "mirror">,
  change: MirrorChange,
): Promise<void> {
  const mirror = mirrorAfter(before, change);
  const problems = mirror ? mirrorProblems(mirror, settings) : [];
  if (mirror && source.kind !== "upload")
    problems.push(atField("mirror", "Only projects with their own repository can have a mirror"));
  if (problems.length) throw invalid("Invalid mirror", ...problems);

  const stored = encrypted(secrets, id, { mirror }).mirror;
  await transact(db, async (tx) => {
    await tx
      .updateTable("projects")
      .set({ mirror: stored && JSON.stringify(stored) })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .execute();
    await tx
      .updateTable("git_repositories")
      .set({ mirrored_version: null, mirrored_at: null, mirror_error: null })
      .where("project_id", "=", id)
      .execute();
    await queueMirror(tx, queue, { organizationId, projectId: id });
  });
}

/** Returns the mirror after a change. The stored token is never sent to another server. */
function mirrorAfter(before: ProjectMirror | null, change: MirrorChange): ProjectMirror | null {
  if (!change || change.token !== undefined || before?.token === undefined) return change;
  const [known, url] = [parseUrl(before.url), parseUrl(change.url)];
  const isSameServer = known?.protocol === url?.protocol && known?.host === url?.host;
  return isSameServer ? { ...change, token: before.token } : change;
}

/** Returns a list with the first error in a mirror. Empty if there is none. */
function mirrorProblems(mirror: ProjectMirror, { git }: Pick<ServiceSettings, "git">): ErrorDetail[] {
  const url = parseUrl(mirror.url);
  // Other protocols use files or keys of the service's machine, and a push writes.
  if (url && !/^https?:$/.test(url.protocol))
    return [atField("mirror", "The mirror's URL must start with https://")];
  if (url?.username || url?.password)
    return [atField("mirror", "Enter the access token in its own field, not in the URL")];
  try {
    checkGitSource(mirrorSource(mirror), git);
    return [];
  } catch (error) {
    if (error instanceof GitRefused) return [atField("mirror", error.message)];
    throw error;
  }
}

/** Returns how current a project's mirror is, for display. */
export async function mirrorState(
  db: Database,
  projectId: string,
): Promise<{ isCurrent: boolean; updatedAt: Date | null; error: string | null }> {
  const row = await db
    .selectFrom("git_repositories")
    .select(["version", "mirrored_version", "mirrored_at", "mirror_error"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return {
    isCurrent: row !== undefined && row.mirrored_version === row.version,
    updatedAt: row?.mirrored_at ?? null,
    error: row?.mirror_error ?? null,
  };
}

/** Queues an update of the project's mirror, if it has one. */
export async function queueMirror(tx: Tx, queue: Queue, owner: JobOwner): Promise<void> {
  const row = await tx
    .selectFrom("projects")
    .select("id")
    .where("id", "=", owner.projectId)
    .where("mirror", "is not", null)
    .executeTakeFirst();
  if (row) await queue.enqueue(tx, "mirror-repository", { projectId: owner.projectId }, owner);
}

/** Updates the mirror until it has the latest version. Does nothing if the project has none. */
async function updateMirror(service: Service, projectId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const mirror = await mirrorOf(service, projectId);
    if (!mirror) return;
    const copy = await openCopy(service, projectId);
    if (copy.version === 0) return;
    await push(
      service,
      projectId,
      copy.folder,
      mirror,
      AbortSignal.any([signal, AbortSignal.timeout(update_ms)]),
    );
    const { version } = await service.db
      .updateTable("git_repositories")
      .set({ mirrored_version: copy.version, mirrored_at: new Date(), mirror_error: null })
      .where("project_id", "=", projectId)
      .returning("version")
      .executeTakeFirstOrThrow();
    // A push in the meantime, or an older state that another process pushed later, is replaced.
    if (version === copy.version) return;
  }
}

async function mirrorOf(
  { db, secrets }: Pick<Service, "db" | "secrets">,
  projectId: string,
): Promise<ProjectMirror | undefined> {
  const row = await db
    .selectFrom("projects")
    .select(["source", "mirror"])
    .where("id", "=", projectId)
    .executeTakeFirst();
  if (row?.source.kind !== "upload" || !row.mirror) return undefined;
  return decrypted(secrets, projectId, { mirror: row.mirror }).mirror ?? undefined;
}

async function push(
  { settings, ulid }: Pick<Service, "settings" | "ulid">,
  projectId: string,
  folder: string,
  mirror: ProjectMirror,
  signal: AbortSignal,
): Promise<void> {
  const source = mirrorSource(mirror);
  const { url } = checkGitSource(source, settings.git);
  const scratch = path.join(settings.workFolder, "mirrors", `${projectId}-${ulid()}`);
  privateFolder(scratch);
  try {
    const remote = await openRemote(source, url, scratch, settings.git);
    const git = new Git(folder, url.protocol.slice(0, -1), { ...settings.git, signal });
    const refs = ["heads", "tags"].map((kind) => `+refs/${kind}/*:refs/${kind}/*`);
    await git.run(["push", "--quiet", "--prune", "--no-verify", "--", remote.url, ...refs], remote);
  } finally {
    await removeFolder(scratch);
  }
}

async function setError({ db }: Pick<Service, "db">, projectId: string, message: string): Promise<void> {
  await db
    .updateTable("git_repositories")
    .set({ mirror_error: message })
    .where("project_id", "=", projectId)
    .execute();
}
