/** Compiles the pages of a site, or takes them from an earlier build. */

import { byCodeUnit, readText } from "../../../base/files.ts";
import type { Problem } from "../../../base/problem.ts";
import { splitPage } from "../../config/frontmatter.ts";
import { hashOf } from "../../hash-of.ts";
import { own } from "../../openapi/nodes/refs.ts";
import { folderOf } from "../../paths.ts";
import type { Audience } from "../audience.ts";
import type { BuildOptions } from "../build-options.ts";
import type { PageThreads } from "../other-threads.ts";
import type { Page, Visibility } from "../page.ts";
import { describedReference } from "../sources/described-operation.ts";
import { listedRoutes } from "../sources/listed-routes.ts";
import type { PageClaims } from "../sources/page-claims.ts";
import type { PageReference } from "../sources/page-reference.ts";
import type { SiteSources } from "../sources/read-sources.ts";
import type { CompileContext } from "./compile-context.ts";
import { compilePage } from "./compile-page.ts";
import { outlinePage } from "./outline-page.ts";
import type { CompiledPage, PageBodies, WithoutBody } from "./page-bodies.ts";
import {
  changesKey,
  generatedKey,
  sourceOfChanges,
  sourceOfFile,
  sourceOfGenerated,
  variantKey,
} from "./page-source.ts";

interface PageJob {
  route: string;
  file: string;
  /** Name in `PageBodies`. */
  name: string;
  /** Hash of all inputs except the dependencies. */
  key: string;
  compile(audience: Audience): Promise<CompiledPage>;
  /** Returns the page without its content. */
  outline(): CompiledPage;
  reference?: PageReference;
  /** Default: `visitor`. */
  audience?: Audience;
}

interface CompiledPages {
  /** Pages by route, sorted by route. The visibility of the pages is set later. */
  pages: Map<string, Page>;
  islandScripts: Map<string, string>;
  problems: Problem[];
  /** Whether pages have no content, because of the option `only`. */
  isOutlined: boolean;
}

/** Minimum number of pages to compile for which the option `only` saves a noticeable time. */
const outlined_count = 50;

export async function compilePages(
  sources: SiteSources,
  context: CompileContext,
  bodies: PageBodies,
  { onPage, threads, only }: Pick<BuildOptions, "onPage" | "threads" | "only">,
): Promise<CompiledPages> {
  const pages = new Map<string, Page>();
  const islandScripts = new Map<string, string>();
  const problems: Problem[] = [];
  const jobs = pageJobs(sources, context);
  const known = jobs.map((job) => knownPage(job, context, bodies));
  const missing = known.flatMap((page, index) =>
    page || context.crashed.has(jobs[index]!.name) ? [] : [index],
  );
  const isOutlined = only !== undefined && missing.length >= outlined_count;
  const firstRoute = isOutlined ? firstRouteOf(jobs, only, sources) : undefined;
  const isShared =
    !isOutlined && threads?.start(missing, jobs.length, bodies.store, sources.changes?.apiChanges);
  for (const [index, job] of jobs.entries()) {
    const compile = async (job: PageJob) => {
      await onPage?.(job.name, index, jobs.length);
      return await compileJob(job, context, bodies);
    };
    if (isShared && !known[index]) {
      await takePage(index, threads!, async (other) => {
        known[other] = await compile(jobs[other]!);
      });
      known[index] ??= knownPage(job, context, bodies);
    }
    if (isOutlined && job.route !== firstRoute)
      known[index] ??= bodies.add(job.name, job.key, job.outline(), false);
    const compiled = known[index] ?? (await compile(job));
    problems.push(...compiled.problems);
    for (const [id, script] of Object.entries(compiled.islandScripts)) islandScripts.set(id, script);
    const page = pageOf(job, compiled, context);
    for (const audience of compiled.summary.audiences ?? []) {
      const variantJob = variantFor(job, audience);
      const variant =
        knownPage(variantJob, context, bodies) ?? (await compileJob(variantJob, context, bodies));
      problems.push(...variant.problems);
      for (const [id, script] of Object.entries(variant.islandScripts)) islandScripts.set(id, script);
      page.variants = [...(page.variants ?? []), { audience, page: pageOf(variantJob, variant, context) }];
    }
    pages.set(job.route, page);
  }

  return { pages, islandScripts, problems, isOutlined };
}

/**
 * Compiles pages in another thread of a build, until all pages are claimed. Yields the index of each page
 * after its values have been added to the store of `bodies`.
 */
export async function* compileClaimedPages(
  sources: SiteSources,
  context: CompileContext,
  bodies: PageBodies,
  claimsOf: (pages_count: number) => Promise<PageClaims | undefined>,
): AsyncGenerator<{ index: number; hasFailed: boolean }> {
  const jobs = pageJobs(sources, context);
  const claims = await claimsOf(jobs.length);
  for (let index = claims?.next(); index !== undefined; index = claims?.next()) {
    const job = jobs[index]!;
    const compiled = await compileJob(job, context, bodies);
    const variants = [compiled];
    for (const audience of compiled.summary.audiences ?? [])
      variants.push(await compileJob(variantFor(job, audience), context, bodies));
    yield {
      index,
      hasFailed: variants.some(({ problems }) => problems.some(({ code }) => code === "page-crashed")),
    };
  }
}

