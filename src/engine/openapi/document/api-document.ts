/** Parses the text of an OpenAPI document and reports its problems. */

import { YAMLException } from "js-yaml";
import { limits } from "../../../base/limits.ts";
import { plural } from "../../../base/plural.ts";
import { type Problem, problem, type SourcePosition } from "../../../base/problem.ts";
import type { ProblemCode } from "../../../base/problem-codes.ts";
import { spanAt } from "../../json-positions.ts";
import { folderOf, normalizePath } from "../../paths.ts";
import { parseJson } from "../nodes/json-text.ts";
import { indentBrackets, withoutTrailingCommas } from "../nodes/lenient-text.ts";
import { parseYaml, SourceScalar } from "../nodes/parse-yaml.ts";
import { isRaw, own, ownText, pointerKeys, type Raw, Refs, valueText } from "../nodes/refs.ts";
import { findPositions, type Wanted } from "../nodes/source-positions.ts";
import { moveOperations } from "../request/operation-extensions.ts";
import { listOperations, type OperationEntry } from "../request/operation-list.ts";
import { removeConditions } from "../schema/conditional-texts.ts";
import { bindDynamicReferences } from "../schema/dynamic-references.ts";
import { fitScalars, type Misfit } from "../schema/fit-scalars.ts";
import { addImpliedMappings } from "../schema/implied-mappings.ts";
import { resolveIdentifiers } from "../schema/schema-identifiers.ts";
import { TooManySteps } from "./combined-schemas.ts";
import { resolveServers } from "./document-urls.ts";
import { removeExternalDependents } from "./external-refs.ts";
import type { HiddenWords } from "./hidden-words.ts";
import { lintKeywords } from "./ineffective-keywords.ts";
import { type Inspection, inspectDocument } from "./inspect-document.ts";
import { lintDocument, moreText, type ReportAt, reported_count, reportFirst } from "./lint-document.ts";
import { applyOverlay } from "./overlays.ts";
import { expandPathItems } from "./path-item-references.ts";
import { nothingRemoved, removeRestricted } from "./restricted-parts.ts";
import { restrictedProblems } from "./restricted-problems.ts";
import type { OpenApiVersion } from "./specification-schema.ts";
import { schemaKeywordViolations, violationsOf } from "./specification-violations.ts";
import { convertSwagger } from "./swagger2.ts";

/**
 * Maximum length of an OpenAPI document in YAML, in characters. JSON, which is parsed much faster, has a
 * higher limit.
 */
const apiYaml_chars = 16_000_000;

export interface ApiDocument {
  /** Path in the documentation folder, or the URL that the document was fetched from. */
  file: string;
  isRemote: boolean;
  /**
   * The parsed document. Omits parts that depend on an external `$ref`, parts of operations that have
   * `groups`, and the webhooks of a 3.0 document.
   */
  root: Raw;
  refs: Refs;
  operations: readonly OperationEntry[];
  /** Whether `root` differs from the file, because of overlays or `<Visibility>`. */
  isChanged?: boolean;
  /**
   * References in the parts that were removed because of their `groups`, and in their targets. Absent if
   * nothing was removed.
   */
  restricted?: ReadonlySet<string>;
  /** Words that only those parts have. Absent if nothing was removed. */
  hiddenWords?: HiddenWords;
}

export interface ReadDocument {
  /** The parsed document. Absent if the text is invalid, exceeds a limit, or has no supported version. */
  document?: ApiDocument;
  /**
   * True if the text is an object with neither an `openapi` nor a `swagger` key, and therefore not an OpenAPI
   * document.
   */
  isOther?: boolean;
  problems: Problem[];
}

/**
 * Whether a file could be an OpenAPI document. Does not parse the file. Settings can also have a key
 * `openapi`.
 */
