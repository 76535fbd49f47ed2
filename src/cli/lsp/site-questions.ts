/** Finds references and renames: asks the builder, which knows the whole site. */

import type { Location, Position, Range, TextDocumentEdit, WorkspaceEdit } from "vscode-languageserver";
import { RenameFile, ResponseError, TextEdit } from "vscode-languageserver";
import type { EditorAnswer, EditorQuestion } from "../../builder/editor-answers.ts";
import type { SiteOutline } from "../../builder/site-outline.ts";
import { isPageFile, normalizePath } from "../../engine/paths.ts";
import { headingTextIn } from "../../engine/site/references/rename-heading.ts";
import type { SourceEdit } from "../../engine/site/references/source-edit.ts";
import { referenceAt, stringAt } from "./cursor.ts";
import type { DocsPaths } from "./docs-paths.ts";
import { headingsIn, importedFile, lineOfAnchor, linkedPlace, operationNamed } from "./outline-lookup.ts";
import { operationAtLine } from "./references.ts";

export interface SiteQuestions {
  outline: SiteOutline;
  paths: DocsPaths;
  /** Returns the newest text of a file. */
  textOf(file: string): string | undefined;
  uriOf(file: string): string;
  /** Version of an open document. Null for other files. */
  versionOf(uri: string): number | null;
  ask(question: EditorQuestion): Promise<EditorAnswer>;
  /** What the editor can do with the result. */
  client: { hasDocumentChanges: boolean; hasRenames: boolean };
}

/** What is at a position of a file. `range`: its characters in the line. */
type Named =
  | { kind: "operation"; label: string }
  | { kind: "file"; file: string; range?: Range }
  | { kind: "heading"; file: string; id: string | undefined; range: Range; title: string }
  | { kind: "anchor"; file: string; id: string };

/** Code of a request whose arguments aren't valid. */
const invalidParams_code = -32602;

export async function findReferences(
  file: string,
  position: Position,
  includesDeclaration: boolean,
  context: SiteQuestions,
): Promise<Location[]> {
  const named = namedAt(file, position, context);
  if (!named) return [];
  const { places = [] } = await context.ask(
    named.kind === "operation"
      ? { ask: "operation-references", label: named.label }
      : {
          ask: "references",
          file: named.file,
          ...("id" in named && named.id !== undefined ? { id: named.id } : {}),
        },
  );
  const found = places.map(({ file, line, column, length }) =>
    locationOf({ file, line, column, endLine: line, endColumn: column + length, text: "" }, context),
  );
  const own = includesDeclaration ? declarationOf(named, context) : undefined;
  return own ? [own, ...found] : found;
}

function declarationOf(named: Named, context: SiteQuestions): Location | undefined {
  if (named.kind === "operation") return undefined;
  const lines = (context.textOf(named.file) ?? "").split(/\r\n?|\n/);
  const line = "id" in named && named.id !== undefined ? lineOfAnchor(named.id, lines) : 0;
  const start = { line, character: 0 };
  return { uri: context.uriOf(named.file), range: { start, end: start } };
}

/** Finds what can be renamed at a position: the text of a heading, or the path of a page. */
export function renamedAt(
  file: string,
  position: Position,
  context: SiteQuestions,
): { range: Range; placeholder: string } | undefined {
  const named = namedAt(file, position, context);
  if (named?.kind === "heading") return { range: named.range, placeholder: named.title };
  if (named?.kind !== "file" || !named.range || !context.client.hasRenames) return undefined;
  return { range: named.range, placeholder: named.file };
}

