/**
 * Removes the names and values of restricted parts from the rest of a document, such as examples, defaults
 * and `required` lists.
 */

import { isRaw, own, ownText, type Raw, Refs, valueText } from "../nodes/refs.ts";
import { dataKeys, mapKeys } from "../nodes/walk-references.ts";

/** Restricted parts of one schema: names of properties, and values of its enum or discriminator. */
export interface RestrictedSchema {
  names: Set<string>;
  values: Set<string>;
}

/** Marks a value that must be removed. */
const omitted = Symbol("omitted");

const compositions = ["allOf", "oneOf", "anyOf", "if", "then", "else"];

interface CombinedSchema {
  names: Set<string>;
  values: Set<string>;
  /** The schemas that can apply to the same value. */
  schemas: Raw[];
}

/** Removes the restricted parts of a document from its examples and other values. Changes the document. */
export class ExampleCleaner {
  private readonly root: Raw;
  private readonly refs: Refs;
  private readonly restricted: ReadonlyMap<object, RestrictedSchema>;
  /** Names that no example in the document may contain. */
  private hidden: ReadonlySet<string> = new Set();
  private readonly combined = new Map<object, CombinedSchema>();

  constructor(root: Raw, restricted: ReadonlyMap<object, RestrictedSchema>) {
    this.root = root;
    this.refs = new Refs(root);
    this.restricted = restricted;
  }

  /** Removes declarations of restricted properties from other schemas that apply to the same value. */
  removeOverrides(): void {
    this.visit((node) => this.removeProperties(node, this.combinedSchema(node).names));
  }

  /** Removes restricted names and values. `hidden`: names that no example in the document may contain. */
  clean(hidden: ReadonlySet<string>): void {
    this.hidden = hidden;
    this.visit((node, isLink) => (isLink ? this.cleanLink(node) : this.cleanNode(node)));
  }

  private visit(each: (node: Raw, isLink: boolean) => void): void {
    const seen = new Set<unknown>();
    const visit = (node: unknown, isMap: boolean, isLink: boolean): void => {
      if (typeof node !== "object" || node === null || seen.has(node)) return;
      seen.add(node);
      if (isRaw(node) && !isMap) each(node, isLink);
      for (const [key, below] of Object.entries(node)) {
        const isData = !isMap && isRaw(node) && (dataKeys.has(key) || key.startsWith("x-"));
        if (!isData)
          visit(
            below,
            !isMap && mapKeys.has(key) && isRaw(node) && isRaw(below),
            isMap ? isLink : key === "links",
          );
      }
    };

    visit(this.root, false, false);
  }

  private removeProperties(node: Raw, names: ReadonlySet<string>): void {
    if (names.size === 0) return;
    if (isRaw(node.properties)) for (const name of names) delete node.properties[name];
    for (const key of [...compositions, "not"])
      for (const part of Array.isArray(node[key]) ? (node[key] as unknown[]) : [node[key]])
        if (isRaw(part) && !("$ref" in part)) this.removeProperties(part, names);
  }

  private cleanLink(node: Raw): void {
    if (isRaw(node.parameters)) this.removeNames(node.parameters, this.hidden);
    if ("requestBody" in node) this.put(node, "requestBody", this.cleaned(node.requestBody, {}));
  }

  private cleanNode(node: Raw): void {
    // Schemas contain their own examples. Parameters, headers and media types have their schema in `schema`.
    const schema = isRaw(node.schema) ? node.schema : node;
    for (const key of ["example", "default", "const", "x-default"])
      if (key in node) this.put(node, key, this.cleaned(node[key], schema));

    if (Array.isArray(node.examples)) node.examples = this.cleanedList(node.examples, schema);
    else
      for (const [name, example] of Object.entries(isRaw(node.examples) ? node.examples : {})) {
        const target = isRaw(example) ? this.refs.follow({ value: example, pointer: "" })?.value : undefined;
        for (const key of ["value", "dataValue", "serializedValue"])
          if (
            isRaw(target) &&
            key in target &&
            this.put(target, key, this.cleaned(target[key], schema)) === omitted
          )
            delete (node.examples as Raw)[name];
      }

    // An example in `components.examples` has no schema.
    for (const key of ["value", "dataValue", "serializedValue"])
      if (key in node) this.put(node, key, this.cleaned(node[key], {}));
    for (const key of ["x-codeSamples", "x-code-samples"])
      if (Array.isArray(node[key]))
        node[key] = (node[key] as unknown[]).filter((sample) => !this.containsHidden(own(sample, "source")));

    const { names } = this.combinedSchema(schema);
    if (isRaw(node.encoding)) this.removeNames(node.encoding, names);
    if (schema === node) this.cleanKeywords(node, names);
  }