export function looksLikeDocument(path: string, text: string): boolean {
  if (/(?:^|\/)(?:docs|mint)\.json$/i.test(path)) return false;
  if (/\.json$/i.test(path)) return /"(?:openapi|swagger)"\s*:/.test(text);
  return /\.ya?ml$/i.test(path) && /^(?:["']?)(?:openapi|swagger)["']?\s*:/m.test(text);
}

/** A file with an overlay. */
export interface OverlayFile {
  file: string;
  text: string;
}

interface ReadOptions {
  isRemote?: boolean;
  /** The document's URL, if it's known and differs from `file`. */
  url?: string;
  overlays?: readonly OverlayFile[];
  /** Whether to search for problems that don't change the document. Default: true. */
  isChecked?: boolean;
}

/** Parses a document in JSON or YAML, applies overlays to it, and checks it. */
export async function readDocument(
  file: string,
  text: string,
  { isRemote = false, url = file, overlays = [], isChecked = true }: ReadOptions = {},
): Promise<ReadDocument> {
  const parsed = parseText(file, text);
  if (!("value" in parsed)) return { problems: [parsed.problem] };
  const places = new Places(file, parsed);
  const changes = overlays.flatMap((overlay) => applyOverlayFile(parsed, overlay, file));
  const source = { file, text, isRemote, url, overlays, isChecked };
  const read = await checkDocument(source, parsed, places.report).catch((error: unknown) => {
    if (!(error instanceof TooManySteps)) throw error;
    const message =
      "The schemas refer to each other in too many ways to remove the restricted parts of the document";
    return rejected("openapi-limit", { file }, message);
  });
  if (isChecked) places.locate(read.problems);
  return { ...read, problems: [...changes, ...read.problems] };
}

/** Parses a text as JSON or YAML. */
function parseText(file: string, text: string): Parsed {
  const isJson = /^\s*[[{]/.test(text);
  const limit = isJson ? limits.apiJson_chars : apiYaml_chars;
  if (text.length > limit)
    return {
      problem: problem(
        "openapi-limit",
        { file },
        `The document is ${text.length} characters long (limit: ${limit})`,
      ),
    };
  return isJson ? parseJsonText(file, text) : parseYamlText(file, text);
}

/** Creates problems of a file, and finds their positions later, because this reads the text again. */
class Places {
  private readonly wanted = new Map<Problem, Wanted>();
  private readonly file: string;
  private readonly parsed: ParsedText;

  constructor(file: string, parsed: ParsedText) {
    this.file = file;
    this.parsed = parsed;
  }

  readonly report: ReportAt = (code, pointer, message, hint, what = "value") => {
    const found = problem(code, { file: this.file }, message, hint);
    if (pointer !== undefined) this.wanted.set(found, { keys: pointerKeys(pointer) ?? [], what });
    return found;
  };

  /** Adds the positions of problems that `report` has created. */
  locate(problems: readonly Problem[]): void {
    const { text, isJson } = this.parsed;
    const located = problems.filter((found) => this.wanted.has(found));
    const spans = findPositions(
      text,
      isJson,
      located.map((found) => this.wanted.get(found)!),
    );
    for (const [index, span] of spans.entries()) Object.assign(located[index]!, span);
  }
}

/**
 * Applies the overlay in a file to a document, unless the document exceeds a limit, which is reported later.
 */
function applyOverlayFile(
  document: ParsedText,
  { file, text }: OverlayFile,
  documentFile: string,
): Problem[] {
  const parsed = parseText(file, text);
  if (!("value" in parsed)) return [parsed.problem];
  const isTooBig = [document.value, parsed.value]
    .map((value) => inspectDocument(value))
    .some((found) => found.isTooLarge || found.isTooDeep);
  if (!isRaw(document.value) || isTooBig) return [];

  const places = new Places(file, parsed);

  // `extends` is a URL, or a path relative to the overlay.
  const isDocument = (value: string) =>
    value === documentFile || normalizePath(folderOf(file), value) === documentFile;
  const version = own(parsed.value, "overlay");
  if (version instanceof SourceScalar) (parsed.value as Raw).overlay = version.source;

  const problems = applyOverlay(document.value, parsed.value, isDocument, places.report);
  places.locate(problems);
  return problems;
}

interface DocumentSource {
  file: string;
  text: string;
  isRemote: boolean;
  /** The document's URL, or its path in the documentation folder. */
  url: string;
  overlays: readonly OverlayFile[];
  isChecked: boolean;
  /** Whether operations in extensions were moved. They can be webhooks of any version. */
  hasMoved?: boolean;
}

async function checkDocument(
  source: DocumentSource,
  parsed: ParsedText,
  at: ReportAt,
): Promise<ReadDocument> {
  const { file, text, isRemote, url, overlays, isChecked, hasMoved } = source;
  const root = parsed.value;
  if (!isRaw(root)) return rejected("openapi-syntax", { file }, "The document isn't an object");

  for (const [node, key] of [
    [root, "openapi"],
    [root, "swagger"],
    [own(root, "info"), "version"],
  ] as const) {
    const value = own(node, key);
    if (value instanceof SourceScalar) (node as Raw)[key] = value.source;
  }

  const movedSource = moveOperations(root);
  if (movedSource) return checkDocument({ ...source, hasMoved: true }, parsed, atSourceOf(movedSource, at));

  if (/^2(?:\.|$)/.test(ownText(root, "swagger") ?? "") && own(root, "openapi") === undefined) {
    const { isTooLarge, isTooDeep } = inspectDocument(root);
    if (!isTooLarge && !isTooDeep) return checkConverted(source, parsed, at);
  }

  const version = versionOf(root);
  if (version === undefined)
    return {
      isOther: own(root, "openapi") === undefined && own(root, "swagger") === undefined,
      problems: [versionProblem(root, at)],
    };

  const pathItemSource = expandPathItems(root);
  if (pathItemSource) return checkDocument(source, parsed, atSourceOf(pathItemSource, at));

  let found = inspectDocument(root);
  if (found.hasIdentifiers && !found.isTooLarge && !found.isTooDeep) {
    resolveIdentifiers(root);
    found = inspectDocument(root);
  }

  if (found.isTooLarge)
    return rejected(
      "openapi-limit",
      { file },
      `The document has more than ${limits.apiValues_count} values, counting each use of an alias in YAML`,
    );

  if (found.isTooDeep)
    return rejected(
      "openapi-limit",
      { file },
      `The document has more than ${limits.apiNesting_levels} levels of nesting`,
    );

  const problems: Problem[] = parsed.problem ? [parsed.problem] : [];
  if (found.external.length) problems.push(externalRefs(found.external, removeExternalDependents(root), at));

  problems.push(...deadRefs(found.dead, at));

  const hasUnreadWebhooks = version === "3.0" && !hasMoved && own(root, "webhooks") !== undefined;
  if (hasUnreadWebhooks) {
    problems.push(unreadWebhooks(at));
    delete root.webhooks;
  }

  const written = [text, ...overlays.map((overlay) => overlay.text)];
  const conditions = written.some((each) => /visibility/i.test(each)) ? removeConditions(root) : [];
  problems.push(
    ...reportFirst(conditions, (pointer) =>
      at("unknown-audience", pointer, "This text is the same for all readers, so <Visibility> is left out"),
    ),
  );

  const refs = new Refs(root);
  const operations = listOperations(refs);
  resolveServers(refs, operations, url);
  if (operations.length === 0 && !hasUnreadWebhooks && !found.external.length)
    problems.push(at("openapi-empty", "#", "The document has no operations"));

  problems.push(...misfitProblems(fitScalars(root, parsed.isJson && overlays.length === 0), at));

  if (isChecked)
    problems.push(
      ...(await schemaViolations(root, version, found, at)),
      ...lintDocument(refs, operations, at),
      ...lintKeywords(root, at),
    );

  problems.push(...unboundReferences(bindDynamicReferences(root), at));
  addImpliedMappings(root, found);
  // Must come last, since the checks above need the nodes that this removes.
  const removed = written.some(mayRestrict) ? removeRestricted(root) : nothingRemoved;
  problems.push(...restrictedProblems(removed, at));
  const { references: restricted, hidden: hiddenWords } = removed;

  return {
    document: {
      file,
      isRemote,
      root,
      refs: new Refs(root),
      operations,
      ...(restricted ? { restricted } : {}),
      ...(hiddenWords ? { hiddenWords } : {}),
      ...(overlays.length || conditions.length ? { isChanged: true } : {}),
    },
    problems,
  };
}

/** Converts a Swagger 2.0 document, and checks the result. Problems have the pointers of the source. */
async function checkConverted(
  source: DocumentSource,
  parsed: ParsedText,
  at: ReportAt,
): Promise<ReadDocument> {
  const pathItemSource = expandPathItems(parsed.value as Raw);
  const { root, sourcePointer, commaLists_count } = convertSwagger(parsed.value as Raw);
  const commas = commaLists_count
    ? `. Commas separate the values of ${plural(commaLists_count, "list")}, because their collectionFormat has no equivalent`
    : "";
  const note = at(
    "openapi-converted",
    "#/swagger",
    `The Swagger 2.0 document was converted to OpenAPI 3.0${commas}`,
    undefined,
    "key",
  );
  const atWritten = pathItemSource ? atSourceOf(pathItemSource, at) : at;
  const read = await checkDocument(source, { ...parsed, value: root }, atSourceOf(sourcePointer, atWritten));
  return { ...read, problems: [note, ...read.problems] };
}

/** Reports problems with the pointers of the source. */
function atSourceOf(sourcePointer: (pointer: string) => string, at: ReportAt): ReportAt {
  return (code, pointer, message, hint, what) => {
    const before = pointer === undefined ? undefined : sourcePointer(pointer);
    return at(
      code,
      before,
      pointer === undefined ? message : message.replaceAll(pointer, before!),
      hint,
      what,
    );
  };
}

/**
 * Whether a document could contain `groups`. Also true if the text has escape sequences for characters of
 * `x-platform` or `x-mint`.
 */
export function mayRestrict(text: string): boolean {
  return /x-(?:platform|mint)|\\(?:x|u00|U000000)(?:2d|6|7)/i.test(text);
}

/** Maximum number of kinds of violations that are reported. */
const kinds_count = 20;
/**
 * Maximum number of values of a document in which all violations are searched for. In larger ones, the search
 * ends at the first one.
 */
const allErrorsValues_count = 1_000_000;

function rejected(code: ProblemCode, place: SourcePosition, message: string): ReadDocument {
  return { problems: [problem(code, place, message)] };
}

/** A parsed document. `text`: the text that was parsed, after corrections. `problem`: a problem to report. */
interface ParsedText {
  isJson: boolean;
  value: unknown;
  text: string;
  problem?: Problem;
}

/** A parsed document, or the problem of a document that can't be parsed. */
type Parsed = ParsedText | { problem: Problem };

function parseJsonText(file: string, text: string): Parsed {
  try {
    return { isJson: true, value: parseJson(text), text };
  } catch (error) {
    const lenient = withoutTrailingCommas(text);
    const value = lenient && parsedJson(lenient.text);
    if (value !== undefined) {
      const place = { file, ...spanAt(text, lenient!.first, 1) };
      return {
        isJson: true,
        value,
        text: lenient!.text,
        problem: problem("openapi-comma", place, "The document has a comma before a closing bracket"),
      };
    }
    const message = error instanceof Error ? error.message : String(error);
    const offset = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    const what = message.replace(/ in JSON at position.*$| \(line.*$|, "[\s\S]*$/, "");
    return {
      problem: problem(
        "openapi-syntax",
        { file, ...spanAt(text, offset, 1) },
        `The document isn't valid JSON: ${what}`,
      ),
    };
  }
}

/** Parses JSON. Undefined if it's invalid. */
function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Parses YAML. Tries again with indented brackets, unless `isRetry` is set. */
function parseYamlText(file: string, text: string, isRetry = false): Parsed {
  try {
    return { isJson: false, value: parseYaml(text), text };
  } catch (error) {
    const isDeep =
      error instanceof RangeError || (error instanceof YAMLException && /maxDepth/.test(error.reason));
    if (error instanceof YAMLException && !isDeep) {
      const lenient = isRetry || !/indentation/.test(error.reason) ? text : indentBrackets(text);
      if (lenient !== text) {
        const parsed = parseYamlText(file, lenient, true);
        if ("value" in parsed) return parsed;
      }
      const mark = error.mark as { line?: number; column?: number } | undefined;
      const place =
        mark?.line === undefined ? { file } : { file, line: mark.line + 1, column: (mark.column ?? 0) + 1 };
      return { problem: problem("openapi-syntax", place, `The document isn't valid YAML: ${error.reason}`) };
    }
    return {
      problem: problem(
        "openapi-limit",
        { file },
        `The document has more than ${limits.apiNesting_levels} levels of nesting`,
      ),
    };
  }
}

function versionOf(root: Raw): OpenApiVersion | undefined {
  const declared = valueText(own(root, "openapi") ?? "");
  const minor = /^3(?:\.(\d+))?(?:\.|$|-)/.exec(declared)?.[1] ?? (declared === "3" ? "0" : undefined);
  return minor === "0" || minor === "1" || minor === "2" ? `3.${minor}` : undefined;
}

/** Returns the problem to report for a document without a supported version. */
function versionProblem(root: Raw, at: ReportAt): Problem {
  const [openapi, swagger] = [own(root, "openapi"), own(root, "swagger")];
  if (swagger !== undefined)
    return at(
      "openapi-version",
      "#/swagger",
      `Swagger ${valueText(swagger)} isn't supported: use OpenAPI 3.0 or 3.1, or Swagger 2.0`,
      "Convert the document to OpenAPI 3, and commit the result.",
    );

  if (openapi !== undefined)
    return at(
      "openapi-version",
      "#/openapi",
      `OpenAPI ${valueText(openapi)} isn't supported: use 3.0, 3.1, or 3.2`,
      "Convert the document to a supported version.",
    );

  return at(
    "openapi-version",
    "#",
    "The document has no OpenAPI version",
    'Add openapi: "3.1.0" at the top of the document.',
  );
}

function externalRefs(
  found: { pointer: string; ref: string }[],
  removed: readonly string[],
  at: ReportAt,
): Problem {
  const shorten = (list: readonly string[]) =>
    `${list.slice(0, reported_count).join(", ")}${list.length > reported_count ? ` and ${list.length - reported_count} more` : ""}`;
  const refs = shorten(found.map(({ pointer, ref }) => `${ref} (at ${pointer})`));
  const operations = removed.length ? `; left out: ${shorten(removed)}` : "";
  return at(
    "openapi-external-ref",
    found[0]!.pointer,
    `${found.length} external ${found.length === 1 ? "$ref" : "$refs"} in the document: ${refs}${operations}`,
    "Bundle the files into a single document, for example with `redocly bundle openapi.yaml -o bundled.yaml`, and use that document.",
  );
}

function deadRefs(dead: readonly { pointer: string; ref: string }[], at: ReportAt): Problem[] {
  return reportFirst(dead, ({ pointer, ref }) =>
    at("openapi-dead-ref", pointer, `$ref not found: ${ref}`, "Fix the $ref, or add the missing part."),
  );
}

function unboundReferences(pointers: readonly string[], at: ReportAt): Problem[] {
  return reportFirst(pointers, (pointer) =>
    at(
      "openapi-ineffective-keyword",
      pointer,
      `The $dynamicAnchor of ${pointer} has no effect on the schemas that it refers to, because there are too many`,
      "Refer to the schemas with $ref.",
    ),
  );
}

function unreadWebhooks(at: ReportAt): Problem {
  return at(
    "openapi-webhooks",
    "#/webhooks",
    "webhooks requires OpenAPI 3.1, but this document uses 3.0, so no pages are generated for its webhooks",
    'Change the version to openapi: "3.1.0".',
    "key",
  );
}

/** Checks a document against the JSON Schema of the specification. */
async function schemaViolations(
  root: Raw,
  version: OpenApiVersion,
  { values, hasBigIntegers }: Inspection,
  at: ReportAt,
): Promise<Problem[]> {
  // A version such as `3` or a number is read, but the schema requires a version such as `3.0.0`.
  if (!ownText(root, "openapi")?.startsWith(version)) return [];

  // Loaded on demand, because sites without OpenAPI documents don't need it.
  const { specificationSchema } = await import("./specification-schema.ts");
  const { webhooks: _, ...before31 } = root;
  const written = version === "3.0" ? before31 : root;
  const document = hasBigIntegers ? withNumbers(written) : written;
  let schema = await specificationSchema(version, false);
  const isValid = schema(document);
  if (!isValid && values < allErrorsValues_count) {
    schema = await specificationSchema(version, true);
    schema(document);
  }

  const violations = isValid ? [] : violationsOf(schema.errors ?? [], root);
  violations.push(...schemaKeywordViolations(root, version !== "3.0"));

  return grouped(violations, ({ message }) => message.replace(/, but is .*|: .*/s, "")).map(
    ({ first, more }) =>
      at(
        first.isShown ? "openapi-incomplete" : "openapi-invalid",
        first.pointer,
        `${first.pointer} ${first.message}${moreText(more)}`,
      ),
  );
}

/**
 * Returns a copy with numbers instead of `bigint`s, which the JSON Schema of the specification doesn't know.
 */
function withNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  return isRaw(value)
    ? Object.fromEntries(Object.entries(value).map(([key, below]) => [key, withNumbers(below)]))
    : value;
}

/** Reports values that don't fit the type of their schema. */
function misfitProblems(misfits: readonly Misfit[], at: ReportAt): Problem[] {
  return grouped(misfits, ({ isConverted, types }) => `${isConverted} ${types.join()}`).map(
    ({ first, more }) => {
      const { pointer, text, types, isConverted } = first;
      const wanted = types.filter((type) => type !== "integer" || !types.includes("number")).join(" or ");
      return at(
        "openapi-value-type",
        pointer,
        `The value ${text.slice(0, 100)} at ${pointer} doesn't have the type ${wanted}${moreText(more)}`,
        isConverted && types.includes("string")
          ? `It's shown as it's written. Put it in quotes: "${text.slice(0, 100)}".`
          : "Change the value or the type.",
      );
    },
  );
}

/** Limits the findings of each kind. `more`: number of findings of this kind that are left out. */
function grouped<T>(findings: readonly T[], kindOf: (finding: T) => string): { first: T; more: number }[] {
  const kinds = new Map<string, T[]>();
  for (const finding of findings) {
    const kind = kindOf(finding);
    const known = kinds.get(kind);
    if (known) known.push(finding);
    else kinds.set(kind, [finding]);
  }

  return [...kinds.values()].slice(0, kinds_count).flatMap((same) => {
    const shown = same.slice(0, reported_count);
    return shown.map((first, index) => ({
      first,
      more: index === shown.length - 1 ? same.length - shown.length : 0,
    }));
  });
}
