/** Decides which types a `format` is for. */

/** Formats that JSON Schema and OpenAPI define for strings. */
const knownTextFormats = new Set(
  "date date-time time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uri-template uuid json-pointer relative-json-pointer regex byte binary password base64 html".split(
    " ",
  ),
);

const numberFormat =
  /^(?:u?int(?:8|16|32|64)?|single-int|double-int|float|double|decimal(?:128)?|number|integer)$/i;

/** Whether a format is for values of a type. Unknown formats are for strings and numbers. */
export function appliesTo(format: string, type: string): boolean {
  if (type === "integer" || type === "number")
    return numberFormat.test(format) || !knownTextFormats.has(format);
  return type === "string" && !numberFormat.test(format);
}
