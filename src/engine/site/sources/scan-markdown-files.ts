/**
 * Reads the imports and the `openapi` frontmatter of MDX and Markdown files, which a build needs before it
 * compiles pages. Unchanged files aren't read again.
 */

import { decodeText, type Files } from "../../../base/files.ts";
import { parseOperationText } from "../../config/openapi-entries.ts";
import { hashOf } from "../../hash-of.ts";
import { folderOf, normalizePath } from "../../paths.ts";
import type { BuildOptions } from "../build-options.ts";

/** Name in the store. */
const scansEntry = "scanned files";

interface ScannedMarkdownFiles {
  /**
   * Files that other files import. These files are snippets in any folder, unless the navigation lists them.
   */
  imported: Set<string>;
  /** Name of the OpenAPI document that a file's frontmatter names, by the file's path. */
  described: Map<string, string>;
  /** `openapi` in a file's frontmatter, by the file's path. Without hidden pages. */
  operations: Map<string, string>;
  /** Hash of each file's content, by the file's path. */
  hashes: Map<string, string>;
}

/** The result for one file. */
interface Scan {
  hash: string;
  /** Paths of the files that the file imports. */
  imports?: string[];
  /** Name of the OpenAPI document in the file's frontmatter. */
  document?: string;
  /** `openapi` in the file's frontmatter. */
  operation?: string;
}

/** The stamp of each file (see `Files`) and its result, by path. */
type Scans = Record<string, [stamp: string, scan: Scan]>;

/**
 * Reads the imports, the `openapi` frontmatter and the hashes of Markdown files, without parsing their
 * content. Files with the stamp of the last build aren't read. `store`: contains the results of the last
 * build, and receives the new ones. `generator`: identifies the build of the product.
 */
export function scanMarkdownFiles(
  files: Files,
  paths: readonly string[],
  { store, generator }: Pick<BuildOptions, "store" | "generator">,
): ScannedMarkdownFiles {
  const found: ScannedMarkdownFiles = {
    imported: new Set(),
    described: new Map(),
    operations: new Map(),
    hashes: new Map(),
  };

  const recorded = store?.get(scansEntry, generator)?.toString();
  const before = JSON.parse(recorded ?? "{}") as Scans;
  const after: Scans = {};
  for (const path of paths) {
    const stamp = files.stamp?.(path);
    const known =
      stamp !== undefined && Object.hasOwn(before, path) && before[path]![0] === stamp
        ? before[path]![1]
        : undefined;
    const scan = known ?? scanFile(files, path);
    if (stamp !== undefined) after[path] = [stamp, scan];
    found.hashes.set(path, scan.hash);
    if (scan.document !== undefined) found.described.set(path, scan.document);
    if (scan.operation !== undefined) found.operations.set(path, scan.operation);
    for (const target of scan.imports ?? []) found.imported.add(target);
  }

  const text = JSON.stringify(after);
  if (text !== recorded) store?.keep(scansEntry, generator, text);
  return found;
}

function scanFile(files: Files, path: string): Scan {
  const bytes = files.read(path) ?? new Uint8Array();
  const text = decodeText(bytes);
  const scan: Scan = { hash: hashOf(bytes) };
  const reference = apiReferenceIn(text);
  if (reference?.document !== undefined) scan.document = reference.document;
  if (reference?.operation !== undefined) scan.operation = reference.operation;
  const imports = text.includes("import") ? importsIn(text, path) : [];
  if (imports.length) scan.imports = imports;
  return scan;
}

function importsIn(text: string, path: string): string[] {
  const specifiers = [...text.matchAll(/^import\s[^\n]*?from\s*["']([^"'\n]+\.mdx?)["']/gm)].map(
    (match) => match[1]!,
  );
  return specifiers.flatMap((specifier) => normalizePath(folderOf(path), specifier) ?? []);
}

/**
 * Returns `openapi` in a file's frontmatter if the page isn't hidden, and the name of the OpenAPI document in
 * it or in `openapi-schema`. Undefined if the frontmatter has neither. Doesn't parse the frontmatter as YAML.
 */
function apiReferenceIn(text: string): { document?: string | undefined; operation?: string } | undefined {
  if (!text.startsWith("---")) return undefined;
  const end = text.indexOf("\n---", 3);
  const frontmatter = text.slice(0, end < 0 ? 5_000 : end);
  const [, key, value] = /^["']?(openapi(?:-schema)?)["']?\s*:\s*["']?([^\n"']+)/m.exec(frontmatter) ?? [];
  if (value === undefined) return undefined;
  const isHidden = /^hidden\s*:\s*true\b/m.test(frontmatter);
  const document =
    parseOperationText(value)?.document ??
    (/^(\S.*?\.(?:json|ya?ml)|\S+\.\w+)(?:\s|$)/i.exec(value)?.[1] || undefined);
  return { document, ...(key === "openapi" && !isHidden ? { operation: value.trim() } : {}) };
}
