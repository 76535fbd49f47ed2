/**
 * Determines the initial values of the form: `x-default`, `default` and required fixed values, and the
 * document's examples if the site enables them.
 */

import { exampleBody as exampleContent, initialInputs } from "../../engine/openapi/check/initial-inputs.ts";
import { jsonText } from "../../engine/openapi/nodes/json-text.ts";
import type { Refs } from "../../engine/openapi/nodes/refs.ts";
import type { Example, MediaType, Operation } from "../../engine/openapi/request/operation.ts";
import type { PlaygroundSettings } from "../../engine/openapi/request/operation-data.ts";
import { bodyText } from "../../engine/openapi/request/request-body.ts";
import { type BodyInput, parameterKey } from "../../engine/openapi/request/request-model.ts";
import { type SchemaRef, viewOf } from "../../engine/openapi/schema/schema-view.ts";
import { sentValue } from "../../engine/openapi/schema/sent-values.ts";
import { readCredentials } from "./credentials.ts";
import { type BodyDraft, bodyForm, type Draft } from "./draft.ts";
import { readJson } from "./exact-json.ts";
import { withReaderData } from "./reader-data.ts";
import { withoutFiles } from "./without-files.ts";

/** Maximum nesting depth of defaults that are filled in. */
const depth_levels = 6;

/** Returns the draft of a form that is opened for the first time. `site`: key of the stored credentials. */
export function firstDraft(
  operation: Operation,
  refs: Refs,
  settings: PlaygroundSettings,
  site: string,
): Draft {
  const examples = settings.prefill
    ? initialInputs(operation, refs, { optional: settings.optional })
    : undefined;
  const parameters: Draft["parameters"] = {};
  for (const parameter of operation.parameters) {
    const key = parameterKey(parameter);
    const value = examples
      ? examples.parameters[key]
      : startOf(parameter.schema, refs, { required: parameter.required, firm: true, trail: [] });
    if (value !== undefined) parameters[key] = value;
  }

  const bodies: Record<string, BodyDraft> = {};
  for (const media of operation.body?.content ?? []) {
    const example = settings.prefill
      ? exampleBody(operation, refs, settings, media.type, examples?.body)
      : undefined;
    const declared =
      media.schema &&
      startOf(media.schema, refs, {
        required: isBodyRequired(operation, media.schema, refs),
        firm: true,
        trail: [],
      });
    bodies[media.type] = bodyDraft(media, example ?? { value: declared }, refs);
  }

  const draft: Draft = {
    server: 0,
    variables: {},
    parameters,
    mediaType: operation.body?.content[0]?.type ?? "",
    bodies,
    alternative: 0,
    credentials: readCredentials(site).credentials,
    choices: {},
    opened: {},
  };
  return withReaderData(draft, operation, refs);
}

function bodyDraft(media: MediaType, content: BodyInput["content"], refs: Refs): BodyDraft {
  const form = bodyForm(media, refs);

  // The document has the example as text, which is sent as it's written.
  if ("text" in content && (form === "json" || form === "xml"))
    return { raw: true, text: content.text, ...(form === "json" ? jsonIn(content.text) : {}) };
  const value = withoutFiles("text" in content ? content.text : content.value);

  if (form === "text")
    return {
      raw: true,
      text: value === undefined ? "" : (bodyText({ value }, media, refs) ?? jsonText(value, 2)),
    };

  return {
    raw: !media.schema && form === "json",
    value: form === "file" ? undefined : value,
    text: value === undefined ? "" : jsonText(value, 2),
  };
}

/** Reads a JSON text. Without a value if it isn't JSON, such as an example of any media type. */
function jsonIn(text: string): { value?: unknown } {
  try {
    return { value: readJson(text) };
  } catch {
    return {};
  }
}

/** Returns the draft of a body that starts with one of the document's examples. */
export function draftOfExample(media: MediaType, example: Example, refs: Refs): BodyDraft {
  return bodyDraft(
    media,
    exampleContent(sentValue(example.value, media.schema, refs, "request"), media, refs, "request"),
    refs,
  );
}

/**
 * Whether the body is required. Many documents don't mark the body as required, so a body with required
 * properties counts as required.
 */
function isBodyRequired(operation: Operation, schema: SchemaRef, refs: Refs): boolean {
  return (
    operation.body?.required === true ||
    viewOf(schema, refs, "request").properties.some(({ required }) => required)
  );
}

/** Returns the document's example for a media type. `first` is the example of the first media type. */
function exampleBody(
  operation: Operation,
  refs: Refs,
  { optional }: PlaygroundSettings,
  type: string,
  first: BodyInput | undefined,
): BodyInput["content"] | undefined {
  const found =
    first?.mediaType === type
      ? first
      : initialInputs(
          {
            ...operation,
            body: {
              ...operation.body!,
              content: operation.body!.content.filter((media) => media.type === type),
            },
          },
          refs,
          { optional },
        ).body;

  return found?.content;
}

interface ValueContext {
  required: boolean;
  /**
   * Whether all parents of the value are required. Only then are defaults, fixed values and empty objects
   * filled in.
   */
  firm: boolean;
  trail: readonly string[];
}

/**
 * Returns the initial value of a schema. Undefined if there is none. The properties of an optional object
 * only get `x-default` values, because otherwise the object would always be sent.
 */
export function startOf(schema: SchemaRef, refs: Refs, { required, firm, trail }: ValueContext): unknown {
  const view = viewOf(schema, refs, "request");
  if (view.prefill) return view.prefill.value;
  if (firm && view.default) return view.default.value;
  if (firm && required && view.const) return view.const.value;
  if (firm && required && view.enum?.length === 1 && !view.nullable) return view.enum[0];
  if (trail.includes(view.key) || trail.length >= depth_levels) return undefined;

  const below = { firm: firm && required, trail: [...trail, view.key] };
  const found = view.properties.flatMap((property) => {
    const value = startOf(property.schema, refs, { ...below, required: property.required });
    return value === undefined ? [] : [[property.name, value] as const];
  });

  if (found.length > 0) return Object.fromEntries(found);
  return below.firm && view.types.join() === "object" && !view.nullable && view.variants.length === 0
    ? {}
    : undefined;
}

/** Returns the value for a new list item or map property, and for a field after the variant changes. */
export function newValue(schema: SchemaRef | undefined, refs: Refs): unknown {
  const declared = schema && startOf(schema, refs, { required: true, firm: true, trail: [] });
  if (declared !== undefined) return declared;
  const view = schema && viewOf(schema, refs, "request");
  if (view?.enum?.length) return view.enum[0];
  return emptyOf(
    view?.types[0] ??
      view?.variants.map(
        ({ options }) => options[0] && viewOf(options[0].schema, refs, "request").types[0],
      )[0] ??
      "string",
  );
}

/** Returns the initial value for a JSON type: 0, true, null, or an empty list, object or string. */
export function emptyOf(type: string): unknown {
  if (type === "integer" || type === "number") return 0;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type === "object") return {};
  return type === "null" ? null : "";
}
