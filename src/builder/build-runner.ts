/** Runs in the build process. Builds a site from a folder, and writes its files or keeps them in memory for a preview. */

import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Files } from "../base/files.ts";
import { type Problem, problem } from "../base/problem.ts";
import type { DeltaWriter } from "../bundle/write-delta.ts";
import { readDocsJson } from "../engine/config/docs-json.ts";
import { bytesOf, type ExportPlan, type PlannedFile, planExport } from "../engine/export/export-site.ts";
import type { ExportTarget, OutputFile, ProductAssets } from "../engine/export/export-target.ts";
import { fileNames } from "../engine/export/file-names.ts";
import { htmlFile } from "../engine/paths.ts";
import type { FetchedDocument } from "../engine/site/api-documents.ts";
import { buildSite, type Site } from "../engine/site/build-site.ts";
import type { PageStore } from "../engine/site/page-cache.ts";
import type { AllowedHosts } from "../io/allowed-hosts.ts";
import { docsFolderFiles } from "../io/docs-folder-files.ts";
import { systemErrorText } from "../io/system-error.ts";
import { type BuildJob, type BuildMessage, type BuildRequest, type BuildResult, unreadableConfig } from "./build-protocol.ts";
import { documentUrls, fetchDocuments, snapshotDocuments } from "./fetched-documents.ts";
import type { FileKeys, LastArchive } from "./last-archive.ts";
import { lastChanges } from "./last-changes.ts";
import { writeFolder } from "./output-folder.ts";
import { openPageStore } from "./page-store.ts";
import { readLinkedRepository } from "./read-linked-repository.ts";

/** Number of pages after which the event loop runs. Node releases the memory of the native MDX parser only then. */
const pagesPerTurn_count = 32;

export interface RunnerOptions {
  /** Folder with the product's styles and scripts. */
  assets: string;
  /** Identifies the build of the product, for the page cache. */
  generator: string;
  version: string;
  /** Hosts that documents may be fetched from in addition to the public internet. */
  allowed: AllowedHosts;
  send(message: BuildMessage): void;
}

