/** Creates the context for compiling the pages of a site. */

import { basePathOf } from "../../base/base-path.ts";
import type { Problem } from "../../base/problem.ts";
import { isHttpUrl, percentDecoded } from "../../base/url.ts";
import { Sandbox } from "../author/sandbox.ts";
import { componentNamed, componentNames } from "../components/components.ts";
import { hashOf as hashOfParts } from "../hash-of.ts";
import type { HighlightedCode } from "../html/render-context.ts";
import { messagesOf } from "../i18n/locales.ts";
import type { HashOfDependency } from "../incremental/memo.ts";
import type { Store } from "../incremental/store.ts";
import { jsonText } from "../openapi/json-text.ts";
import { variableValues } from "../page/prepare-mdx.ts";
import type { ApiDocuments } from "./api-documents.ts";
import type { BuildOptions } from "./build-options.ts";
import type { CompileContext } from "./compile-page.ts";
import { overviewKey } from "./document-overview.ts";
import { FileHashes } from "./file-hashes.ts";
import { imageSizes } from "./image-sizes.ts";
import { PageReferences, referenceKey } from "./page-reference.ts";
import { readCodeThemes } from "./read-code-themes.ts";
import { grammarFiles, readGrammars } from "./read-custom-grammars.ts";
import type { SiteSources } from "./read-sources.ts";

export async function createCompileContext(
  sources: SiteSources,
  store: Store,
  { generator, clock, origin, crashed = new Map(), hasSignIn = false }: BuildOptions,
): Promise<{ context: CompileContext; problems: Problem[] }> {
  const { files, siteFiles, documents, languageOf, placeOf } = sources;
  const { settings } = sources.config;
  const api = settings.api ?? {};
  const codeThemes = readCodeThemes(settings.styling?.codeblocks);
  const { grammars, problems } = await readGrammars(files, settings, codeThemes, placeOf, clock);
  const references = new PageReferences(documents);
  const fileHashes = new FileHashes(files, siteFiles.hashes);
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
    ]),
  );

  const sandbox = new Sandbox(clock);
  const context: CompileContext = {
    files,
    crashed,
    settingsKey,
    fileHashes,
    hashOf: store.isLasting ? dependencyHashes(fileHashes, documents, references) : undefined,
    documents,
    references,
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
    const text = kind === "overview" ? document && overviewKey(document) : node && jsonText(node.value);
    const hash = text === undefined ? null : hashOfParts(text);
    nodes.set(dependency, hash);
    return hash;
  };
}
