/** Files → site and problems. Nothing that an author wrote makes it throw. */
import { byCodePoint, type Files, readText } from "../../base/files.ts";
import type { Problem } from "../../base/problem.ts";
import { createSandbox } from "../author/sandbox.ts";
import { codeFrame } from "../code-frame.ts";
import { componentNamed, componentNames } from "../components/components.ts";
import type { Division } from "../config/division.ts";
import { type DocsConfig, readDocsJson } from "../config/docs-json.ts";
import { operationText } from "../config/openapi-entries.ts";
import type { CodeThemes } from "../highlight/highlight.ts";
import type { RenderContext } from "../html/render-context.ts";
import { messagesOf } from "../i18n/locales.ts";
import { variableValues } from "../mdx/prepare.ts";
import { own } from "../openapi/refs.ts";
import { type ApiDocuments, type Fetched, readApiDocuments } from "./api-documents.ts";
import { planApiPages } from "./api-pages.ts";
import { sortFiles } from "./classify-files.ts";
import { compileFragments, type Fragment } from "./compile-fragments.ts";
import { type CompileContext, compileGenerated, compilePage, generatedKey } from "./compile-page.ts";
import { describedReference } from "./described-operation.ts";
import { readFonts, type SiteFonts } from "./fonts.ts";
import { languageTag } from "./language-names.ts";
import { type AddressBook, checkLinks, checkPictures } from "./links.ts";
import { Sections } from "./nav-view.ts";
import { compileNotFound } from "./not-found-text.ts";
import { type CompiledPage, hashOf as hashOfParts, PageCache, type PageStore } from "./page-cache.ts";
import { findReference, type PageReference, referenceKey } from "./page-reference.ts";
import { fragmentPath } from "./print-reference.ts";
import { grammarFiles, readGrammars } from "./read-custom-grammars.ts";
import { readRedirects } from "./redirects.ts";
import { buildNavigation, isHiddenPlace, type Navigation } from "./resolve-navigation.ts";
import { isElsewhere, type Page, type Visibility } from "./site-page.ts";

/** A documentation site, read whole: what every kind of output is made from. */
export interface Site {
  config: DocsConfig;
  files: Files;
  /** By route, in the order of their routes. */
  pages: ReadonlyMap<string, Page>;
  navigation: Navigation;
  sections: Sections;
  addresses: AddressBook;
  /** Bodies of pages. */
  bodies: PageCache;
  islandScripts: ReadonlyMap<string, string>;
  /** The text of the page for unknown addresses, with marked addresses; empty for our own words. */
  notFoundHtml: string;
  languageOf(route: string): string;
  codeThemes: CodeThemes | undefined;
  fonts: SiteFonts;
  documents: ApiDocuments;
  /** Schemas that pages share, by id; their HTML is among the bodies. */
  fragments: ReadonlyMap<string, Fragment>;
  /** Playgrounds for readers who signed in were printed. */
  hasSignIn: boolean;
}

export interface BuildOptions {
  /** Kept between builds, when given. */
  store?: PageStore;
  /** Names the program that made a stored page: entries of another one are not used. */
  generator: string;
  /** Told before each page that has to be compiled. */
  onPage?(file: string, done: number, total: number): void;
  /** Pages that ended an earlier build process. */
  crashed?: ReadonlyMap<string, Problem>;
  /** Documents that docs.json names by address (see `remoteDocuments`), as they were fetched. */
  fetched?: ReadonlyMap<string, Fetched>;
  /** Readers sign in, so that playgrounds which are for them alone can work. */
  hasSignIn?: boolean;
}

