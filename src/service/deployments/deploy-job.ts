/**
 * Runs the job of a deployment: reads the sources, builds the site, stores the files, and makes the
 * deployment live in one transaction. Each attempt writes to the deployment's row only if the row has the
 * attempt's number, so a worker doesn't change the row after another worker has taken the job.
 */

import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import { basePathOf } from "../../base/base-path.ts";
import { cutText } from "../../base/cut-text.ts";
import { limits } from "../../base/limits.ts";
import { megabytes } from "../../base/megabytes.ts";
import { plural } from "../../base/plural.ts";
import type { Problem } from "../../base/problem.ts";
import { signInOf } from "../../base/reader-sign-in.ts";
import { BuildEnded, type SiteBuilder } from "../../builder/build-process.ts";
import type { BuildResult } from "../../builder/build-protocol.ts";
import { limitProblems, type ProblemCounts } from "../../builder/limit-problems.ts";
import { unreadableConfig } from "../../engine/config/docs-json.ts";
import { removeFolder } from "../../io/remove-folder.ts";
import { type AuditOutcome, appendAudit } from "../core/audit.ts";
import { databaseJson } from "../core/database-json.ts";
import { decrypted } from "../core/project-secrets.ts";
import { type Job, JobFailed, type JobHandler } from "../core/queue.ts";
import type { Service } from "../core/service.ts";
import type { Database, Snapshot, Tx } from "../core/tables.ts";
import { putManifest, readManifest } from "../storage/manifests.ts";
import { addStored } from "../storage/storage-usage.ts";
import { type SiteFile, storeFiles } from "../storage/store-files.ts";
import { enqueueReport, requireStorageFor } from "./add-deployment.ts";
import { buildCacheOf, withBuildCache } from "./build-cache.ts";
import { compareWithLive, type PreviewComparison } from "./compare-with-live.ts";
import {
  type DeployJobRow,
  goesLiveByChoice,
  originOf,
  publishesWithErrors,
  sourceOf,
  targetOf,
} from "./deploy-job-row.ts";
import { addBrokenLinksEvent, addDeploymentEvent } from "./deployment-events.ts";
import { knownVectors, writeVectors } from "./embed-passages.ts";
import { newErrorCount } from "./new-error-count.ts";
import { outcomeText } from "./outcome-text.ts";
import { lockProject, publishRevision } from "./project-row.ts";
import { addPublishedEvent } from "./published-event.ts";
import { readSource, type SourceLocation, type Sources, unpackSources, withFilesChanged } from "./sources.ts";

/** Maximum number of lines in the log of a deployment, and maximum length of a line. */
const logLines_count = 200;
const logLine_chars = 1_000;
/** Interval at which a run checks whether the deployment was canceled or purged. */
const watch_ms = 1_000;
/** Progress in percent at the end of each step, in proportion to the time that the steps usually take. */
const steps = { sources: 10, pages: 50, files: 80, stored: 99 };
/** Maximum number of errors in the reason for a failure. */
const namedErrors_count = 3;
/** Maximum total length of the external OpenAPI documents of a deployment, which its row contains. */
const documents_chars = limits.apiJson_chars;
/** Timeout for a build. */
const deploymentBuild_ms = 20 * 60_000;

export interface DeployTools {
  startBuild(onProgress: (stage: "page" | "write", done: number, total: number) => void): SiteBuilder;
  /**
   * Callbacks for other features when a deployment ends. `succeeded` runs in the transaction that completes
   * the deployment. `failed` runs after a failure is committed, even if the deployment was canceled or
   * purged.
   */
  onEnd: {
    succeeded(tx: Tx, deploymentId: string): Promise<void>;
    failed(deploymentId: string, summary: string): Promise<void>;
  };
}

