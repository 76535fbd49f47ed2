/** Creates the context for compiling the pages of a site. */

import { basePathOf } from "../../../base/base-path.ts";
import type { Files } from "../../../base/files.ts";
import type { Problem } from "../../../base/problem.ts";
import { isHttpUrl, percentDecoded } from "../../../base/url.ts";
import { Sandbox } from "../../author/sandbox.ts";
import { componentNamed, componentNames } from "../../components/components.ts";
import type { Frontmatter } from "../../config/frontmatter.ts";
import { hashOf as hashOfParts } from "../../hash-of.ts";
import type { HighlightedCode, RenderContext } from "../../html/render-context.ts";
import { messagesOf } from "../../i18n/locales.ts";
import type { SiteMessages } from "../../i18n/messages.ts";
import type { HashOfDependency } from "../../incremental/memo.ts";
import type { Store } from "../../incremental/store.ts";
import { jsonText } from "../../openapi/nodes/json-text.ts";
import type { Refs } from "../../openapi/nodes/refs.ts";
import type { MdxContext } from "../../page/expand-page.ts";
import { variableValues } from "../../page/prepare-mdx.ts";
import { folderOf } from "../../paths.ts";
import type { ApiSettings } from "../../reference/settings.ts";
import type { BuildOptions } from "../build-options.ts";
import type { ApiChanges } from "../changes/change-list.ts";
import { ChangeMarks } from "../changes/change-marks.ts";
import { operationPath } from "../navigation/link-targets.ts";
import type { ApiDocuments } from "../sources/api-documents.ts";
import { type IsClosed, overviewKey } from "../sources/document-overview.ts";
import { FileHashes } from "../sources/file-hashes.ts";
import type { ImageSize } from "../sources/image-sizes.ts";
import { imageSizes } from "../sources/image-sizes.ts";
import { OperationReaders } from "../sources/operation-readers.ts";
import { type PageReference, PageReferences, referenceKey } from "../sources/page-reference.ts";
import { readCodeThemes } from "../sources/read-code-themes.ts";
import { grammarFiles, readGrammars } from "../sources/read-custom-grammars.ts";
import type { SiteSources } from "../sources/read-sources.ts";

export interface CompileContext {
  files: Files;
  mdx: MdxContext;
  /** Returns the context for rendering a page. */
  renderFor(route: string, report: (problem: Problem) => void): RenderContext;
  /** Returns the size of an image in pixels. Undefined if it is unknown, null if the file is missing. */
  imageSize(path: string): ImageSize | undefined | null;
  /** The page with the changes of the API. Undefined if docs.json doesn't ask for it. */
  changes: { route: string; apiChanges: ApiChanges; routes: ReadonlyMap<string, string> } | undefined;
  /** Returns labels with the versions in which a part of a document changed. See `ApiChanges.marks`. */
  changeMarks(file: string, refs: Refs, messages: SiteMessages): ChangeMarks | undefined;
  /** Hash of the settings that all pages depend on. */
  settingsKey: string;
  fileHashes: FileHashes;
  /**
   * Identifies the states of dependencies. Undefined if later builds can't use the pages: then their
   * dependencies aren't needed.
   */
  hashOf: HashOfDependency | undefined;
  documents: ApiDocuments;
  references: PageReferences;
  /** See `OperationReaders.isClosed`. */
  isClosed: IsClosed;
  api: ApiSettings;
  hasSignIn: boolean;
  /** Path of the site's URL, without slashes at its start and end. See `LinkTargets`. */
  basePath: string;
  /**
   * Returns the highlighted code of a page from an earlier build. `keepHighlightedCode` keeps the code for
   * the next build.
   */
  highlightedCode(name: string): HighlightedCode;
  keepHighlightedCode(name: string, code: HighlightedCode): void;
  /**
   * Number of results so far that depend on the time or memory of this build. Pages with such results aren't
   * kept.
   */
  failures_count(): number;
  /**
   * Pages that crashed an earlier build process, by their name in `PageBodies`, with the problem to report.
   */
  crashed: ReadonlyMap<string, Problem>;
}