export async function buildSite(files: Files, options: BuildOptions): Promise<{ site: Site; problems: Problem[] }> {
  const { config, problems, placeOf } = readDocsJson(files, { hasSignIn: options.hasSignIn === true });
  const { settings } = config;
  const sorted = sortFiles(files, listedRoutes(config.navigation));
  problems.push(...sorted.problems);
  const bodies = new PageCache(files, options.store);
  const api = settings.api ?? {};
  const pageSources = [...sorted.pages.values()].flatMap((file) => sourceNamedIn(readText(files, file) ?? ""));
  const { documents, problems: documentProblems } = await readApiDocuments(
    files,
    sorted.served,
    config,
    pageSources,
    options.fetched ?? new Map(),
  );
  const planned = planApiPages(config, documents, new Set(sorted.pages.keys()), placeOf);
  problems.push(...documentProblems, ...planned.problems);
  const languageOf = languageLookup(planned.navigation);
  const codeThemes = readCodeThemes(settings.styling?.codeblocks);
  const { grammars, problems: grammarProblems } = await readGrammars(files, settings, codeThemes, placeOf);
  problems.push(...grammarProblems);
  const sandbox = await createSandbox();
  const settingsKey = hashOfParts(
    JSON.stringify([
      options.generator,
      settings.variables,
      settings.icons,
      settings.styling,
      api,
      settings.markdown?.schema,
      grammarFiles(settings).map((file) => file && bodies.hashOfFile(file)),
      options.hasSignIn === true,
    ]),
  );

  const hashOf = dependencyHashes(bodies, documents);
  const context: CompileContext = {
    files,
    crashed: options.crashed ?? new Map(),
    hashOf,
    documents,
    api,
    hasSignIn: options.hasSignIn === true,
    paintedCode: (file) => bodies.paintedCode(file, settingsKey),
    keepPaintedCode: (file, made) => bodies.keepPaintedCode(file, settingsKey, made),
    mdx: {
      files,
      components: new Map(componentNames().map((name) => [name, componentNamed(name)?.requiredProps ?? []])),
      variables: variableValues(settings.variables),
      math: settings.styling?.latex !== false,
      sandbox,
      snippets: new Map(),
    },
    renderFor: (route, report): RenderContext => ({
      strings: messagesOf(languageOf(route)).site,
      iconLibrary: settings.icons?.library ?? "fontawesome",
      ...(codeThemes ? { codeThemes } : {}),
      grammars,
      file: sorted.pages.get(route) ?? "",
      report,
    }),
  };
  const pages = new Map<string, Page>();
  const islandScripts = new Map<string, string>();
  const jobs: PageJob[] = [
    ...[...sorted.pages].map(
      ([route, file]): PageJob => ({
        route,
        file,
        name: file,
        key: hashOfParts(settingsKey, languageOf(route), file, bodies.hashOfFile(file) ?? ""),
        compile: () => compilePage(file, context),
      }),
    ),
    ...planned.pages.map(
      (page): PageJob => ({
        route: page.route,
        file: page.document.file,
        name: generatedKey(page),
        key: hashOfParts(settingsKey, languageOf(page.route), page.route, JSON.stringify(page.frontmatter)),
        compile: () => compileGenerated(page, context),
        reference: { kind: "operation", document: page.document, entry: page.entry },
      }),
    ),
  ].sort((a, b) => byCodePoint(a.route, b.route));
  for (const [index, { route, file, name, key, compile, reference }] of jobs.entries()) {
    let compiled = context.crashed.has(name) ? undefined : bodies.find(name, key, hashOf);
    if (!compiled) {
      options.onPage?.(name, index, jobs.length);
      await sandbox.ready();
      compiled = await compile();
      if (!context.crashed.has(name)) bodies.keep(name, key, compiled);
    }
    bodies.holdBody(name, compiled.body);
    problems.push(...compiled.problems);
    for (const [id, script] of Object.entries(compiled.islandScripts)) islandScripts.set(id, script);
    const { frontmatter, title, summary } = compiled;
    const described = summary.described && describedReference(file, summary.described);
    const shown = reference ?? described ?? findReference(frontmatter, documents)?.reference;
    pages.set(route, {
      route,
      file,
      key: name,
      frontmatter: isDeprecated(shown) ? { deprecated: true, ...frontmatter } : frontmatter,
      title,
      summary,
      visibility: allVisible,
      ...(shown ? { reference: shown } : {}),
    });
  }
  const fragments = compileFragments([...pages.values()], context, settingsKey, bodies);

  const notFoundHtml = await compileNotFound(settings.errors?.["404"]?.description, context, placeOf, (found) => problems.push(found));
  const { navigation, problems: navigationProblems } = buildNavigation(planned.navigation, pages, sorted.refused, placeOf);
  const { redirects, problems: redirectProblems } = readRedirects(settings, placeOf, new Set(pages.keys()), navigation.positions.keys());
  for (const page of pages.values()) page.visibility = visibilityOf(page, navigation, settings.seo);
  const addresses: AddressBook = { pages, served: new Set(sorted.served), redirects, generated: generatedPaths(pages, fragments) };
  const { fonts, problems: fontProblems } = readFonts(settings, addresses.served, placeOf);
  problems.push(...navigationProblems, ...redirectProblems, ...fontProblems, ...checkPictures(settings, addresses, placeOf));
  for (const found of checkLinks(addresses)) {
    const frame = codeFrame(readText(files, found.file) ?? "", found);
    problems.push(frame ? { ...found, frame } : found);
  }
  const site: Site = {
    config,
    files,
    pages,
    navigation,
    sections: new Sections(),
    addresses,
    bodies,
    islandScripts,
    notFoundHtml,
    languageOf,
    codeThemes,
    fonts,
    documents,
    fragments,
    hasSignIn: context.hasSignIn,
  };
  return { site, problems: sortProblems(problems) };
}

