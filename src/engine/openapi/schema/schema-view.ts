/**
 * Merges the keywords of one level of a schema, for pages, inputs and checks. Nested schemas are read on
 * demand.
 */

import { DocumentMemo } from "../nodes/document-memo.ts";
import { platformExtension } from "../nodes/extensions.ts";
import { fileKind } from "../nodes/file-kind.ts";
import { jsonText } from "../nodes/json-text.ts";
import { isJson } from "../nodes/media-types.ts";
import {
  canonicalPointer,
  children,
  componentName,
  entries,
  escapeKey,
  isRaw,
  type Located,
  own,
  ownText,
  type Refs,
  texts,
} from "../nodes/refs.ts";
import { mappedPointer } from "../nodes/walk-references.ts";
import { type Condition, conditionalSchemas } from "./conditional-schemas.ts";
import { choiceDescriptionsOf, constChoices, enumTextsOf } from "./enum-choices.ts";
import { appliesTo } from "./format-types.ts";
import { type Constraint, constraintsOf } from "./schema-constraints.ts";
import { type Direction, isExcluded, isFlaggedInAll } from "./schema-flags.ts";
import { flatten, type Layer } from "./schema-layers.ts";
import { isOfType, typesOf } from "./schema-types.ts";

/** A schema that has not been read yet: one or more nodes that all apply, as in `allOf`. */
export interface SchemaRef {
  parts: Located[];
}

/** A view always has all properties, because V8 handles objects with the same properties faster. */
export interface SchemaView {
  /** Identifies the schema by the pointers of its nodes after resolving references. */
  key: string;
  /** Pointer to the declaration of the schema. */
  pointer: string;
  /** Name of the component that the schema refers to. */
  name: string | undefined;
  title: string | undefined;
  description: string | undefined;
  /** Descriptions of the nodes that list values or alternatives, which often explain each of them. */
  choiceDescriptions: string[];
  /**
   * JSON types without `null`. Empty if any type or only `null` is allowed, or if the declared types
   * contradict each other.
   */
  types: string[];
  nullable: boolean;
  /** The type as shown to readers: `string<uuid>`, `object[]`, `enum<string>`, `object | null`. */
  label: string;
  format: string | undefined;
  deprecated: boolean;
  readOnly: boolean;
  writeOnly: boolean;
  /**
   * Enum values other than `null` that match `types`. Also the values of alternatives that each have a
   * `const`. Undefined if the schema has no enum.
   */
  enum: unknown[] | undefined;
  /** Description of each value in `enum`. Undefined if no value has one. */
  enumTexts: (string | undefined)[] | undefined;
  /** The values in `enum` that are deprecated. */
  deprecatedValues: readonly unknown[];
  const: { value: unknown } | undefined;
  default: { value: unknown } | undefined;
  examples: unknown[];
  /** `x-default`: the initial value in the playground. Not shown as the default. */
  prefill: { value: unknown } | undefined;
  /** Keywords such as `unevaluatedProperties`, which are shown as they are written. */
  conditions: [keyword: string, value: unknown][];
  /** Constraints, such as limits, in the order of the specification. */
  constraints: Constraint[];
  properties: Property[];
  patternProperties: [string, SchemaRef][];
  propertyNames: SchemaRef | undefined;
  /**
   * Schema of additional properties; `false` if none are allowed, `true` if all are allowed, undefined if not
   * declared.
   */
  additional: SchemaRef | boolean | undefined;
  items: SchemaRef | undefined;
  prefixItems: SchemaRef[];
  contains: SchemaRef | undefined;
  /** `contentSchema`: the schema of the value that a text contains. */
  content: SchemaRef | undefined;
  not: SchemaRef | undefined;
  /**
   * Lists of alternatives, which apply in addition to the other keywords. A schema can have several lists,
   * such as `oneOf` and `anyOf`. The list of conditional parts is the last one.
   */
  variants: VariantList[];
  /** Encoding of a value that is a file: raw bytes or base64 text. Undefined for other values. */
  file: "binary" | "base64" | undefined;
  contentMediaType: string | undefined;
  /** Labels before the name, from `x-platform.pre`. */
  pre: string[];
  /** Labels after the name, from `x-platform.post`. */
  post: string[];
  externalDocs: { url: string; description?: string } | undefined;
  xml:
    | { name?: string; attribute: boolean; wrapped: boolean; prefix?: string; namespace?: string }
    | undefined;
  /** Whether a reference in the schema can't be resolved or a part of the schema isn't a schema. */
  broken: boolean;
  /** The flattened nodes, the outermost one last. */
  nodes: readonly Located[];
}

