/**
 * Functions that create the fields of the docs.json schema. Descriptions appear on the reference page of the
 * docs. `options`: other keywords of the field, such as `expected` and `strict` (see `docs-json-schema.ts`).
 */

import { type TSchema, Type } from "@sinclair/typebox";

/** A text that is one of the values. */
export function oneOf<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}

export const text = (description: string, options: Record<string, unknown> = {}) =>
  Type.String({ description, ...options });
/** `byDefault`: the default value, if there is one. */
export const flag = (description: string, byDefault?: boolean) =>
  Type.Boolean({ description, ...(byDefault === undefined ? {} : { default: byDefault }) });
export const list = <T extends TSchema>(
  items: T,
  description: string,
  options: Record<string, unknown> = {},
) => Type.Array(items, { description, ...options });
export const object = <T extends Record<string, TSchema>>(
  properties: T,
  description: string,
  options: Record<string, unknown> = {},
) => Type.Object(properties, { description, ...options });
export const optional = Type.Optional;

/** A hex color with `#`, and without an alpha channel. */
export const hex = (description: string) =>
  Type.String({
    description,
    pattern: "^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
    expected: "a hex color with 3 or 6 digits, such as #0D9373",
  });

/** Colors for both modes, each of which can be absent. */
export const lightDark = (description: string) =>
  object(
    { light: optional(hex("Color in light mode.")), dark: optional(hex("Color in dark mode.")) },
    description,
    { strict: true },
  );

/** Two required texts, for the two color modes. `what`: what the texts are, such as `Theme`. */
export const perMode = (what: string) =>
  Type.Object({ light: text(`${what} in light mode.`), dark: text(`${what} in dark mode.`) });

/** The path of a file in the docs folder. */
export const path = (description: string) =>
  text(description, { minLength: 3, expected: "a path, such as /images/logo.svg" });

/** A host name with an optional port. */
export const host = (description: string) =>
  text(description, {
    pattern: "^(?!https?:)[\\w.-]+(?::\\d+)?$",
    expected: "a host without https://, such as docs.example.com",
  });

export const httpUrl = (description: string) =>
  text(description, { pattern: "^https?://", expected: "a URL that starts with https://" });

/** A URL with HTTP or HTTPS, or a path, which has no colon before its first `/`, `?` or `#`. */
export const urlOrPath = (description: string) =>
  text(description, {
    pattern: "^(?:[Hh][Tt][Tt][Pp][Ss]?:|[^:/?#]*(?:[/?#]|$))",
    expected: "an https URL or a path",
  });