function pageJobs(sources: SiteSources, context: CompileContext): PageJob[] {
  const { siteFiles, planned, languageOf } = sources;
  const { settingsKey, fileHashes, changes } = context;
  const changesHash = changes && hashOf(JSON.stringify(changes.apiChanges), [...changes.routes].join("\n"));
  const written = [...siteFiles.pages].map(
    ([route, file]): PageJob => ({
      route,
      file,
      name: file,
      key: hashOf(
        settingsKey,
        languageOf(route),
        file,
        fileHashes.of(file) ?? "",
        ...(route === changes?.route ? [changesHash!] : []),
      ),
      compile: async (audience) => compilePage(sourceOfFile(file, context, audience), context),
      outline: () => {
        const { frontmatter } = splitPage(readText(context.files, file)!, file);
        return outlinePage(
          route,
          frontmatter,
          context.references.find(frontmatter, folderOf(file))?.reference,
        );
      },
    }),
  );

  const generated = planned.pages.map(
    (page): PageJob => ({
      route: page.route,
      file: page.reference.document.file,
      name: generatedKey(page),
      key: hashOf(settingsKey, languageOf(page.route), page.route, JSON.stringify(page.frontmatter)),
      compile: async (audience) => compilePage(sourceOfGenerated(page, context, audience), context),
      outline: () => outlinePage(page.route, page.frontmatter, page.reference),
      reference: page.reference,
    }),
  );

  const own =
    changes && !siteFiles.pages.has(changes.route) ? [changesJob(sources, context, changesHash!)] : [];
  return [...written, ...generated, ...own].sort((a, b) => byCodeUnit(a.route, b.route));
}

/** Returns the page with the changes of the API, which has no file. */
function changesJob({ documents, languageOf }: SiteSources, context: CompileContext, hash: string): PageJob {
  const { route } = context.changes!;
  const file = documents.all[0]?.file ?? "docs.json";
  const sourceFor = (audience: Audience) => sourceOfChanges(file, context, audience);
  return {
    route,
    file,
    name: changesKey,
    key: hashOf(context.settingsKey, languageOf(route), route, hash),
    compile: async (audience) => compilePage(sourceFor(audience), context),
    outline: () => outlinePage(route, sourceFor("visitor").frontmatter, undefined),
  };
}

/**
 * Returns the route of the only page that an outlined site compiles: the wanted one, or else the first one in
 * the navigation.
 */
function firstRouteOf(jobs: readonly PageJob[], only: string, { config }: SiteSources): string | undefined {
  return jobs.some(({ route }) => route === only)
    ? only
    : listedRoutes(config.navigation).keys().next().value;
}

/**
 * Resolves when the main thread may compile a page, or another thread has compiled it. Meanwhile, calls
 * `compileOther` for other pages.
 */
async function takePage(
  index: number,
  threads: PageThreads,
  compileOther: (index: number) => Promise<void>,
): Promise<void> {
  while (!threads.take(index)) {
    const other = threads.next();
    await (other === undefined ? threads.progress() : compileOther(other));
  }
}

/** Returns a page from an earlier build or another thread. Undefined if it has to be compiled. */
function knownPage(
  { name, key }: PageJob,
  context: CompileContext,
  bodies: PageBodies,
): WithoutBody<CompiledPage> | undefined {
  return context.crashed.has(name) ? undefined : bodies.find(name, key, context.hashOf);
}

async function compileJob(
  { name, file, key, compile, reference, audience = "visitor" }: PageJob,
  context: CompileContext,
  bodies: PageBodies,
): Promise<WithoutBody<CompiledPage>> {
  const failures_count = context.failures_count();
  const compiled = await context.mdx.sandbox.use(() => compile(audience));
  // The hash in the key is that of the file before it changed.
  const hasChanged = !reference && context.fileHashes.hasChanged(file);
  const hasFailed = context.crashed.has(name) || context.failures_count() > failures_count;
  return bodies.add(name, key, compiled, !hasFailed && !hasChanged);
}

function variantFor(job: PageJob, audience: Audience): PageJob {
  return { ...job, name: variantKey(job.name, audience), audience };
}

const allVisible: Visibility = { navigation: true, search: true, sitemap: true, llms: true, noindex: false };

function pageOf(
  { route, file, name, reference }: PageJob,
  compiled: WithoutBody<CompiledPage>,
  { references }: CompileContext,
): Page {
  const { frontmatter, title, summary } = compiled;
  const described = summary.described && describedReference(file, summary.described);
  const shown = reference ?? described ?? references.find(frontmatter, folderOf(file))?.reference;
  return {
    route,
    file,
    storedName: name,
    frontmatter: isDeprecated(shown) ? { deprecated: true, ...frontmatter } : frontmatter,
    title,
    summary,
    visibility: allVisible,
    ...(shown ? { reference: shown } : {}),
  };
}

function isDeprecated(reference: PageReference | undefined): boolean {
  return reference?.kind === "operation" && own(reference.entry.node.value, "deprecated") === true;
}
