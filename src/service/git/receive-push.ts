/**
 * Receives a push to a project's repository. Git calls `answer` before it changes the refs. Then the pushed
 * objects are stored, and the new refs, the deployments, and their jobs are added in one transaction. So a
 * push is accepted completely or not at all, and each accepted commit is deployed once.
 */

import path from "node:path";
import { AppError, detailText } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import type { StartBuild } from "../../builder/build-process.ts";
import { type HookCall, isNoHash, type RefUpdate } from "../../io/git-hooks.ts";
import { readCommit } from "../../io/read-git-branch.ts";
import { appendAudit } from "../core/audit.ts";
import { databaseJson } from "../core/database-json.ts";
import { decrypted } from "../core/project-secrets.ts";
import type { Origin, Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { Commit, Database, StoredPack, Tx } from "../core/tables.ts";
import { addLockedDeployment } from "../deployments/add-deployment.ts";
import type { DeployJobRow } from "../deployments/deploy-job-row.ts";
import { previewFor, purgeOldPreviews, purgePreviews } from "../deployments/previews.ts";
import { lockProject } from "../deployments/project-row.ts";
import { queueMirror } from "../repositories/mirror.ts";
import { type GitCopy, keepQuarantine, lockCopy, packKey, removeUnfinished } from "../storage/git-copies.ts";
import { addStored, requireStorage } from "../storage/storage-usage.ts";
import { checkCommit } from "./check-errors.ts";
import {
  branchOfRef,
  deployedBranch,
  newPacks,
  PushRefused,
  quarantineEnv,
  refsAfter,
  requireHistory,
  requireNames,
} from "./check-push.ts";
import { findProject } from "./find-project.ts";
import { reportDeployment, sayErrors } from "./push-report.ts";

export interface PushOptions {
  service: Service;
  scope: Scope;
  origin: Origin;
  project: { id: string; subdomain: string };
  copy: GitCopy;
  startBuild: StartBuild;
  /** Aborted if the pusher disconnects, or the push takes too long. */
  signal: AbortSignal;
  /** Called when git has no more work to do, while the push waits for its deployments. */
  onAccepted(): void;
  /** Resolves when this process serves all committed changes to sites, or if it can't read them. */
  waitForSites(): Promise<void>;
  /** Receives errors of the service. */
  report(error: unknown): void;
}

type Say = (line: string) => void;

/** A deployment that a push starts. `preview`: undefined for the branch that is deployed to the site. */
interface Planned {
  commit: Commit;
  preview: Awaited<ReturnType<typeof previewFor>> | undefined;
}

export class Push {
  private readonly options: PushOptions;
  /** Unlocks the copy, in which git changes the refs after this process has accepted the push. */
  private unlock: (() => void) | undefined;
  private removeQuarantine: (() => Promise<void>) | undefined;
  private started: { id: string; planned: Planned }[] = [];
  private deletedBranches: string[] = [];

  constructor(options: PushOptions) {
    this.options = options;
  }

  /** Answers the hooks of git. Never rejects. Resolves with whether the push is accepted. */
  async answer({ name, quarantine, updates }: HookCall, say: Say): Promise<boolean> {
    try {
      if (name === "pre-receive") await this.accept(quarantine, updates, say);
      else await this.finish(say);
      return true;
    } catch (error) {
      this.end();
      await this.sayError(error, name, say);
      return false;
    }
  }

  private async sayError(error: unknown, name: HookCall["name"], say: Say): Promise<void> {
    if (error instanceof PushRefused || error instanceof AppError) {
      say(error.message);
      if (error instanceof AppError) for (const detail of error.details) say(detailText(detail));
      return this.recordRefusal(error.message).catch(this.options.report);
    }

    if (!this.options.signal.aborted) this.options.report(error);
    say(
      name === "pre-receive"
        ? "The service couldn't store the push. Try again later."
        : "The push was stored, but its deployments can't be shown. See the dashboard.",
    );
  }

  /** Must be called when git has ended. */
  async close(): Promise<void> {
    this.end();
    await this.removeQuarantine?.();
    await removeUnfinished(this.options.copy.folder);
  }

  private end(): void {
    this.unlock?.();
    this.unlock = undefined;
  }

  private async accept(quarantine: string, updates: readonly RefUpdate[], say: Say): Promise<void> {
    const { service, scope, project, copy } = this.options;
    await this.requireRights(service.db);
    if (quarantine !== "") this.removeQuarantine = keepQuarantine(path.resolve(copy.folder, quarantine));
    const branch = deployedBranch(copy, updates);
    const env = quarantineEnv(copy, quarantine);
    requireNames(updates, branch);
    refsAfter(copy, updates);
    await requireHistory(copy, updates, branch, env);
    const packs = await newPacks(copy, quarantine);
    if (packs.length) await requireStorage(service.db, service.settings, scope.organizationId);
    const planned = await this.plan(updates, branch, env, say);
    await this.requireNoErrors(quarantine, planned, say);

    const stored: StoredPack[] = [];
    for (const { file, name, bytes } of packs) {
      const pack = { id: service.ulid(), name, bytes };
      await service.objects.put(packKey(project.id, pack), { file });
      stored.push(pack);
    }

    this.options.signal.throwIfAborted();
    this.unlock = await lockCopy(service, project.id);
    await service.db.transaction().execute(async (tx) => {
      await lockProject(tx, { organizationId: scope.organizationId }, project.id);
      await this.requireRights(tx);
      await this.storeRefs(tx, updates, branch, stored);
      for (const each of planned) await this.deploy(tx, each);
      await queueMirror(tx, service.queue, { organizationId: scope.organizationId, projectId: project.id });
      await this.record(tx, updates);
    });
    // The push is accepted. The sweep measures the storage again.
    const bytes = stored.reduce((sum, pack) => sum + pack.bytes, 0);
    await addStored(service.db, scope.organizationId, bytes).catch(this.options.report);
    this.deletedBranches = updates.flatMap(({ ref, after }) =>
      isNoHash(after) ? (branchOfRef(ref) ?? []) : [],
    );
  }

  /**
   * Throws an AppError if the key has lost its rights since the push began, or the project its repository.
   */
  private async requireRights(db: Database): Promise<void> {
    const { scope, project } = this.options;
    await scope.requireRights?.(db).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
      throw new PushRefused(
        "The API key was revoked or has expired, so the push was refused. Push again with a valid key.",
      );
    });
    await findProject({ db }, scope, `${project.id}.git`);
  }

  /** Returns the deployments that the push starts. */
  private async plan(
    updates: readonly RefUpdate[],
    deployed: string,
    env: Record<string, string>,
    say: Say,
  ): Promise<Planned[]> {
    const { service, scope, project, copy } = this.options;
    const planned: Planned[] = [];
    let previews = 0;
    for (const { ref, after } of updates) {
      const branch = branchOfRef(ref);
      if (branch === undefined || isNoHash(after)) continue;
      const isPreview = branch !== deployed;
      if (isPreview && previews++ >= limits.git.previews_count) {
        say(`No preview of ${branch}: a push creates at most ${limits.git.previews_count} previews`);
        continue;
      }
      const commit = await readCommit(copy.git, after, branch, env);
      planned.push({
        commit,
        preview: isPreview ? await previewFor(service, scope, project, branch) : undefined,
      });
    }
    return planned;
  }

  /** Throws `PushRefused` if the site would have errors, and the project doesn't publish any. */
  private async requireNoErrors(quarantine: string, planned: readonly Planned[], say: Say): Promise<void> {
    const { service, startBuild, copy, signal } = this.options;
    const update = planned.find(({ preview }) => preview === undefined);
    const row = update && (await this.jobRow(update.commit));
    if (!update || row?.project.publish_with_errors !== false) return;

    say(`Checking ${update.commit.sha.slice(0, 7)}…`);
    const { problems, unlisted } = await checkCommit(
      service,
      startBuild,
      row,
      { copy, quarantine, commit: update.commit },
      signal,
    );
    const hidden = unlisted?.error ?? 0;
    if (hidden === 0 && !problems.some(({ severity }) => severity === "error")) return;
    sayErrors(problems, hidden, say);
    throw new PushRefused("Not deployed, and the push was refused. Fix the errors, commit, and push again.");
  }

  private async jobRow(commit: Commit): Promise<DeployJobRow> {
    const { service, scope, project } = this.options;
    const found = await service.db
      .selectFrom("projects")
      .select(["source", "connection", "subdomain", "sign_in", "publish_with_errors"])
      .where("organization_id", "=", scope.organizationId)
      .where("id", "=", project.id)
      .executeTakeFirstOrThrow();
    const domain = await service.db
      .selectFrom("domains")
      .select("domain")
      .where("project_id", "=", project.id)
      .where("verified_at", "is not", null)
      .orderBy("domain")
      .limit(1)
      .executeTakeFirst();

    return {
      organization_id: scope.organizationId,
      project_id: project.id,
      preview_branch: null,
      preview_host: null,
      trigger: "push",
      publish_with_errors: null,
      snapshot: null,
      commit,
      project: decrypted(service.secrets, project.id, found),
      domain: domain?.domain ?? null,
    };
  }

  /**
   * Stores the refs. Throws `PushRefused` if one of them has changed, or if packs were replaced whose objects
   * the push can need.
   */
  private async storeRefs(
    tx: Tx,
    updates: readonly RefUpdate[],
    branch: string,
    added: readonly StoredPack[],
  ): Promise<void> {
    const { project, copy } = this.options;
    await tx
      .insertInto("git_repositories")
      .values({ project_id: project.id, branch, refs: "{}", packs: "[]", version: 0 })
      .onConflict((conflict) => conflict.column("project_id").doNothing())
      .execute();
    const now = await tx
      .selectFrom("git_repositories")
      .select(["branch", "refs", "packs", "version"])
      .where("project_id", "=", project.id)
      .forUpdate()
      .executeTakeFirstOrThrow();

    const current = new Set(now.packs.flatMap(({ id, replacedAt }) => (replacedAt ? [] : [id])));
    if (!copy.packs.every(({ id }) => current.has(id)) || deployedBranch(now, updates) !== branch)
      throw new PushRefused("The repository changed while you pushed. Push again.");

    await tx
      .updateTable("git_repositories")
      .set({
        branch,
        refs: databaseJson(refsAfter(now, updates)),
        packs: databaseJson([...now.packs, ...added]),
        version: now.version + 1,
        pushed_at: new Date(),
      })
      .where("project_id", "=", project.id)
      .execute();
  }

  private async deploy(tx: Tx, planned: Planned): Promise<void> {
    const { service, scope, project } = this.options;
    const { id } = await addLockedDeployment(tx, service, scope, project.id, {
      id: service.ulid(),
      trigger: "push",
      commit: planned.commit,
      ...(planned.preview ? { preview: planned.preview } : {}),
    });
    this.started.push({ id, planned });
  }

  private async record(tx: Tx, updates: readonly RefUpdate[]): Promise<void> {
    const { scope, project, origin } = this.options;
    await appendAudit(
      tx,
      scope.organizationId,
      scope.actor,
      {
        action: "pushRepository",
        target: `/git/${project.id}.git`,
        outcome: "200",
        metadata: { refs: updates.map(({ ref, before, after }) => `${ref} ${before} ${after}`) },
      },
      origin,
    );
  }

  private async recordRefusal(reason: string): Promise<void> {
    const { service, scope, project, origin } = this.options;
    const event = {
      action: "pushRepository" as const,
      target: `/git/${project.id}.git`,
      outcome: "409" as const,
    };
    await appendAudit(
      service.db,
      scope.organizationId,
      scope.actor,
      { ...event, metadata: { reason } },
      origin,
    );
  }

  /** Removes previews that are no longer needed, and waits for the deployments. */
  private async finish(say: Say): Promise<void> {
    const { service, scope, project, signal, waitForSites } = this.options;
    this.end();
    this.options.onAccepted();
    for (const branch of this.deletedBranches) await purgePreviews(service, scope, project.id, branch);
    for (const { planned } of this.started)
      if (planned.preview) await purgeOldPreviews(service, scope, project.id, planned.preview.branch);
    for (const { id, planned } of this.started)
      await reportDeployment(
        service,
        scope,
        { id, commit: planned.commit.sha, branch: planned.preview?.branch },
        { say, signal, waitForSites },
      );
  }
}
