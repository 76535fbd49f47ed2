/**
 * Converts unquoted scalars to the type that their schema declares: `enum: [1.0]` of strings becomes `"1.0"`. Finds values that don't fit
 * their schema's type.
 */

import { SourceScalar } from "./parse-yaml.ts";
import { escapeKey, isRaw, own, type Raw, Refs, texts } from "./refs.ts";
import { isDataKey, mapKeys } from "./walk-references.ts";

/** A value that doesn't fit the type of its schema. */
export interface Misfit {
  pointer: string;
  /** The value as text, as in the source. */
  text: string;
  /** The types that the schema allows. */
  types: string[];
  /** Whether the value was converted, so that it's shown. */
  isConverted: boolean;
}

const jsonTypes = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** Keywords of schemas whose value is an instance of the schema, or a list of instances. */
const instances = ["default", "const", "example", "x-default"];
const instanceLists = ["enum", "examples"];

/** Maximum number of pairs of value and schema that are compared. Other values aren't converted. */
const steps_count = 2_000_000;

/** Converts the scalars of a document in place, and replaces all `SourceScalar`s by their values. Returns the values that don't fit. */
export function fitScalars(root: Raw): Misfit[] {
  const fitter = new Fitter(root);
  fitter.visit(root, "#", false);
  plain(root, new Set());
  return fitter.misfits;
}

/** Replaces the `SourceScalar`s in a value. */
function plain(value: unknown, seen: Set<object>): unknown {
  if (value instanceof SourceScalar) return value.value;
  if (typeof value !== "object" || value === null || seen.has(value)) return value;
  seen.add(value);
  for (const key of Object.keys(value)) {
    const below = (value as Raw)[key];
    if (typeof below === "object" && below !== null) set(value, key, plain(below, seen));
  }
  return value;
}

class Fitter {
  readonly misfits: Misfit[] = [];
  private steps = 0;
  private readonly refs: Refs;
  private readonly allowed = new Map<Raw, readonly string[] | undefined>();
  /** Objects that have been visited. An alias in YAML uses an object several times. */
  private readonly seen = new Set<object>();

  constructor(root: Raw) {
    this.refs = new Refs(root);
  }

  visit(node: object, pointer: string, isMap: boolean): void {
    if (this.seen.has(node)) return;
    this.seen.add(node);
    const isObject = isRaw(node);
    if (isObject && !isMap) {
      if ("type" in node || "$ref" in node || "allOf" in node || "oneOf" in node || "anyOf" in node) this.fitSchema(node, pointer);
      if (isRaw(node.schema)) this.fitExamples(node, node.schema, pointer);
    }
    for (const key of Object.keys(node)) {
      const below = (node as Raw)[key];
      if (typeof below !== "object" || below === null || (isObject && !isMap && isDataKey(key, below))) continue;
      this.visit(below, `${pointer}/${escapeKey(key)}`, isObject && !isMap && mapKeys.has(key) && isRaw(below));
    }
  }

  private fitSchema(node: Raw, pointer: string): void {
    for (const key of instances) if (Object.hasOwn(node, key)) node[key] = this.fitValue(node[key], [node], `${pointer}/${key}`);
    for (const key of instanceLists) {
      const list = node[key];
      if (Array.isArray(list)) list.forEach((value, index) => (list[index] = this.fitValue(value, [node], `${pointer}/${key}/${index}`)));
    }
  }

  private fitExamples(node: Raw, schema: Raw, pointer: string): void {
    if (Object.hasOwn(node, "example")) node.example = this.fitValue(node.example, [schema], `${pointer}/example`);
    for (const [name, entry] of Object.entries(isRaw(node.examples) ? node.examples : {})) {
      const example = isRaw(entry) ? this.refs.follow({ value: entry, pointer: `${pointer}/examples/${escapeKey(name)}` }) : undefined;
      for (const key of ["value", "dataValue"])
        if (isRaw(example?.value) && Object.hasOwn(example.value, key))
          example.value[key] = this.fitValue(example.value[key], [schema], `${example.pointer}/${key}`);
    }
  }

