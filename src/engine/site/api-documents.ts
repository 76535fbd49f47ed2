/** The OpenAPI documents of a site: those in the folder, and those that docs.json names by address. */
import { type Files, readText } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { type Problem, problem } from "../../base/problem.ts";
import { codeFrame } from "../code-frame.ts";
import type { Division } from "../config/division.ts";
import type { DocsConfig } from "../config/docs-json.ts";
import { type ApiDocument, looksLikeDocument, readDocument } from "../openapi/document.ts";
import { ownText } from "../openapi/refs.ts";

/** A document from elsewhere, as the caller fetched it. */
export type Fetched = { text: string; problem?: Problem } | { problem: Problem };

/** One entry of `openapi`: a path or an address, and the folder of the pages made from it. */
export interface ApiSource {
  source: string;
  directory?: string;
}

export class ApiDocuments {
  private readonly byFile: ReadonlyMap<string, ApiDocument>;
  private readonly broken: ReadonlySet<string>;

  constructor(documents: readonly ApiDocument[], broken: ReadonlySet<string>) {
    this.byFile = new Map(documents.map((document) => [document.file, document]));
    this.broken = broken;
  }

  /** By path of file. */
  get all(): ApiDocument[] {
    return [...this.byFile.values()];
  }

  /** `broken`: the document is there, and told as a problem already. */
  at(source: string): ApiDocument | "broken" | undefined {
    const file = fileOf(source);
    return this.byFile.get(file) ?? (this.broken.has(file) ? "broken" : undefined);
  }

  /** Documents that a name in frontmatter may mean: an exact path, a part of it, a file's stem, a part of a stem. */
  named(name: string): ApiDocument[] {
    const wanted = fileOf(name);
    const exact = this.byFile.get(wanted);
    if (exact) return [exact];
    const tests: ((file: string) => boolean)[] = [
      (file) => file.includes(wanted),
      (file) => stemOf(file) === wanted,
      (file) => stemOf(file).includes(wanted),
    ];
    for (const matches of tests) {
      const found = this.all.filter((document) => matches(document.file));
      if (found.length) return found;
    }
    return [];
  }
}

function stemOf(file: string): string {
  return file
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "");
}

export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

function fileOf(source: string): string {
  return isAddress(source) ? source : source.replace(/^(?:\.?\/)+/, "");
}

/** What `openapi` says, in any of its forms. */
export function apiSources(value: unknown): ApiSource[] {
  return (Array.isArray(value) ? value : [value]).flatMap((entry): ApiSource[] => {
    if (typeof entry === "string") return entry.trim() ? [{ source: entry.trim() }] : [];
    const source = ownText(entry, "source")?.trim();
    const directory = ownText(entry, "directory");
    return source ? [{ source, ...(directory === undefined ? {} : { directory }) }] : [];
  });
}

/** Every source that docs.json names. */
export function configuredSources({ settings, navigation }: DocsConfig): Set<string> {
  const sources = new Set(apiSources(settings.api?.openapi).map(({ source }) => fileOf(source)));
  const visit = (division: Division) => {
    for (const { source } of apiSources(division.openapi)) sources.add(fileOf(source));
    for (const child of division.children) {
      if (child.kind === "operation") {
        const named = operationText(child.text)?.document;
        if (named) sources.add(fileOf(named));
      } else if (child.kind !== "page") visit(child);
    }
  };
  visit(navigation);
  return sources;
}

export interface OperationText {
  document?: string;
  /** Upper case; `WEBHOOK` for webhooks. */
  method: string;
  isLower: boolean;
  path: string;
}

/** `[document] METHOD /path` or `[document] webhook name`. */
export function operationText(text: string): OperationText | undefined {
  const match = /^(?:(\S+)\s+)?(get|put|post|delete|options|head|patch|trace|query|webhook)\s+(\S.*)$/i.exec(text.trim());
  if (!match) return undefined;
  const method = match[2]!.toUpperCase();
  return {
    ...(match[1] ? { document: match[1] } : {}),
    method,
    isLower: match[2] !== method && method !== "WEBHOOK",
    path: match[3]!.trim(),
  };
}

/** Reads every document; what is wrong with one that nothing names is a warning. `pageSources`: those that pages name. */
export async function readApiDocuments(
  files: Files,
  served: readonly string[],
  config: DocsConfig,
  pageSources: readonly string[],
  fetched: ReadonlyMap<string, Fetched>,
): Promise<{ documents: ApiDocuments; problems: Problem[] }> {
  const problems: Problem[] = [];
  const documents: ApiDocument[] = [];
  const broken = new Set<string>();
  const configured = configuredSources(config);
  const isNamed = (file: string) => configured.has(file) || pageSources.some((name) => file.includes(fileOf(name)));

  const read = async (file: string, text: string, isRemote: boolean) => {
    const { document, isOther, problems: found } = await readDocument(file, text, isRemote);
    // Data that has the word somewhere inside is no document that is broken.
    if (isOther && !isNamed(file)) return;
    if (document) documents.push(document);
    else broken.add(file);
    const errors = found.filter((entry) => entry.severity === "error");
    if (errors.length && !isNamed(file)) {
      const { message, line, column } = errors[0]!;
      const place = { file, ...(line ? { line, column: column ?? 1 } : {}) };
      problems.push(framed(problem("openapi-unused-invalid", place, `${message}; nothing refers to the document`), text));
    } else problems.push(...found.map((entry) => framed(entry, text)));
  };

  for (const file of served) {
    if (!/\.(?:json|ya?ml)$/i.test(file)) continue;
    if (files.size(file) > limits.apiJson_chars) {
      if (isNamed(file)) {
        broken.add(file);
        problems.push(
          problem("openapi-limit", { file }, `The document has ${files.size(file)} bytes; ${limits.apiJson_chars} is the limit`),
        );
      }
      continue;
    }
    const text = readText(files, file) ?? "";
    if (isNamed(file) || looksLikeDocument(file, text)) await read(file, text, false);
  }
  for (const [address, answer] of fetched) {
    if (answer.problem) problems.push(answer.problem);
    if ("text" in answer) await read(address, answer.text, true);
    else broken.add(address);
  }
  return { documents: new ApiDocuments(documents, broken), problems };
}

function framed(found: Problem, text: string): Problem {
  const frame = codeFrame(text, found);
  return frame ? { ...found, frame } : found;
}
