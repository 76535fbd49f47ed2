/** Creates the initial inputs of samples and playgrounds from defaults and examples. */

import { essenceOf, isJson } from "../nodes/media-types.ts";
import { isRaw, type Refs } from "../nodes/refs.ts";
import type { MediaType, Operation, Parameter, Server } from "../request/operation.ts";
import { hasTextFormat } from "../request/request-body.ts";
import {
  type BodyInput,
  type Credential,
  type FileValue,
  isFileValue,
  parameterKey,
  type RequestInputs,
} from "../request/request-model.ts";
import type { Direction } from "../schema/schema-flags.ts";
import { type SchemaRef, type SchemaView, viewOf } from "../schema/schema-view.ts";
import { declaredProperty, sentValue } from "../schema/sent-values.ts";
import { exampleOf } from "./example.ts";

/**
 * Creates the initial inputs of an operation. The value of an input is the first of these that exists: its
 * `x-default`, its first example, its default, a generated value. Without `optional`, optional parameters are
 * omitted, and a generated body contains only required fields and fields with an `x-default`. Optional
 * parameters that are deprecated are always omitted. A declared body is always included, since many documents
 * don't declare required bodies as required.
 */
export function initialInputs(
  operation: Operation,
  refs: Refs,
  options: { optional: boolean },
): RequestInputs {
  const parameters: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    const isNeeded = parameter.required || parameter.in === "path";
    if (isNeeded || (options.optional && !parameter.deprecated))
      parameters[parameterKey(parameter)] = parameterValue(parameter, refs);
  }

  const inputs: RequestInputs = {
    server: serverUrl(operation.servers[0]),
    parameters,
    credentials: initialCredentials(operation),
  };

  const mediaType = operation.body?.content[0];
  if (mediaType) inputs.body = initialBody(mediaType, refs, options);
  return inputs;
}

function parameterValue(parameter: Parameter, refs: Refs): unknown {
  const view = viewOf(parameter.schema, refs, "request");
  if (view.prefill) return view.prefill.value;
  const [example] = parameter.examples.filter(({ value }) => value !== undefined);
  if (example) return withPrefills(sentValue(example.value, parameter.schema, refs, "request"), view, refs);

  const generated = exampleOf(parameter.schema, refs, { direction: "request" });
  const isPlaceholder =
    generated === undefined || (typeof generated === "string" && /^<.*>$|^$/.test(generated));
  const placeholder = placeholderFor(parameter.name);
  const isFitting = view.constraints.every(
    ({ keyword, value }) => keyword !== "maxLength" || placeholder.length <= Number(value),
  );

  return isPlaceholder && isFitting && !view.types.includes("array") && !view.types.includes("object")
    ? placeholder
    : generated;
}

/**
 * Returns a placeholder for a parameter: `petId` → `PET_ID`. Unlike `<string>`, the placeholder usually needs
 * no escaping in URLs.
 */
function placeholderFor(name: string): string {
  const snakeCase = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^\p{L}\p{N}]+/gu, "_");
  return snakeCase.replace(/^_+|_+$/g, "").toUpperCase() || "VALUE";
}

/** Returns the URL of a server with the default values of its variables. Empty if there is no server. */
function serverUrl(server: Server | undefined): string {
  return (server?.url ?? "").replace(
    /\{([^{}]*)\}/g,
    (whole, name) => server!.variables.find((variable) => variable.name === name)?.default ?? whole,
  );
}

/**
 * Returns credentials for the first security alternative that has schemes. The values are empty, unless the
 * document sets `x-default`.
 */
function initialCredentials(operation: Operation): Credential[] {
  const alternative = operation.security.find(({ schemes }) => schemes.length > 0);
  return (alternative?.schemes ?? []).map((scheme) => {
    const value = scheme.prefill ?? "";
    if (scheme.type !== "basic") return { scheme, value };
    const [username = "", ...password] = value.split(":");
    return { scheme, value: { username, password: password.join(":") } };
  });
}

