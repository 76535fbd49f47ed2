/** Judges the samples of a document with Ajv. */

import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { checkValue } from "../../src/engine/openapi/check/check-value.ts";
import { exampleOf } from "../../src/engine/openapi/check/example.ts";
import { type ApiDocument, readDocument } from "../../src/engine/openapi/document/api-document.ts";
import { jsonText } from "../../src/engine/openapi/nodes/json-text.ts";
import { readOperation } from "../../src/engine/openapi/request/operation.ts";
import type { SchemaRef } from "../../src/engine/openapi/schema/schema-view.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type Node = any;
type Direction = "request" | "response";

/** Keywords whose values are maps of names to schemas, and keywords whose values are data. */
const maps = new Set(
  "properties patternProperties dependentSchemas $defs definitions schemas responses".split(" "),
);
const data = new Set("example examples default enum const x-example".split(" "));
const given = new Set("example examples default x-example x-default".split(" "));

/** Calls a function for each object of a document that can be a schema. */
function eachSchema(node: Node, change: (schema: Node) => void, isMap = false): void {
  if (typeof node !== "object" || node === null) return;
  if (!isMap && !Array.isArray(node)) change(node);
  for (const [key, below] of Object.entries(node))
    if (isMap || !data.has(key)) eachSchema(below, change, !isMap && maps.has(key));
}

/** Removes the values that authors wrote for samples, in place. */
export function removeExamples(root: Node): void {
  eachSchema(root, (schema) => {
    for (const key of given) delete schema[key];
  });
}

/**
 * Adds the values of a discriminator to its alternatives, so that only the one that it names is valid
 * (OpenAPI 3.1.1, 4.8.25). Alternatives that have such values themselves stay as they are.
 */
function selectAlternatives(schema: Node, resolve: (schema: Node) => Node): void {
  const { propertyName, mapping = {} } = schema.discriminator ?? {};
  for (const kind of propertyName ? ["oneOf", "anyOf"] : [])
    schema[kind] = schema[kind]?.map((option: Node) => {
      const name = /[^/]*$/.exec(option?.$ref ?? "")![0];
      const mapped = Object.keys(mapping).filter((key) => [option.$ref, name].includes(mapping[key]));
      const values = mapped.length ? mapped : [name];
      const own = resolve(option)?.properties?.[propertyName];
      return name && !own?.enum && !own?.const
        ? { allOf: [option, { properties: { [propertyName]: { enum: values } } }] }
        : option;
    });
  if (propertyName) for (const kind of ["oneOf", "anyOf"]) if (!schema[kind]) delete schema[kind];
  delete schema.discriminator;
}

/** Writes the keywords of OpenAPI 3.0 as JSON Schema 2020-12 has them, in place. */
function translate(root: Node, direction: Direction): void {
  const resolve = (schema: Node) =>
    typeof schema?.$ref === "string" && schema.$ref.startsWith("#/")
      ? schema.$ref
          .slice(2)
          .split("/")
          .reduce(
            (at: Node, key: string) => at?.[decodeURIComponent(key).replace(/~1/g, "/").replace(/~0/g, "~")],
            root,
          )
      : schema;
  const hidden = direction === "request" ? "readOnly" : "writeOnly";
  eachSchema(root, (schema) => {
    if (schema.nullable === true && typeof schema.type === "string") schema.type = [schema.type, "null"];
    if (schema.nullable === true && Array.isArray(schema.enum)) schema.enum = [...schema.enum, null];
    // Without `type`, it has no effect (OpenAPI 3.0.4, 4.7.24.1).
    delete schema.nullable;
    for (const [flag, limit] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const) {
      if (schema[flag] === true) schema[flag] = schema[limit];
      else if (schema[flag] === false) delete schema[flag];
    }
    selectAlternatives(schema, resolve);
    // OpenAPI 3.0.4, 4.7.24.2: `required` has an effect only where the property is sent.
    if (Array.isArray(schema.required))
      schema.required = schema.required.filter(
        (name: string) => !resolve(schema.properties?.[name])?.[hidden],
      );
  });
}

/**
 * Returns a function that compiles the schema at a pointer. Undefined if Ajv can't compile it, which is added to
 * `unjudged`.
 */
export function judgeOf(root: Node, direction: Direction, unjudged: string[]) {
  const translated = structuredClone(root);
  translate(translated, direction);
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    verbose: true,
  });
  ajv.addSchema({ ...translated, $id: "https://document.example.com/" });
  const known = new Map<string, ValidateFunction | undefined>();
  return (pointer: string) => {
    if (!known.has(pointer)) {
      try {
        known.set(pointer, ajv.compile({ $ref: `https://document.example.com/${pointer}` }));
      } catch (error) {
        unjudged.push((error as Error).message);
        known.set(pointer, undefined);
      }
    }
    return known.get(pointer);
  };
}

export interface Sample {
  where: string;
  schema: SchemaRef;
  direction: Direction;
}

export function samplesOf(document: ApiDocument): Sample[] {
  return document.operations.flatMap(({ pathItem, method, path: at, kind }) => {
    const operation = readOperation(document.refs, pathItem, method, at, kind)!;
    const where = `${method} ${at}`;
    const json = (
      content: (typeof operation.responses)[number]["content"],
      direction: Direction,
      name: string,
    ) =>
      content.flatMap(({ type, schema }) =>
        /json/.test(type) && schema ? [{ where: `${where} ${name} ${type}`, schema, direction }] : [],
      );
    return [
      ...operation.parameters.map(({ name, schema }) => ({
        where: `${where} ${name}`,
        schema,
        direction: "request" as const,
      })),
      ...json(operation.body?.content ?? [], "request", "body"),
      ...operation.responses.flatMap(({ status, content }) => json(content, "response", status)),
    ];
  });
}

