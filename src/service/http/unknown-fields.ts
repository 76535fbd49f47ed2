/** Finds the properties of a request body that its schema doesn't have. */

import type { TSchema } from "@sinclair/typebox";
import { type FieldError, fieldThat } from "../../base/app-error.ts";
import { nearest } from "../../base/nearest.ts";

/** Maximum number of unknown fields that are reported. */
const unknown_count = 20;
/** Maximum length of an unknown field's name in a message. */
const name_chars = 64;

/** Returns the unknown fields of a body, each with the most similar known name or, without one, all names. */
export function unknownFields(schema: TSchema, body: unknown): FieldError[] {
  const found: FieldError[] = [];
  collect(schema, body, "", found);
  return found;
}

function collect(schema: TSchema, value: unknown, path: string, found: FieldError[]): void {
  if (typeof value !== "object" || value === null || found.length >= unknown_count) return;

  if (Array.isArray(value)) {
    const items = variantOf(schema, value)?.items as TSchema | undefined;
    if (items) value.forEach((item, index) => collect(items, item, `${path}${index}.`, found));
    return;
  }

  const properties = variantOf(schema, value)?.properties as Record<string, TSchema> | undefined;
  if (!properties) return;
  const names = Object.keys(properties);
  for (const [name, child] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) collect(properties[name]!, child, `${path}${name}.`, found);
    else if (found.length < unknown_count) {
      const suggestion = nearest(name, names);
      const hint = suggestion ? `Did you mean ${suggestion}?` : `Known fields: ${names.join(", ")}`;
      found.push(fieldThat(path + name.slice(0, name_chars), `isn't a known field. ${hint}`));
    }
  }
}

/**
 * Returns the variant of a union that a value is meant to be: the one whose constants the value has.
 * Undefined if there is none, which is reported as an invalid value.
 */
function variantOf(schema: TSchema, value: object): TSchema | undefined {
  const variants = (schema.anyOf as TSchema[] | undefined) ?? [schema];
  return variants.find((variant) => {
    if (Array.isArray(value)) return variant.type === "array";
    return (
      Object.entries((variant.properties ?? {}) as Record<string, TSchema>).every(
        ([name, { const: constant }]) =>
          constant === undefined || (value as Record<string, unknown>)[name] === constant,
      ) && variant.type === "object"
    );
  });
}
