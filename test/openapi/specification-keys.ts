/**
 * Lists the keys of OpenAPI's objects from the JSON Schemas of the specification, and the keywords of JSON
 * Schema from its metaschemas, with a value for each.
 */

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: schemas are untyped.
type Node = any;

export type Version = "2.0" | "3.0" | "3.1" | "3.2";
export const versions: readonly Version[] = ["2.0", "3.0", "3.1", "3.2"];

const schemas = Object.fromEntries(
  versions.map((version) => [
    version,
    require(`@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`) as Node,
  ]),
);

const vocabularies = [
  "core",
  "applicator",
  "unevaluated",
  "validation",
  "meta-data",
  "format-annotation",
  "content",
].map((name) => require(`ajv/dist/refs/json-schema-2020-12/meta/${name}.json`) as Node);

/** Keywords that Swagger 2.0 takes from draft 4, whose metaschema isn't a part of the specification's. */
const limits = new Set("maximum minimum maxLength minLength maxItems minItems multipleOf".split(" "));

function at(root: Node, ref: string): Node {
  let node = root;
  for (const key of ref.replace(/^#\/?/, "").split("/").filter(Boolean)) node = node?.[key];
  return node;
}

/** Returns the keys of an object, with their schemas. `definition`: path in the specification's schema. */
export function keysOf(version: Version, definition: string): Map<string, Node> {
  const root = schemas[version];
  const found = new Map<string, Node>();
  const seen = new Set<Node>();
  const visit = (node: Node): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    if (typeof node.$ref === "string") visit(at(root, node.$ref));
    for (const [key, schema] of Object.entries(node.properties ?? {}))
      if (schema !== false && (found.get(key)?.type === undefined || !found.has(key))) found.set(key, schema);
    for (const list of [node.allOf, node.anyOf, node.oneOf]) for (const part of list ?? []) visit(part);
    for (const part of [node.then, node.else, ...Object.values(node.dependentSchemas ?? {})]) visit(part);
  };
  const start = at(root, definition);
  if (start === undefined) throw new Error(`${version} has no ${definition}`);
  visit(start);
  return found;
}

/**
 * Returns a value for a key. Texts contain the mark. Undefined for keys whose values are other objects of
 * OpenAPI.
 */
export function valueFor(version: Version, schema: Node, mark: string): unknown {
  const root = schemas[version];
  let node = schema;
  const merged: Node = {};
  for (let hop = 0; hop < 5 && node; hop++) {
    for (const [key, value] of Object.entries(node)) if (key !== "$ref") merged[key] ??= value;
    node = typeof node.$ref === "string" ? at(root, node.$ref) : undefined;
  }

  if (merged.const !== undefined) return merged.const;
  if (Array.isArray(merged.enum)) return merged.enum.find((one: unknown) => one !== merged.default);
  const [type] = [merged.type].flat();
  if (type === "string")
    return merged.format?.startsWith("uri")
      ? `https://${mark}.example.com/x`
      : merged.format === "email"
        ? `${mark}@example.com`
        : mark;
  if (type === "boolean") return merged.default !== true;
  if (type === "integer" || type === "number") return 7;
  const draft4 = String(schema.$ref ?? "").replace(/^.*\//, "");
  if (limits.has(draft4)) return 7;
  if (draft4 === "pattern") return `^${mark}`;
  if (draft4 === "uniqueItems") return true;
  if (type === "array" && at(root, merged.items?.$ref ?? "#/none")?.type === "string") return [mark];
  if (type === "array" && merged.items?.type === "string") return [mark];
  const listed = at(root, merged.items?.$ref ?? "#/none") ?? merged.items;
  if (type === "array" && Array.isArray(listed?.enum)) return [listed.enum[0]];
  return undefined;
}

/** Keywords that only have an effect next to others. */
const partners: Record<string, (mark: string) => object> = {
  minContains: () => ({ contains: { type: "integer" }, maxContains: 9000 }),
  maxContains: () => ({ contains: { type: "integer" } }),
  if: (mark) => ({ ["then" as string]: { properties: { [`${mark}z`]: { type: "string" } } } }),
  ["then" as string]: () => ({ if: { required: ["other"] } }),
  else: () => ({ if: { required: ["other"] } }),
  contentSchema: () => ({ type: "string", contentMediaType: "application/json" }),
  contentMediaType: () => ({ type: "string" }),
  items: () => ({ type: "array" }),
  prefixItems: () => ({ type: "array" }),
  unevaluatedItems: () => ({ type: "array" }),
  default: () => ({ type: "string" }),
  $dynamicRef: () => ({ $defs: { it: { $dynamicAnchor: "it", description: "bound" } } }),
};

/** A keyword of JSON Schema with a value. */
export interface Keyword {
  name: string;
  /** The schema with the keyword. */
  schema: object;
  /** The same schema without the keyword. */
  without: object;
  /** A word that the value contains. Undefined for numbers and booleans. */
  mark?: string;
  /** Text of another value, such as a number. */
  shown?: string;
}

const nested = (mark: string) => ({ type: "string", description: `About ${mark}` });

/** Returns all keywords of a schema of a version. */
export function schemaKeywords(version: "3.0" | "3.1", markOf: () => string): Keyword[] {
  const entries: [string, Node][] =
    version === "3.0"
      ? [...keysOf("3.0", "#/definitions/Schema")]
      : vocabularies.flatMap((vocabulary) =>
          Object.entries(vocabulary.properties as Node).map(([name, schema]): [string, Node] => [
            name,
            (schema as Node).$ref?.startsWith("#/$defs") ? at(vocabulary, (schema as Node).$ref) : schema,
          ]),
        );
  return entries.map(([name, schema]) => {
    const mark = markOf();
    const without = partners[name]?.(mark) ?? {};
    const value = keywordValue(name, schema, mark);
    const hasMark = JSON.stringify(value).includes(mark);
    return {
      name,
      schema: { ...without, [name]: value },
      without,
      ...(hasMark ? { mark } : {}),
      ...(typeof value === "number" || name === "contentEncoding" ? { shown: String(value) } : {}),
    };
  });
}

function keywordValue(name: string, schema: Node, mark: string): unknown {
  if (name === "$ref") return "#/components/schemas/Shared";
  if (name === "$dynamicRef") return "#it";
  if (name === "type") return "boolean";
  if (name === "discriminator")
    return { propertyName: mark, mapping: { [mark]: "#/components/schemas/Shared" } };
  if (name === "xml") return { name: mark };
  if (name === "externalDocs") return { url: `https://${mark}.example.com/`, description: `About ${mark}` };
  if (name === "required") return [mark];
  if (name === "enum") return [mark, `${mark}b`];
  if (name === "pattern") return `^${mark}$`;
  if (name === "examples") return [mark];
  if (name === "if") return { required: [mark] };
  if (["then", "else"].includes(name)) return { properties: { [mark]: nested(mark) } };
  if (name === "dependentRequired") return { [mark]: [`${mark}b`] };
  if (name === "dependentSchemas") return { [mark]: { properties: { [`${mark}b`]: nested(mark) } } };
  if (name === "patternProperties") return { [`^${mark}`]: nested(mark) };
  if (["properties", "$defs", "definitions"].includes(name)) return { [mark]: nested(mark) };
  if (["$vocabulary"].includes(name)) return { [`https://${mark}.example.com/`]: true };
  if (["allOf", "anyOf", "oneOf", "prefixItems"].includes(name)) return [nested(mark), { type: "integer" }];
  if (name === "propertyNames") return { pattern: `^${mark}` };
  if (name === "not") return { enum: [mark] };
  if (name === "format") return mark;
  if (name === "contentEncoding") return "base64url";
  if (["default", "const", "example"].includes(name)) return mark;
  const [type] = [schema?.type].flat();
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return 7319;
  if (type === "string") return /ref|uri|id$/i.test(name) ? `https://${mark}.example.com/` : mark;
  return nested(mark);
}
