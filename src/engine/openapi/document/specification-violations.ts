/** Describes violations of the OpenAPI specification in words, and groups violations of the same kind. */

import type { ErrorObject } from "ajv";
import { cutText } from "../../../base/cut-text.ts";
import { jsonText } from "../nodes/json-text.ts";
import { isRaw, own, pointerKeys, pointerTo, type Raw } from "../nodes/refs.ts";
import { walkSchemas } from "../nodes/walk-schemas.ts";

/** A violation, with the pointer to the value that has it. */
export interface Violation {
  pointer: string;
  /** What's wrong, as the end of a sentence that starts with the pointer. */
  message: string;
  /** Whether pages show the whole value anyway, because something is only missing or in an unusual format. */
  isShown: boolean;
}

/** Converts the errors of the specification's schema. Drops errors that only follow from other errors. */
export function violationsOf(errors: readonly ErrorObject[], root: Raw): Violation[] {
  const wrongTypes = new Set<string>();
  for (const { keyword, instancePath, schemaPath } of errors)
    if (keyword === "enum" && instancePath.endsWith("/type"))
      wrongTypes.add(`${instancePath.slice(0, -5)} ${definitionOf(schemaPath)}`);

  const specific = errors.filter(
    ({ keyword, schemaPath, instancePath }) =>
      !/^(?:oneOf|anyOf|if|not)$/.test(keyword) &&
      definitionOf(schemaPath) !== "Reference" &&
      !wrongTypes.has(`${instancePath} ${definitionOf(schemaPath)}`),
  );

  // Each alternative that requires something else has an error of its own.
  const alternatives = new Map<string, string[]>();
  for (const { keyword, instancePath, schemaPath, params } of specific)
    if (keyword === "required" && /\/(?:oneOf|anyOf)\/\d+\/required$/.test(schemaPath))
      alternatives.set(instancePath, [
        ...(alternatives.get(instancePath) ?? []),
        String(own(params, "missingProperty")),
      ]);

  // If something in a value is wrong too, or if the value isn't one of a list, its type isn't what's wrong.
  const isAlternative = ({ keyword, instancePath }: ErrorObject) =>
    keyword === "type" && hasBelow.has(instancePath);
  const hasBelow = new Set(
    specific.flatMap(({ keyword, instancePath }) => [
      ...parentsOf(instancePath),
      ...(keyword === "enum" ? [instancePath] : []),
    ]),
  );

  const byPlace = new Map<string, Violation>();
  for (const error of (specific.length ? specific : errors).filter((one) => !isAlternative(one))) {
    const names =
      error.keyword === "required" && error.schemaPath.includes("Of/")
        ? alternatives.get(error.instancePath)
        : undefined;
    const violation = describe(
      names ? { ...error, params: { missingProperty: [...new Set(names)].join(" or ") } } : error,
      root,
    );
    const member = own(error.params, "unevaluatedProperty");
    const isFollowing =
      typeof member === "string" &&
      specific.some(({ instancePath }) => `${instancePath}/`.startsWith(`${error.instancePath}/${member}/`));
    if (violation && !isFollowing) byPlace.set(`${violation.pointer} ${violation.message}`, violation);
  }

  return [...byPlace.values()];
}

function definitionOf(schemaPath: string): string {
  return /^#\/(?:definitions|\$defs)\/([^/]+)/.exec(schemaPath)?.[1] ?? "";
}

function describe({ keyword, instancePath, params, message }: ErrorObject, root: Raw): Violation | undefined {
  const pointer = `#${instancePath.replaceAll("%", "%25")}`;
  let value: unknown = root;
  for (const key of pointerKeys(pointer) ?? []) value = own(value, key);
  const text = (name: string) => String(own(params, name));
  const found = (message: string, isShown = false): Violation => ({ pointer, message, isShown });
  switch (keyword) {
    case "required":
      return found(`has no ${text("missingProperty")}`, true);
    case "dependentRequired":
    case "dependencies":
      return found(`has no ${text("missingProperty")}, which ${text("property")} requires`, true);
    case "type":
      return found(`should be ${kindText(own(params, "type"))}, but is ${short(value)}`);
    case "enum":
      return found(
        `should be one of ${(own(params, "allowedValues") as unknown[]).map(short).join(", ")}, but is ${short(value)}`,
      );
    case "const":
      return found(`should be ${short(own(params, "allowedValue"))}, but is ${short(value)}`);
    case "additionalProperties":
    case "unevaluatedProperties":
      return found(
        `has the key ${text("additionalProperty" in params ? "additionalProperty" : "unevaluatedProperty")}, which isn't supported here`,
      );
    case "pattern":
      // An invalid key of the value, which has an error of its own.
      if (typeof value !== "string") return undefined;
      return found(`has an unexpected form: ${short(value)}`);
    case "format":
      // The specification's own examples of `operationRef` contain braces, which aren't allowed in URLs.
      if (instancePath.endsWith("/operationRef")) return undefined;
      return found(`isn't a valid ${text("format")}: ${short(value)}`, true);
    case "minItems":
    case "minProperties":
      return found("is empty", true);
    case "uniqueItems":
      return found("contains a value twice", true);
    case "propertyNames":
      return found(`has the invalid key ${text("propertyName")}`);
    case "maxProperties":
      return found("has too many keys");
    default:
      return found(`isn't valid: ${message ?? keyword}`);
  }
}