function initialBody(
  { type, schema, examples, encoding }: MediaType,
  refs: Refs,
  options: { optional: boolean },
): BodyInput {
  const view = schema && viewOf(schema, refs, "request");
  const essence = essenceOf(type);
  if (view?.file === "binary" || (!schema && !examples.length && !isStructured(essence))) {
    return {
      mediaType: type,
      content: { value: fileOf(view?.contentMediaType ?? (essence.includes("*") ? "" : essence)) },
    };
  }

  const [example] = examples.filter((one) => one.value !== undefined);
  const value =
    view?.prefill?.value ??
    (example && withPrefills(sentValue(example.value, schema, refs, "request"), view, refs)) ??
    (schema ? exampleOf(schema, refs, { direction: "request", ...options }) : {});

  if (!hasTextFormat(value, type)) return { mediaType: type, content: { value: fileOf(essence) } };
  return { mediaType: type, content: exampleBody(value, { type, schema, encoding }, refs, "request") };
}

/**
 * Returns an example as the content of a body: text for text formats, and files for the binary parts of
 * multipart bodies.
 */
export function exampleBody(
  value: unknown,
  { type, schema, encoding }: Pick<MediaType, "type" | "schema" | "encoding">,
  refs: Refs,
  direction: Direction,
): BodyInput["content"] {
  const essence = essenceOf(type);
  const view = schema && viewOf(schema, refs, direction);

  // Documents can contain JSON and XML examples as text.
  if (
    typeof value === "string" &&
    (!isJson(essence) || (!view?.types.includes("string") && isJsonText(value)))
  )
    return { text: value };

  if (!essence.startsWith("multipart/") || !isRaw(value)) return { value };

  const members = Object.entries(value).map(([name, item]) => {
    const property = schema && declaredProperty(name, schema, refs, direction);
    const contentType = Object.hasOwn(encoding, name) ? encoding[name]!.contentType : undefined;
    return [name, property ? withFiles(item, property, contentType, refs) : item];
  });

  return { value: Object.fromEntries(members) };
}

/** Sets the properties of an example that have an `x-default` to that value. */
function withPrefills(example: unknown, view: SchemaView | undefined, refs: Refs): unknown {
  if (!view || !isRaw(example)) return example;
  const members = view.properties.flatMap(({ name, schema }): [string, unknown][] => {
    const property = viewOf(schema, refs, "request");
    if (property.prefill) return [[name, property.prefill.value]];
    return Object.hasOwn(example, name) ? [[name, withPrefills(example[name], property, refs)]] : [];
  });
  return { ...example, ...Object.fromEntries(members) };
}

function isStructured(essence: string): boolean {
  return isJson(essence) || /[/+]xml$|^text\/|^multipart\/|x-www-form-urlencoded$/.test(essence);
}

function isJsonText(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** Replaces example text of binary parts, and of lists of binary parts, with files. */
function withFiles(value: unknown, schema: SchemaRef, contentType: string | undefined, refs: Refs): unknown {
  const view = viewOf(schema, refs, "request");
  if (view.file === "binary")
    return isFileValue(value) ? value : fileOf(view.contentMediaType ?? contentType ?? "", value);
  const items = view.items;
  return items && Array.isArray(value)
    ? value.map((item) => withFiles(item, items, contentType, refs))
    : value;
}

const extensions: Record<string, string> = {
  "application/gzip": "gz",
  "application/json": "json",
  "application/pdf": "pdf",
  "application/xml": "xml",
  "application/zip": "zip",
  "audio/mpeg": "mp3",
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/svg+xml": "svg",
  "text/csv": "csv",
  "text/html": "html",
  "text/plain": "txt",
  "video/mp4": "mp4",
};

/**
 * Creates a file without content. `given`: the example's value, which becomes the file name if it looks like
 * a file name.
 */
function fileOf(mediaType: string, given?: unknown): FileValue {
  const type = mediaType.split(/[,;]/, 1)[0]!.trim().toLowerCase();
  const extension = Object.hasOwn(extensions, type) ? extensions[type] : "bin";
  const name =
    typeof given === "string" && /^[\w-][\w .-]{0,80}\.\w{1,5}$/.test(given) ? given : `example.${extension}`;
  return { file: { name, type: type.includes("*") ? "" : type } };
}
