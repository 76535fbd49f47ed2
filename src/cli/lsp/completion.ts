/** Suggests what an author can write at the cursor. */

import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type Position,
} from "vscode-languageserver";
import type { SiteOutline } from "../../builder/site-outline.ts";
import { componentNamed, componentNames } from "../../engine/components/components.ts";
import { docsJsonSchema } from "../../engine/config/docs-json-schema.ts";
import { frontmatterKeys } from "../../engine/config/frontmatter.ts";
import { iconTypes } from "../../engine/config/icon-schema.ts";
import { iconNames } from "../../engine/html/icons.ts";
import { folderOf } from "../../engine/paths.ts";
import { cursorIn, cursorInJson } from "./cursor.ts";
import { linkedPlace } from "./outline-lookup.ts";

/** Maximum number of suggestions. The editor asks again when more of the name is written. */
const items_count = 500;

const propValues: Record<string, readonly string[]> = {
  iconType: iconTypes,
  "Callout type": ["note", "info", "tip", "warning", "check", "danger"],
  "Visibility for": ["humans", "agents", "signed-in", "signed-out"],
};

/** A suggestion. `insert`: the text to write, if it isn't the label. */
interface Suggestion {
  label: string;
  detail?: string | undefined;
  insert?: string;
}

/** `before`: the text before the cursor. `file`: path in the documentation folder. */
export function completionsAt(
  before: string,
  position: Position,
  file: string,
  outline: SiteOutline,
): CompletionList {
  const { prefix, kind, found } = file.endsWith(".json")
    ? inSettings(before, outline)
    : inPage(before, file, outline);
  const matching = found.filter(({ label }) => label.toLowerCase().startsWith(prefix.toLowerCase()));
  const start = { line: position.line, character: Math.max(0, position.character - prefix.length) };
  const range = { start, end: position };
  const items = (matching.length > 0 ? matching : found.filter(({ label }) => label.includes(prefix)))
    .slice(0, items_count)
    .map(
      ({ label, detail, insert }): CompletionItem => ({
        label,
        kind,
        filterText: label,
        ...(detail === undefined ? {} : { detail }),
        textEdit: { range, newText: insert ?? label },
      }),
    );
  return { isIncomplete: true, items };
}

interface Suggestions {
  prefix: string;
  kind: CompletionItemKind;
  found: Suggestion[];
}

const labels = (names: Iterable<string>): Suggestion[] => [...names].map((label) => ({ label }));

function inPage(before: string, file: string, outline: SiteOutline): Suggestions {
  const cursor = cursorIn(before);
  if (!cursor) return { prefix: "", kind: CompletionItemKind.Text, found: [] };
  const { prefix } = cursor;

  switch (cursor.kind) {
    case "component":
      return { prefix, kind: CompletionItemKind.Class, found: labels(componentNames()) };
    case "prop": {
      const names = componentNamed(cursor.component)?.props?.split(" ") ?? [];
      return { prefix, kind: CompletionItemKind.Property, found: labels(names) };
    }
    case "prop-value":
      return valuesOfProp(cursor, file, outline);
    case "link":
      return { prefix, kind: CompletionItemKind.Reference, found: links(prefix, file, outline) };
    case "variable": {
      const found = Object.entries(outline.variables).map(([label, detail]) => ({ label, detail }));
      return { prefix, kind: CompletionItemKind.Variable, found };
    }
    case "import":
      return { prefix, kind: CompletionItemKind.File, found: importable(outline) };
    case "frontmatter-key": {
      const found = Object.entries(frontmatterKeys).map(([label, { description }]) => ({
        label,
        detail: description,
        insert: `${label}: `,
      }));
      return { prefix, kind: CompletionItemKind.Property, found };
    }
    case "frontmatter-value":
      return { prefix, kind: CompletionItemKind.Value, found: frontmatterValues(cursor.key, outline) };
  }
}