export function deployJob(
  service: Service,
  tools: DeployTools,
): JobHandler<"deploy" | "deploy-pull-request"> {
  return {
    attempts: 3,
    run: (job) => new DeploymentRun(service, tools, job).run(),
    async giveUp({ deploymentId }, { message, isDiskFull }) {
      const summary = isDiskFull
        ? "The service is out of disk space. Ask its operator to add more, and then deploy again."
        : `The service couldn't build the site: ${firstLine(message)}`;

      await service.db.transaction().execute(async (tx) => {
        const row = await tx
          .updateTable("deployments")
          .set({ status: "failure", summary, ended_at: sql`clock_timestamp()` })
          .where("id", "=", deploymentId)
          .where("status", "in", ["queued", "in_progress"])
          .returning(["id", "trigger", "organization_id", "project_id"])
          .executeTakeFirst();
        if (!row) return;
        await enqueueReport(tx, service.queue, row);
        await addDeploymentEvent(tx, service, row);
      });

      await tools.onEnd.failed(deploymentId, summary);
    },
  };
}

class DeploymentRun {
  private readonly service: Service;
  private readonly tools: DeployTools;
  private readonly job: { id: string; attempt: number; signal: AbortSignal };
  private readonly scratch: string;
  /** Aborted if the deployment is canceled or purged while it's running. */
  private readonly ended = new AbortController();
  private readonly logs: string[] = [];
  private readonly logTimes: number[] = [];
  private progress = 0;
  private problems: Problem[] = [];
  /** Numbers of problems that aren't in `problems`. */
  private readonly unlisted: ProblemCounts = { error: 0, warning: 0 };
  private savedAt_ms = 0;
  /** Whether passages have no vector yet. */
  private lacksVectors = false;
  private comparison: PreviewComparison | undefined;

  constructor(
    service: Service,
    tools: DeployTools,
    { payload, attempt, signal }: Job<"deploy" | "deploy-pull-request">,
  ) {
    this.service = service;
    this.tools = tools;
    this.job = { id: payload.deploymentId, attempt, signal: AbortSignal.any([signal, this.ended.signal]) };
    this.scratch = path.join(
      service.settings.workFolder,
      "deployments",
      `${payload.deploymentId}-${attempt}`,
    );
  }

  async run(): Promise<void> {
    const row = await this.begin();

    // The deployment has ended, or a later attempt has taken it over.
    if (!row) return this.reportFailure();
    await mkdir(this.scratch, { recursive: true });
    const watch = setInterval(() => void this.stopIfEnded().catch(() => {}), watch_ms);
    try {
      await this.deploy(row);
    } catch (error) {
      if (this.ended.signal.aborted) return await this.reportFailure();
      if (this.job.signal.aborted) throw error;
      if (!(error instanceof JobFailed)) throw error;
      await this.fail(row, error.message);
    } finally {
      clearInterval(watch);
      await removeFolder(this.scratch);
    }
  }

  /** Stops the run and its build process if the deployment was canceled or purged. */
  private async stopIfEnded(): Promise<void> {
    const row = await this.service.db
      .selectFrom("deployments")
      .select("status")
      .where("id", "=", this.job.id)
      .executeTakeFirst();
    if (row?.status !== "in_progress") this.ended.abort();
  }

