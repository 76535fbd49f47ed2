/**
 * Converts unquoted scalars to the type that their schema declares: `enum: [1.0]` of strings becomes `"1.0"`.
 * Finds values that don't fit their schema's type.
 */

import { SourceScalar } from "../nodes/parse-yaml.ts";
import { isRaw, own, pointerKeys, pointerTo, type Raw, Refs, setOwn, texts } from "../nodes/refs.ts";
import { isDataKey, mapKeys } from "../nodes/walk-references.ts";

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
const valueKeys: ReadonlySet<string> = new Set([...instances, ...instanceLists]);

/** Maximum number of pairs of value and schema that are compared. Other values aren't converted. */
const steps_count = 2_000_000;

/**
 * Converts the scalars of a document in place, and replaces all `SourceScalar`s by their values. Returns the
 * values that don't fit. `isJson`: whether the document is JSON, which has no `SourceScalar`s and no aliases.
 */
export function fitScalars(root: Raw, isJson: boolean): Misfit[] {
  const fitter = new Fitter(root, isJson);
  fitter.visit(root, false);
  if (!isJson) withoutSourceScalars(root, new Set());
  return fitter.misfits;
}

/** Replaces the `SourceScalar`s in a value in place. Returns the value. */
function withoutSourceScalars(value: unknown, seen: Set<object>): unknown {
  // JSON has no infinite numbers.
  if (value instanceof SourceScalar)
    return typeof value.value !== "number" || Number.isFinite(value.value) ? value.value : value.source;
  if (typeof value !== "object" || value === null || seen.has(value)) return value;
  seen.add(value);
  for (const key of Object.keys(value)) {
    const below = (value as Raw)[key];
    if (typeof below === "object" && below !== null)
      setChanged(value, key, withoutSourceScalars(below, seen));
  }
  return value;
}

/** Schemas that all apply to a value, with what has been read from them. */
interface Applied {
  schemas: readonly Raw[];
  /**
   * The types that the schemas allow. `null` if all types are allowed, undefined if they haven't been read.
   */
  types?: readonly string[] | null;
  items?: Applied;
  properties: Map<string, Applied>;
}

class Fitter {
  readonly misfits: Misfit[] = [];
  private steps = 0;
  private readonly refs: Refs;
  private readonly allowed = new Map<Raw, readonly string[] | undefined>();
  private readonly parted = new Map<Raw, readonly Raw[]>();
  /** The schemas of examples, since many examples have the same schema. */
  private readonly applied = new Map<Raw, Applied>();
  /** Objects that have been visited. An alias in YAML uses an object several times. Undefined for JSON. */
  private readonly seen: Set<object> | undefined;
  /** Keys of the path to the current node. */
  private path: string[] = [];

  constructor(root: Raw, isJson: boolean) {
    this.refs = new Refs(root);
    this.seen = isJson ? undefined : new Set();
  }

  visit(node: object, isMap: boolean): void {
    if (this.seen?.has(node)) return;
    this.seen?.add(node);
    const isObject = isRaw(node);
    const keys = Object.keys(node);
    if (isObject && !isMap && keys.some((key) => valueKeys.has(key))) {
      if ("type" in node || "$ref" in node || "allOf" in node || "oneOf" in node || "anyOf" in node)
        this.fitSchema(node);
      if (isRaw(node.schema)) this.fitExamples(node, node.schema);
    }

    for (const key of keys) {
      const below = (node as Raw)[key];
      if (typeof below !== "object" || below === null || (isObject && !isMap && isDataKey(key, below)))
        continue;
      this.path.push(key);
      this.visit(below, isObject && !isMap && mapKeys.has(key) && isRaw(below));
      this.path.pop();
    }
  }

  private fitSchema(node: Raw): void {
    const schemas = { schemas: [node], properties: new Map() };
    for (const key of instances) if (Object.hasOwn(node, key)) this.fitMember(node, key, schemas);
    for (const key of instanceLists) {
      const list = node[key];
      if (!Array.isArray(list)) continue;
      this.path.push(key);
      for (let index = 0; index < list.length; index++) this.fitMember(list, index, schemas);
      this.path.pop();
    }
  }

  private fitExamples(node: Raw, schema: Raw): void {
    const target = this.refs.target({ value: schema, pointer: "" })?.value;
    const key = Object.keys(schema).length === 1 && isRaw(target) ? target : schema;
    let applied = this.applied.get(key);
    if (!applied) this.applied.set(key, (applied = { schemas: [key], properties: new Map() }));
    if (Object.hasOwn(node, "example")) this.fitMember(node, "example", applied);

    for (const [name, entry] of Object.entries(isRaw(node.examples) ? node.examples : {})) {
      const example = isRaw(entry)
        ? this.refs.follow({ value: entry, pointer: pointerTo([...this.path, "examples", name]) })
        : undefined;
      if (!isRaw(example?.value)) continue;
      const { path } = this;
      this.path = pointerKeys(example.pointer) ?? [];
      for (const key of ["value", "dataValue"])
        if (Object.hasOwn(example.value, key)) this.fitMember(example.value, key, applied);
      this.path = path;
    }
  }