export async function renameAt(
  file: string,
  position: Position,
  newName: string,
  context: SiteQuestions,
): Promise<WorkspaceEdit> {
  const named = namedAt(file, position, context);
  if (named?.kind === "heading") {
    const { line } = position;
    return workspaceEdit(await context.ask({ ask: "heading", file, line, title: newName }), [], context);
  }

  if (named?.kind !== "file" || !named.range) throw refused("Nothing here can be renamed.");
  if (!context.client.hasRenames) throw refused("This editor can't rename files. Rename the file itself.");
  const extension = /\.\w+$/.exec(named.file)?.[0] ?? "";
  const to = normalizePath(
    "",
    newName.trim().endsWith(extension) ? newName.trim() : newName.trim() + extension,
  );
  if (!to || /[\\?#\0]/.test(to)) throw refused("Enter a path in the documentation folder.");
  const moves = [[named.file, to]] as const;
  return workspaceEdit(await context.ask({ ask: "move", moves }), moves, context);
}

/** Returns the edits for files that the editor is about to rename. Null if there are none. */
export async function editsForRenamedFiles(
  files: readonly { oldUri: string; newUri: string }[],
  context: SiteQuestions,
): Promise<WorkspaceEdit | null> {
  const { paths, outline } = context;
  const moves = files.flatMap(({ oldUri, newUri }) => {
    const [from, to] = [paths.fileOf(oldUri), paths.fileOf(newUri)];
    if (from === undefined || to === undefined) return [];
    if (outline.files.includes(from)) return [[from, to] as const];
    return outline.files
      .filter((file) => file.startsWith(`${from}/`))
      .map((file) => [file, to + file.slice(from.length)] as const);
  });
  if (moves.length === 0) return null;

  // An error would prevent the editor from renaming the file.
  const { edits = [] } = await context.ask({ ask: "move", moves });
  return workspaceEdit({ edits }, [], context);
}

function namedAt(file: string, position: Position, context: SiteQuestions): Named | undefined {
  const { outline, textOf } = context;
  const lines = (textOf(file) ?? "").split(/\r\n?|\n/);
  const line = lines[position.line] ?? "";
  if (outline.documents.some((document) => document.file === file)) {
    const label = operationAtLine(file, position.line, context);
    return label === undefined ? undefined : { kind: "operation", label };
  }

  const { line: at, character } = position;
  if (file.endsWith(".json")) {
    const text = stringAt(line, character);
    return text && namedBy(text.value, "link", "docs.json", rangeOf(at, text), context);
  }
  if (!isPageFile(file)) return { kind: "file", file };

  const reference = referenceAt(line, character);
  if (reference && reference.kind !== "component")
    return namedBy(reference.value, reference.kind, file, rangeOf(at, reference), context);
  return headingAt(file, at, lines, outline) ?? { kind: "file", file };
}

const rangeOf = (line: number, { start, end }: { start: number; end: number }): Range => ({
  start: { line, character: start },
  end: { line, character: end },
});

function headingAt(
  file: string,
  at: number,
  lines: readonly string[],
  outline: SiteOutline,
): Named | undefined {
  const text = headingsIn(lines).some(({ line }) => line === at) ? headingTextIn(lines[at]!) : undefined;
  if (!text) return undefined;
  const page = outline.pages.find((other) => other.file === file);
  const id = page?.anchors.find((anchor) => anchor !== "" && lineOfAnchor(anchor, lines) === at);
  return {
    kind: "heading",
    file,
    id,
    range: rangeOf(at, text),
    title: lines[at]!.slice(text.start, text.end),
  };
}

function namedBy(
  value: string,
  kind: string,
  from: string,
  range: Range,
  { outline }: SiteQuestions,
): Named | undefined {
  const operation = kind === "operation" || from === "docs.json" ? operationNamed(value, outline) : undefined;
  if (operation) return { kind: "operation", label: operation.operation.label };
  if (kind === "import" || kind === "snippet") {
    const file = importedFile(value, from, outline);
    return file === undefined ? undefined : { kind: "file", file };
  }

  const place = linkedPlace(value, from, outline);
  if (place?.file !== undefined) return { kind: "file", file: place.file };
  if (!place?.page) return undefined;
  const { page, anchor } = place;
  if (page.pointer !== undefined) {
    const found = outline.documents.find(({ file }) => file === page.file);
    const label = found?.operations.find(({ pointer }) => pointer === page.pointer)?.label;
    return label === undefined ? undefined : { kind: "operation", label };
  }
  return anchor === ""
    ? { kind: "file", file: page.file, range }
    : { kind: "anchor", file: page.file, id: anchor };
}

function workspaceEdit(
  { edits = [], refusal }: EditorAnswer,
  moves: readonly (readonly [from: string, to: string])[],
  context: SiteQuestions,
): WorkspaceEdit {
  if (refusal !== undefined) throw refused(refusal);
  const { paths, uriOf, versionOf, client } = context;
  const byUri = new Map<string, TextEdit[]>();
  for (const edit of edits) {
    const { uri, range } = locationOf(edit, context);
    byUri.set(uri, [...(byUri.get(uri) ?? []), TextEdit.replace(range, edit.text)]);
  }
  if (!client.hasDocumentChanges) return { changes: Object.fromEntries(byUri) };

  const changes = [...byUri].map(
    ([uri, edits]): TextDocumentEdit => ({ textDocument: { uri, version: versionOf(uri) }, edits }),
  );
  const renames = moves.map(([from, to]) => RenameFile.create(uriOf(from), paths.uriOf(to)));
  return { documentChanges: [...changes, ...renames] };
}

function locationOf(
  { file, line, column, endLine, endColumn }: SourceEdit,
  { textOf, uriOf }: SiteQuestions,
): Location {
  // The builder reads texts without their byte order mark.
  const mark_chars = (at: number) => (at === 1 && textOf(file)?.startsWith("\uFEFF") ? 1 : 0);
  return {
    uri: uriOf(file),
    range: {
      start: { line: line - 1, character: column - 1 + mark_chars(line) },
      end: { line: endLine - 1, character: endColumn - 1 + mark_chars(endLine) },
    },
  };
}

function refused(message: string): ResponseError<void> {
  return new ResponseError(invalidParams_code, message);
}
