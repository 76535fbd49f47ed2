/** What one level of a schema says, ready to be shown, filled in or checked. Levels below are read when they are needed. */
import type { Located, Refs } from "./refs.ts";

/** A schema that is still to be read: nodes that all apply, as in `allOf`. Most often one. */
export interface SchemaRef {
  parts: Located[];
}

/** What may be seen: `readOnly` fields are not part of a request, `writeOnly` ones not of a response. */
export type Direction = "request" | "response";

export interface SchemaView {
  /** Names the schema: pointers of its parts, after references. Equal keys are equal schemas. */
  key: string;
  /** Where it is declared: the pointer of its first part. */
  pointer: string;
  /** Name of the component that a `$ref` led to. */
  name?: string;
  title?: string;
  description?: string;
  /** JSON types without `null`; empty when any is allowed. */
  types: string[];
  nullable: boolean;
  /** `string<uuid>`, `Pet[]`, `enum<string>`, `object | null`. */
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
  /** Limits in the order of the specification: `minimum 1`. */
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
  /** A reference inside leads nowhere, or in a circle without content. */
  broken: boolean;
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

export declare function viewOf(schema: SchemaRef, refs: Refs, direction?: Direction): SchemaView;