/** The error of a sample. `better`: a valid value that differs at one place. Undefined if none was found. */
export interface InvalidSample extends ErrorObject {
  /** All errors, since the errors of an alternative come before that of the list. */
  errors: ErrorObject[];
  sample: unknown;
  better: unknown;
}

/** Values that replace a part of a sample. */
const others = [
  "",
  "amber",
  "a-10",
  0,
  1,
  7,
  50.5,
  true,
  null,
  [],
  {},
  ["amber"],
  { kind: "amber" },
  ["", ""],
];

/**
 * Returns a valid value that differs from a sample in one part, which contains the place of the error.
 * Undefined if none was found, so that the schema probably has none.
 */
function nearestValid(sample: unknown, instancePath: string, validate: ValidateFunction): unknown {
  const keys = instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replace(/~1/g, "/").replace(/~0/g, "~"));
  for (let depth = keys.length; depth >= 0; depth--) {
    const at = (root: Node) => keys.slice(0, depth).reduce((node, key) => node?.[key], root);
    const part = at(sample);
    const without =
      typeof part === "object" && part !== null && !Array.isArray(part)
        ? Object.keys(part).map((name) => ({ ...part, [name]: undefined }))
        : [];
    for (const other of [undefined, ...others, ...without]) {
      const copy = { root: JSON.parse(JSON.stringify(sample)) };
      const parent =
        depth === 0 ? copy : keys.slice(0, depth - 1).reduce((node: Node, key) => node[key], copy.root);
      const key = depth === 0 ? "root" : keys[depth - 1]!;
      if (other === undefined && (depth === 0 || Array.isArray(parent))) continue;
      parent[key] = other;
      const changed: unknown = JSON.parse(JSON.stringify(copy)).root;
      if (validate(changed)) return changed;
    }
  }
  return undefined;
}

/** Yields values that differ from a value in one part. */
function* changed(value: Node): Generator<unknown> {
  yield* others;
  if (typeof value !== "object" || value === null) return;
  const copyWith = (key: string, below: unknown) => {
    const copy = structuredClone(value);
    copy[key] = below;
    return copy;
  };
  yield Array.isArray(value) ? [...value, ...value] : copyWith("extra", 1);
  for (const key of Object.keys(value)) {
    const rest = structuredClone(value);
    if (Array.isArray(rest)) rest.splice(Number(key), 1);
    else delete rest[key];
    yield rest;
    for (const below of changed(value[key])) yield copyWith(key, below);
  }
}

/**
 * Compares our checker with Ajv for some changes of each sample of a document without formats and content
 * schemas, which Ajv ignores. Returns the values that only one of them accepts, with Ajv's error.
 */
export async function differentJudgments(source: Node, changes: number) {
  const text = JSON.stringify(source, (key, value) =>
    (key === "format" && typeof value === "string") || key === "contentSchema" ? undefined : value,
  );
  const { document } = await readDocument("api.json", text);
  const root = JSON.parse(jsonText(document!.root));
  const found = {
    checked: 0,
    unjudged: [] as string[],
    different: [] as [string, ErrorObject | undefined][],
  };
  const judges = {
    request: judgeOf(root, "request", found.unjudged),
    response: judgeOf(root, "response", found.unjudged),
  };
  const testPattern = (pattern: string, tested: string) => new RegExp(pattern, "u").test(tested);
  for (const { where, schema, direction } of samplesOf(document!)) {
    const [part] = schema.parts;
    const isInDocument = schema.parts.length === 1 && document!.refs.at(part!.pointer) !== undefined;
    const validate = isInDocument ? judges[direction](part!.pointer) : undefined;
    const sample = exampleOf(schema, document!.refs, { direction, optional: true });
    if (!validate || sample === undefined) continue;
    const values = [...changed(JSON.parse(jsonText(sample)))];
    const step = Math.max(1, Math.floor(values.length / changes));
    for (const value of values.filter((_, index) => index % step === 0)) {
      const findings = checkValue(value, schema, document!.refs, direction, "", { testPattern });
      found.checked++;
      if (validate(value) !== (findings.length === 0))
        found.different.push([`${where} ${JSON.stringify(value)}`, validate.errors?.at(-1)]);
    }
  }
  return found;
}

/** Totals of `invalidSamples`. */
interface Judged {
  checked: number;
  unjudged: string[];
}

/** Returns the samples of a document that Ajv doesn't accept, with an error, by their place. */
export async function invalidSamples(source: Node, totals: Judged): Promise<Map<string, InvalidSample>> {
  const { document } = await readDocument("api.json", JSON.stringify(source));
  if (!document) return new Map();
  const root = JSON.parse(jsonText(document.root));
  const judges = {
    request: judgeOf(root, "request", totals.unjudged),
    response: judgeOf(root, "response", totals.unjudged),
  };
  const invalid = new Map<string, InvalidSample>();
  for (const { where, schema, direction } of samplesOf(document)) {
    const [part] = schema.parts;
    if (!part || schema.parts.length > 1 || document.refs.at(part.pointer) === undefined) continue;
    const value = exampleOf(schema, document.refs, { direction, optional: true });
    const validate = value === undefined ? undefined : judges[direction](part.pointer);
    if (!validate) continue;
    totals.checked++;
    try {
      const sample: unknown = JSON.parse(jsonText(value));
      if (validate(sample)) continue;
      const error = validate.errors!.at(-1)!;
      invalid.set(where, {
        ...error,
        errors: validate.errors!,
        sample,
        better: nearestValid(sample, error.instancePath, validate),
      });
    } catch (error) {
      totals.unjudged.push((error as Error).message);
    }
  }
  return invalid;
}