/** One page to be compiled, or taken from the cache. */
interface PageJob {
  route: string;
  file: string;
  /** Under which it is kept. */
  name: string;
  /** Of everything that it is made from but for its dependencies. */
  key: string;
  compile(): Promise<CompiledPage>;
  reference?: PageReference;
}

function isDeprecated(reference: PageReference | undefined): boolean {
  return reference?.kind === "operation" && own(reference.entry.node.value, "deprecated") === true;
}

const allVisible: Visibility = { navigation: true, search: true, sitemap: true, llms: true, noindex: false };

/** The document that a page's frontmatter names, by a look at its text. */
function sourceNamedIn(text: string): string[] {
  const value = /^["']?openapi(?:-schema)?["']?\s*:\s*["']?([^\n"']+)/m.exec(text.slice(0, 5_000))?.[1];
  if (value === undefined || !text.startsWith("---")) return [];
  const named = operationText(value)?.document ?? (/^(\S+\.\w+)\s+\S/.exec(value)?.[1] || undefined);
  return named === undefined ? [] : [named];
}

/** How pages' dependencies are hashed: files, nodes of documents, and where a page's reference leads. */
function dependencyHashes(bodies: PageCache, documents: ApiDocuments): (dependency: string) => string | null {
  const nodes = new Map<string, string | null>();
  return (dependency) => {
    const [kind, name = "", rest = ""] = dependency.split("\n");
    if (kind === "reference") return referenceKey(findReference({ openapi: name, "openapi-schema": rest }, documents));
    if (kind !== "node") return bodies.hashOfFile(dependency);
    let hash = nodes.get(dependency);
    if (hash === undefined) {
      const document = documents.at(name);
      const node = typeof document === "object" ? document.refs.at(rest) : undefined;
      hash = node ? hashOfParts(JSON.stringify(node.value) ?? "") : null;
      nodes.set(dependency, hash);
    }
    return hash;
  };
}

/** The matrix of hidden pages: who may see what of a page that is hidden in one way or another. */
function visibilityOf(page: Page, navigation: Navigation, seo: DocsConfig["settings"]["seo"]): Visibility {
  const { frontmatter } = page;
  const indexAll = seo?.indexing === "all";
  /** Of the whole site: what machines from elsewhere read; its own search stays. */
  const isUnlisted = /noindex/i.test(String(seo?.metatags?.robots ?? ""));
  const position = navigation.positions.get(page.route);
  const place = position ? isHiddenPlace(position) : { hidden: true, searchable: false };
  const isShown = position !== undefined && !place.hidden && frontmatter.hidden !== true;
  const isOpen =
    indexAll || (frontmatter.hidden !== true && (isShown || place.searchable || (position !== undefined && frontmatter.hidden === false)));
  const isIndexed = isOpen && !isElsewhere(page) && frontmatter.noindex !== true && !/noindex/i.test(frontmatter.robots ?? "");
  return {
    navigation: position !== undefined && frontmatter.hidden !== true,
    search: isIndexed && frontmatter.searchable !== false,
    sitemap: isIndexed && !isUnlisted && (!frontmatter.groups || frontmatter.public === true),
    llms: isIndexed && !isUnlisted,
    noindex:
      frontmatter.noindex === true || (frontmatter.hidden === true && !indexAll) || (position !== undefined && place.hidden && !isOpen),
  };
}

function listedRoutes(division: Division, into = new Set<string>()): Set<string> {
  if (division.root !== undefined) into.add(division.root);
  for (const child of division.children) {
    if (child.kind === "page") into.add(child.route);
    else if (child.kind !== "operation") listedRoutes(child, into);
  }
  return into;
}

/** The language of a page: of the division that lists it, else of its first folder, else the site's first. */
function languageLookup(root: Division): (route: string) => string {
  const byRoute = new Map<string, string>();
  const codes: string[] = [];
  let fallback: string | undefined;
  const visit = (division: Division, language: string | undefined) => {
    if (division.kind === "language") {
      codes.push(division.label);
      if (division.isDefault) fallback = division.label;
    }
    const own = division.kind === "language" ? division.label : language;
    if (division.root !== undefined && own && !byRoute.has(division.root)) byRoute.set(division.root, own);
    for (const child of division.children) {
      if (child.kind === "page") {
        if (own && !byRoute.has(child.route)) byRoute.set(child.route, own);
      } else if (child.kind !== "operation") visit(child, own);
    }
  };
  visit(root, undefined);
  const first = fallback ?? codes[0] ?? "en";
  return (route) => languageTag(byRoute.get(route) ?? codes.find((code) => route === code || route.startsWith(`${code}/`)) ?? first);
}

/** Addresses that the export makes: each page's Markdown and feed, and the files for machines. */
function generatedPaths(pages: ReadonlyMap<string, Page>, fragments: ReadonlyMap<string, unknown>): Set<string> {
  const paths = new Set(["llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt"]);
  for (const page of pages.values()) {
    paths.add(`${page.route || "index"}.md`);
    if (page.summary.feed.length) paths.add(`${page.route ? `${page.route}/` : ""}rss.xml`);
  }
  for (const id of fragments.keys()) paths.add(`${fragmentPath(id)}.html`);
  return paths;
}

type Codeblocks = NonNullable<DocsConfig["settings"]["styling"]>["codeblocks"];

/** Named themes; `system` and `dark` are our own colours and need none. */
function readCodeThemes(codeblocks: Codeblocks): CodeThemes | undefined {
  const theme = typeof codeblocks === "object" ? codeblocks.theme : codeblocks;
  if (theme === undefined || theme === "system" || theme === "dark" || theme === "css-variables") return undefined;
  return typeof theme === "string" ? { light: theme, dark: theme } : theme;
}

/** Errors first, then by file and line; what several pages report of one snippet is told once. */
function sortProblems(problems: Problem[]): Problem[] {
  const once = new Map<string, Problem>();
  for (const found of problems) once.set([found.code, found.file, found.line, found.column, found.message].join("\u0000"), found);
  return [...once.values()].sort(
    (a, b) =>
      byCodePoint(a.severity, b.severity) ||
      byCodePoint(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      byCodePoint(a.code, b.code),
  );
}
