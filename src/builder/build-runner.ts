/**
 * Runs in the build process. Builds a site from a folder, and writes its files or keeps them in memory for a
 * preview.
 */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Files } from "../base/files.ts";
import { type Problem, problem } from "../base/problem.ts";
import { readDocsJson, unreadableConfig } from "../engine/config/docs-json.ts";
import { type ReportedAudience, reportAudience } from "../engine/export/audience-report.ts";
import { closedFiles } from "../engine/export/closed-files.ts";
import { bytesOf, type ExportPlan, type PlannedFile, planExport } from "../engine/export/export-site.ts";
import { DamagedValueError, type Store } from "../engine/incremental/store.ts";
import { htmlFile } from "../engine/paths.ts";
import type { ExportTarget, ProductAssets } from "../engine/plan/export-target.ts";
import { fileNames } from "../engine/plan/file-names.ts";
import { missingIcons } from "../engine/plan/nav-icons.ts";
import { buildSite, type Site, type SiteBuild } from "../engine/site/build-site.ts";
import { isExternalPage, type Page } from "../engine/site/page.ts";
import { externalLinks } from "../engine/site/references/external-links.ts";
import type { FetchedDocument } from "../engine/site/sources/api-documents.ts";
import { checkMcpOptions } from "../engine/view/mcp-options.ts";
import type { AllowedHosts } from "../io/allowed-hosts.ts";
import { BadArchive } from "../io/archive-limits.ts";
import { docsFolderFiles } from "../io/docs-folder-files.ts";
import { systemErrorText } from "../io/system-error.ts";
import { versionsIn } from "./api-versions.ts";
import type { BuildJob, BuildMessage, BuildRequest, BuildResult } from "./build-protocol.ts";
import { BuildThreads, pagesPerTurn_count } from "./build-threads.ts";
import { compareSites } from "./compare-sites.ts";
import { describeSource } from "./describe-source.ts";
import { answerQuestion } from "./editor-answers.ts";
import { documentUrls, fetchDocuments, snapshotDocuments } from "./fetched-documents.ts";
import { lastChanges } from "./last-changes.ts";
import { limitProblems } from "./limit-problems.ts";
import { restrictedPages } from "./missing-pages.ts";
import { writeFolder } from "./output-folder.ts";
import { type FolderStore, openStore } from "./pack-store.ts";
import { readLinkedRepository } from "./read-linked-repository.ts";
import { outlineOf } from "./site-outline.ts";
import { UnsavedStore, withUnsavedTexts } from "./unsaved-texts.ts";

/**
 * Number of files after which the event loop runs, so that files are written and other threads get more work.
 */
const filesPerTurn_count = 8;

export interface RunnerOptions {
  /** Folder with the product's styles and scripts. */
  assets: string;
  /** Path of the script of the thread that compresses archives. */
  gzipModule: string;
  /** Path of the script of the threads that compile pages. */
  threadModule: string;
  /** Like `pages_count` of `BuildThreads`. */
  threadPages_count?: number;
  /** Identifies the build of the product, for the store. */
  generator: string;
  version: string;
  /** Hosts that documents may be fetched from in addition to the public internet. */
  allowed: AllowedHosts;
  send(message: BuildMessage): void;
}

interface BuiltFiles extends SiteBuild {
  files: Files;
  folderProblems: Problem[];
  fetched: ReadonlyMap<string, FetchedDocument>;
  threads: BuildThreads;
  store: Store | undefined;
  /** Builds the site again with other files, and returns its pages. */
  pagesOf(files: Files): Promise<Site["pages"]>;
}

/** Builds one site. Keeps the fetched documents and the previewed files between requests. */
export class BuildRunner {
  private readonly options: RunnerOptions;
  private readonly assets: ProductAssets;
  private previewFiles: ExportPlan = new Map();
  /** The store of a preview. It stays open, because files of the preview are generated later. */
  private previewStore: FolderStore | undefined;
  /** The store of an editor. It stays open, because the next check follows soon. */
  private editorStore: UnsavedStore | undefined;
  /** The outline that was sent last, as JSON. */
  private lastOutline = "";
  private fetched = new Map<string, FetchedDocument>();
  /** See `versionsIn`. */
  private readonly versionFiles = new Map<string, Map<string, string>>();

  constructor(options: RunnerOptions) {
    this.options = options;
    const read = new Map<string, Uint8Array>();
    this.assets = {
      read: (name) => {
        const bytes = read.get(name) ?? readFileSync(path.join(options.assets, name));
        read.set(name, bytes);
        return bytes;
      },
    };
  }

