/** Describes documents for recorded requests. */

/** Returns the schema of a value. */
function schemaOf(given) {
  if (Array.isArray(given)) return { type: "array", items: { type: "string" } };
  if (typeof given !== "object") return { type: typeof given };
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(given).map(([key, below]) => [key, schemaOf(below)])),
  };
}

const names = ["color", "shape_2", "X-Size", "last"];
const host = "https://api.example.com";

export const securitySchemes = {
  basic: { type: "http", scheme: "basic" },
  bearer: { type: "http", scheme: "bearer" },
  header: { type: "apiKey", in: "header", name: "X-Key" },
  query: { type: "apiKey", in: "query", name: "api_key" },
  cookie: { type: "apiKey", in: "cookie", name: "sid" },
};

/**
 * A parameter, a body, or an operation with parameters, and where it has them a body and the key of a scheme.
 * `type`: the media type of a body. `isJson`: whether the parameter has the value as JSON.
 *
 * @typedef {{ place: string, style?: string, explode?: boolean, isJson?: boolean, type?: string, value?: unknown,
 *   parameters?: Recorded[], given?: Recorded, credential?: string }} Recorded
 */

/**
 * Returns the parameters with their names.
 *
 * @param {Recorded} recorded
 */
export function namedParameters(recorded) {
  const { place, parameters = place === "body" ? [] : [recorded] } = recorded;
  return parameters.map((parameter, index) => ({ ...parameter, name: names[index] }));
}

/** @param {Recorded} recorded */
export function describedDocument(recorded) {
  const parameters = namedParameters(recorded);
  const body = recorded.place === "body" ? recorded : recorded.given;
  const inPath = parameters.filter(({ place }) => place === "path").map(({ name }) => `/{${name}}`);
  const operation = {
    operationId: "it",
    responses: {},
    parameters: parameters.map(({ name, place, style, explode, isJson, value }) => {
      const schema = schemaOf(value);
      const described = isJson ? { content: { "application/json": { schema } } } : { style, explode, schema };
      return { name, in: place, required: true, ...described };
    }),
    ...(body ? { requestBody: { content: { [body.type]: { schema: schemaOf(body.value) } } } } : {}),
    ...(recorded.credential ? { security: [{ [recorded.credential]: [] }] } : {}),
  };
  return {
    openapi: "3.0.3",
    info: { title: "Test", version: "1" },
    servers: [{ url: host }],
    paths: { [`/a${inPath.join("")}/b`]: { post: operation } },
    components: { securitySchemes },
  };
}