  /** Fits a value to schemas that all apply to it. */
  private fitValue(value: unknown, schemas: readonly Raw[], pointer: string): unknown {
    if (schemas.length === 0) return value;
    if (Array.isArray(value)) {
      const items = this.schemasBelow(schemas, (schema) => own(schema, "items"));
      value.forEach((item, index) => (value[index] = this.fitValue(item, items, `${pointer}/${index}`)));
      return value;
    }
    if (isRaw(value) && !(value instanceof SourceScalar)) {
      for (const name of Object.keys(value)) {
        const below = this.schemasBelow(schemas, (schema) => own(own(schema, "properties"), name) ?? own(schema, "additionalProperties"));
        set(value, name, this.fitValue(value[name], below, `${pointer}/${escapeKey(name)}`));
      }
      return value;
    }
    const types = schemas.map((schema) => this.typesOf(schema)).find((allowed) => allowed !== undefined);
    const scalar = value instanceof SourceScalar ? value.value : value;
    if (types === undefined || scalar === null || scalar === undefined || types.length === 0 || types.includes(typeOf(scalar)))
      return value;
    const text = value instanceof SourceScalar ? value.source : String(value);
    const converted = convert(text, scalar, types);
    // A text can be the JSON or XML of an object.
    if (converted === undefined && typeof scalar === "string" && types.some((type) => type === "object" || type === "array")) return value;
    this.misfits.push({ pointer, text, types: [...types], isConverted: converted !== undefined });
    return converted ?? value;
  }

  /** Returns the types of values that a schema allows, with `integer` for `number`. Undefined if all types are allowed. */
  private typesOf(schema: Raw): readonly string[] | undefined {
    if (this.allowed.has(schema)) return this.allowed.get(schema);
    this.allowed.set(schema, undefined);
    const declared = (typeof schema.type === "string" ? [schema.type] : texts(schema.type)).filter((type) => jsonTypes.has(type));
    const ofParts = () =>
      this.parts(schema)
        .map((part) => this.typesOf(part))
        .find((one) => one !== undefined);
    const types = declared.length ? declared : (ofParts() ?? this.ofOptions(schema));
    const result = types?.includes("number") ? [...types, "integer"] : types;
    this.allowed.set(schema, result);
    return result;
  }

  private ofOptions(schema: Raw): readonly string[] | undefined {
    const options = optionsOf(schema).map((option) => this.typesOf(option));
    return options.length && options.every((types) => types !== undefined) ? options.flat() : undefined;
  }

  /** Returns the schemas that apply together with a schema: the target of its reference, and the members of `allOf`. */
  private parts(schema: Raw): Raw[] {
    const target = typeof schema.$ref === "string" ? this.refs.follow({ value: schema, pointer: "" })?.value : undefined;
    return [target, ...(Array.isArray(schema.allOf) ? (schema.allOf as unknown[]) : [])].filter(isRaw);
  }

  /** Returns the schemas that `read` finds in schemas, in the schemas that apply with them, and in their alternatives. */
  private schemasBelow(schemas: readonly Raw[], read: (schema: Raw) => unknown): Raw[] {
    const found: Raw[] = [];
    const all = new Set(schemas);
    for (const schema of all) {
      if (++this.steps > steps_count) return [];
      const below = read(schema);
      if (isRaw(below)) found.push(below);
      for (const part of [...this.parts(schema), ...optionsOf(schema)]) all.add(part);
    }
    return found;
  }
}

function optionsOf(schema: Raw): Raw[] {
  return [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])).filter(isRaw);
}

function typeOf(value: unknown): string {
  if (typeof value === "bigint") return "integer";
  return typeof value === "number" ? (Number.isInteger(value) ? "integer" : "number") : typeof value;
}

function convert(text: string, value: unknown, types: readonly string[]): unknown {
  if (typeof value !== "string") return types.includes("string") ? text : undefined;
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  const isNumber = types.includes("integer") && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text);
  // A number would lose the zeros at the end of a text such as `1.0`.
  return isNumber && String(Number(text)) === text && (types.includes("number") || !text.includes(".")) ? Number(text) : undefined;
}

function set(node: object, key: string, value: unknown): void {
  if ((node as Raw)[key] === value) return;
  // Assigning `__proto__` would set the prototype.
  Object.defineProperty(node, key, { value, enumerable: true, writable: true, configurable: true });
}