/** Builds one site. Keeps the fetched documents and the previewed files between requests. */
export class BuildRunner {
  private readonly options: RunnerOptions;
  private readonly assets: ProductAssets;
  private previewFiles: ExportPlan = new Map();
  private fetched = new Map<string, FetchedDocument>();

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
      } else send({ event: "built", id: request.id, result: await this.build(request.job) });
    } catch (error) {
      const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
      send({ event: "failed", id: request.id, message: systemErrorText(error) ?? message, detail: stack });
    }
  }

  /** Returns the external documents, fetched or from a snapshot. A preview fetches them again only when docs.json references a new URL. */
  private async externalDocuments(files: Files, store: PageStore | undefined, job: BuildJob): Promise<Map<string, FetchedDocument>> {
    const urls = documentUrls(files);
    if (job.documents) return snapshotDocuments(urls, job.documents);
    const isKnown = job.output.kind === "hold" && urls.every((url) => this.fetched.has(url));
    if (!isKnown) this.fetched = await fetchDocuments(urls, store, { allowed: this.options.allowed, last: job.lastDocuments });
    return this.fetched;
  }

  private async build(job: BuildJob): Promise<BuildResult> {
    const { send, generator } = this.options;
    const { files, problems: folderProblems } = docsFolderFiles(job.folder);
    const { output } = job;
    const hasSignIn = "target" in output && (output.target.readers ?? "anyone") !== "anyone";
    // A deployment fails if docs.json can't be read, so its pages aren't built.
    const unreadable = output.kind === "folder" && output.isTemporary ? configErrors(files, hasSignIn) : [];
    if (unreadable.length > 0) return { pages: 0, bytes: 0, problems: [...folderProblems, ...unreadable], documents: {} };
    const store = job.cacheFolder ? openPageStore(job.cacheFolder) : undefined;
    const fetched = await this.externalDocuments(files, store, job);
    const { site, problems } = await buildSite(files, {
      generator,
      clock: Date.now,
      crashed: new Map(job.crashed),
      onPage: async (file, done, total) => {
        send({ event: "page", file, done, total });
        if (done % pagesPerTurn_count === 0) await setImmediate();
      },
      ...(store ? { store } : {}),
      fetched,
      hasSignIn,
    });
    const documents = Object.fromEntries([...fetched].flatMap(([url, answer]) => ("text" in answer ? [[url, answer.text]] : [])));
    const result: BuildResult = { pages: site.pages.size, bytes: 0, problems: [...folderProblems, ...problems], documents };
    if (output.kind === "none") return result;
    const showsDates = site.config.settings.metadata?.timestamp || [...site.pages.values()].some((page) => page.frontmatter.timestamp);
    const changes = showsDates ? lastChanges(job.folder) : new Map<string, string>();
    const options = { assets: this.assets, changedAt: (file: string) => changes.get(file) };
    if (output.kind === "hold") {
      this.previewFiles = await planExport(site, output.target, options);
      return { ...result, paths: [...this.previewFiles.keys()] };
    }
    const target = job.isCheckout ? withRepository(output.target, site, job.folder) : output.target;
    if (target.links === "html") result.problems.push(...renamedFiles(site));
    const plan = await planExport(site, target, options);
    const exported = this.withProgress(site, target, plan);
    if (output.kind === "folder") {
      // The keys of files are remembered only for a folder that later builds write again.
      const bytes = await writeFolder(output.path, exported, output.isTemporary ? undefined : store);
      return { ...result, bytes, ...(output.isTemporary ? { files: [...plan].map(([path, { access }]) => ({ path, access })) } : {}) };
    }
    return { ...result, ...(await this.writeArchive(output, exported, store)) };
  }

  /** Writes an archive, and a delta if one is requested. Copies unchanged files from the last archive. */
  private async writeArchive(
    { path: file, label, delta }: Extract<BuildJob["output"], { kind: "archive" }>,
    exported: Iterable<[string, PlannedFile]>,
    store: PageStore | undefined,
  ): Promise<{ bytes: number; version: string }> {
    // Loaded here, because most builds write a folder.
    const { writeArchive } = await import("../bundle/write-bundle.ts");
    const { LastArchive, rememberArchive } = await import("./last-archive.ts");
    const from = delta?.from ?? file;
    const last = from.endsWith(".zip") ? undefined : await LastArchive.open(from, store);
    // The archive is usable without the delta.
    const deltaWriter = delta && (await openDelta(from, last?.manifest).catch(() => undefined));
    const keys: FileKeys = {};
    const { manifest, ...written } = await writeArchive(file, archived(exported, keys, last), {
      generator: `octavo ${this.options.version}`,
      ...(label ? { label } : {}),
      ...(deltaWriter ? { onFile: (path, bytes, hash) => deltaWriter.add(path, bytes, hash) } : {}),
    });
    if (delta) await deltaWriter?.write(delta.out, file).catch(() => rmSync(delta.out, { force: true }));
    if (store) await rememberArchive(store, file, keys, manifest);
    return written;
  }

  /** Yields the planned files, and sends progress messages as they are consumed. */
  private *withProgress(site: Site, target: ExportTarget, plan: ExportPlan): Generator<[string, PlannedFile]> {
    const names = target.links === "html" ? fileNames(site.linkTargets) : new Map<string, string>();
    const files = [...site.pages.keys()].map(htmlFile).map((file) => names.get(file) ?? file);
    const pageFiles = new Set(files.filter((file) => plan.has(file)));
    const step = Math.max(20, Math.ceil(plan.size / 100));
    let done = 0;
    let pages = 0;
    for (const entry of plan) {
      yield entry;
      done++;
      if (pageFiles.has(entry[0])) pages++;
      if (done % step === 0 || done === plan.size)
        this.options.send({ event: "written", done, total: plan.size, pages, totalPages: pageFiles.size });
    }
  }
}

/** Starts a delta from an archive. Without its manifest, the whole archive is unpacked to read it. */
async function openDelta(from: string, manifest: string | undefined): Promise<DeltaWriter> {
  const { DeltaWriter } = await import("../bundle/write-delta.ts");
  return DeltaWriter.open(from, manifest);
}

/** Adds the repository of a checkout to the target if docs.json enables links to the repository. */
function withRepository(target: ExportTarget, site: Site, folder: string): ExportTarget {
  const { suggestEdit, raiseIssue } = site.config.settings.feedback ?? {};
  const repository = suggestEdit || raiseIssue ? readLinkedRepository(folder) : undefined;
  return repository ? { ...target, repository } : target;
}

/**
 * Yields the files one at a time: from the last archive if they are unchanged, and otherwise generated. Adds their keys to `keys`, and
 * closes the last archive.
 */
async function* archived(
  files: Iterable<[string, PlannedFile]>,
  keys: FileKeys,
  last: LastArchive | undefined,
): AsyncGenerator<OutputFile> {
  try {
    for (const [path, file] of files) {
      const key = file.key?.();
      if (key !== undefined) keys[path] = key;
      const unchanged = key === undefined ? undefined : await last?.read(path, key);
      yield { path, bytes: unchanged ?? bytesOf(file), access: file.access };
    }
  } finally {
    await last?.close();
  }
}

/**
 * Returns one problem that lists up to ten renamed files, or none. Files are renamed if their path isn't a valid or unique file name on
 * every system.
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