  /** Calls `onEnd.failed` if the deployment has failed, which includes canceled and purged deployments. */
  private async reportFailure(): Promise<void> {
    const { id } = this.job;
    const row = await this.service.db
      .selectFrom("deployments")
      .select(["status", "summary"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (row?.status === "failure") await this.tools.onEnd.failed(id, row.summary ?? "");
  }

  private async begin(): Promise<DeployJobRow | undefined> {
    const { db } = this.service;
    const { id, attempt } = this.job;
    const row = await db
      .updateTable("deployments")
      .set({ status: "in_progress", attempt, started_at: sql`coalesce(started_at, clock_timestamp())` })
      .where("id", "=", id)
      .where("attempt", "<", attempt)
      .where("status", "in", ["queued", "in_progress"])
      .returning([
        "organization_id",
        "project_id",
        "preview_branch",
        "preview_host",
        "trigger",
        "publish_with_errors",
        "snapshot",
        "commit",
      ])
      .executeTakeFirst();

    if (!row) return undefined;

    const project = await db
      .selectFrom("projects")
      .select(["source", "connection", "subdomain", "sign_in", "publish_with_errors"])
      .where("organization_id", "=", row.organization_id)
      .where("id", "=", row.project_id)
      .executeTakeFirst();

    if (!project) return undefined;

    const domain = await db
      .selectFrom("domains")
      .select("domain")
      .where("project_id", "=", row.project_id)
      .where("verified_at", "is not", null)
      .orderBy("domain")
      .limit(1)
      .executeTakeFirst();

    return {
      ...row,
      project: decrypted(this.service.secrets, row.project_id, project),
      domain: domain?.domain ?? null,
    };
  }

  private async deploy(row: DeployJobRow): Promise<void> {
    await this.requireStorage(row);
    const site = path.join(this.scratch, "site");
    const { sources, result } = await this.withBuilder(async (builder) => {
      builder.prepare({
        cacheFolder: buildCacheOf({
          workFolder: this.service.settings.workFolder,
          projectId: row.project_id,
        }),
      });
      const sources = await this.fetchSources(row, builder);
      const result = await this.build(row, sources.folder, site, builder);
      if (row.preview_host !== null) await this.step("Comparing with the live site");
      this.comparison = await compareWithLive(this.service, builder, row, {
        sources: sources.folder,
        folder: site,
        files: result.files ?? [],
        scratch: path.join(this.scratch, "live"),
        signal: this.job.signal,
      });
      return { sources, result };
    });

    this.addProblems(result.problems, result.unlisted);
    const hidden = this.unlisted.error + this.unlisted.warning;
    if (hidden)
      this.log(`Too many problems to list: ${hidden} of ${this.problems.length + hidden} are left out`);

    const unreadable = result.problems.find(({ code }) => unreadableConfig.has(code));
    if (unreadable?.code === "config-missing")
      throw new JobFailed("docs.json wasn't found in the project's folder");
    if (unreadable) throw new JobFailed(`${unreadable.file} can't be read: ${unreadable.message}`);

    // A site whose docs.json requires sign-in is only published without sign-in if the project's settings say
    // so.
    if (row.project.sign_in === null && result.problems.some(({ code }) => code === "config-sign-in"))
      throw new JobFailed(
        "Not published: docs.json requires readers to sign in, but no sign-in setting is saved for this project. Under Settings > Readers, set up a sign-in method or choose Public. Then deploy again.",
      );

    if (Object.values(result.documents).reduce((sum, { length }) => sum + length, 0) > documents_chars)
      throw new JobFailed(
        `The OpenAPI documents at URLs in docs.json are larger than ${megabytes(documents_chars)} in total`,
      );

    if (result.pages === 0)
      throw new JobFailed("The site has no pages. Add a page, such as index.mdx, and deploy again.");
    if (publishesWithErrors(row) === false && goesLiveByChoice(row)) this.requireNoErrors();
    const built = result.files ?? [];
    const files = [...built, ...(await this.knownVectors(row, site, built))];
    const {
      files: entries,
      added,
      added_bytes,
    } = await storeFiles(this.service, site, files, {
      signal: this.job.signal,
      onProgress: (done) => void this.advance(steps.files, steps.stored, done, files.length),
    });

    this.log(`Stored ${files.length} files, ${added} of them new`);
    await addStored(this.service.db, row.organization_id, added_bytes);
    const hasSignIn = signInOf(row.project.sign_in) !== undefined;
    await putManifest(this.service.objects, this.job, { formatVersion: 1, hasSignIn, files: entries });
    await this.finish(row, sources, result);
  }

  /**
   * Writes the vectors of passages that the last deployment had, too. A job computes the others when the
   * deployment is live. Previews have no assistant, so they need no vectors.
   */
  private async knownVectors(
    row: DeployJobRow,
    folder: string,
    files: readonly SiteFile[],
  ): Promise<SiteFile[]> {
    const { embedding, objects } = this.service;
    if (!embedding || row.preview_host !== null) return [];

    const previous = await this.lastSuccess(row)
      .select(["id", "attempt"])
      .where("preview_branch", "is", null)
      .executeTakeFirst();

    const manifest = previous && (await readManifest(objects, previous).catch(() => undefined));
    const { model } = embedding.embedder;
    const vectors = manifest ? await knownVectors(objects, manifest, model) : new Map();
    const read = (file: string) => readFile(path.join(folder, file), "utf8");
    const written = await writeVectors({
      folder,
      files,
      read,
      languages: embedding.languages,
      model,
      vectors,
    });

    this.lacksVectors = written.isIncomplete;
    return written.files;
  }

  /**
   * Adds problems, up to the number and size that are stored. `unlisted`: numbers of problems that are
   * already left out.
   */
  private addProblems(added: readonly Problem[], unlisted: ProblemCounts = { error: 0, warning: 0 }): void {
    const limited = limitProblems([...this.problems, ...added]);
    this.problems = limited.problems;
    for (const severity of ["error", "warning"] as const)
      this.unlisted[severity] += limited.unlisted[severity] + unlisted[severity];
  }

  private requireNoErrors(): void {
    const errors = this.problems.filter(({ severity }) => severity === "error");
    if (errors.length === 0) return;
    const named = errors
      .slice(0, namedErrors_count)
      .map(({ file, line, message }) => `${[file, line].filter(Boolean).join(":")} ${message}`);
    const others = errors.length + this.unlisted.error - named.length;
    throw new JobFailed(
      `Not published, because the site has ${plural(named.length + others, "error")}: ${named.join("; ")}${others ? `; and ${others} more` : ""}`,
    );
  }

  /** Checks the storage limit again, because other deployments in the queue may have used up the storage. */
  private async requireStorage(row: DeployJobRow): Promise<void> {
    const { db, objects, settings } = this.service;
    const own_bytes = row.snapshot ? await objects.size(row.snapshot.archive) : 0;
    await requireStorageFor(db, settings, row.organization_id, row.trigger, own_bytes).catch(
      (error: unknown) => {
        throw error instanceof AppError ? new JobFailed(error.message) : error;
      },
    );
  }

  /** Runs a function with a build process, which ends with the function or if the job is aborted. */
  private async withBuilder<T>(run: (builder: SiteBuilder) => Promise<T>): Promise<T> {
    const builder = this.tools.startBuild((stage, done, total) => {
      this.log(stage === "page" ? "Reading pages" : "Writing files");
      void (stage === "page"
        ? this.advance(steps.sources, steps.pages, done, total)
        : this.advance(steps.pages, steps.files, done, total));
    });

    const end = () => builder.end();
    this.job.signal.addEventListener("abort", end);

    try {
      this.job.signal.throwIfAborted();
      return await run(builder);
    } catch (error) {
      this.job.signal.throwIfAborted();
      if (error instanceof BuildEnded) throw new JobFailed(firstLine(error.message));
      throw error;
    } finally {
      this.job.signal.removeEventListener("abort", end);
      end();
    }
  }

  private async fetchSources(row: DeployJobRow, builder: SiteBuilder): Promise<Sources> {
    const { signal } = this.job;

    if (row.snapshot) {
      const { archive } = row.snapshot;
      await this.step("Unpacking the sources");
      return {
        folder: await unpackSources(
          this.service,
          archive,
          path.join(this.scratch, "sources"),
          builder,
          signal,
        ),
        archive,
        problems: [],
      };
    }

    const source = sourceOf(row);
    await this.step(stepOf(source));
    const sources = await readSource(this.service, this.job.id, source, this.scratch, builder, signal);
    if (sources.commit) this.log(`At commit ${sources.commit.sha.slice(0, 12)}: ${sources.commit.message}`);

    this.addProblems(sources.problems);
    return sources;
  }

  private async build(
    row: DeployJobRow,
    folder: string,
    out: string,
    builder: SiteBuilder,
  ): Promise<BuildResult> {
    const { settings } = this.service;
    const target = targetOf(settings, row);

    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      builder.end();
    }, deploymentBuild_ms);

    try {
      const lastDocuments = await this.lastDocuments(row);
      const output = { kind: "folder" as const, path: out, target, isTemporary: true };
      const cache = { workFolder: settings.workFolder, projectId: row.project_id, scratch: this.scratch };
      const result = await withBuildCache(cache, (cacheFolder) =>
        builder.build({ folder, cacheFolder, lastDocuments, output, limitsProblems: true }),
      );
      if (result.pages > 0) this.log(`Built ${plural(result.pages, "page")}`);
      return result;
    } catch (error) {
      this.job.signal.throwIfAborted();
      if (isLate) throw new JobFailed(`The build took longer than ${deploymentBuild_ms / 60_000} minutes`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Returns the OpenAPI documents of the last successful deployment that isn't a preview. The build uses them
   * instead of documents that it can't download. A preview, which may be a stranger's, can lack some of them.
   */
  private async lastDocuments(row: DeployJobRow): Promise<Record<string, string>> {
    const last = await this.lastSuccess(row)
      .select("snapshot")
      .where("snapshot", "is not", null)
      .where("preview_branch", "is", null)
      .executeTakeFirst();
    return last?.snapshot?.documents ?? {};
  }

  /** Selects the last successful deployment of the project. */
  private lastSuccess(row: DeployJobRow) {
    return this.service.db
      .selectFrom("deployments")
      .where("organization_id", "=", row.organization_id)
      .where("project_id", "=", row.project_id)
      .where("status", "=", "success")
      .orderBy("number", "desc")
      .limit(1);
  }

  /** Completes the deployment in one transaction. Makes it live unless it is a preview or superseded. */
  private async finish(row: DeployJobRow, { archive, commit }: Sources, result: BuildResult): Promise<void> {
    const { id, attempt } = this.job;
    const { settings } = this.service;
    const basePath = basePathOf(originOf(settings, row));
    const snapshot: Snapshot = {
      archive,
      documents: result.documents,
      kind: settings.kind,
      ...(basePath ? { basePath } : {}),
    };

    await this.service.db.transaction().execute(async (tx) => {
      const { live_deployment_id: previousId } = await lockProject(
        tx,
        { organizationId: row.organization_id },
        row.project_id,
      );

      const errors = this.errorCount();

      const { rows } = await sql<{ number: number; is_next: boolean }>`
        select d.number, d.preview_branch is null and d.number > p.live_after_number as is_next
        from deployments d join projects p on p.id = d.project_id
        where d.id = ${id} and d.attempt = ${attempt} and d.status = 'in_progress'`.execute(tx);

      const [found] = rows;
      if (!found) return;
      const newErrors = found.is_next ? await this.newErrors(tx, row, previousId) : 0;
      const isLive = found.is_next && newErrors === 0;
      const outcome =
        row.preview_branch !== null ? "preview" : isLive ? "live" : newErrors ? "held" : "superseded";
      const counts = { error_count: errors, held_errors: newErrors || null };
      await tx
        .updateTable("deployments")
        .set({
          status: "success",
          outcome,
          summary: outcomeText(outcome, counts),
          ...counts,
          unlisted_count: this.unlisted.error + this.unlisted.warning,
          snapshot: databaseJson(snapshot),
          ...(commit ? { commit: databaseJson(withFilesChanged(commit, row.commit)) } : {}),
          problems: databaseJson(this.problems),
          ...this.logColumns(),
          ...(this.comparison ? { comparison: databaseJson(this.comparison) } : {}),
          page_count: result.pages,
          ended_at: sql`clock_timestamp()`,
        })
        .where("id", "=", id)
        .execute();

      await this.tools.onEnd.succeeded(tx, id);
      await enqueueReport(tx, this.service.queue, { ...row, id });

      await this.record(tx, row, outcome === "preview" ? "ready" : outcome);

      if (isLive || row.preview_branch !== null)
        await tx
          .updateTable("projects")
          .set({
            ...(isLive ? { live_deployment_id: id, live_after_number: found.number } : {}),
            ...publishRevision,
          })
          .where("id", "=", row.project_id)
          .execute();

      await addDeploymentEvent(tx, this.service, { ...row, id }, isLive);
      if (isLive && this.lacksVectors)
        await this.service.queue.enqueue(
          tx,
          "embed-passages",
          { deploymentId: id },
          {
            organizationId: row.organization_id,
            projectId: row.project_id,
          },
        );
      if (isLive) await addPublishedEvent({ ...this.service, db: tx }, row.project_id, "deployment");

      if (isLive)
        await addBrokenLinksEvent(tx, this.service, {
          ...row,
          id,
          number: found.number,
          problems: this.problems,
          previousId,
        });
    });
  }

  private errorCount(): number {
    return this.problems.filter(({ severity }) => severity === "error").length + this.unlisted.error;
  }

  /**
   * Returns the number of errors because of which the deployment is held: those that the live deployment
   * doesn't have.
   */
  private async newErrors(tx: Tx, row: DeployJobRow, liveId: string | null): Promise<number> {
    const count = this.errorCount();
    if (count === 0 || liveId === null || publishesWithErrors(row) || !goesLiveByChoice(row)) return 0;
    const live = await tx
      .selectFrom("deployments")
      .select(["problems", "error_count"])
      .where("id", "=", liveId)
      .executeTakeFirstOrThrow();
    return newErrorCount(
      { problems: this.problems, count },
      { problems: live.problems, count: live.error_count },
    );
  }

  private async fail(row: DeployJobRow, summary: string): Promise<void> {
    const isOwn = await this.service.db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await this.own(tx)
        .set({
          status: "failure",
          summary: cutText(summary, limits.summary_chars),
          problems: databaseJson(this.problems),
          ...this.logColumns(),
          ended_at: sql`clock_timestamp()`,
        })
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await enqueueReport(tx, this.service.queue, { ...row, id: this.job.id });
      await addDeploymentEvent(tx, this.service, { ...row, id: this.job.id });
      return true;
    });

    if (!isOwn) return;
    await this.tools.onEnd.failed(this.job.id, summary);
    await this.record(this.service.db, row, "failure");
  }

  private async record(db: Database, row: DeployJobRow, outcome: AuditOutcome): Promise<void> {
    await appendAudit(db, row.organization_id, "service", {
      action: "deployment",
      target: this.job.id,
      outcome,
    });
  }

  private log(line: string): void {
    if (this.logs.at(-1) === line || this.logs.length >= logLines_count) return;
    this.logs.push(cutText(line, logLine_chars));
    this.logTimes.push(Date.now());
  }

  private step(line: string): Promise<void> {
    this.log(line);
    return this.save();
  }

  /** Updates and saves the progress during a step that begins at `from` and ends at `to` percent. */
  private advance(from: number, to: number, done: number, total: number): Promise<void> {
    this.progress = Math.max(this.progress, Math.floor(from + ((to - from) * done) / Math.max(total, 1)));
    return this.save();
  }

  /** Saves the log and progress, at most once a second. */
  private async save(): Promise<void> {
    const now_ms = performance.now();
    if (now_ms - this.savedAt_ms < 1_000) return;
    this.savedAt_ms = now_ms;
    await this.own()
      .set({ ...this.logColumns(), progress: this.progress })
      .execute()
      // After an error, the next call saves everything.
      .catch(() => {});
  }

  private logColumns() {
    return { logs: databaseJson(this.logs), log_times: databaseJson(this.logTimes) };
  }

  private own(db: Database = this.service.db) {
    const { id, attempt } = this.job;
    return db
      .updateTable("deployments")
      .where("id", "=", id)
      .where("attempt", "=", attempt)
      .where("status", "=", "in_progress");
  }
}

function stepOf(source: SourceLocation): string {
  if ("commit" in source && typeof source.commit === "object") return `Reading branch ${source.commit.ref}`;
  return "url" in source ? `Reading ${source.ref ?? `branch ${source.branch}`}` : "Reading the folder";
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 300);
}