  /** Removes restricted names from keywords that contain property names, such as `required`. */
  private cleanKeywords(node: Raw, names: ReadonlySet<string>): void {
    if (Array.isArray(node.required)) {
      node.required = node.required.filter(
        (name) => !names.has(name as string) && !this.hidden.has(name as string),
      );
      if ((node.required as unknown[]).length === 0) delete node.required;
    }

    for (const key of ["dependentRequired", "dependentSchemas", "dependencies"]) {
      const dependent = node[key];
      if (!isRaw(dependent)) continue;
      this.removeNames(dependent, names);
      for (const [name, needed] of Object.entries(dependent))
        if (Array.isArray(needed))
          dependent[name] = needed.filter(
            (each) => !names.has(each as string) && !this.hidden.has(each as string),
          );
    }

    for (const key of [...compositions, "not"])
      for (const part of Array.isArray(node[key]) ? (node[key] as unknown[]) : [node[key]])
        if (names.size && isRaw(part) && !("$ref" in part)) this.cleanKeywords(part, names);
  }

  private removeNames(from: Raw, names: ReadonlySet<string>): void {
    for (const key of Object.keys(from)) {
      const name = key.replace(/^(?:path|query|header|cookie)\./, "");
      if (names.has(name) || this.hidden.has(name)) delete from[key];
    }
  }

  private put(node: Raw, key: string, value: unknown): unknown {
    if (value === omitted) delete node[key];
    else node[key] = value;
    return value;
  }

  private cleanedList(list: readonly unknown[], schema: unknown): unknown[] {
    return list.map((entry) => this.cleaned(entry, schema)).filter((entry) => entry !== omitted);
  }

  /** Returns an example without its restricted parts; `omitted` if the whole value is restricted. */
  private cleaned(value: unknown, schema: unknown): unknown {
    const { names, values, schemas } = this.combinedSchema(schema);
    if (typeof value !== "object" || value === null)
      return values.has(String(value)) || this.containsHidden(value) ? omitted : value;

    if (Array.isArray(value)) {
      const items = schemas.flatMap((each) => [
        each.items,
        ...(Array.isArray(each.prefixItems) ? each.prefixItems : []),
      ]);
      return this.cleanedList(value, { allOf: items });
    }

    if (
      schemas.some((each) =>
        values.has(valueText(own(value, ownText(each.discriminator, "propertyName") ?? ""))),
      )
    )
      return omitted;

    const entries = Object.entries(value).flatMap(([name, below]): [string, unknown][] => {
      if (names.has(name) || this.hidden.has(name)) return [];
      const declared = schemas.map((each) => own(each.properties, name)).filter(isRaw);
      const others = schemas.flatMap((each) => [
        each.additionalProperties,
        ...Object.values(isRaw(each.patternProperties) ? each.patternProperties : {}),
      ]);
      const cleaned = this.cleaned(below, { allOf: declared.length ? declared : others });
      return cleaned === omitted ? [] : [[name, cleaned]];
    });

    return Object.fromEntries(entries);
  }

  /** Whether a text contains a hidden name as a whole word. */
  private containsHidden(text: unknown): boolean {
    if (typeof text !== "string" || this.hidden.size === 0) return false;
    return [...text.matchAll(/[\p{L}\p{N}_$-]+/gu)].some(([word]) => this.hidden.has(word));
  }

  private combinedSchema(schema: unknown): CombinedSchema {
    const known = isRaw(schema) ? this.combined.get(schema) : undefined;
    if (known) return known;
    const combined: CombinedSchema = { names: new Set(), values: new Set(), schemas: [] };
    const seen = new Set<unknown>();
    const visit = (node: unknown): void => {
      if (!isRaw(node) || seen.has(node)) return;
      seen.add(node);
      combined.schemas.push(node);
      const { names, values } = this.restricted.get(node) ?? { names: [], values: [] };
      for (const name of names) combined.names.add(name);
      for (const value of values) combined.values.add(value);
      if ("$ref" in node) visit(this.refs.follow({ value: node, pointer: "" })?.value);
      for (const key of compositions)
        for (const part of Array.isArray(node[key]) ? (node[key] as unknown[]) : [node[key]]) visit(part);
    };

    visit(schema);
    if (isRaw(schema)) this.combined.set(schema, combined);
    return combined;
  }
}