export interface Property {
  name: string;
  required: boolean;
  schema: SchemaRef;
  /** Whether the property is required but not declared. */
  undeclared?: boolean;
}

export interface VariantList {
  /** `if`: the parts that apply to some values, of which any number can apply. */
  kind: "oneOf" | "anyOf" | "if";
  options: Variant[];
  /** The property whose value selects the option. */
  discriminator?: string;
}

export interface Variant {
  /**
   * Label of the option: its title, component name or discriminator value, or else its number, as in `Option
   * 2`.
   */
  label: string;
  schema: SchemaRef;
  /** The discriminator values that select this option. Absent if there are none. */
  values?: string[];
  /** When a conditional part applies. Absent for alternatives. */
  condition?: Condition;
}

export function schemaRef(node: Located): SchemaRef {
  return { parts: [node] };
}

/** Maximum number of memoized views of a document for each direction. */
const views_count = 15_000;
const viewsByDirection: Record<Direction, DocumentMemo<SchemaView>> = {
  request: new DocumentMemo(views_count),
  response: new DocumentMemo(views_count),
  schema: new DocumentMemo(views_count),
};

/**
 * Reads one level of a schema. Default for `direction`: all fields are included. Views are memoized as
 * described in `DocumentMemo`.
 */
export function viewOf(schema: SchemaRef, refs: Refs, direction: Direction = "schema"): SchemaView {
  return viewsByDirection[direction].get(refs, keyOf(schema), () => makeView(schema, refs, direction));
}

/** Returns a key that identifies a schema by the pointers of its parts. */
export function keyOf({ parts }: SchemaRef): string {
  return parts.length === 1 ? parts[0]!.pointer : parts.map((part) => part.pointer).join(" ");
}

function makeView(schema: SchemaRef, refs: Refs, direction: Direction): SchemaView {
  const view = readView(schema, refs, direction);
  view.label = labelOf(view, refs, 0);
  return view;
}

