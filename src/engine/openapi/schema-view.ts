/** What one level of a schema says, ready to be shown, filled in or checked. Levels below are read when they are needed. */

import { platformExtension, texts } from "./extensions.ts";
import { child, children, componentName, entries, isRaw, type Located, own, ownText, type Refs } from "./refs.ts";
import { flatten, type Layer } from "./schema-layers.ts";

/** A schema that is still to be read: nodes that all apply, as in `allOf`. Most often one. */
export interface SchemaRef {
  parts: Located[];
}

/** What may be seen: `readOnly` fields are not part of a request, `writeOnly` ones not of a response. */
export type Direction = "request" | "response";

export interface SchemaView {
  /** Names the schema: pointers of what it is made of, after references. Equal keys are equal schemas. */
  key: string;
  /** Where it is declared. */
  pointer: string;
  /** Name of the component that a `$ref` led to. */
  name?: string;
  title?: string;
  description?: string;
  /** JSON types without `null`; empty when any is allowed. */
  types: string[];
  nullable: boolean;
  /** `string<uuid>`, `object[]`, `enum<string>`, `object | null`. */
  label: string;
  format?: string;
  deprecated: boolean;
  readOnly: boolean;
  writeOnly: boolean;
  /** Values that are of the declared type; absent when there is no list. */
  enum?: unknown[];
  const?: { value: unknown };
  default?: { value: unknown };
  examples: unknown[];
  /** `x-default`: what the playground starts with; never shown as the default. */
  prefill?: { value: unknown };
  /** Limits in the order of the specification. */
  constraints: Constraint[];
  properties: Property[];
  patternProperties: [string, SchemaRef][];
  propertyNames?: SchemaRef;
  /** What properties beyond the named ones may hold: `false` for none, undefined when nothing is said. */
  additional?: SchemaRef | boolean;
  items?: SchemaRef;
  prefixItems: SchemaRef[];
  contains?: SchemaRef;
  not?: SchemaRef;
  /** Alternatives, on top of everything else that the view says. Several when a schema has `oneOf` and `anyOf`. */
  variants: Variants[];
  /** The value is a file: its bytes as they are, or as base64 text. */
  file?: "binary" | "base64";
  contentMediaType?: string;
  /** Pills before and after the name: `x-platform.pre`, `x-platform.post`. */
  pre: string[];
  post: string[];
  externalDocs?: { url: string; description?: string };
  xml?: { name?: string; attribute: boolean; wrapped: boolean; prefix?: string; namespace?: string };
  /** A reference leads nowhere, or in a circle without content. */
  broken: boolean;
  /** The nodes themselves, outermost last: for values of fields that docs.json names. */
  nodes: readonly Located[];
}

export interface Constraint {
  /** `minLength`, `maximum`, `exclusiveMaximum`, `pattern`, `uniqueItems`, … */
  keyword: string;
  value: unknown;
}

export interface Property {
  name: string;
  required: boolean;
  schema: SchemaRef;
}

export interface Variants {
  kind: "oneOf" | "anyOf";
  options: Variant[];
  /** The property whose value tells the options apart. */
  discriminator?: string;
}

export interface Variant {
  /** Title, name of the component, or `Option 2`. */
  label: string;
  schema: SchemaRef;
  /** Value of the discriminator that chooses this option. */
  value?: string;
}

export function schemaRef(node: Located): SchemaRef {
  return { parts: [node] };
}

