/** Builds a site from files. Invalid content is reported as problems. */

import { byCodeUnit, type Files, readText } from "../../base/files.ts";
import type { Problem } from "../../base/problem.ts";
import { schemaPath } from "../../layout/site-layout.ts";
import { withFrames } from "../code-frame.ts";
import type { DocsConfig, PositionOf } from "../config/docs-json.ts";
import type { DocsJson } from "../config/docs-json-schema.ts";
import type { CodeThemes } from "../highlight/highlight.ts";
import { MemoryStore, type Store } from "../incremental/store.ts";
import { changesFile, feedFile, markdownFile } from "../paths.ts";
import type { BuildOptions } from "./build-options.ts";
import type { ChangesOfApi } from "./changes/change-list.ts";
import { checkAccessibility } from "./check-accessibility.ts";
import {
  checkLinks,
  checkLogoAndFavicon,
  checkRedirects,
  checkSettingLinks,
  checkShareImages,
} from "./navigation/check-links.ts";
import { checkNavIcons } from "./navigation/check-nav-icons.ts";
import { type LinkTargets, landingPages } from "./navigation/link-targets.ts";
import { Sections } from "./navigation/nav-sections.ts";
import { readRedirects } from "./navigation/read-redirects.ts";
import { buildNavigation, type Navigation } from "./navigation/resolve-navigation.ts";
import { visibilityOf } from "./navigation/visibility.ts";
import type { Page } from "./page.ts";
import { checkClassNames } from "./pages/check-class-names.ts";
import { type CompileContext, createCompileContext } from "./pages/compile-context.ts";
import { compileFragments, type Fragment } from "./pages/compile-fragments.ts";
import { compilePages } from "./pages/compile-pages.ts";
import { compileNotFound } from "./pages/not-found-text.ts";
import { PageBodies } from "./pages/page-bodies.ts";
import type { ApiDocuments } from "./sources/api-documents.ts";
import { authorScripts } from "./sources/author-scripts.ts";
import type { NotPage, SiteFiles } from "./sources/classify-files.ts";
import { readFonts, type SiteFonts } from "./sources/fonts.ts";
import { type ImageSize, logoSizes } from "./sources/image-sizes.ts";
import { readCodeThemes } from "./sources/read-code-themes.ts";
import { readSources } from "./sources/read-sources.ts";
import { type Skill, withoutSkills } from "./sources/skills.ts";

/** A compiled documentation site: the input of an export. */
export interface Site {
  /** Identifies the build of the product. */
  generator: string;
  config: DocsConfig;
  files: Files;
  /** Pages by route, sorted by route. */
  pages: ReadonlyMap<string, Page>;
  navigation: Navigation;
  sections: Sections;
  linkTargets: LinkTargets;
  /** The bodies of pages and shared schemas. */
  bodies: PageBodies;
  /** Keeps values for later builds. */
  store: Store;
  /** Paths of the scripts in the documentation folder that pages load. */
  authorScripts: readonly string[];
  /** Scripts of interactive components, by id. */
  islandScripts: ReadonlyMap<string, string>;
  /**
   * HTML of `errors.404.description`, with URLs marked with `siteUrlMark`. Empty if there is no description.
   */
  notFoundHtml: string;
  /** Returns the language code of the page at a route, as used in `lang` attributes. */
  languageOf(route: string): string;
  /**
   * Sizes of the logos in the documentation folder. Undefined for logos on other hosts, and if the size is
   * unknown.
   */
  logoSizes: { light: ImageSize | undefined; dark: ImageSize | undefined };
  codeThemes: CodeThemes | undefined;
  fonts: SiteFonts;
  documents: ApiDocuments;
  /** Schemas that pages share, by id. Their HTML is in `bodies`. */
  fragments: ReadonlyMap<string, Fragment>;
  /** Whether readers can sign in. Playgrounds in the mode `auth` require sign-in. */
  hasSignIn: boolean;
  changes: ChangesOfApi | undefined;
  /** Skills for agents. */
  skills: readonly Skill[];
}

/** `context` and `placeOf`: what is needed to read pages again, to find their links. */
export interface SiteBuild {
  site: Site;
  problems: Problem[];
  notPages: NotPage[];
  isOutlined: boolean;
  context: CompileContext;
  placeOf: PositionOf;
}

/**
 * Builds a site. Authors' errors are returned as problems, sorted by severity, and never thrown.
 * `isOutlined`: see the option `only`.
 */