/** Reads a view without its label, which depends on nested schemas. */
function readView(schema: SchemaRef, refs: Refs, direction: Direction): SchemaView {
  const { layers, key, name, broken } = flatten(schema.parts, refs);
  const nodes = layers.map((layer) => layer.node);
  const declared = keywordsOf(nodes);
  const text = (keyword: string) =>
    declared.get(keyword)?.findLast(({ value }) => typeof value === "string")?.value as string | undefined;

  const lastValue = (keyword: string) => {
    const last = declared.get(keyword)?.at(-1);
    return last && { value: last.value };
  };

  const at = (keyword: string) => declared.get(keyword) ?? [];

  const choicesOfLayers = layers.map((layer) => constChoices(layer, refs));
  const choices = choicesOfLayers.filter((found) => found !== undefined);
  const { types, nullable: hasNullType } = typesOf(nodes, declared, choices);
  const enumeration =
    declared.has("enum") || choices.length > 0 ? enumOf([...at("enum"), ...choices], types) : undefined;

  // In older documents, a list in `items` is a tuple, and `additionalItems` are the other items.
  const oldTuple = at("items").find((node) => Array.isArray(node.value));
  const items = oldTuple ? at("additionalItems") : at("items");
  const tuple = at("prefixItems")[0] ?? oldTuple;
  const not = nodes.find((node) => node.value === false) ?? at("not")[0];

  const extensions =
    declared.has("x-platform") || declared.has("x-mint")
      ? nodes.map((node) => platformExtension(node.value))
      : [];

  return {
    key,
    pointer: nodes.at(-1)?.pointer ?? schema.parts[0]?.pointer ?? "#",
    name,
    title: text("title"),
    description:
      text("description") ?? choices.find(({ description }) => description !== undefined)?.description,
    choiceDescriptions: choiceDescriptionsOf(layers),
    types,
    nullable: hasNullType || enumeration?.hasNull === true || layers.some((layer) => layer.nullable),
    label: "",
    format: text("format"),
    deprecated: at("deprecated").some(({ value }) => value === true),
    readOnly: isFlaggedInAll(schema.parts, refs, "readOnly"),
    writeOnly: isFlaggedInAll(schema.parts, refs, "writeOnly"),
    enum: enumeration?.values,
    deprecatedValues: choices.flatMap(({ deprecated }) => deprecated),
    enumTexts: enumeration && enumTextsOf(enumeration.values, nodes, choices),
    const: lastValue("const"),
    default: lastValue("default"),
    examples: examplesOf(declared),
    prefill: lastValue("x-default"),
    conditions: conditionsOf(declared),
    constraints: constraintsOf(nodes, declared),
    properties: propertiesOf(declared, refs, direction),
    patternProperties: at("patternProperties").flatMap((node) =>
      entries(node).map(([pattern, value]): [string, SchemaRef] => [pattern, schemaRef(value)]),
    ),
    propertyNames: allOf(at("propertyNames")),
    additional: additionalOf(declared),
    items: items.some((node) => node.value === false) ? undefined : allOf(items),
    prefixItems: children(tuple).map(schemaRef),
    contains: allOf(at("contains")),
    content: allOf(at("contentSchema").filter(({ value }) => isRaw(value))),
    not: not && schemaRef(not.value === false ? { ...not, value: true } : not),
    variants: [
      ...layers.flatMap((layer, index) =>
        choicesOfLayers[index] || listsOneOf(layer, nodes) ? [] : variantsOf(layer, refs),
      ),
      ...conditionalsOf(nodes),
    ],
    file: fileKind(nodes),
    contentMediaType: text("contentMediaType"),
    pre: extensions.flatMap((extension) => texts(extension.pre)),
    post: extensions.flatMap((extension) => texts(extension.post)),
    externalDocs: externalDocsOf(at("externalDocs").at(-1)?.value),
    xml: xmlOf(at("xml").at(-1)?.value),
    broken,
    nodes,
  };
}

/**
 * The values of each keyword in the order of the nodes, so that the outermost node's value is last. Values of
 * `schemaKeywords` have their own pointers. Other values have the pointers of their nodes.
 */
type Keywords = ReadonlyMap<string, readonly Located[]>;

/**
 * Keywords that contain schemas. `keywordsOf` gives their values their own pointers, so that `viewOf` can
 * read the schemas. `allOf`, `oneOf` and `anyOf` aren't included, because `flatten` reads them.
 */
const schemaKeywords = new Set(
  "items additionalItems prefixItems properties patternProperties additionalProperties unevaluatedProperties propertyNames contains contentSchema not".split(
    " ",
  ),
);

function keywordsOf(nodes: readonly Located[]): Keywords {
  const declared = new Map<string, Located[]>();
  for (const node of nodes) {
    if (!isRaw(node.value)) continue;
    for (const keyword of Object.keys(node.value)) {
      const value: Located = {
        value: node.value[keyword],
        pointer: schemaKeywords.has(keyword) ? `${node.pointer}/${keyword}` : node.pointer,
      };
      if (value.value === undefined) continue;
      const known = declared.get(keyword);
      if (known) known.push(value);
      else declared.set(keyword, [value]);
    }
  }

  return declared;
}