export async function createCompileContext(
  sources: SiteSources,
  store: Store,
  { generator, clock, origin, crashed = new Map(), hasSignIn = false }: BuildOptions,
): Promise<{ context: CompileContext; problems: Problem[] }> {
  const { files, siteFiles, documents, languageOf, placeOf } = sources;
  const { route: changesRoute, apiChanges } = sources.changes ?? {};
  const { settings } = sources.config;
  const api = settings.api ?? {};
  const codeThemes = readCodeThemes(settings.styling?.codeblocks);
  const { grammars, problems } = await readGrammars(files, settings, codeThemes, placeOf, clock);
  const references = new PageReferences(documents);
  const fileHashes = new FileHashes(files, siteFiles.hashes);
  let readers: OperationReaders | undefined;
  const isClosed: IsClosed = (target) =>
    (readers ??= new OperationReaders({ ...sources, hasSignIn })).isClosed(target);
  const basePath = pathOfSite(origin) || pathOfSite(settings.seo?.metatags?.canonical);
  const settingsKey = hashOfParts(
    JSON.stringify([
      generator,
      settings.variables,
      settings.icons,
      settings.styling,
      api,
      settings.markdown?.schema,
      grammarFiles(settings).map((file) => file && fileHashes.of(file)),
      hasSignIn,
      basePath,
      apiChanges?.marks,
    ]),
  );

  const sandbox = new Sandbox(clock);
  const context: CompileContext = {
    files,
    crashed,
    settingsKey,
    fileHashes,
    changes:
      changesRoute !== undefined && apiChanges
        ? { route: changesRoute, apiChanges, routes: routesOf(sources, references) }
        : undefined,
    changeMarks: (file, refs, messages) => {
      const marks = apiChanges?.marks[file];
      return marks && new ChangeMarks(marks, refs, messages);
    },
    hashOf: store.isLasting ? dependencyHashes(fileHashes, documents, references, isClosed) : undefined,
    documents,
    references,
    isClosed,
    api,
    hasSignIn,
    basePath,
    highlightedCode: (name) =>
      JSON.parse(store.get(codeName(name), settingsKey)?.toString() ?? "{}") as HighlightedCode,
    keepHighlightedCode: (name, code) => {
      if (store.isLasting) store.keep(codeName(name), settingsKey, JSON.stringify(code));
    },
    mdx: {
      files,
      components: new Map(componentNames().map((name) => [name, componentNamed(name)!])),
      variables: variableValues(settings.variables),
      math: settings.styling?.latex !== false,
      sandbox,
      snippets: new Map(),
    },
    failures_count: () => grammars.failures_count + sandbox.failures_count,
    imageSize: imageSizes(files),
    renderFor: (route, report) => {
      const { site: messages, constraints } = messagesOf(languageOf(route));
      return {
        messages,
        constraints,
        iconLibrary: settings.icons?.library ?? "fontawesome",
        ...(codeThemes ? { codeThemes } : {}),
        grammars,
        file: siteFiles.pages.get(route) ?? "",
        report,
      };
    },
  };

  return { context, problems };
}

/** Returns the route of each operation with a page, by its `operationPath`. An author's page is preferred. */
function routesOf({ planned, siteFiles }: SiteSources, references: PageReferences): Map<string, string> {
  const routes = new Map<string, string>();
  const add = (reference: PageReference | undefined, route: string) => {
    if (reference?.kind !== "operation") return;
    const path = operationPath(reference.document.file, reference.entry.node.pointer);
    if (!routes.has(path)) routes.set(path, route);
  };

  for (const [route, { file, operation }] of siteFiles.written)
    if (operation !== undefined)
      add(references.find({ openapi: operation }, folderOf(file))?.reference, route);
  for (const { reference, route } of planned.pages) add(reference, route);
  return routes;
}

function codeName(name: string): string {
  return `code\n${name}`;
}

/**
 * Returns the decoded path of a site's URL, without slashes at its start and end. Empty if the URL is unknown
 * or has no path.
 */
function pathOfSite(url: unknown): string {
  const path = typeof url === "string" && isHttpUrl(url) ? basePathOf(url) : "";
  return percentDecoded(path).replace(/^\/+|\/+$/g, "");
}

/**
 * Returns a function that identifies the state of a page's dependency. The result is the hash of a file, or
 * of a node or the overview of a document (null if missing), or the key of the reference that was found.
 */
function dependencyHashes(
  fileHashes: FileHashes,
  documents: ApiDocuments,
  references: PageReferences,
  isClosed: IsClosed,
): HashOfDependency {
  const nodes = new Map<string, string | null>();
  return (dependency) => {
    const known = nodes.get(dependency);
    if (known !== undefined) return known;
    const [kind, name = "", rest = "", folder = ""] = dependency.split("\n");
    if (kind === "reference")
      return referenceKey(references.find({ openapi: name, "openapi-schema": rest }, folder));
    if (name === "" || (kind !== "node" && kind !== "overview")) return fileHashes.of(dependency);
    const found = documents.at(name);
    const document = typeof found === "object" ? found : undefined;
    const node = kind === "node" ? document?.refs.at(rest) : undefined;
    const text =
      kind === "overview" ? document && overviewKey(document, isClosed) : node && jsonText(node.value);
    const hash = text === undefined ? null : hashOfParts(text);
    nodes.set(dependency, hash);
    return hash;
  };
}

/** Returns the name of a page's dependency on a node of a document. */
export function nodeDependency(file: string, pointer: string): string {
  return `node\n${file}\n${pointer}`;
}

/** Returns the name of a page's dependency on the overview of a document. */
export function overviewDependency(file: string): string {
  return `overview\n${file}`;
}

export function referenceDependency(frontmatter: Frontmatter, file: string): string {
  return `reference\n${frontmatter.openapi ?? ""}\n${frontmatter["openapi-schema"] ?? ""}\n${folderOf(file)}`;
}
