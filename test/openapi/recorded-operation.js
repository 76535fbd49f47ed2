/** Describes an operation for a recorded request. */

/** Returns the schema of a value. */
function schemaOf(given) {
  if (Array.isArray(given)) return { type: "array", items: { type: "string" } };
  if (typeof given !== "object") return { type: typeof given };
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(given).map(([key, below]) => [key, schemaOf(below)])),
  };
}

/**
 * `type`: the media type of a body. `isJson`: whether the parameter has the value as JSON.
 *
 * @param {{ place: string, style?: string, explode?: boolean, isJson?: boolean, type?: string, value: unknown }}
 *   recorded
 */
export function describedOperation({ place, style, explode, isJson, type, value: given }) {
  const schema = schemaOf(given);
  if (place === "body") return { requestBody: { content: { [type]: { schema } } } };
  const described = isJson ? { content: { "application/json": { schema } } } : { style, explode, schema };
  return { parameters: [{ name: "color", in: place, required: true, ...described }] };
}
