// Generates the type declarations of `octavo/client` from the API's description.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const description = fileURLToPath(new URL("../../docs/openapi/octavo.json", import.meta.url));

/** Writes `client.d.ts` into the folder of types, next to `main/client.d.ts`. */
export async function writeClientTypes(out) {
  await writeFile(
    path.join(out, "client.d.ts"),
    clientTypes(JSON.parse(await readFile(description, "utf8"))),
  );
}

/**
 * The declarations for an OpenAPI document. Reads only what our own document contains: each operation has at
 * most one kind of body and of successful response, and all parameters are in the operation.
 */
export function clientTypes({ paths, components }) {
  const used = new Set();
  const typeOf = typeWriter(used);
  const api = Object.entries(paths).map(
    ([route, operations]) =>
      `  ${JSON.stringify(route)}: {\n${Object.entries(operations)
        .map(
          ([method, operation]) =>
            `${comment([operation.summary, operation.description])}${method}: ${operationType(operation, typeOf)};\n`,
        )
        .join("")}  };\n`,
  );
  const schemas = [];
  for (const name of used) {
    const schema = components.schemas[name];
    const type = typeOf(schema);
    const declaration = type.startsWith("{") ? `interface ${name} ${type}` : `type ${name} = ${type};`;
    schemas.push(`${comment([schema.description])}export ${declaration}\n`);
  }
  return `import { type BinaryBody, type OctavoClient, type OctavoOptions, OctavoError } from "./main/client.ts";
export { type BinaryBody, type OctavoOptions, OctavoError };
export type Client = OctavoClient<Api>;
/** Creates a client of the service's API. */
export declare function createClient(options: OctavoOptions): Client;
export interface Api {
${api.join("")}}
${schemas.join("")}`;
}

/** The inputs of an operation, and its `response` or, if it's streamed, its `events`. */
function operationType({ parameters = [], requestBody, responses }, typeOf) {
  const inputs = ["path", "query"].flatMap((place) => {
    const placed = parameters.filter((parameter) => parameter.in === place);
    if (placed.length === 0) return [];
    const isRequired = placed.some(({ required }) => required);
    const properties = Object.fromEntries(
      placed.map(({ name, schema, description }) => [name, { ...schema, description }]),
    );
    const required = placed.filter((parameter) => parameter.required).map(({ name }) => name);
    return [`${place}${isRequired ? "" : "?"}: ${typeOf({ type: "object", properties, required })}`];
  });
  if (requestBody) {
    const schema = requestBody.content["application/json"]?.schema;
    inputs.push(`body${requestBody.required ? "" : "?"}: ${schema ? typeOf(schema) : "BinaryBody"}`);
  }
  const [, { content = {} }] = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const events = content["text/event-stream"]?.schema;
  const json = content["application/json"]?.schema;
  const response = events ? `events: ${typeOf(events)}` : `response: ${json ? typeOf(json) : "undefined"}`;
  return `{ ${[...inputs, response].join("; ")} }`;
}

/** Returns a function that writes the type of a schema. It adds the names of schemas to `used`. */
function typeWriter(used) {
  const objectType = ({ properties, required = [], additionalProperties }) => {
    if (!properties)
      return `{ [name: string]: ${additionalProperties ? typeOf(additionalProperties) : "unknown"} }`;
    const members = Object.entries(properties).map(
      ([name, schema]) =>
        `${comment([schema.description])}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};\n`,
    );
    return `{\n${members.join("")}}`;
  };
  const named = (schema, type) => {
    if (type === "object") return objectType(schema);
    if (type === "array") return `Array<${typeOf(schema.items ?? {})}>`;
    if (type === "integer" || type === "number") return "number";
    return type ?? "unknown";
  };
  const typeOf = (schema) => {
    if (schema === true) return "unknown";
    if (schema.$ref) {
      const name = schema.$ref.slice("#/components/schemas/".length);
      used.add(name);
      return name;
    }
    const values = schema.enum ?? ("const" in schema ? [schema.const] : undefined);
    if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
    const variants = schema.oneOf ?? schema.anyOf;
    if (variants) return variants.map(typeOf).join(" | ");
    return [schema.type]
      .flat()
      .map((type) => named(schema, type))
      .join(" | ");
  };
  return typeOf;
}

/** Texts as a comment in front of a declaration, or nothing. */
function comment(texts) {
  const text = texts.filter(Boolean).join(". ").replaceAll("*/", "* /").replace(/\s+/g, " ");
  return text && `/** ${text} */\n`;
}