/** Combines parts into one schema in which all of them apply. Undefined if there are no parts. */
function allOf(parts: readonly Located[]): SchemaRef | undefined {
  return parts.length ? { parts: [...parts] } : undefined;
}

/**
 * Returns the values that all lists and the types allow. If they contradict each other, returns the values of
 * all lists.
 */
function enumOf(
  lists: readonly Located[],
  types: readonly string[],
): { values: unknown[]; hasNull: boolean } | undefined {
  const all = lists.map(({ value }) => value).filter((listed): listed is unknown[] => Array.isArray(listed));
  if (all.length === 0) return undefined;

  const shared = all.reduce((values, listed) => {
    const texts = new Set(listed.map((entry) => jsonText(entry)));
    return values.filter((entry) => texts.has(jsonText(entry)));
  });

  const ofType = shared.filter(
    (entry) => entry !== null && (types.length === 0 || types.some((type) => isOfType(entry, type))),
  );
  const hasNull = shared.includes(null);
  return {
    values: ofType.length || hasNull ? ofType : all.flat().filter((entry) => entry !== null),
    hasNull,
  };
}

function examplesOf(declared: Keywords): unknown[] {
  const single = (declared.get("example") ?? []).map((node) => node.value);
  if (single.length > 1 && single.every(isRaw)) return [Object.assign({}, ...single)];
  const list = declared
    .get("examples")
    ?.findLast(({ value }) => Array.isArray(value) && value.length > 0)?.value;
  const others: unknown[] = Array.isArray(list) ? list : [];
  if (single.length === 0) return others;
  const first = jsonText(single.at(-1));
  return [single.at(-1), ...others.filter((other) => jsonText(other) !== first)];
}

function conditionsOf(declared: Keywords): [keyword: string, value: unknown][] {
  return ["unevaluatedProperties", "unevaluatedItems"].flatMap((keyword) =>
    (declared.get(keyword) ?? []).flatMap(({ value }): [string, unknown][] =>
      typeof value === "boolean" ? [] : [[keyword, value]],
    ),
  );
}

function propertiesOf(declared: Keywords, refs: Refs, direction: Direction): Property[] {
  if (!declared.has("properties") && !declared.has("required")) return [];
  const required = new Set((declared.get("required") ?? []).flatMap(({ value }) => texts(value)));
  const parts = new Map<string, Located[]>();
  for (const node of declared.get("properties") ?? []) {
    for (const [name, value] of entries(node)) {
      const known = parts.get(name);
      if (known) known.push(value);
      else parts.set(name, [value]);
    }
  }

  // A `false` schema forbids the property.
  const allowed = [...parts].filter(([, located]) => located.every(({ value }) => value !== false));
  const others = declared.get("additionalProperties")?.filter(({ value }) => isRaw(value)) ?? [];
  const undeclared = [...required].filter((name) => !parts.has(name));
  return [
    ...allowed
      .map(([name, located]) => ({ name, required: required.has(name), schema: { parts: located } }))
      .filter(({ schema }) => !isExcluded((flag) => isFlaggedInAll(schema.parts, refs, flag), direction)),
    ...undeclared.map((name) => ({
      name,
      required: true,
      schema: {
        parts: others.length
          ? [...others]
          : [{ value: true, pointer: `${declared.get("required")![0]!.pointer}/required` }],
      },
      undeclared: true,
    })),
  ];
}

function additionalOf(keywords: Keywords): SchemaRef | boolean | undefined {
  const declared = keywords.get("additionalProperties") ?? keywords.get("unevaluatedProperties") ?? [];
  if (declared.some((node) => node.value === false)) return false;
  const schemas = declared.filter((node) => isRaw(node.value) && Object.keys(node.value).length > 0);
  if (schemas.length) return { parts: schemas };
  return declared.length > 0 ? true : undefined;
}

function conditionalsOf(nodes: readonly Located[]): VariantList[] {
  const options = nodes.flatMap(conditionalSchemas);
  return options.length > 0 ? [{ kind: "if", options }] : [];
}