  private fitMember(node: object, key: string | number, schemas: Applied): void {
    this.path.push(String(key));
    setChanged(node, key, this.fitValue((node as Raw)[key], schemas));
    this.path.pop();
  }

  private fitValue(value: unknown, applied: Applied): unknown {
    if (applied.schemas.length === 0 || ++this.steps > steps_count) return value;

    if (Array.isArray(value)) {
      const items = (applied.items ??= this.appliedBelow(applied, (schema) => own(schema, "items")));
      for (let index = 0; index < value.length; index++) this.fitMember(value, index, items);
      return value;
    }

    if (isRaw(value) && !(value instanceof SourceScalar)) {
      for (const name of Object.keys(value)) {
        let below = applied.properties.get(name);
        if (!below) {
          below = this.appliedBelow(
            applied,
            (schema) => own(own(schema, "properties"), name) ?? own(schema, "additionalProperties"),
          );
          applied.properties.set(name, below);
        }
        this.fitMember(value, name, below);
      }
      return value;
    }

    const scalar = value instanceof SourceScalar ? value.value : value;
    if (scalar === null || scalar === undefined) return value;

    if (applied.types === undefined)
      applied.types =
        applied.schemas.map((schema) => this.typesOf(schema)).find((allowed) => allowed !== undefined) ??
        null;

    const { types } = applied;
    if (types === null || types.length === 0 || types.includes(typeOf(scalar))) return value;
    const text = value instanceof SourceScalar ? value.source : String(value);
    const converted = convert(text, scalar, types);

    // A text can be the JSON or XML of an object.
    if (
      converted === undefined &&
      typeof scalar === "string" &&
      types.some((type) => type === "object" || type === "array")
    )
      return value;

    this.misfits.push({
      pointer: pointerTo(this.path),
      text,
      types: [...types],
      isConverted: converted !== undefined,
    });

    return converted ?? value;
  }

  /**
   * Returns the types of values that a schema allows, with `integer` for `number`. Undefined if all types are
   * allowed.
   */
  private typesOf(schema: Raw): readonly string[] | undefined {
    if (this.allowed.has(schema)) return this.allowed.get(schema);
    this.allowed.set(schema, undefined);
    const declared = (typeof schema.type === "string" ? [schema.type] : texts(schema.type)).filter((type) =>
      jsonTypes.has(type),
    );
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

  /**
   * Returns the schemas that apply together with a schema: the target of its reference, and the members of
   * `allOf`.
   */
  private parts(schema: Raw): Raw[] {
    const target =
      typeof schema.$ref === "string" ? this.refs.target({ value: schema, pointer: "" })?.value : undefined;
    return [target, ...(Array.isArray(schema.allOf) ? (schema.allOf as unknown[]) : [])].filter(isRaw);
  }

  /**
   * Returns the schemas that `read` finds in schemas, in the schemas that apply with them, and in their
   * alternatives.
   */
  private appliedBelow({ schemas }: Applied, read: (schema: Raw) => unknown): Applied {
    const found = new Set<Raw>();
    for (const schema of schemas)
      for (const one of this.withParts(schema)) {
        if (++this.steps > steps_count) return { schemas: [], properties: new Map() };
        const below = read(one);
        if (isRaw(below)) found.add(below);
      }
    return { schemas: [...found], properties: new Map() };
  }

  /** Returns a schema with all schemas that apply with it, and their alternatives. */
  private withParts(schema: Raw): readonly Raw[] {
    let all = this.parted.get(schema);
    if (!all) {
      const found = new Set([schema]);
      for (const one of found) {
        if (++this.steps > steps_count) break;
        for (const part of [...this.parts(one), ...optionsOf(one)]) found.add(part);
      }
      this.parted.set(schema, (all = [...found]));
    }
    return all;
  }
}

function optionsOf(schema: Raw): Raw[] {
  return [schema.oneOf, schema.anyOf]
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .filter(isRaw);
}

function typeOf(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) return "infinite";
  if (typeof value === "bigint") return "integer";
  return typeof value === "number" ? (Number.isInteger(value) ? "integer" : "number") : typeof value;
}

function convert(text: string, value: unknown, types: readonly string[]): unknown {
  if (typeof value !== "string") return types.includes("string") ? text : undefined;
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  const isNumber = types.includes("integer") && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text);
  // A number would lose the zeros at the end of a text such as `1.0`.
  return isNumber && String(Number(text)) === text && (types.includes("number") || !text.includes("."))
    ? Number(text)
    : undefined;
}

function setChanged(node: object, key: string | number, value: unknown): void {
  if ((node as Raw)[key] !== value) setOwn(node, key, value);
}