  /** Handles a request: sends progress messages, and then the result or the error. Never rejects. */
  async answer(request: BuildRequest): Promise<void> {
    const { send } = this.options;
    try {
      if (request.do === "file") {
        const file = this.previewFiles.get(request.path);
        send({ event: "file", id: request.id, bytes: file && bytesOf(file) });
      } else if (request.do === "compare")
        send({ event: "compared", id: request.id, comparison: await compareSites(request.job) });
      else if (request.do === "unpack")
        send({ event: "unpacked", id: request.id, ...(await unpacked(request)) });
      else {
        const result = await this.build(request.job);
        send({
          event: "built",
          id: request.id,
          result: request.job.limitsProblems ? { ...result, ...limitProblems(result.problems) } : result,
        });
      }
    } catch (error) {
      const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
      const { code } = error as NodeJS.ErrnoException;
      send({
        event: "failed",
        id: request.id,
        message: systemErrorText(error) ?? message,
        detail: stack,
        ...(code === undefined ? {} : { code }),
      });
    }
  }

  /**
   * Returns the external documents, fetched or from a snapshot. A preview fetches them again only when
   * docs.json references a new URL.
   */
  private async externalDocuments(
    files: Files,
    store: Store | undefined,
    job: BuildJob,
  ): Promise<Map<string, FetchedDocument>> {
    const urls = documentUrls(files);
    if (job.documents) return snapshotDocuments(urls, job.documents);
    const isKnown = isRepeated(job) && urls.every((url) => this.fetched.has(url));
    if (!isKnown)
      this.fetched = await fetchDocuments(urls, store, {
        allowed: this.options.allowed,
        last: job.lastDocuments,
      });
    return this.fetched;
  }

  /** Builds the site. If a value in the store is damaged, builds once more, and then without the store. */
  private async build(job: BuildJob): Promise<BuildResult> {
    for (const attempt of [job, job, { ...job, cacheFolder: undefined }]) {
      try {
        return await this.buildWithStore(attempt);
      } catch (error) {
        if (!(error instanceof DamagedValueError)) throw error;
      }
    }
    throw new Error("A build without a store can't find damaged values");
  }

  private async buildWithStore(job: BuildJob): Promise<BuildResult> {
    const isCold = job.cacheFolder === undefined || !existsSync(job.cacheFolder);
    if (isForEditor(job)) return await this.buildForEditor(job, isCold);
    const store =
      job.cacheFolder === undefined ? undefined : (this.previewStore ?? openStore(job.cacheFolder));
    if (job.output.kind === "hold") this.previewStore = store;
    try {
      return await this.buildOnce(job, store, isCold);
    } finally {
      if (job.output.kind === "hold") store?.flush();
      else store?.close();
    }
  }

  /** Keeps what depends on unsaved texts in memory. */
  private async buildForEditor(job: BuildJob, isCold: boolean): Promise<BuildResult> {
    const store = (this.editorStore ??= new UnsavedStore(
      job.cacheFolder === undefined ? undefined : openStore(job.cacheFolder),
    ));
    store.isUnsaved = Object.keys(job.unsaved ?? {}).length > 0;
    try {
      return await this.buildOnce(job, store, isCold);
    } catch (error) {
      this.editorStore = undefined;
      store.close();
      throw error;
    } finally {
      if (this.editorStore) store.flush();
    }
  }

  /** `isCold`: whether there is no cache of an earlier build. */
  private async buildOnce(job: BuildJob, store: Store | undefined, isCold: boolean): Promise<BuildResult> {
    const { send, generator } = this.options;
    const { files: saved, problems: folderProblems } = docsFolderFiles(job.folder);
    const files = withUnsavedTexts(saved, job.unsaved ?? {});
    const { output } = job;
    const hasSignIn = "target" in output && (output.target.readers ?? "anyone") !== "anyone";

    // If docs.json can't be read, a deployment fails, and a preview keeps showing the last site. Neither
    // needs the pages.
    const keeps = output.kind === "hold" && this.previewFiles.size > 0;
    const unreadable =
      keeps || (output.kind === "folder" && output.isTemporary) ? configErrors(files, hasSignIn) : [];
    if (unreadable.length > 0) {
      const problems = [...folderProblems, ...unreadable];
      return {
        pages: 0,
        sizes: {},
        problems,
        documents: {},
        ...(keeps ? { paths: [...this.previewFiles.keys()] } : {}),
      };
    }

    const fetched = await this.externalDocuments(files, store, job);
    const { threadModule, threadPages_count } = this.options;

    const shared = {
      generator,
      fetched,
      hasSignIn,
      ...("target" in output && output.target.origin !== undefined ? { origin: output.target.origin } : {}),
    };

    const threads = new BuildThreads(
      { module: threadModule, threads_count: job.threads ?? 1, pages_count: threadPages_count },
      { ...shared, folder: job.folder, isLasting: store?.isLasting ?? false },
    );

    try {
      if (isCold) threads.prepare(files);
      const build = (only?: string) =>
        buildSite(files, {
          ...shared,
          checksAccessibility: job.checksAccessibility === true,
          readVersions: versionsIn(job.folder, this.versionFiles),
          ...(only === undefined ? {} : { only }),
          threads,
          clock: Date.now,
          crashed: new Map(job.crashed),
          onPage: async (file, done, total) => {
            send({ event: "page", file, done, total });
            if (done % pagesPerTurn_count === 0) await setImmediate();
          },
          ...(store ? { store } : {}),
        });
      let built = await build(output.kind === "hold" ? output.first : undefined);
      if (built.isOutlined && output.kind === "hold") {
        this.previewFiles = await planExport(built.site, output.target, { assets: this.assets });
        send({ event: "outlined", paths: [...this.previewFiles.keys()] });
        await setImmediate();
        built = await build();
      }
      const pagesOf: BuiltFiles["pagesOf"] = async (changed) => {
        const options = { ...shared, clock: Date.now, ...(store ? { store } : {}) };
        return (await buildSite(changed, options)).site.pages;
      };
      return await this.write(job, { files, folderProblems, fetched, threads, store, pagesOf, ...built });
    } finally {
      threads.end();
    }
  }

