/** Compiles the pages of a site, or takes them from an earlier build. */

import { byCodeUnit } from "../../base/files.ts";
import type { Problem } from "../../base/problem.ts";
import { hashOf } from "../hash-of.ts";
import { own } from "../openapi/refs.ts";
import { folderOf } from "../paths.ts";
import type { Audience } from "./audience.ts";
import type { BuildOptions } from "./build-options.ts";
import { type CompileContext, compileGenerated, compilePage, generatedKey, versionKey } from "./compile-page.ts";
import { describedReference } from "./described-operation.ts";
import type { Page, Visibility } from "./page.ts";
import type { CompiledPage, PageBodies, WithoutBody } from "./page-bodies.ts";
import type { PageReference } from "./page-reference.ts";
import type { SiteSources } from "./read-sources.ts";

interface PageJob {
  route: string;
  file: string;
  /** Name in `PageBodies`. */
  name: string;
  /** Hash of all inputs except the dependencies. */
  key: string;
  compile(audience: Audience): Promise<CompiledPage>;
  reference?: PageReference;
  /** Default: `visitor`. */
  audience?: Audience;
}

interface CompiledPages {
  /** Pages by route, sorted by route. The visibility of the pages is set later. */
  pages: Map<string, Page>;
  islandScripts: Map<string, string>;
  problems: Problem[];
}

export async function compilePages(
  sources: SiteSources,
  context: CompileContext,
  bodies: PageBodies,
  onPage: BuildOptions["onPage"],
): Promise<CompiledPages> {
  const pages = new Map<string, Page>();
  const islandScripts = new Map<string, string>();
  const problems: Problem[] = [];
  const jobs = pageJobs(sources, context);
  for (const [index, job] of jobs.entries()) {
    const compiled = await compiledPage(job, context, bodies, () => onPage?.(job.name, index, jobs.length));
    problems.push(...compiled.problems);
    for (const [id, script] of Object.entries(compiled.islandScripts)) islandScripts.set(id, script);
    const page = pageOf(job, compiled, context);
    for (const audience of compiled.summary.audiences ?? []) {
      const version = await compiledPage(versionFor(job, audience), context, bodies, () => undefined);
      problems.push(...version.problems);
      for (const [id, script] of Object.entries(version.islandScripts)) islandScripts.set(id, script);
      page.versions = [...(page.versions ?? []), { audience, page: pageOf(versionFor(job, audience), version, context) }];
    }
    pages.set(job.route, page);
  }
  return { pages, islandScripts, problems };
}

function pageJobs({ siteFiles, planned, languageOf }: SiteSources, context: CompileContext): PageJob[] {
  const { settingsKey, fileHashes } = context;
  const written = [...siteFiles.pages].map(
    ([route, file]): PageJob => ({
      route,
      file,
      name: file,
      key: hashOf(settingsKey, languageOf(route), file, fileHashes.of(file) ?? ""),
      compile: (audience) => compilePage(file, context, audience),
    }),
  );
  const generated = planned.pages.map(
    (page): PageJob => ({
      route: page.route,
      file: page.reference.document.file,
      name: generatedKey(page),
      key: hashOf(settingsKey, languageOf(page.route), page.route, JSON.stringify(page.frontmatter)),
      compile: (audience) => compileGenerated(page, context, audience),
      reference: page.reference,
    }),
  );
  return [...written, ...generated].sort((a, b) => byCodeUnit(a.route, b.route));
}

async function compiledPage(
  { name, file, key, compile, reference, audience = "visitor" }: PageJob,
  context: CompileContext,
  bodies: PageBodies,
  onCompile: () => Promise<void> | undefined,
) {
  const isCrashed = context.crashed.has(name);
  const known = isCrashed ? undefined : bodies.find(name, key, context.hashOf);
  if (known) return known;
  await onCompile();
  const failures_count = context.failures_count();
  const compiled = await context.mdx.sandbox.use(() => compile(audience));
  // The hash in the key is that of the file before it changed.
  const hasChanged = !reference && context.fileHashes.hasChanged(file);
  const hasFailed = isCrashed || context.failures_count() > failures_count;
  return bodies.add(name, key, compiled, !hasFailed && !hasChanged);
}

function versionFor(job: PageJob, audience: Audience): PageJob {
  return { ...job, name: versionKey(job.name, audience), audience };
}

const allVisible: Visibility = { navigation: true, search: true, sitemap: true, llms: true, noindex: false };

function pageOf({ route, file, name, reference }: PageJob, compiled: WithoutBody<CompiledPage>, { references }: CompileContext): Page {
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