/** Returns the pointers to the values that contain a value. */
function parentsOf(pointer: string): string[] {
  return [...pointer.matchAll(/\//g)].map(({ index }) => pointer.slice(0, index));
}

function short(value: unknown): string {
  return cutText(value === undefined ? "missing" : jsonText(value), 60);
}

const kinds: Record<string, string> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function kindText(type: unknown): string {
  const types = Array.isArray(type) ? (type as unknown[]) : [type];
  return types.map((one) => kinds[String(one)] ?? String(one)).join(" or ");
}

type Kind = (value: unknown) => boolean;

const isList: Kind = (value) => Array.isArray(value);
const isText: Kind = (value) => typeof value === "string";
const isNumber: Kind = (value) => typeof value === "number" || typeof value === "bigint";
const isCount: Kind = (value) =>
  typeof value === "bigint" || (Number.isInteger(value) && (value as number) >= 0);
const isFlag: Kind = (value) => typeof value === "boolean";
const isSchema: Kind = (value) => isRaw(value) || typeof value === "boolean";
const isTexts: Kind = (value) => Array.isArray(value) && value.every(isText);
const isSchemas: Kind = (value) => Array.isArray(value) && value.every(isSchema);
const jsonTypes = ["array", "boolean", "integer", "null", "number", "object", "string"];
const isType: Kind = (value) =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).every((type) => jsonTypes.includes(type as string));

/** Expected values of the keywords of JSON Schema 2020-12, in words and as a test. */
const keywords: [names: string, expected: string, is: Kind][] = [
  ["type", `one of ${jsonTypes.join(", ")}, or a list of them`, isType],
  ["required", "a list of strings", isTexts],
  ["enum examples", "a list", isList],
  ["properties patternProperties dependentSchemas $defs dependentRequired", "an object", isRaw],
  ["allOf anyOf oneOf prefixItems", "a list of schemas", isSchemas],
  [
    "items contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames not if then else",
    "a schema",
    isSchema,
  ],
  [
    "title description format pattern $ref $anchor $dynamicRef $dynamicAnchor contentMediaType contentEncoding",
    "a string",
    isText,
  ],
  ["minimum maximum exclusiveMinimum exclusiveMaximum multipleOf", "a number", isNumber],
  [
    "minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties",
    "an integer of at least 0",
    isCount,
  ],
  ["uniqueItems readOnly writeOnly deprecated", "true or false", isFlag],
];

const byKeyword = new Map(
  keywords.flatMap(([names, expected, is]) => names.split(" ").map((name) => [name, { expected, is }])),
);

/**
 * Checks the keywords of schemas: their values, which the JSON Schema of OpenAPI 3.1 and 3.2 doesn't check,
 * and flags that exclude each other, which none of the JSON Schemas checks.
 */
export function schemaKeywordViolations(root: Raw, checksValues: boolean): Violation[] {
  const found: Violation[] = [];
  walkSchemas(root, (schema, path) => {
    // OpenAPI 3.0.4, 4.7.24.2
    if (schema["readOnly"] === true && schema["writeOnly"] === true)
      found.push({
        pointer: pointerTo(path),
        message: "is readOnly and writeOnly; it should be one of them, so both are ignored",
        isShown: true,
      });

    if (!checksValues) return;
    for (const [key, value] of Object.entries(schema)) {
      const expected = byKeyword.get(key);
      if (expected && !expected.is(value))
        found.push({
          pointer: pointerTo([...path, key]),
          message: `should be ${expected.expected}, but is ${short(value)}`,
          isShown: false,
        });
    }
  });
  return found;
}