/**
 * Whether a parent schema in `allOf` lists a schema that includes it. Its other alternatives are then
 * siblings, and not alternatives of the schema.
 */
function listsOneOf({ isDirect, options }: Layer, nodes: readonly Located[]): boolean {
  const listed = [...(options.oneOf ?? []), ...(options.anyOf ?? [])].flatMap(
    ({ value }) => ownText(value, "$ref") ?? [],
  );
  if (isDirect || listed.length === 0) return false;
  const pointers = new Set(nodes.map(({ pointer }) => pointer));
  return listed.some((ref) => pointers.has(canonicalPointer(ref)));
}

function variantsOf(layer: Layer, refs: Refs): VariantList[] {
  const { node } = layer;
  const discriminator = own(node.value, "discriminator");
  const property = ownText(discriminator, "propertyName");
  const mapping = own(discriminator, "mapping");
  const mapped = isRaw(mapping)
    ? Object.entries(mapping).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    : [];
  const valuesOf = new Map<string, string[]>();
  for (const [value, to] of mapped) {
    const values = valuesOf.get(mappedPointer(to));
    if (values) values.push(value);
    else valuesOf.set(mappedPointer(to), [value]);
  }

  const found: VariantList[] = [];
  for (const kind of ["oneOf", "anyOf"] as const) {
    const options = layer.options[kind];
    if (!options) continue;
    found.push({
      kind,
      options: options.map((option, index) => {
        const written = ownText(option.value, "$ref");
        const ref = written === undefined ? undefined : canonicalPointer(written);
        const name = ref === undefined ? undefined : componentName(ref);
        const values =
          (ref === undefined ? undefined : valuesOf.get(ref)) ?? (name === undefined ? [] : [name]);
        return {
          label: variantLabel(option, refs, index),
          schema: schemaRef(option),
          ...(property && values.length ? { values } : {}),
        };
      }),
      ...(property ? { discriminator: property } : {}),
    });
  }

  // A parent schema can list its children in the mapping alone. The children include the parent in `allOf`,
  // where the mapping is ignored.
  if (found.length === 0 && property && mapped.length && layer.isDirect) {
    const byPointer = new Map<string, string[]>();
    for (const [value, to] of mapped)
      byPointer.set(mappedPointer(to), [...(byPointer.get(mappedPointer(to)) ?? []), value]);
    byPointer.delete(node.pointer);
    const options = [...byPointer].map(
      ([pointer, values]): Variant => ({
        label: componentName(pointer) ?? values[0]!,
        schema: schemaRef({
          value: { $ref: pointer },
          pointer: `${node.pointer}/discriminator/mapping/${escapeKey(values[0]!)}`,
        }),
        values,
      }),
    );
    if (options.length) found.push({ kind: "oneOf", options, discriminator: property });
  }

  return found;
}

/**
 * Returns the label of an alternative: its title, the name of its component, the names that it requires, or
 * its number.
 */
export function variantLabel(option: Located, refs: Refs, index: number): string {
  const title = ownText(option.value, "title") ?? ownText(refs.target(option)?.value, "title");
  const name = title ?? componentName(ownText(option.value, "$ref") ?? "");
  return name ?? (requiredOnly(option.value)?.join(" + ") || `Option ${index + 1}`);
}

/** Returns the names that a schema requires, if it requires nothing else. */
export function requiredOnly(schema: unknown): string[] | undefined {
  const isOnly =
    isRaw(schema) &&
    Object.keys(schema).every((keyword) => ["required", "type", "description"].includes(keyword));
  return isOnly && Array.isArray(schema.required) ? texts(schema.required) : undefined;
}

/**
 * Returns the schema of the value that a text contains as JSON. Undefined if the text isn't JSON or is
 * encoded.
 */
export function jsonContentOf({
  content,
  contentMediaType = "application/json",
  constraints,
}: SchemaView): SchemaRef | undefined {
  const isText =
    isJson(contentMediaType) && !constraints.some(({ keyword }) => keyword === "contentEncoding");
  return isText ? content : undefined;
}

