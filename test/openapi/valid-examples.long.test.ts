/**
 * Ajv accepts the examples of parameters, requests and responses of real documents. The examples that
 * authors wrote are removed from the document first, and put back for a second look.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { exampleOf } from "../../src/engine/openapi/check/example.ts";
import { type ApiDocument, readDocument } from "../../src/engine/openapi/document/api-document.ts";
import { jsonText } from "../../src/engine/openapi/nodes/json-text.ts";
import { readOperation } from "../../src/engine/openapi/request/operation.ts";
import type { SchemaRef } from "../../src/engine/openapi/schema/schema-view.ts";
import { corpusEntries, corpusOf } from "../shared/corpus.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type Node = any;
type Direction = "request" | "response";

const files = [corpusOf.openapi, corpusOf.openapiMore].flatMap((folder) =>
  corpusEntries(folder)
    .filter((name) => /-[23]\.\d\.(?:json|ya?ml)$/.test(name))
    .map((name) => path.join(folder, name)),
);

/** Keywords whose values are maps of names to schemas, and keywords whose values are data. */
const maps = new Set("properties patternProperties dependentSchemas $defs definitions schemas".split(" "));
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
function removeExamples(root: Node): void {
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

/** Returns a function that compiles the schema at a pointer. Undefined if Ajv can't compile it. */
function judgeOf(root: Node, direction: Direction) {
  const translated = structuredClone(root);
  translate(translated, direction);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, logger: false });
  ajv.addSchema({ ...translated, $id: "https://document.example.com/" });
  const known = new Map<string, ValidateFunction | undefined>();
  return (pointer: string) => {
    if (!known.has(pointer)) {
      try {
        known.set(pointer, ajv.compile({ $ref: `https://document.example.com/${pointer}` }));
      } catch (error) {
        totals.unjudged.push((error as Error).message);
        known.set(pointer, undefined);
      }
    }
    return known.get(pointer);
  };
}

type Exception = "author" | "ambiguous" | "contradictory" | "long";

/** Why examples aren't valid, and how many aren't. `is`: finds them by their place and by Ajv's error. */
const exceptions: Record<
  Exception,
  { reason: string; is: (where: string, error: ErrorObject) => boolean; most: number }
> = {
  author: {
    reason: "the author's own example, default or enum isn't valid, and a generated one is",
    is: () => false,
    most: 78,
  },
  ambiguous: {
    reason: "several alternatives of oneOf accept it, since they require and forbid nothing",
    is: (_, { keyword, params }) => keyword === "oneOf" && params.passingSchemas !== null,
    most: 20,
  },
  contradictory: {
    reason: "no value is valid, or only an empty one",
    is: (where, { keyword, params }) =>
      /allof-(?:incompatible-types|strict)|quirks\/polymorphism|additional-properties-3/.test(where) ||
      // The pattern is in slashes, as in JavaScript: nothing comes before the start.
      (keyword === "pattern" && params.pattern.startsWith("/^")),
    most: 15,
  },
  long: {
    reason: "an example has at most 20 items of a list",
    is: (_, { keyword, params }) => keyword === "minItems" && params.limit > 20,
    most: 1,
  },
};

const totals = {
  checked: 0,
  unjudged: [] as string[],
  excepted: { author: 0, ambiguous: 0, contradictory: 0, long: 0 } as Record<Exception, number>,
};

function except(where: string, error: ErrorObject): boolean {
  const found = Object.entries(exceptions).find(([, { is }]) => is(where, error));
  if (found) totals.excepted[found[0] as Exception]++;
  return found !== undefined;
}

interface Sample {
  where: string;
  schema: SchemaRef;
  direction: Direction;
}

function samplesOf(document: ApiDocument): Sample[] {
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

async function invalidSamples(source: Node): Promise<Map<string, ErrorObject>> {
  const { document } = await readDocument("api.json", JSON.stringify(source));
  if (!document) return new Map();
  const root = JSON.parse(jsonText(document.root));
  const judges = { request: judgeOf(root, "request"), response: judgeOf(root, "response") };
  const invalid = new Map<string, ErrorObject>();
  for (const { where, schema, direction } of samplesOf(document)) {
    const [part] = schema.parts;
    if (!part || schema.parts.length > 1 || document.refs.at(part.pointer) === undefined) continue;
    const value = exampleOf(schema, document.refs, { direction, optional: true });
    const validate = value === undefined ? undefined : judges[direction](part.pointer);
    if (!validate) continue;
    totals.checked++;
    try {
      if (!validate(JSON.parse(jsonText(value)))) invalid.set(where, validate.errors!.at(-1)!);
    } catch (error) {
      totals.unjudged.push((error as Error).message);
    }
  }
  return invalid;
}

describe.runIf(files.length > 0)("examples are valid", () => {
  test.each(files)("%s", async (file) => {
    const text = readFileSync(file, "utf8");
    const source: Node = file.endsWith(".json")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1, merge: true });
    const generated = structuredClone(source);
    removeExamples(generated);
    const invalid = await invalidSamples(generated);
    const lost = [...invalid].filter(([where, error]) => !except(`${path.basename(file)} ${where}`, error));
    expect(lost).toEqual([]);

    for (const [where] of await invalidSamples(source)) if (!invalid.has(where)) totals.excepted.author++;
  });

  test.each(Object.entries(exceptions))("except %s", (exception, { most }) => {
    expect(totals.excepted[exception as Exception]).toBeLessThanOrEqual(most);
  });

  test("are many", () => {
    expect(totals.checked).toBeGreaterThan(16_000);
    expect(new Set(totals.unjudged)).toEqual(
      new Set([
        // In metaculus, reported as `openapi-invalid`.
        'required value must be ["array"]',
        // In discriminator-3.0: alternatives that include the schema that lists them.
        "Maximum call stack size exceeded",
      ]),
    );
    expect(totals.unjudged.length).toBeLessThan(10);
  });
});
