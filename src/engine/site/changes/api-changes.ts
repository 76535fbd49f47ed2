/** Finds the changes of a site's OpenAPI documents between the versions in the repository's history. */

import type { ApiVersion, ApiVersions } from "../../../base/api-versions.ts";
import { apiVersions_count } from "../../../base/api-versions.ts";
import { readText } from "../../../base/files.ts";
import { type Problem, problem } from "../../../base/problem.ts";
import type { DocsConfig, PositionOf } from "../../config/docs-json.ts";
import { hashOf } from "../../hash-of.ts";
import type { Store } from "../../incremental/store.ts";
import type { Change } from "../../openapi/changes/change.ts";
import { type LevelsOfRules, withLevels } from "../../openapi/changes/change-levels.ts";
import { partsOfMessage } from "../../openapi/changes/code-in-message.ts";
import { compareDocuments, operationKey } from "../../openapi/changes/compare-documents.ts";
import { stablePlace } from "../../openapi/changes/stable-place.ts";
import { type ApiDocument, type OverlayFile, readDocument } from "../../openapi/document/api-document.ts";
import { operationLabel } from "../../openapi/request/operation-list.ts";
import type { BuildOptions } from "../build-options.ts";
import { configuredSources } from "../sources/api-documents.ts";
import { documentTitle } from "../sources/document-overview.ts";
import { groupsOf, isHidden, publicOf } from "../sources/operation-access.ts";
import { OperationReaders, type PagesOfOperations, type Readers } from "../sources/operation-readers.ts";
import type {
  ApiChanges,
  ChangedOperation,
  ChangedVersion,
  ListedChange,
  PlaceMarks,
} from "./change-list.ts";

/** A change as it's kept for later builds. */
interface KeptChange extends Omit<Change, "operations" | "before" | "after"> {
  operations: { name: string; rules: AccessRule[] }[];
  /** `stablePlace` of the changed part in the later document. */
  place?: string;
}

/** What a version of a document says about the readers of an operation. */
interface AccessRule {
  groups?: string[];
  public?: boolean;
}

interface ChangeSources extends Omit<PagesOfOperations, "hasSignIn"> {
  config: DocsConfig;
  placeOf: PositionOf;
}

