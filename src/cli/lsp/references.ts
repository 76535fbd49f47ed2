/** Describes what the text at a position refers to, and finds where it is defined. */

import type { Hover, Location, Position } from "vscode-languageserver";
import type { SiteOutline } from "../../builder/site-outline.ts";
import { componentNamed } from "../../engine/components/components.ts";
import { pointerKeys } from "../../engine/openapi/nodes/refs.ts";
import { findPositions } from "../../engine/openapi/nodes/source-positions.ts";
import { referenceAt } from "./cursor.ts";
import { importedFile, lineOfAnchor, linkedPlace, operationNamed } from "./outline-lookup.ts";

export interface EditorReference {
  /** The text of the line at the position. */
  line: string;
  position: Position;
  /** Path of the file in the documentation folder. */
  file: string;
  outline: SiteOutline;
  /** Returns the newest text of a file in the documentation folder. */
  textOf(file: string): string | undefined;
  uriOf(file: string): string;
}

/** Finds the page, heading, file, or operation that the text at a position refers to. */
export function definitionAt(context: EditorReference): Location | undefined {
  const { line, position, file, outline, textOf } = context;
  const reference = referenceAt(line, position.character);
  if (!reference) return undefined;
  const { kind, value } = reference;
  if (kind === "component") return undefined;

  if (kind === "operation") {
    const found = operationNamed(value, outline);
    return found && locationOfPointer(found.file, found.operation.pointer, context);
  }

  if (kind !== "link") {
    const imported = importedFile(value, file, outline);
    return imported === undefined ? undefined : locationOf(imported, 0, context);
  }

  const place = linkedPlace(value, file, outline);
  if (place?.file !== undefined) return locationOf(place.file, 0, context);
  if (!place?.page) return undefined;
  const { page, anchor } = place;
  if (page.pointer !== undefined) return locationOfPointer(page.file, page.pointer, context);
  const lines = (textOf(page.file) ?? "").split(/\r\n?|\n/);
  return locationOf(page.file, lineOfAnchor(anchor, lines), context);
}

/** Describes a component, an operation, or the target of a link. */
export function hoverAt(context: EditorReference): Hover | undefined {
  const { line, position, file, outline } = context;
  const reference = referenceAt(line, position.character);
  if (!reference) return undefined;
  const text = describe(reference.kind, reference.value, file, outline);
  if (text === undefined) return undefined;
  const at = (character: number) => ({ line: position.line, character });
  return {
    contents: { kind: "markdown", value: text },
    range: { start: at(reference.start), end: at(reference.end) },
  };
}

function describe(kind: string, value: string, file: string, outline: SiteOutline): string | undefined {
  if (kind === "component") {
    const component = componentNamed(value);
    if (!component) return undefined;
    const { props, requiredProps = [], ineffective } = component;
    const list = props
      ?.split(" ")
      .map((prop) => `\`${prop}\`${requiredProps.includes(prop) ? " (required)" : ""}`);
    return [`**<${value}>**`, ineffective, list && `Props: ${list.join(", ")}`].filter(Boolean).join("\n\n");
  }

  if (kind === "operation") {
    const { operation, file: document } = operationNamed(value, outline) ?? {};
    return (
      operation &&
      titled(operation.summary ?? operation.label, [operation.label, document], operation.description)
    );
  }

  if (kind !== "link") {
    const imported = importedFile(value, file, outline);
    return imported && `\`${imported}\``;
  }

  const place = linkedPlace(value, file, outline);
  if (place?.file !== undefined) return `\`${place.file}\``;
  const page = place?.page;
  return page && titled(page.title, [`/${page.route}`, page.file], page.description);
}

function titled(
  title: string,
  names: readonly (string | undefined)[],
  description: string | undefined,
): string {
  const known = names.flatMap((name) => (name === undefined ? [] : [`\`${name}\``]));
  return [`**${title}**`, known.join(" in "), description].filter(Boolean).join("\n\n");
}

function locationOf(file: string, line: number, { uriOf, outline }: EditorReference): Location | undefined {
  if (!outline.files.includes(file)) return undefined;
  const start = { line, character: 0 };
  return { uri: uriOf(file), range: { start, end: start } };
}

/** Returns the label of the operation at a line of a document, from 0 on. */
export function operationAtLine(
  file: string,
  line: number,
  { outline, textOf }: Pick<EditorReference, "outline" | "textOf">,
): string | undefined {
  const text = textOf(file);
  const { operations = [] } = outline.documents.find((document) => document.file === file) ?? {};
  if (text === undefined) return undefined;
  const targets = operations.map(({ pointer }) => ({
    keys: pointerKeys(pointer) ?? [],
    what: "key" as const,
  }));
  try {
    const spans = findPositions(text, file.endsWith(".json"), targets);
    const starts = spans.flatMap((span, index) => {
      const start = (span?.line ?? 1) - 1;
      return start <= line ? [{ start, label: operations[index]!.label }] : [];
    });
    return starts.sort((a, b) => a.start - b.start).at(-1)?.label;
  } catch {
    // The unsaved text can't be parsed.
    return undefined;
  }
}

/** Returns the location of a node in a document. Undefined if the document is at a URL. */
function locationOfPointer(file: string, pointer: string, context: EditorReference): Location | undefined {
  const text = context.textOf(file);
  const keys = pointerKeys(pointer);
  if (text === undefined || !keys) return undefined;
  try {
    const [span] = findPositions(text, file.endsWith(".json"), [{ keys, what: "key" }]);
    return locationOf(file, (span?.line ?? 1) - 1, context);
  } catch {
    // The unsaved text can't be parsed.
    return locationOf(file, 0, context);
  }
}