  /** Writes the output of a build. */
  private async write(job: BuildJob, built: BuiltFiles): Promise<BuildResult> {
    const { files, folderProblems, fetched, threads, store, site, problems, notPages } = built;
    const { output } = job;
    if (output.kind === "answer") {
      const answer = await answerQuestion(output.question, files, built, built.pagesOf);
      return { pages: 0, sizes: {}, problems: [], documents: {}, answer };
    }

    const documents = Object.fromEntries(
      [...fetched].flatMap(([url, answer]) => ("text" in answer ? [[url, answer.text]] : [])),
    );

    const result: BuildResult = {
      pages: site.pages.size,
      sizes: {},
      problems: [...folderProblems, ...problems],
      documents,
    };

    const planned: ExportTarget =
      output.kind === "none" || output.kind === "outline"
        ? { kind: "client-hosted", links: "html", readers: "anyone" }
        : output.target;
    result.problems.push(...closedFiles(site, planned), ...missingIcons(site, planned));

    const showsDates =
      site.config.settings.metadata?.timestamp ||
      [...site.pages.values()].some((page) => page.frontmatter.timestamp);
    const changes = showsDates ? lastChanges(job.folder) : undefined;
    if (changes && changes.history !== "complete") result.problems.push(historyProblem(changes.history));
    if (output.kind === "outline") return { ...result, ...this.newOutline(site) };
    if (job.listsExternalLinks) result.externalLinks = externalLinks(site, built.placeOf);
    if (output.kind === "none") return { ...result, missing: [...notPages, ...restrictedPages(site)] };

    const options = { assets: this.assets, changedAt: (file: string) => changes?.dates.get(file) };

    if (output.kind === "hold") {
      this.previewFiles = await planExport(site, output.target, options);
      return { ...result, paths: [...this.previewFiles.keys()] };
    }

    const target = job.isCheckout ? withRepository(output.target, site, job.folder) : output.target;
    result.problems.push(...checkMcpOptions(site, target));
    if (target.links === "html") result.problems.push(...renamedFiles(site));
    const plan = await planExport(site, target, { ...options, ...(threads.isRunning ? { threads } : {}) });
    const audience = reportAudience(site, target);
    const pageFiles = pageFilesOf(site, target, plan);
    const written = new Set(pageFiles.values());
    result.missing = [...notPages, ...restrictedPages(site, (page) => written.has(page))];
    result.leftOut = [...site.pages.values()].filter((page) => !isExternalPage(page)).length - pageFiles.size;
    const exported = this.withProgress(plan, pageFiles);

    if (output.kind === "folder") {
      // The keys of files are remembered only for a folder that later builds write again.
      const sizes = await writeFolder(output.path, exported, output.isTemporary ? undefined : store, threads);
      if (audience) result.audience = await checkAudience(audience, output.path);
      return {
        ...result,
        sizes,
        ...(output.isTemporary ? { files: [...plan].map(([path, { access }]) => ({ path, access })) } : {}),
      };
    }

    // Loaded here, because most builds write a folder.
    const { writeOutputArchive } = await import("./output-archive.ts");

    const source = describeSource(job.folder, files, target, {
      isCheckout: job.isCheckout === true,
      commit: output.label?.commit,
      linksRepository: linksRepository(site),
    });

    const archive = await writeOutputArchive(output, exported, { ...this.options, source, store });
    if (audience) result.audience = await checkAudience(audience, output.path);
    return { ...result, ...archive };
  }