/** Route of the page with the changes, if docs.json asks for it. */
export function changesRoute({ settings }: DocsConfig): string | undefined {
  const { changes } = settings.api ?? {};
  return changes && (changes.page ?? "api-changes").replace(/^\//, "");
}

export async function readApiChanges(
  sources: ChangeSources,
  {
    store,
    readVersions,
    generator,
    hasSignIn = false,
  }: Pick<BuildOptions, "readVersions" | "generator" | "hasSignIn"> & { store: Store },
): Promise<{ changes: ApiChanges; problems: Problem[] }> {
  const { config, files, documents, placeOf } = sources;
  const { rules = {}, ...settings } = config.settings.api!.changes!;
  const changes: ApiChanges = { versions: [], marks: {} };
  const place = placeOf(["api", "changes"]);
  const problems: Problem[] = [];

  const local = documents.all.filter(({ isRemote }) => !isRemote);
  for (const { file, isRemote } of documents.all)
    if (isRemote)
      problems.push(problem("api-history", place, `Changes of ${file} aren't listed, because it's a URL`));

  const overlays = configuredSources(config);
  const filesOf = (file: string) => [file, ...(overlays.get(file) ?? []).map((overlay) => overlay.file)];
  const read = readVersions?.(
    settings,
    local.flatMap(({ file }) => filesOf(file)),
  );
  const { versions, history }: ApiVersions = local.length
    ? (read ?? { versions: [], history: "none" })
    : { versions: [], history: "complete" };
  if (history !== "complete")
    problems.push(problem("api-history", place, ...historyProblem(history, settings.since)));

  const byVersion = versions.map(({ label, date }): ChangedVersion => ({ label, date, documents: [] }));
  const unreleased: ChangedVersion = { documents: [] };
  const readers = new OperationReaders({ ...sources, hasSignIn });
  const access: AccessOfChanges = { readers, isPublic: readers.isPublic(changesRoute(config)!) };

  let isIncomplete = false;
  for (const document of local) {
    const paths = filesOf(document.file);
    const current = paths.map((path) => readText(files, path) ?? "");
    const marks: Record<string, PlaceMarks> = {};
    const steps = new Steps(document, paths, store, generator);
    for (const [index, version] of versions.entries()) {
      const kept = await steps.next(version);
      if (kept.length) add(byVersion[index]!, document, withLevels(kept, rules), access);
      mark(marks, kept, version.label, rules);
    }
    const last = versions.length ? await steps.last(current) : [];
    if (last.length) add(unreleased, document, withLevels(last, rules), access);
    changes.marks[document.file] = marks;
    isIncomplete ||= steps.isIncomplete;
  }

  if (isIncomplete) problems.push(problem("api-history", place, ...historyProblem("partial", undefined)));

  changes.versions = [unreleased, ...byVersion.toReversed()].filter(({ documents }) => documents.length > 0);
  return { changes, problems };
}

interface VersionOfDocument {
  /** Identifies the content of the document and its overlays. */
  id: string;
  read: () => Promise<ApiDocument | undefined>;
}

/** Compares the versions of a document, one after another. */
class Steps {
  private readonly current: ApiDocument;
  private readonly paths: readonly string[];
  private readonly store: Store;
  private readonly generator: string;
  private before: VersionOfDocument | undefined;
  /** Whether the repository lacks a file of a version. */
  isIncomplete = false;

  /** `paths`: the document's file, and those of its overlays. */
  constructor(current: ApiDocument, paths: readonly string[], store: Store, generator: string) {
    this.current = current;
    this.paths = paths;
    this.store = store;
    this.generator = generator;
  }

  /** Returns the changes between the version before and the next one. */
  async next(version: ApiVersion): Promise<KeptChange[]> {
    const [file, ...overlays] = this.paths;
    const id = version.idOf(file!);
    if (id === undefined) return [];
    const ids = this.paths.map((path) => version.idOf(path) ?? "");
    const readFiles = async () => {
      const texts = this.paths.map((path) => (version.idOf(path) === undefined ? "" : version.textOf(path)));
      if (texts.every((text) => text !== undefined)) return readVersion(file!, texts, overlays);
      this.isIncomplete = true;
      return undefined;
    };

    let read: Promise<ApiDocument | undefined> | undefined;
    return this.step(hashOf(...ids), () => (read ??= readFiles()));
  }

  /** Returns the changes between the last version and the current files. */
  async last(texts: readonly string[]): Promise<KeptChange[]> {
    return this.step(hashOf(...texts), async () => this.current);
  }

  /** Skips a version whose document is invalid: the next one is compared with the version before it. */
  private async step(id: string, read: () => Promise<ApiDocument | undefined>): Promise<KeptChange[]> {
    const { before } = this;
    if (before === undefined || before.id === id) {
      this.before ??= { id, read };
      return [];
    }

    const kept = await this.compared(before, { id, read });
    if (kept !== null) this.before = { id, read };
    return kept ?? [];
  }

  /** Returns the changes between two versions. Null if the later one is invalid. */
  private async compared(before: VersionOfDocument, after: VersionOfDocument): Promise<KeptChange[] | null> {
    const name = `api-changes\n${this.current.file}\n${before.id}`;
    const key = hashOf(this.generator, after.id);
    const known = this.store.get(name, key);
    if (known) return JSON.parse(known.toString()) as KeptChange[] | null;
    const [earlier, later] = [await before.read(), await after.read()];
    const kept = later ? (earlier ? keptChanges(earlier, later) : []) : null;
    if (this.store.isLasting && !this.isIncomplete) this.store.keep(name, key, JSON.stringify(kept));
    return kept;
  }
}

async function readVersion(
  file: string,
  [text = "", ...overlayTexts]: readonly string[],
  overlays: readonly string[],
): Promise<ApiDocument | undefined> {
  const files = overlays.map((path, index): OverlayFile => ({ file: path, text: overlayTexts[index] ?? "" }));
  const { document } = await readDocument(file, text, {
    overlays: files.filter((overlay) => overlay.text !== ""),
    isChecked: false,
  });
  return document;
}

/** Compares two documents as the readers with access to all operations see them. */
function keptChanges(before: ApiDocument, after: ApiDocument): KeptChange[] {
  const rules = [rulesIn(before), rulesIn(after)];
  const rulesOfName = (name: string) => rules.flatMap((byKey) => byKey.get(operationKey(name)) ?? []);

  const changes = compareDocuments(before, after, ({ node }) => !isHidden(node.value));
  return changes
    .filter((change) => !isAboutHidden(change, before) && !isAboutHidden(change, after))
    .map(({ before: _, after: pointer, operations, ...change }) => ({
      ...change,
      operations: operations.map((name) => ({ name, rules: rulesOfName(name) })),
      ...(pointer === undefined ? {} : { place: stablePlace(after.refs, pointer) }),
    }));
}

/** Returns the rules of the operations that have any, by `operationKey`. */
function rulesIn(document: ApiDocument): Map<string, AccessRule> {
  return new Map(
    document.operations.flatMap((entry) => {
      const groups = groupsOf({ document, entry });
      const isPublic = publicOf({ document, entry });
      const rule = { ...(groups ? { groups } : {}), ...(isPublic === undefined ? {} : { public: isPublic }) };
      return groups || isPublic !== undefined ? [[operationKey(operationLabel(entry)), rule] as const] : [];
    }),
  );
}

interface AccessOfChanges {
  readers: OperationReaders;
  /** Whether everyone may read the page with the changes. */
  isPublic: boolean;
}

/**
 * Whether a change names something that a document only has in restricted parts. A field that gets `groups`
 * would otherwise be listed as removed, and as added in an earlier version.
 */
function isAboutHidden(
  { message, field }: Pick<Change, "message" | "field">,
  { hiddenWords }: ApiDocument,
): boolean {
  if (!hiddenWords) return false;
  const { names, labels } = hiddenWords;
  const isName = (text: string) =>
    [text, text.replace(/^"(.*)"$/s, "$1"), ...text.split(/[.[\]]+/)].some((part) => names.has(part));
  const isLabel = (text: string) => [...labels].some((label) => hasWord(text, label));
  return (
    (field !== undefined && isName(field)) ||
    partsOfMessage(message).some(({ text, isCode }) => (isCode ? isName(text) : isLabel(text)))
  );
}

function hasWord(text: string, word: string): boolean {
  const isLetter = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  return false;
}

/**
 * Adds the changes of operations that aren't hidden in the current document, unless they are about parts that
 * are restricted today.
 */
function add(
  version: ChangedVersion,
  document: ApiDocument,
  kept: readonly KeptChange[],
  access: AccessOfChanges,
): void {
  const entries = new Map(
    document.operations.map((entry) => [operationKey(operationLabel(entry)), entry] as const),
  );

  const changes = kept.flatMap(({ place: _, ...change }): ListedChange[] => {
    if (isAboutHidden(change, document)) return [];
    const operations = change.operations.flatMap(({ name, rules }): ChangedOperation[] => {
      const entry = entries.get(operationKey(name));
      if (entry && isHidden(entry.node.value)) return [];
      const now = entry ? access.readers.of({ document, entry }) : readersOfRemoved(rules, access);
      const pointer = entry ? { pointer: entry.node.pointer } : {};
      return [{ name, ...accessOf(rules, now, access), ...pointer }];
    });
    return operations.length === 0 ? [] : [{ ...change, operations }];
  });

  if (changes.length === 0) return;
  version.documents.push({ file: document.file, title: documentTitle(document), changes });
}

/** The pages of a removed operation aren't known, so it has only the rules of the documents. */
function readersOfRemoved(rules: readonly AccessRule[], { readers }: AccessOfChanges): Readers {
  return readers.isOpen || rules.some((rule) => rule.public === true) ? "anyone" : "readers";
}

/** Combines the rules of two versions with the operation's readers today. */
function accessOf(
  rules: readonly AccessRule[],
  now: Readers,
  { isPublic }: AccessOfChanges,
): Pick<ChangedOperation, "groups" | "needsSignIn"> {
  const all = [
    ...rules.map(({ groups, public: open }) => groups ?? (open === false ? "readers" : "anyone")),
    now,
  ];
  const named = all.filter((readers) => typeof readers !== "string");
  const groups = [...new Map(named.map((list) => [JSON.stringify(list), list])).values()];
  const needsSignIn = isPublic && groups.length === 0 && all.includes("readers");
  return { groups, ...(needsSignIn ? { needsSignIn } : {}) };
}

/** Remembers the version of changes. Later versions replace earlier ones. */
function mark(
  marks: Record<string, PlaceMarks>,
  kept: readonly KeptChange[],
  label: string,
  rules: LevelsOfRules,
): void {
  const add = (place: string, rule: string) => {
    if (/^operation-added$|-(?:parameter|property|header)-added$/.test(rule)) marks[place] = { added: label };
    else if (rule === "operation-no-longer-deprecated") delete marks[place]?.deprecated;
    else if (rule.endsWith("-deprecated")) marks[place] = { ...marks[place], deprecated: label };
    else marks[place] = { ...marks[place], changed: label };
  };

  for (const { place, rule, level, operations } of withLevels(kept, rules)) {
    if (level === "text") continue;
    const isInside = !rule.startsWith("operation-");
    for (const { name } of operations) add(operationKey(name), isInside ? "changed" : rule);
    if (isInside && place !== undefined) add(place, rule);
  }
}

function historyProblem(
  history: Exclude<ApiVersions["history"], "complete"> | "partial",
  since: string | undefined,
): [message: string, hint: string] {
  switch (history) {
    case "none":
      return [
        "The page of API changes is empty, because the folder has no Git history",
        "Build in a Git checkout, or remove api.changes.",
      ];
    case "cut":
      return [
        "API changes can be missing, because the Git checkout is shallow",
        "Fetch the complete history with its tags, such as with fetch-depth: 0 in actions/checkout.",
      ];
    case "partial":
      return [
        "API changes can be missing, because the Git repository doesn't have all files of earlier versions",
        "Clone without --filter. If the repository is damaged, clone it again.",
      ];
    case "late":
      return [
        "The page of API changes is empty, because the history of the repository couldn't be read within a minute",
        "Deploy again.",
      ];
    case "many":
      return [
        `Only the changes of the last ${apiVersions_count} versions are listed`,
        "Set api.changes.since to the first version that matters to readers.",
      ];
    case "unknown":
      return [
        `The page of API changes is empty, because there is no version ${JSON.stringify(since)}`,
        "Set api.changes.since to the name of a tag, or to a day such as 2026-01-31.",
      ];
  }
}
