/** Creates an example value for a schema, for samples and playgrounds. In requests, `x-default` takes precedence. */

import { DocumentMemo } from "./document-memo.ts";
import { isRaw, ownText, type Raw, type Refs } from "./refs.ts";
import { type Direction, keyOf, type SchemaRef, type SchemaView, schemaRef, viewOf } from "./schema-view.ts";

/** Maximum nesting depth of schemas in an example, including variants. Values from the document can be deeper. */
const exampleDepth_levels = 10;
/** Maximum number of schemas that are visited for an example. A value from the document counts as one. */
const exampleNodes_count = 160;

export interface ExampleOptions {
  direction: Direction;
  /** Whether to include optional properties. Default: true. */
  optional?: boolean;
}

const examples = new DocumentMemo<unknown>(2_000);

/** Returns an example. Undefined if there is none, for example because the schema is broken. */
export function exampleOf(schema: SchemaRef, refs: Refs, options: ExampleOptions): unknown {
  const key = `${options.direction} ${options.optional} ${keyOf(withoutReference(schema, refs))}`;
  return examples.get(refs, key, () => makeExample(schema, refs, options));
}

/** Returns the target of a schema that is only a reference, since many operations refer to the same schema. Returns any other schema itself. */
function withoutReference(schema: SchemaRef, refs: Refs): SchemaRef {
  const [only] = schema.parts;
  const isReference =
    schema.parts.length === 1 && ownText(only!.value, "$ref") !== undefined && Object.keys(only!.value as Raw).length === 1;
  const target = isReference ? refs.follow(only!) : undefined;
  return target ? schemaRef(target) : schema;
}

function makeExample(schema: SchemaRef, refs: Refs, options: ExampleOptions): unknown {
  let nodes = 0;
  const make = (from: SchemaRef, trail: readonly string[]): unknown => {
    const view = viewOf(from, refs, options.direction);
    if (view.broken || trail.includes(view.key) || trail.length > exampleDepth_levels || ++nodes > exampleNodes_count) return undefined;
    if (options.direction === "request" && view.prefill) return view.prefill.value;
    const given = view.examples.length ? { value: view.examples[0] } : (view.default ?? view.const);
    if (given) return given.value;
    if (view.enum?.length) return view.enum[0];
    const below = [...trail, view.key];
    const own = valueOf(view, below);
    const chosen = view.variants.map((variants) => {
      const option = variants.options[0];
      const value = option && make(option.schema, below);
      if (option?.value === undefined || variants.discriminator === undefined || !isRaw(value)) return value;
      // A const or an enum in the option's schema takes precedence over the discriminator value of the option.
      const existing = value[variants.discriminator];
      return existing === undefined || existing === stringPlaceholder ? { ...value, [variants.discriminator]: option.value } : value;
    });
    const objects = [own, ...chosen].filter(isRaw);
    if (objects.length) return Object.assign({}, ...objects);
    return chosen.find((value) => value !== undefined) ?? own;
  };

  const hasPrefill = (schema: SchemaRef) => options.direction === "request" && viewOf(schema, refs, "request").prefill !== undefined;

  const valueOf = (view: SchemaView, trail: readonly string[]): unknown => {
    const type = view.types[0];
    if (type === undefined) return view.variants.length ? undefined : view.nullable ? null : "<any>";
    if (type === "string") return stringOf(view);
    if (type === "boolean") return true;
    if (type === "integer" || type === "number") return numberOf(view);
    if (type === "array") {
      const items = view.prefixItems.length ? view.prefixItems : view.items ? [view.items] : [];
      return items.map((item) => make(item, trail)).filter((value) => value !== undefined);
    }
    const object: Record<string, unknown> = Object.create(null);
    for (const property of view.properties) {
      if (options.optional === false && !property.required && !hasPrefill(property.schema)) continue;
      const value = make(property.schema, trail);
      if (value !== undefined) object[property.name] = value;
    }
    if (view.properties.length === 0 && typeof view.additional === "object") {
      const value = make(view.additional, trail);
      if (value !== undefined) object["{key}"] = value;
    }
    // Spreading copies only own properties. An own property `__proto__` stays an ordinary property.
    return { ...object };
  };

  return make(schema, []);
}

const stringPlaceholder = "<string>";

const byFormat: Record<string, string> = {
  date: "2024-05-17",
  "date-time": "2024-05-17T09:30:00Z",
  time: "09:30:00Z",
  duration: "P3D",
  email: "alex@example.com",
  "idn-email": "alex@example.com",
  uuid: "5f0c7a52-8f0f-4e0b-9a3e-2d6b1c4e7f90",
  uri: "https://example.com",
  url: "https://example.com",
  "uri-reference": "/path",
  hostname: "example.com",
  ipv4: "192.0.2.10",
  ipv6: "2001:db8::10",
  byte: "T2N0YXZv",
  base64: "T2N0YXZv",
  password: "<password>",
};

function stringOf(view: SchemaView): string {
  const format = view.format?.toLowerCase() ?? "";
  if (Object.hasOwn(byFormat, format)) return byFormat[format]!;
  if (view.file === "base64") return byFormat.base64!;
  return view.file ? "<file>" : stringPlaceholder;
}

function numberOf(view: SchemaView): number {
  const limit = (keyword: string): number | undefined => {
    const value = view.constraints.find((constraint) => constraint.keyword === keyword)?.value;
    return typeof value === "number" ? value : undefined;
  };
  const whole = view.types.includes("integer");
  const least = limit("minimum") ?? limit("exclusiveMinimum");
  const most = limit("maximum") ?? limit("exclusiveMaximum");
  const step = limit("multipleOf");
  let value = 123;
  if (least !== undefined && most !== undefined) value = whole ? Math.floor((least + most) / 2) : (least + most) / 2;
  else if (least !== undefined) value = least + 1;
  else if (most !== undefined && most <= value) value = most - 1;
  if (step !== undefined && step > 0) {
    const stepped = Math.floor(value / step) * step;
    value = least !== undefined && stepped < least ? stepped + step : stepped;
  }
  return value;
}