function valuesOfProp(
  { component, prop, prefix }: { component: string; prop: string; prefix: string },
  file: string,
  outline: SiteOutline,
): Suggestions {
  const kind = CompletionItemKind.Value;
  if (prop === "icon") return { prefix, kind, found: labels(iconNames(outline.iconLibrary)) };
  if (component === "Snippet" && prop === "file") {
    const found = importable(outline).map(({ label }) => ({ label: label.replace(/^\/snippets\//, "") }));
    return { prefix, kind: CompletionItemKind.File, found };
  }
  if (/^(?:href|src|img)$/.test(prop))
    return { prefix, kind: CompletionItemKind.Reference, found: links(prefix, file, outline) };
  return { prefix, kind, found: labels(propValues[`${component} ${prop}`] ?? propValues[prop] ?? []) };
}

/** Suggests pages and images, or the anchors of the page before `#`. */
function links(prefix: string, file: string, outline: SiteOutline): Suggestion[] {
  const hash = prefix.indexOf("#");
  if (hash >= 0) {
    const place = linkedPlace(prefix.slice(0, hash) || "#", file, outline);
    return (place?.page?.anchors ?? []).map((anchor) => ({
      label: `${prefix.slice(0, hash)}#${anchor}`,
    }));
  }

  const images = outline.files.filter((path) => /\.(?:svg|png|jpe?g|gif|webp|avif|mp4)$/i.test(path));
  return [
    ...outline.pages.map(({ route, title }) => ({ label: `/${route}`, detail: title })),
    ...images.map((path) => ({ label: `/${path}` })),
  ];
}

function importable(outline: SiteOutline): Suggestion[] {
  const isImportable = (path: string) =>
    /\.(?:mdx?|jsx?|tsx?)$/.test(path) && /(?:^|\/)_?snippets?$/.test(folderOf(path).split("/", 1)[0]!);
  return labels(outline.files.filter(isImportable).map((path) => `/${path}`));
}

function frontmatterValues(key: string, outline: SiteOutline): Suggestion[] {
  if (key === "icon") return labels(iconNames(outline.iconLibrary));
  if (key === "openapi")
    return outline.documents.flatMap(({ operations }) =>
      operations.map(({ label, summary }) => ({ label, detail: summary })),
    );
  const kind = Object.hasOwn(frontmatterKeys, key)
    ? frontmatterKeys[key as keyof typeof frontmatterKeys].kind.type
    : "";
  if (kind === "boolean") return labels(["true", "false"]);
  return labels(kind.split(" | ").filter((value) => kind.includes(" | ") && /^[\w-]+$/.test(value)));
}

/** A part of the JSON Schema of docs.json. */
interface SchemaPart {
  description?: string;
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
  anyOf?: SchemaPart[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
}

function inSettings(before: string, outline: SiteOutline): Suggestions {
  const { path, isKey, prefix, isQuoted } = cursorInJson(before);
  const quoted = (label: string) => (isQuoted ? {} : { insert: JSON.stringify(label) });
  if (isKey) {
    const found = partsAt(path).flatMap(({ properties = {} }) =>
      Object.entries(properties).map(([label, { description }]) => ({
        label,
        detail: description,
        ...quoted(label),
      })),
    );
    return { prefix, kind: CompletionItemKind.Property, found };
  }

  const kind = CompletionItemKind.Value;
  if (path.at(-1) === "icon")
    return {
      prefix,
      kind,
      found: iconNames(outline.iconLibrary).map((label) => ({ label, ...quoted(label) })),
    };
  if (path.includes("pages")) {
    const operations = outline.documents.flatMap(({ operations }) => operations.map(({ label }) => label));
    const found = labels([...outline.pages.map(({ route }) => route || "index"), ...operations]);
    return { prefix, kind, found: found.map(({ label }) => ({ label, ...quoted(label) })) };
  }

  const values = partsAt(path).flatMap((part) => [
    ...(part.enum ?? []),
    ...(part.const === undefined ? [] : [part.const]),
    ...(part.type === "boolean" && !isQuoted ? [true, false] : []),
  ]);
  const found = values.map((value) => ({
    label: String(value),
    ...(typeof value === "string" ? quoted(value) : {}),
  }));
  return { prefix, kind, found };
}

/** Returns the schemas for the value at a path, with each alternative. */
function partsAt(path: readonly (string | number)[]): SchemaPart[] {
  const alternatives = (part: SchemaPart): SchemaPart[] => [
    part,
    ...(part.anyOf ?? []).flatMap(alternatives),
  ];
  let parts = alternatives(docsJsonSchema as SchemaPart);
  for (const key of path)
    parts = parts
      .flatMap(({ properties, items }) => {
        if (typeof key === "number") return items ?? [];
        return properties && Object.hasOwn(properties, key) ? properties[key]! : [];
      })
      .flatMap(alternatives);
  return parts;
}