export async function buildSite(files: Files, options: BuildOptions): Promise<SiteBuild> {
  const store = options.store ?? new MemoryStore();
  const sources = await readSources(files, { ...options, store });
  const { config, documents, languageOf, placeOf, planned, siteFiles, changes } = sources;
  const { settings } = config;
  const bodies = new PageBodies(store);
  const { context, problems: contextProblems } = await createCompileContext(sources, store, options);
  const {
    pages,
    islandScripts,
    problems: pageProblems,
    isOutlined,
  } = await compilePages(sources, context, bodies, options);

  const problems = [...sources.problems, ...contextProblems, ...pageProblems];
  const fragments = await compileFragments([...pages.values()], context, bodies, options.threads);

  const notFoundHtml = await compileNotFound(
    settings.errors?.["404"]?.description,
    context,
    placeOf,
    (found) => problems.push(found),
  );

  const { navigation, problems: navigationProblems } = buildNavigation(
    planned.navigation,
    pages,
    siteFiles.rejected,
    placeOf,
  );

  setVisibility(pages, navigation, settings);

  const {
    redirects,
    listed: listedRedirects,
    problems: redirectProblems,
  } = readRedirects(settings, placeOf, pages);

  const linkTargets: LinkTargets = {
    pages,
    served: new Set(siteFiles.served),
    redirects,
    generated: generatedPaths(pages, fragments, changes?.route),
    landings: landingPages(pages, navigation, pages, planned.replaced),
    replaced: planned.replaced,
    changesRoute: changes?.route,
    basePath: context.basePath,
  };

  const { fonts, problems: fontProblems } = readFonts(settings, linkTargets.served, placeOf);
  problems.push(
    ...navigationProblems,
    ...redirectProblems,
    ...fontProblems,
    ...checkLogoAndFavicon(settings, linkTargets, placeOf),
    ...checkSettingLinks(settings, linkTargets, placeOf),
    ...checkShareImages(settings, linkTargets, placeOf),
    ...checkNavIcons(settings, pages.values(), files, placeOf),
    ...checkRedirects(listedRedirects, linkTargets, placeOf),
    ...(options.checksAccessibility ? checkAccessibility(pages.values(), settings, placeOf) : []),
  );

  const { scripts, problems: scriptProblems } = readScripts(siteFiles, pages, files);
  problems.push(...scriptProblems, ...linkProblems(linkTargets, fragments, files));

  const site: Site = {
    generator: options.generator,
    config,
    files,
    pages,
    navigation,
    sections: new Sections(),
    linkTargets,
    bodies,
    store,
    authorScripts: scripts,
    islandScripts,
    notFoundHtml,
    languageOf,
    logoSizes: logoSizes(files, settings.logo),
    codeThemes: readCodeThemes(settings.styling?.codeblocks),
    fonts,
    documents,
    fragments,
    hasSignIn: context.hasSignIn,
    changes,
    skills: siteFiles.skills,
  };

  const { notPages } = siteFiles;
  return { site, problems: sortProblems(problems), notPages, isOutlined, context, placeOf };
}

/** Returns the scripts that pages load, and the problems of scripts and class names. */
function readScripts(
  { served, skills }: SiteFiles,
  pages: ReadonlyMap<string, Page>,
  files: Files,
): { scripts: string[]; problems: Problem[] } {
  const forPages = withoutSkills(served, skills);
  const { scripts, problems } = authorScripts(forPages, files);
  const styles = forPages.filter((path) => path.endsWith(".css"));
  const classProblems = checkClassNames(pages.values(), styles, files);
  return { scripts, problems: [...problems, ...withFrames(classProblems, (file) => readText(files, file))] };
}

function setVisibility(pages: ReadonlyMap<string, Page>, navigation: Navigation, { seo }: DocsJson): void {
  for (const page of pages.values()) {
    page.visibility = visibilityOf(page, navigation, seo);
    for (const variant of page.variants ?? []) variant.page.visibility = page.visibility;
  }
}

function linkProblems(
  targets: LinkTargets,
  fragments: ReadonlyMap<string, Fragment>,
  files: Files,
): Problem[] {
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    if (!texts.has(file)) texts.set(file, readText(files, file) ?? "");
    return texts.get(file)!;
  };

  return withFrames(checkLinks(targets, fragments.values(), textOf), textOf);
}

/**
 * Returns the paths of files that the export generates and that links can refer to, such as Markdown files,
 * feeds and llms.txt.
 */
function generatedPaths(
  pages: ReadonlyMap<string, Page>,
  fragments: ReadonlyMap<string, unknown>,
  changesRoute: string | undefined,
): Set<string> {
  const paths = new Set(["llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt"]);
  for (const page of pages.values()) {
    paths.add(markdownFile(page.route));
    if (page.summary.feed.length) paths.add(feedFile(page.route));
  }
  for (const id of fragments.keys())
    for (const extension of ["html", "md"]) paths.add(`${schemaPath(id)}.${extension}`);
  if (changesRoute !== undefined) paths.add(changesFile(changesRoute));
  return paths;
}

/**
 * Sorts problems: errors first, then by file, line, column and code. Removes duplicates, such as problems in
 * a snippet that several pages include.
 */
function sortProblems(problems: Problem[]): Problem[] {
  const unique = new Map<string, Problem>();
  for (const found of problems)
    unique.set([found.code, found.file, found.line, found.column, found.message].join("\u0000"), found);
  return [...unique.values()].sort(
    (a, b) =>
      byCodeUnit(a.severity, b.severity) ||
      byCodeUnit(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      byCodeUnit(a.code, b.code),
  );
}