  private newOutline(site: Site): Pick<BuildResult, "outline"> {
    const outline = outlineOf(site);
    const text = JSON.stringify(outline);
    if (text === this.lastOutline) return {};
    this.lastOutline = text;
    return { outline };
  }

  /** Yields the planned files, and sends progress messages as they are consumed. */
  private async *withProgress(
    plan: ExportPlan,
    pageFiles: ReadonlyMap<string, Page>,
  ): AsyncGenerator<[string, PlannedFile]> {
    const step = Math.max(20, Math.ceil(plan.size / 100));
    let done = 0;
    let pages = 0;
    for (const entry of plan) {
      yield entry;
      done++;
      if (done % filesPerTurn_count === 0) await setImmediate();
      if (pageFiles.has(entry[0])) pages++;
      if (done % step === 0 || done === plan.size)
        this.options.send({ event: "written", done, total: plan.size, pages, totalPages: pageFiles.size });
    }
  }
}

/** Whether the process builds the folder again after each change. */
function isRepeated(job: BuildJob): boolean {
  return job.output.kind === "hold" || isForEditor(job);
}

function isForEditor({ output }: BuildJob): boolean {
  return output.kind === "outline" || output.kind === "answer";
}

/** Reports that pages have no date because Git doesn't know when they changed. */
function historyProblem(history: "cut" | "late" | "none"): Problem {
  const [why, how] = {
    cut: [
      "the Git checkout is shallow",
      "Fetch the complete history, such as with fetch-depth: 0 in actions/checkout.",
    ],
    late: [
      "the history of the repository couldn't be read within a minute",
      "Set lastUpdatedDate in the frontmatter, or deploy again.",
    ],
    none: [
      "the folder has no Git history",
      "Set lastUpdatedDate in the frontmatter, or build in a Git checkout.",
    ],
  }[history] as [string, string];

  return problem(
    "missing-dates",
    { file: "docs.json" },
    `Pages have no date of their last change, because ${why}`,
    how,
  );
}

/** Searches an export for texts and files that it leaves out. */
async function checkAudience(
  { report, texts, fileHashes }: ReportedAudience,
  output: string,
): Promise<BuildResult["audience"]> {
  // Loaded here, because most builds don't need it.
  const { findTexts } = await import("../bundle/read-bundle.ts");
  const { found, files } = await findTexts(output, texts, fileHashes);
  return { report: { ...report, checked: { files, texts: texts.length } }, leaks: found };
}

/** Returns the planned pages by the path of their files. */
function pageFilesOf(site: Site, target: ExportTarget, plan: ExportPlan): Map<string, Page> {
  const names = target.links === "html" ? fileNames(site.linkTargets) : new Map<string, string>();
  const files = [...site.pages.values()].map((page): [string, Page] => {
    const file = htmlFile(page.route);
    return [names.get(file) ?? file, page];
  });
  return new Map(files.filter(([file]) => plan.has(file)));
}

async function unpacked({
  archive,
  folder,
}: {
  archive: string;
  folder: string;
}): Promise<{ refusal?: string }> {
  // Loaded here, because most builds don't need it.
  const { unpackUpload } = await import("../io/unpack-upload.ts");
  try {
    await unpackUpload(archive, folder);
    return {};
  } catch (error) {
    if (error instanceof BadArchive) return { refusal: error.message };
    throw error;
  }
}

/** Adds the repository of a checkout to the target if docs.json enables links to the repository. */
function withRepository(target: ExportTarget, site: Site, folder: string): ExportTarget {
  const repository = linksRepository(site) ? readLinkedRepository(folder) : undefined;
  return repository ? { ...target, repository } : target;
}

/** Whether docs.json enables links to the repository. */
function linksRepository({ config }: Site): boolean {
  const { suggestEdit, raiseIssue } = config.settings.feedback ?? {};
  return Boolean(suggestEdit || raiseIssue);
}

/**
 * Returns one problem that lists up to ten renamed files, or none. Files are renamed if their path isn't a
 * valid or unique file name on every system.
 */
function renamedFiles(site: Site): Problem[] {
  const names = [...fileNames(site.linkTargets)];
  if (names.length === 0) return [];
  const shown = names.slice(0, 10).map(([path, name]) => `${path} → ${name}`);
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : "";
  const message = `${names.length === 1 ? "A file was" : `${names.length} files were`} renamed: ${shown.join(", ")}${more}`;
  return [problem("file-renamed", { file: "docs.json" }, message)];
}

/** Returns the problems in `unreadableConfig`. Empty if there are none. */
function configErrors(files: Files, hasSignIn: boolean): Problem[] {
  return readDocsJson(files, { hasSignIn }).problems.filter(({ code }) => unreadableConfig.has(code));
}
