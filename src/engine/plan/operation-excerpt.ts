/**
 * Creates the excerpts of an OpenAPI document that playgrounds load: an operation, and nodes without
 * examples.
 */

import type { ApiDocument } from "../openapi/document/api-document.ts";
import { child, isRaw, type Located, own, pointerKeys, type Raw, setOwn } from "../openapi/nodes/refs.ts";
import type { OperationData } from "../openapi/request/operation-data.ts";
import type { OperationEntry } from "../openapi/request/operation-list.ts";
import { declaredSchemes, requiredSchemes } from "../openapi/request/scheme-names.ts";
import { dynamicAnchorsKey } from "../openapi/schema/schema-identifiers.ts";
import { type ApiSettings, sampleLanguagesOf } from "../reference/settings.ts";

/**
 * Returns the parts of an OpenAPI document that the playground of one operation needs. Components other than
 * its security schemes are in other files.
 */
export function operationDataOf(
  document: ApiDocument,
  entry: OperationEntry,
  item: Located,
  mode: OperationData["settings"]["mode"],
  api: ApiSettings,
): OperationData {
  const isAdditional = child(item, entry.method) === undefined;
  const operation = withoutExamples(leanOperation(entry.node.value), false);
  const pathItem: Raw = {
    ...picked(item.value, ["parameters", "servers"]),
    ...(isAdditional
      ? { additionalOperations: { [entry.method]: operation } }
      : { [entry.method]: operation }),
  };

  const security = own(entry.node.value, "security") ?? own(document.root, "security");
  const securitySchemes = declaredSchemes(document.root, requiredSchemes(security));
  const root: Raw = {
    ...picked(document.root, ["openapi", "servers", "security", dynamicAnchorsKey]),
    components: { securitySchemes },
  };

  setAtPointer(root, pointerKeys(item.pointer)!, pathItem);

  return {
    root,
    pathItem: item.pointer,
    method: entry.method,
    path: entry.path,
    kind: entry.kind,
    settings: {
      mode,
      proxy: api.playground?.proxy !== false,
      credentials: api.playground?.credentials === true,
      prefill: api.examples?.prefill === true,
      languages: [...sampleLanguagesOf(api)],
      optional: api.examples?.defaults !== "required",
    },
  };
}

/** Fields of an operation that a playground doesn't need. */
const displayOnly = new Set([
  "description",
  "externalDocs",
  "tags",
  "callbacks",
  "x-codeSamples",
  "x-code-samples",
  "x-platform",
  "x-mint",
]);

function leanOperation(node: unknown): Raw {
  return Object.fromEntries(Object.entries(node as Raw).filter(([key]) => !displayOnly.has(key)));
}

/**
 * Removes the examples and links of responses with content, which can be long and which playgrounds don't
 * use. `isResponse`: whether the node itself is a response. For other nodes, such as operations, only changes
 * the node's `responses`, if any.
 */
export function withoutExamples(node: unknown, isResponse: boolean): unknown {
  if (Array.isArray(node) || !isRaw(node)) return node;

  const lean = (response: unknown): unknown => {
    const content = own(response, "content");
    if (!isRaw(response) || !isRaw(content)) return response;
    const media = Object.entries(content).map(([type, value]) => [
      type,
      picked(value, ["schema", "itemSchema", "$ref"]),
    ]);
    const { links: _, ...rest } = response;
    return { ...rest, content: Object.fromEntries(media) };
  };

  if (isResponse) return lean(node);
  const { responses } = node;
  return isRaw(responses)
    ? {
        ...node,
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [status, lean(response)]),
        ),
      }
    : node;
}

function picked(node: unknown, keys: readonly string[]): Raw {
  return Object.fromEntries(
    keys.flatMap((key) => (own(node, key) === undefined ? [] : [[key, own(node, key)]])),
  );
}

/** Sets the value at a pointer, and copies the objects on the way. */
function setAtPointer(root: Raw, keys: readonly string[], value: Raw): void {
  let at: Raw = root;
  for (const [index, key] of keys.entries()) {
    const below =
      index === keys.length - 1 ? value : { ...(isRaw(own(at, key)) ? (own(at, key) as Raw) : {}) };
    setOwn(at, key, below);
    at = below;
  }
}
