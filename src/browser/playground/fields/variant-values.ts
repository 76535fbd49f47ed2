/** Matches a value to the alternatives of a schema, and converts a value from one alternative to another. */

import { isRaw } from "../../../engine/openapi/nodes/refs.ts";
import { isOfType } from "../../../engine/openapi/schema/schema-types.ts";
import type { SchemaRef, SchemaView, VariantList } from "../../../engine/openapi/schema/schema-view.ts";
import { newValue } from "../first-draft.ts";
import type { FormContextValue } from "../form-context.ts";
import type { FieldProps } from "./field-frame.tsx";

/**
 * Whether readers can add properties: the schema declares additional or pattern properties, or no properties
 * at all.
 */
export function isMap(view: SchemaView): boolean {
  if (view.additional === false) return false;
  return view.additional !== undefined || view.patternProperties.length > 0 || view.properties.length === 0;
}

/**
 * Returns the index of the option that matches a value: the option with its discriminator, or else the first
 * option with its type and properties. 0 if none matches.
 */
export function fittingOption(variants: VariantList, value: unknown, form: FormContextValue): number {
  if (value === undefined) return 0;
  const tag =
    variants.discriminator !== undefined && isRaw(value) ? value[variants.discriminator] : undefined;
  const named = variants.options.findIndex(({ values }) => typeof tag === "string" && values?.includes(tag));
  if (named >= 0) return named;

  const fits = variants.options.findIndex(({ schema }) => {
    const view = form.view(schema);
    if (view.types.length > 0 && !view.types.some((type) => isOfType(value, type))) return false;
    if (!isRaw(value)) return true;
    return Object.keys(value).every(
      (name) => view.properties.some((property) => property.name === name) || isMap(view),
    );
  });

  return Math.max(fits, 0);
}

/**
 * Converts a value to a different alternative. Removes the properties that only the previous alternative has.
 * If the new alternative isn't an object, returns its initial value, or undefined if the value is optional.
 */
export function converted(
  value: unknown,
  from: SchemaRef,
  variants: VariantList,
  to: number,
  form: FormContextValue,
  props: Pick<FieldProps, "required" | "keepEmpty">,
): unknown {
  const option = variants.options[to]!;
  const next = form.view(option.schema);
  const start = newValue(option.schema, form.refs);
  if (!next.types.includes("object") && next.properties.length === 0)
    return props.required || props.keepEmpty ? start : undefined;

  const leaving = new Set(form.view(from).properties.map(({ name }) => name));
  const staying = new Set(next.properties.map(({ name }) => name));
  const common = Object.entries(isRaw(value) ? value : {}).filter(
    ([name]) => name !== variants.discriminator && (!leaving.has(name) || staying.has(name)),
  );

  const mark =
    variants.discriminator !== undefined && option.values
      ? [[variants.discriminator, option.values[0]] as const]
      : [];

  return {
    ...Object.fromEntries(mark),
    ...(isRaw(start) ? start : {}),
    ...Object.fromEntries(common),
    ...Object.fromEntries(mark),
  };
}
