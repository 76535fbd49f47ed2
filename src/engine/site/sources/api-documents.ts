/**
 * Reads the OpenAPI documents of a site: files in the documentation folder, and remote documents whose URL is
 * in docs.json.
 */

import { type Files, readText } from "../../../base/files.ts";
import { limits } from "../../../base/limits.ts";
import { megabytes } from "../../../base/megabytes.ts";
import { type Problem, problem } from "../../../base/problem.ts";
import { isHttpUrl } from "../../../base/url.ts";
import { withFrame, withFrames } from "../../code-frame.ts";
import type { DocsConfig, PositionOf } from "../../config/docs-json.ts";
import type { Division } from "../../config/navigation-types.ts";
import { type ApiSource, parseOperationText } from "../../config/openapi-entries.ts";
import { type ApiDocument, looksLikeDocument, readDocument } from "../../openapi/document/api-document.ts";
import { encodePath, normalizePath } from "../../paths.ts";

/**
 * A remote document that the caller of the build has fetched, or the problem if that failed. If both are set,
 * the text is an older copy.
 */
export type FetchedDocument = { text: string; problem?: Problem } | { problem: Problem };

/** Contains the OpenAPI documents of a site, by path or URL. */
export class ApiDocuments {
  private readonly byFile: ReadonlyMap<string, ApiDocument>;
  private readonly broken: ReadonlySet<string>;

  constructor(documents: readonly ApiDocument[], broken: ReadonlySet<string>) {
    this.byFile = new Map(documents.map((document) => [document.file, document]));
    this.broken = broken;
  }

  /** All documents that could be read. */
  get all(): ApiDocument[] {
    return [...this.byFile.values()];
  }

  /**
   * Returns the document at a path or URL. Undefined if there is none. `broken` if the document couldn't be
   * fetched or read, which is already reported.
   */
  at(source: string): ApiDocument | "broken" | undefined {
    const file = fileOf(source);
    return this.byFile.get(file) ?? (this.broken.has(file) ? "broken" : undefined);
  }

  /**
   * Returns the documents that match a name in docs.json or frontmatter: by the exact path or URL, or else by
   * the end of a path (`v1/api.json`). The file extension is optional.
   */
  named(name: string): ApiDocument[] {
    const exact = this.byFile.get(fileOf(name));
    return exact ? [exact] : this.all.filter(({ file }) => matchesEnd(file, name));
  }

  /**
   * Returns the documents that a name could mean if `named` finds none, the likeliest first: the path
   * relative to `folder`, the documents whose path contains the name, and those with the same file name.
   */
  *similar(name: string, folder: string): Generator<ApiDocument[]> {
    const relative = isHttpUrl(name) ? undefined : normalizePath(folder, name);
    const inFolder = relative === undefined ? undefined : this.byFile.get(relative);
    if (inFolder) yield [inFolder];
    const part = fileOf(name).replace(/^(?:\.{1,2}\/)+/, "");
    if (part !== "") yield this.all.filter(({ file }) => file.includes(part));
    const last = part.split("/").at(-1)!;
    if (last !== "") yield this.all.filter(({ file }) => matchesEnd(file, last));
  }

  /** Whether there is a document that couldn't be fetched or read. */
  get hasBroken(): boolean {
    return this.broken.size > 0;
  }

  /** Whether a name matches a document that couldn't be read, which is already reported. */
  isBroken(name: string): boolean {
    return [...this.broken].some((file) => matchesEnd(file, name));
  }
}

function matchesEnd(file: string, name: string): boolean {
  const end = fileOf(name);
  return [file, file.replace(/\.\w+$/, "")].some((path) => path === end || path.endsWith(`/${end}`));
}

function fileOf(source: string): string {
  return isHttpUrl(source) ? source : source.replace(/^(?:\.?\/)+/, "");
}

