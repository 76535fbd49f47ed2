import type { Raw } from "../../../engine/openapi/nodes/refs.ts";
import type { FieldProps } from "./field-frame.tsx";

/**
 * Returns undefined for an empty optional object, so that it isn't sent. Returns any other object unchanged.
 */
export function emptied(value: Raw, props: FieldProps): unknown {
  return Object.keys(value).length > 0 || props.required || props.keepEmpty ? value : undefined;
}

/**
 * Sets a property of an object, or removes it. Returns undefined for an empty object, unless `keepEmpty` is
 * set.
 */
export function withProperty(value: Raw, name: string, next: unknown, keepEmpty: boolean): unknown {
  const rest = Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      key === name ? (next === undefined ? [] : [[key, next]]) : [[key, item]],
    ),
  );
  const whole =
    next === undefined || Object.hasOwn(value, name)
      ? rest
      : { ...rest, ...Object.fromEntries([[name, next]]) };
  return Object.keys(whole).length > 0 || keepEmpty ? whole : undefined;
}