export function viewOf(schema: SchemaRef, refs: Refs, direction?: Direction): SchemaView {
  const { layers, key, name, broken } = flatten(schema.parts, refs);
  const nodes = layers.map((layer) => layer.node);
  const last = <T>(read: (node: Located) => T | undefined): T | undefined => {
    for (let i = nodes.length - 1; i >= 0; i--) {
      const value = read(nodes[i]!);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const text = (keyword: string) => last((node) => ownText(node.value, keyword));
  const holder = (keyword: string) =>
    last((node) => (own(node.value, keyword) === undefined ? undefined : { value: own(node.value, keyword) }));
  const some = (keyword: string) => nodes.some((node) => own(node.value, keyword) === true);
  const at = (keyword: string) => nodes.flatMap((node) => child(node, keyword) ?? []);

  const { types, nullable: saysNull } = typesOf(nodes);
  const enumeration = enumOf(nodes, types);
  const variants = nodes.flatMap((node, index) => variantsOf(node, layers[index]!, refs));
  const file = fileKind(nodes);
  const items = at("items").filter((node) => !Array.isArray(node.value));
  const externalDocs = last((node) => externalDocsOf(own(node.value, "externalDocs")));
  const xml = last((node) => (isRaw(own(node.value, "xml")) ? own(node.value, "xml") : undefined));
  const not = nodes.find((node) => node.value === false) ?? at("not")[0];
  const optional = {
    name,
    title: text("title"),
    description: text("description"),
    format: text("format"),
    enum: enumeration?.values,
    const: holder("const"),
    default: holder("default"),
    prefill: holder("x-default"),
    propertyNames: union(at("propertyNames")),
    additional: additionalOf(nodes),
    items: union(items),
    contains: union(at("contains")),
    not: not && schemaRef(not.value === false ? { ...not, value: true } : not),
    file,
    contentMediaType: text("contentMediaType"),
    externalDocs,
    xml: isRaw(xml) ? xmlOf(xml) : undefined,
  };
  const view: SchemaView = {
    key,
    pointer: nodes.at(-1)?.pointer ?? schema.parts[0]?.pointer ?? "#",
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<SchemaView>),
    types,
    nullable: saysNull || enumeration?.hasNull === true || layers.some((layer) => layer.nullable),
    label: "",
    deprecated: some("deprecated"),
    readOnly: saidByAll(schema, refs, "readOnly"),
    writeOnly: saidByAll(schema, refs, "writeOnly"),
    examples: examplesOf(nodes),
    constraints: constraintsOf(nodes),
    properties: propertiesOf(nodes, refs, direction),
    patternProperties: nodes.flatMap((node) =>
      entries(child(node, "patternProperties")).map(([pattern, value]): [string, SchemaRef] => [pattern, schemaRef(value)]),
    ),
    prefixItems: (at("prefixItems")[0]
      ? children(at("prefixItems")[0])
      : children(at("items").find((node) => Array.isArray(node.value)))
    ).map(schemaRef),
    variants,
    pre: nodes.flatMap((node) => texts(platformExtension(node.value).pre)),
    post: nodes.flatMap((node) => texts(platformExtension(node.value).post)),
    broken,
    nodes,
  };
  view.label = labelOf(view, refs, 0);
  return view;
}

function union(parts: Located[]): SchemaRef | undefined {
  return parts.length ? { parts } : undefined;
}

const jsonTypes = ["string", "integer", "number", "boolean", "object", "array"];

/** Types that every node allows; a node that names none is asked which family its keywords belong to. */
function typesOf(nodes: readonly Located[]): { types: string[]; nullable: boolean } {
  let types: string[] | undefined;
  let nullable: boolean | undefined;
  let lifted = false;
  for (const { value } of nodes) {
    const said = own(value, "type");
    const listed = typeof said === "string" ? [said] : texts(said);
    if (own(value, "nullable") === true) lifted = true;
    if (listed.length === 0) continue;
    nullable = (nullable ?? true) && listed.includes("null");
    const known = listed.filter((type) => jsonTypes.includes(type));
    if (known.length === 0 && !listed.includes("null")) continue;
    types = types === undefined ? known : intersectTypes(types, known);
  }
  types ??= inferTypes(nodes);
  return { types, nullable: nullable === true || lifted };
}

function intersectTypes(a: readonly string[], b: readonly string[]): string[] {
  const both = new Set<string>();
  for (const type of a) {
    if (b.includes(type)) both.add(type);
    else if (type === "number" && b.includes("integer")) both.add("integer");
    else if (type === "integer" && b.includes("number")) both.add("integer");
  }
  return [...both];
}

const families: readonly [string, readonly string[]][] = [
  ["string", ["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["object", ["properties", "additionalProperties", "patternProperties", "required", "minProperties", "maxProperties"]],
];
const numberFormats = new Set(["int32", "int64", "float", "double"]);

/** The one family whose keywords are there; with keywords of several, or of none, anything goes. */
function inferTypes(nodes: readonly Located[]): string[] {
  const found = new Set<string>();
  for (const { value } of nodes) {
    for (const [type, keywords] of families) if (keywords.some((keyword) => own(value, keyword) !== undefined)) found.add(type);
    const format = ownText(value, "format");
    if (format !== undefined) found.add(numberFormats.has(format) ? "number" : "string");
    const values = own(value, "enum");
    if (Array.isArray(values) && values.length) {
      if (values.every((entry) => typeof entry === "string")) found.add("string");
      else if (values.every((entry) => typeof entry === "number")) found.add("number");
    }
  }
  return found.size === 1 ? [...found] : [];
}

export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

export function isOfType(value: unknown, type: string): boolean {
  const actual = jsonTypeOf(value);
  return actual === type || (type === "number" && actual === "integer");
}

function enumOf(nodes: readonly Located[], types: readonly string[]): { values: unknown[]; hasNull: boolean } | undefined {
  let values: unknown[] | undefined;
  for (const { value } of nodes) {
    const listed = own(value, "enum");
    if (!Array.isArray(listed)) continue;
    const texts = new Set(listed.map((entry) => JSON.stringify(entry)));
    values = values === undefined ? listed : values.filter((entry) => texts.has(JSON.stringify(entry)));
  }
  if (!values) return undefined;
  const kept = values.filter((entry) => entry !== null && (types.length === 0 || types.some((type) => isOfType(entry, type))));
  return { values: kept, hasNull: values.includes(null) };
}

function examplesOf(nodes: readonly Located[]): unknown[] {
  const single = nodes.map((node) => own(node.value, "example")).filter((value) => value !== undefined);
  if (single.length > 1 && single.every(isRaw)) return [Object.assign({}, ...single)];
  if (single.length) return [single.at(-1)];
  const list = nodes.map((node) => own(node.value, "examples")).findLast((value) => Array.isArray(value) && value.length);
  return Array.isArray(list) ? list : [];
}

/** How two values of a limit become one: the stricter. */
const limits: readonly [string, "greatest" | "least" | "common" | "each" | "any"][] = [
  ["minimum", "greatest"],
  ["exclusiveMinimum", "greatest"],
  ["maximum", "least"],
  ["exclusiveMaximum", "least"],
  ["multipleOf", "common"],
  ["minLength", "greatest"],
  ["maxLength", "least"],
  ["pattern", "each"],
  ["minItems", "greatest"],
  ["maxItems", "least"],
  ["uniqueItems", "any"],
  ["minContains", "greatest"],
  ["maxContains", "least"],
  ["minProperties", "greatest"],
  ["maxProperties", "least"],
];

function constraintsOf(nodes: readonly Located[]): Constraint[] {
  return limits.flatMap(([keyword, merge]): Constraint[] => {
    const values = nodes.flatMap(({ value }) => limitOf(value, keyword) ?? []);
    if (values.length === 0) return [];
    if (merge === "any") return values.includes(true) ? [{ keyword, value: true }] : [];
    if (merge === "each") return [...new Set(values)].filter((value) => typeof value === "string").map((value) => ({ keyword, value }));
    const numbers = values.filter((value) => typeof value === "number");
    if (numbers.length === 0) return [];
    const value =
      merge === "greatest" ? Math.max(...numbers) : merge === "least" ? Math.min(...numbers) : numbers.reduce(leastCommonMultiple);
    return [{ keyword, value }];
  });
}

/** In 3.0 the exclusive limits are flags beside the limit. */
function limitOf(node: unknown, keyword: string): unknown {
  if (keyword === "exclusiveMinimum" || keyword === "exclusiveMaximum") {
    const value = own(node, keyword);
    return value === true ? own(node, keyword === "exclusiveMinimum" ? "minimum" : "maximum") : value === false ? undefined : value;
  }
  if (keyword === "minimum" && own(node, "exclusiveMinimum") === true) return undefined;
  if (keyword === "maximum" && own(node, "exclusiveMaximum") === true) return undefined;
  return own(node, keyword);
}

function leastCommonMultiple(a: number, b: number): number {
  if (!Number.isInteger(a) || !Number.isInteger(b) || a <= 0 || b <= 0) return b;
  let [x, y] = [a, b];
  while (y) [x, y] = [y, x % y];
  return (a / x) * b;
}

function propertiesOf(nodes: readonly Located[], refs: Refs, direction: Direction | undefined): Property[] {
  const required = new Set(nodes.flatMap((node) => texts(own(node.value, "required"))));
  const parts = new Map<string, Located[]>();
  for (const node of nodes) {
    for (const [name, value] of entries(child(node, "properties"))) {
      const known = parts.get(name);
      if (known) known.push(value);
      else parts.set(name, [value]);
    }
  }
  const hidden = direction === "request" ? "readOnly" : direction === "response" ? "writeOnly" : undefined;
  return [...parts]
    .map(([name, located]) => ({ name, required: required.has(name), schema: { parts: located } }))
    .filter((property) => hidden === undefined || !saidByAll(property.schema, refs, hidden));
}

/** A flag holds for merged schemas only if each of them says so. */
function saidByAll(schema: SchemaRef, refs: Refs, flag: "readOnly" | "writeOnly"): boolean {
  return (
    schema.parts.length > 0 &&
    schema.parts.every((part) => {
      if (own(part.value, flag) === true) return true;
      return own(part.value, "$ref") !== undefined && own(refs.follow(part)?.value, flag) === true;
    })
  );
}

function additionalOf(nodes: readonly Located[]): SchemaRef | boolean | undefined {
  const said = nodes.flatMap((node) => child(node, "additionalProperties") ?? child(node, "unevaluatedProperties") ?? []);
  if (said.some((node) => node.value === false)) return false;
  const schemas = said.filter((node) => isRaw(node.value) && Object.keys(node.value).length > 0);
  if (schemas.length) return { parts: schemas };
  return said.length > 0 ? true : undefined;
}

function variantsOf(node: Located, layer: Layer, refs: Refs): Variants[] {
  const discriminator = own(node.value, "discriminator");
  const property = ownText(discriminator, "propertyName");
  const mapping = own(discriminator, "mapping");
  const mapped = isRaw(mapping) ? Object.entries(mapping).filter((entry): entry is [string, string] => typeof entry[1] === "string") : [];
  const target = (value: string) => (value.startsWith("#") ? value : `#/components/schemas/${value}`);
  const found: Variants[] = [];
  for (const kind of ["oneOf", "anyOf"] as const) {
    const options = layer.options[kind];
    if (!options) continue;
    found.push({
      kind,
      options: options.map((option, index) => {
        const ref = ownText(option.value, "$ref");
        const name = ref === undefined ? undefined : componentName(ref);
        const value = mapped.find(([, to]) => target(to) === ref)?.[0] ?? (property ? name : undefined);
        const followed = refs.follow(option);
        const title = ownText(option.value, "title") ?? ownText(followed?.value, "title");
        return {
          label: title ?? name ?? `Option ${index + 1}`,
          schema: schemaRef(option),
          ...(property && value !== undefined ? { value } : {}),
        };
      }),
      ...(property ? { discriminator: property } : {}),
    });
  }
  // A parent that names its children only in the mapping: they lead back to it by `allOf`, where it must not list them again.
  if (found.length === 0 && property && mapped.length && layer.isDirect) {
    const options = mapped.flatMap(([value, to]): Variant[] => {
      const pointer = target(to);
      return pointer === node.pointer
        ? []
        : [
            {
              label: componentName(pointer) ?? value,
              schema: schemaRef({ value: { $ref: pointer }, pointer: `${node.pointer}/discriminator/mapping` }),
              value,
            },
          ];
    });
    if (options.length) found.push({ kind: "oneOf", options, discriminator: property });
  }
  return found;
}

const fileFamilies =
  /^(?:(?:image|audio|video|font)\/.*|application\/(?:octet-stream|pdf|zip|gzip|x-gzip|x-tar|tar|x-7z-compressed|x-rar-compressed|vnd\.rar))$/i;

function fileKind(nodes: readonly Located[]): "binary" | "base64" | undefined {
  for (const { value } of nodes) {
    const type = own(value, "type");
    if (type !== undefined && type !== "string" && type !== "file" && !texts(type).includes("string")) continue;
    if (type === "file") return "binary";
    const format = ownText(value, "format");
    if (format === "binary") return "binary";
    if (format === "base64") return "base64";
    const mediaType = ownText(value, "contentMediaType");
    if (mediaType !== undefined && fileFamilies.test(mediaType))
      return /^base64(?:url)?$/i.test(ownText(value, "contentEncoding") ?? "") ? "base64" : "binary";
  }
  return undefined;
}

export function externalDocsOf(value: unknown): { url: string; description?: string } | undefined {
  const url = ownText(value, "url");
  const description = ownText(value, "description");
  return url === undefined ? undefined : { url, ...(description === undefined ? {} : { description }) };
}

function xmlOf(value: Record<string, unknown>): NonNullable<SchemaView["xml"]> {
  const [name, prefix, namespace] = ["name", "prefix", "namespace"].map((key) => ownText(value, key));
  return {
    ...(name === undefined ? {} : { name }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(namespace === undefined ? {} : { namespace }),
    attribute: own(value, "attribute") === true,
    wrapped: own(value, "wrapped") === true,
  };
}

/** Levels of arrays and alternatives that a label looks into. */
const labelDepth_levels = 3;

function labelOf(view: SchemaView, refs: Refs, depth: number): string {
  const base = baseLabel(view, refs, depth);
  return view.nullable && base !== "null" ? `${base} | null` : base;
}

function baseLabel(view: SchemaView, refs: Refs, depth: number): string {
  const below = (schema: SchemaRef) => (depth < labelDepth_levels ? labelOf(viewOf(schema, refs), refs, depth + 1) : "any");
  if (view.file) return "file";
  if (view.enum) return `enum<${view.types.join(" | ") || "any"}>`;
  if (view.types.length === 0) {
    const labels = [...new Set(view.variants[0]?.options.map((option) => below(option.schema)) ?? [])];
    if (labels.length && labels.length <= 4 && !labels.includes("any")) return labels.join(" | ");
    return view.nullable && !view.variants.length && view.nodes.length && isOnlyNull(view) ? "null" : "any";
  }
  return view.types
    .map((type) => {
      if (type === "array") {
        if (!view.items) return "any[]";
        const item = below(view.items);
        return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
      }
      return view.format && type !== "object" ? `${type}<${view.format}>` : type;
    })
    .join(" | ");
}

function isOnlyNull(view: SchemaView): boolean {
  return view.nodes.some(
    ({ value }) =>
      own(value, "type") === "null" ||
      (Array.isArray(own(value, "type")) && (own(value, "type") as unknown[]).every((type) => type === "null")),
  );
}