/** Returns the paths and URLs of all documents in docs.json, each with its overlays. */
export function configuredSources({
  navigation,
  apiSources,
}: DocsConfig): Map<string, NonNullable<ApiSource["overlays"]>> {
  const sources = new Map<string, NonNullable<ApiSource["overlays"]>>();
  const add = ({ source, overlays = [] }: ApiSource) => {
    const known = sources.get(fileOf(source)) ?? [];
    sources.set(fileOf(source), [
      ...known,
      ...overlays.filter(({ file }) => known.every((other) => other.file !== file)),
    ]);
  };

  apiSources.forEach(add);

  const visit = (division: Division) => {
    division.openapi.forEach(add);
    for (const child of division.children) {
      if (child.kind === "operation") {
        const named = parseOperationText(child.text)?.document;
        if (named && !sources.has(fileOf(named))) sources.set(fileOf(named), []);
      } else if (child.kind !== "page") visit(child);
    }
  };

  visit(navigation);
  return sources;
}

/**
 * Reads all documents. If a document has errors but neither docs.json nor frontmatter names it, only one
 * warning is reported. `pageSources`: names of documents in frontmatter. `siteUrl`: URL of the site, if it's
 * known. `checksDocuments`: see `BuildOptions`.
 */
export async function readApiDocuments(
  files: Files,
  served: readonly string[],
  config: DocsConfig,
  pageSources: readonly string[],
  fetched: ReadonlyMap<string, FetchedDocument>,
  placeOf: PositionOf,
  { siteUrl, checksDocuments = true }: { siteUrl: string | undefined; checksDocuments?: boolean | undefined },
): Promise<{ documents: ApiDocuments; problems: Problem[] }> {
  const problems: Problem[] = [];
  const documents: ApiDocument[] = [];
  const broken = new Set<string>();
  const configured = configuredSources(config);
  const isNamed = (file: string) =>
    configured.has(file) || pageSources.some((name) => file.includes(fileOf(name)));

  const urlOf = (path: string) =>
    siteUrl === undefined ? path : `${siteUrl.replace(/[?#].*$|\/+$/s, "")}/${encodePath(path)}`;

  const read = async (file: string, text: string, isRemote: boolean) => {
    const overlays = (configured.get(file) ?? []).flatMap((overlay) => {
      const content = served.includes(overlay.file) ? readText(files, overlay.file) : undefined;
      if (content === undefined)
        problems.push(
          problem("openapi-overlay", placeOf(overlay.path), `Overlay not found: ${overlay.file}`),
        );
      return content === undefined ? [] : [{ file: overlay.file, text: content }];
    });

    const {
      document,
      isOther,
      problems: found,
    } = await readDocument(file, text, {
      isRemote,
      url: isRemote ? file : urlOf(file),
      overlays,
      isChecked: checksDocuments,
    });

    // A data file that only contains the word "openapi" isn't a broken document.
    if (isOther && !isNamed(file)) return;
    if (document) documents.push(document);
    else broken.add(file);
    const errors = found.filter((entry) => entry.severity === "error");
    if (errors.length && !isNamed(file)) {
      const { message, line, column } = errors[0]!;
      const place = { file, ...(line ? { line, column: column ?? 1 } : {}) };
      problems.push(
        withFrame(problem("openapi-unused-invalid", place, `${message} (no page uses this document)`), text),
      );
    } else problems.push(...withFrames(found, (name) => (name === file ? text : readText(files, name))));
  };

  for (const file of served) {
    if (!/\.(?:json|ya?ml)$/i.test(file)) continue;
    if (files.size(file) > limits.apiJson_chars) {
      if (isNamed(file)) {
        broken.add(file);
        problems.push(
          problem(
            "openapi-limit",
            { file },
            `The document is larger than ${megabytes(limits.apiJson_chars)}`,
          ),
        );
      }
      continue;
    }
    const text = readText(files, file) ?? "";
    if (isNamed(file) || looksLikeDocument(file, text)) await read(file, text, false);
  }

  for (const [url, result] of fetched) {
    if (result.problem) problems.push(result.problem);
    if ("text" in result) await read(url, result.text, true);
    else broken.add(url);
  }

  return { documents: new ApiDocuments(documents, broken), problems };
}
