/** Converts a JSON value to XML according to the `xml` objects of its schema. */

import { isRaw, type Refs } from "../nodes/refs.ts";
import { type SchemaRef, type SchemaView, viewOf } from "../schema/schema-view.ts";
import { scalarText } from "./parameter-styles.ts";
import { wellFormed } from "./percent-encode.ts";

/** Converts a value to an XML document. `fallback`: name of the root element if the schema has no name. */
export function xmlText(
  value: unknown,
  schema: SchemaRef | undefined,
  refs: Refs,
  fallback = "root",
): string {
  const view = schema && viewOf(schema, refs, "request");
  const name = view?.xml?.name ?? view?.name ?? (fallback || "root");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elements(name, value, view, refs, "", true).join("\n")}`;
}

function elements(
  name: string,
  value: unknown,
  view: SchemaView | undefined,
  refs: Refs,
  margin: string,
  isRoot = false,
): string[] {
  if (value === undefined) return [];
  const tag = elementName(view?.xml?.name ?? name, view);

  if (Array.isArray(value)) {
    const item = view?.items && viewOf(view.items, refs, "request");
    const isWrapped = isRoot || view?.xml?.wrapped;
    // Without a wrapper, the list itself has no element.
    const itemName = item?.xml?.name ?? (isRoot ? (item?.name ?? "item") : isWrapped ? tag : name);
    const children = value.flatMap((entry) =>
      elements(itemName, entry, item, refs, isWrapped ? `${margin}  ` : margin),
    );
    return isWrapped ? element(tag, namespace(view), children, margin) : children;
  }

  if (!isRaw(value))
    return [
      `${margin}<${tag}${namespace(view)}>${escaped(value === null ? "" : scalarText(value))}</${tag}>`,
    ];

  let attributes = namespace(view);
  const children: string[] = [];
  for (const [key, entry] of Object.entries(value)) {
    const property = view?.properties.find((declared) => declared.name === key);
    const inner = property && viewOf(property.schema, refs, "request");
    if (!inner?.xml?.attribute) children.push(...elements(key, entry, inner, refs, `${margin}  `));
    else if (entry !== undefined) {
      // The default namespace doesn't apply to attributes.
      const declared = inner.xml.prefix ? namespace(inner) : "";
      if (!attributes.includes(declared)) attributes += declared;
      attributes += ` ${elementName(inner.xml.name ?? key, inner)}="${escaped(scalarText(entry))}"`;
    }
  }

  return element(tag, attributes, children, margin);
}

function element(tag: string, attributes: string, children: readonly string[], margin: string): string[] {
  return children.length
    ? [`${margin}<${tag}${attributes}>`, ...children, `${margin}</${tag}>`]
    : [`${margin}<${tag}${attributes}/>`];
}

/**
 * Returns the name of an element with its prefix. Replaces characters that are invalid in an XML name with
 * `_`.
 */
function elementName(name: string, view: SchemaView | undefined): string {
  const clean = wellFormed(name)
    .replace(/[^\p{L}\p{N}_.\-:]/gu, "_")
    .replace(/^(?=[^\p{L}_])/u, "_");
  return view?.xml?.prefix ? `${view.xml.prefix.replace(/[^\p{L}\p{N}_.-]/gu, "_")}:${clean}` : clean;
}

function namespace(view: SchemaView | undefined): string {
  if (!view?.xml?.namespace) return "";
  const prefix = view.xml.prefix ? `:${view.xml.prefix.replace(/[^\p{L}\p{N}_.-]/gu, "_")}` : "";
  return ` xmlns${prefix}="${escaped(view.xml.namespace)}"`;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

function escaped(text: string): string {
  return wellFormed(text)
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replace(/[&<>"\r]/g, (character) => entities[character]!);
}
