/**
 * Removes the names and values of restricted parts from the rest of a document, such as examples, defaults
 * and `required` lists.
 */

import { limits } from "../../../base/limits.ts";
import { jsonText, parseJson } from "../nodes/json-text.ts";
import { isRaw, own, ownText, type Raw, Refs, valueText } from "../nodes/refs.ts";
import { dataKeys, mapKeys } from "../nodes/walk-references.ts";
import { isOneOf } from "./any-case.ts";
import { CombinedSchemas, compositions, partsOf, type RestrictedSchema } from "./combined-schemas.ts";
import { unescaped } from "./restricted-keywords.ts";

/** Marks a value that must be removed. */
const omitted = Symbol("omitted");

/** Removes the restricted parts of a document from its examples and other values. Changes the document. */
export class ExampleCleaner {
  private readonly root: Raw;
  private readonly refs: Refs;
  /** Names that no example in the document may contain. */
  private hidden: ReadonlySet<string> = new Set();
  private readonly combined: CombinedSchemas;

  constructor(root: Raw, restricted: ReadonlyMap<object, RestrictedSchema>) {
    this.root = root;
    this.refs = new Refs(root);
    this.combined = new CombinedSchemas(this.refs, restricted);
  }

  /** Removes declarations of restricted properties from other schemas that apply to the same value. */
  removeOverrides(): void {
    this.visit((node) => this.removeProperties(node, this.combined.of(node).names));
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
      for (const part of partsOf(node, key))
        if (isRaw(part) && !("$ref" in part)) this.removeProperties(part, names);
  }

  private cleanLink(node: Raw): void {
    if (isRaw(node.parameters)) {
      this.removeNames(node.parameters, this.hidden);
      for (const [key, value] of Object.entries(node.parameters))
        if (this.containsHidden(value)) delete node.parameters[key];
    }
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
        const labels = [name, own(target, "summary"), own(target, "description")];
        if (labels.some((label) => this.containsHidden(label))) {
          delete (node.examples as Raw)[name];
          continue;
        }
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

    const { names, values } = this.combined.of(schema);
    if (isRaw(node.encoding)) this.removeNames(node.encoding, names);
    if (schema === node) this.cleanKeywords(node, names);
    if (schema === node && Array.isArray(node.enum)) this.cleanEnum(node, node.enum);
    if (names.size + values.size > 0) this.cleanExtensions(node, new Set([...names, ...values]));
  }

  /** Cleans the objects and lists in an enum. If this changes it, removes the names of its values. */
  private cleanEnum(node: Raw, values: readonly unknown[]): void {
    if (!values.some((value) => typeof value === "object" && value !== null)) return;
    const cleaned = values.map((value) =>
      typeof value === "object" && value !== null ? this.cleaned(value, node) : value,
    );
    const byText = new Map(
      cleaned.filter((value) => value !== omitted).map((value) => [valueText(value), value]),
    );
    const isSame = cleaned.every(
      (value, index) => value !== omitted && valueText(value) === valueText(values[index]),
    );
    if (isSame) return;
    node.enum = [...byText.values()];
    for (const key of Object.keys(node)) if (/^x-(?:ms-)?enum/i.test(key)) delete node[key];
  }

  /** Removes restricted names and values from the extensions of a schema, whose meaning isn't known. */
  private cleanExtensions(node: Raw, restricted: ReadonlySet<string>): void {
    const clean = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(clean).filter((entry) => entry !== omitted);
      if (isRaw(value))
        return Object.fromEntries(
          Object.entries(value).flatMap(([key, below]) => {
            const cleaned = restricted.has(key) || this.hidden.has(key) ? omitted : clean(below);
            return cleaned === omitted ? [] : [[key, cleaned]];
          }),
        );
      return restricted.has(String(value)) || this.containsHidden(value) ? omitted : value;
    };

    for (const [key, value] of Object.entries(node)) {
      if (!key.startsWith("x-") || key === "x-platform" || key === "x-mint") continue;
      if (/^x-enum/i.test(key) && Array.isArray(value)) continue;
      this.put(node, key, clean(value));
    }
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
      for (const part of partsOf(node, key))
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
    const { names, values, schemas } = this.combined.of(schema);
    if (typeof value === "string" && /^\s*[[{]/.test(value) && !values.has(value))
      return this.cleanedJson(value, schema);
    if (typeof value !== "object" || value === null)
      return values.has(String(value)) || containsOneOf(value, names) || this.containsHidden(value)
        ? omitted
        : value;

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
      if (declared.length === 0 && (isOneOf(name, names) || isOneOf(name, this.hidden))) return [];
      const others = schemas.flatMap((each) => [
        each.additionalProperties,
        ...Object.values(isRaw(each.patternProperties) ? each.patternProperties : {}),
      ]);
      const cleaned = this.cleaned(below, { allOf: declared.length ? declared : others });
      return cleaned === omitted ? [] : [[name, cleaned]];
    });

    return Object.fromEntries(entries);
  }

  /** Cleans a text that could be JSON. If it isn't valid, it's removed if it contains a restricted name. */
  private cleanedJson(text: string, schema: unknown): unknown {
    const { names } = this.combined.of(schema);
    const value = isDeep(text) ? undefined : parsed(text);
    const isNamed = containsOneOf(text, names) || this.containsHidden(text);
    if (value === undefined) return isNamed ? omitted : text;
    const cleaned = this.cleaned(value, schema);
    if (cleaned === omitted) return omitted;
    if (isNamed) return omitted;
    return valueText(cleaned) === valueText(value) ? text : jsonText(cleaned);
  }

  /** Whether a text contains a hidden name as a whole word. */
  private containsHidden(text: unknown): boolean {
    return containsOneOf(text, this.hidden);
  }
}

/** Whether a text, decoded or not, contains one of the names as a whole word, in any case. */
function containsOneOf(text: unknown, names: ReadonlySet<string>): boolean {
  if (typeof text !== "string" || names.size === 0) return false;
  const decoded = [unescaped, percentDecoded, entitiesDecoded].map((decode) => decode(text));
  return [...new Set([text, ...decoded])].some((each) =>
    [...each.matchAll(/[\p{L}\p{N}_$-]+/gu)].some(([word]) => isOneOf(word, names)),
  );
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

function entitiesDecoded(text: string): string {
  return text.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (entity, hex: string, decimal: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (const bracket of text.matchAll(/[[\]{}]/g)) {
    depth += "[{".includes(bracket[0]) ? 1 : -1;
    if (depth > limits.apiNesting_levels) return true;
  }
  return false;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