/** Reads an `externalDocs` object. Undefined if it has no URL. */
export function externalDocsOf(value: unknown): { url: string; description?: string } | undefined {
  const url = ownText(value, "url");
  const description = ownText(value, "description");
  return url === undefined ? undefined : { url, ...(description === undefined ? {} : { description }) };
}

function xmlOf(value: unknown): SchemaView["xml"] {
  if (!isRaw(value)) return undefined;
  const [name, prefix, namespace, nodeType] = ["name", "prefix", "namespace", "nodeType"].map((key) =>
    ownText(value, key),
  );
  return {
    ...(name === undefined ? {} : { name }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(namespace === undefined ? {} : { namespace }),
    // OpenAPI 3.2, 4.27.1: `nodeType` replaces the two flags. The wrapper of a list is its element.
    attribute: own(value, "attribute") === true || nodeType === "attribute",
    wrapped: own(value, "wrapped") === true || nodeType === "element",
  };
}

/** Maximum number of levels of arrays and alternatives that a label expands. */
const labelDepth_levels = 3;
/** Maximum number of different labels of alternatives in a label. */
const labels_count = 4;
const labels = new DocumentMemo<string>(views_count);
/**
 * Maximum number of alternatives below the first level that a label reads. Alternatives can refer to the type
 * that lists them, so that each level would multiply their number.
 */
const nestedOptions_count = 20;

function labelOf(view: SchemaView, refs: Refs, depth: number): string {
  // All references to a schema share its label, which can depend on many alternatives.
  const base = labels.get(refs, `${depth} ${view.key}`, () => baseLabel(view, refs, depth));
  return view.nullable && base !== "null" ? `${base} | null` : base;
}

function baseLabel(view: SchemaView, refs: Refs, depth: number): string {
  const below = (schema: SchemaRef) =>
    depth < labelDepth_levels ? labelOf(readView(schema, refs, "schema"), refs, depth + 1) : "any";
  if (view.file) return "file";
  if (view.enum) return `enum<${view.types.join(" | ") || "any"}>`;

  if (view.types.length === 0) {
    const options = view.variants.find(({ kind }) => kind !== "if")?.options ?? [];
    const found = depth > 0 && options.length > nestedOptions_count ? undefined : labelsOf(options, below);
    if (found?.length) return found.join(" | ");
    return view.nullable && !view.variants.length && view.nodes.length && isOnlyNull(view) ? "null" : "any";
  }

  return view.types
    .map((type) => {
      if (type === "array") {
        const rest = view.items && listLabel(below(view.items));
        if (view.prefixItems.length === 0) return rest ?? "any[]";
        const isClosed = view.constraints.some(
          ({ keyword, value }) =>
            /items$/i.test(keyword) &&
            (value === false || (keyword === "maxItems" && Number(value) <= view.prefixItems.length)),
        );
        return `[${[...view.prefixItems.map(below), ...(rest ? [`...${rest}`] : isClosed ? [] : ["...any[]"])].join(", ")}]`;
      }
      return view.format && (view.types.length === 1 ? type !== "object" : appliesTo(view.format, type))
        ? `${type}<${view.format}>`
        : type;
    })
    .join(" | ");
}

/** Returns the different labels of alternatives. Undefined if one of them is "any", or there are too many. */
function labelsOf(options: readonly Variant[], labelOf: (schema: SchemaRef) => string): string[] | undefined {
  const found = new Set<string>();
  for (const { schema } of options) {
    found.add(labelOf(schema));
    if (found.has("any") || found.size > labels_count) return undefined;
  }
  return [...found];
}

function listLabel(item: string): string {
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

function isOnlyNull(view: SchemaView): boolean {
  return view.nodes.some(
    ({ value }) =>
      own(value, "type") === "null" ||
      (Array.isArray(own(value, "type")) &&
        (own(value, "type") as unknown[]).every((type) => type === "null")),
  );
}
