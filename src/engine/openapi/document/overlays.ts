/** Applies overlays (OpenAPI Overlay 1.0 and 1.1) to documents. */

import { limits } from "../../../base/limits.ts";
import type { Problem } from "../../../base/problem.ts";
import type { ProblemCode } from "../../../base/problem-codes.ts";
import { jsonText } from "../nodes/json-text.ts";
import { SourceScalar } from "../nodes/parse-yaml.ts";
import { isRaw, own, ownText, type Raw, setOwn } from "../nodes/refs.ts";
import { type FoundNode, JsonPathError, JsonPaths } from "./json-path.ts";

/** Creates a problem at a node of an overlay. */
type ProblemAt = (code: ProblemCode, pointer: string, message: string, hint?: string) => Problem;

/**
 * Applies the actions of an overlay to a document in place, in their order. Returns the problems. An action
 * that can't be applied doesn't affect the others. `extendsDocument`: whether a value of `extends` names the
 * document.
 */
export function applyOverlay(
  root: Raw,
  overlay: unknown,
  extendsDocument: (value: string) => boolean,
  problemAt: ProblemAt,
): Problem[] {
  const version = ownText(overlay, "overlay");
  if (version === undefined || !/^1\.[01](?:\.|$)/.test(version))
    return [
      problemAt(
        "openapi-overlay",
        "#",
        "The file isn't an overlay of version 1.0 or 1.1",
        'Start it with overlay: "1.0.0".',
      ),
    ];

  const problems: Problem[] = [];
  const extended = ownText(overlay, "extends");
  if (extended !== undefined && !extendsDocument(extended))
    problems.push(
      problemAt(
        "openapi-overlay-target",
        "#/extends",
        `The overlay extends ${extended}, but docs.json applies it to a different document`,
      ),
    );

  const actions = own(overlay, "actions");
  if (!Array.isArray(actions))
    return [...problems, problemAt("openapi-overlay", "#", "The overlay has no list of actions")];
  const paths = new JsonPaths();
  const size = { added_chars: 0 };
  for (const [index, action] of actions.entries()) {
    const pointer = `#/actions/${index}`;
    const found = applyAction(root, action, paths, size);
    if (found)
      problems.push(
        problemAt(
          found.code,
          found.key === undefined ? pointer : `${pointer}/${found.key}`,
          found.message,
          found.hint,
        ),
      );
  }

  return problems;
}

interface ActionProblem {
  code: "openapi-overlay" | "openapi-overlay-target";
  key?: string;
  message: string;
  hint?: string;
}

function applyAction(
  root: Raw,
  action: unknown,
  paths: JsonPaths,
  size: { added_chars: number },
): ActionProblem | undefined {
  const target = ownText(action, "target");
  if (!isRaw(action) || target === undefined)
    return { code: "openapi-overlay", message: "The action has no target" };
  let key = "target";
  try {
    const nodes = paths.find(target, root);
    if (nodes.length === 0)
      return {
        code: "openapi-overlay-target",
        key,
        message: `The target selects nothing: ${target.slice(0, 200)}`,
      };
    if (action.remove === true) {
      remove(nodes);
      return undefined;
    }
    let update: unknown = action.update;
    const copy = ownText(action, "copy");
    if (copy !== undefined) {
      key = "copy";
      const sources = paths.find(copy, root);
      if (sources.length !== 1)
        return {
          code: "openapi-overlay-target",
          key,
          message: `copy must select one node, but selects ${sources.length}`,
        };
      update = sources[0]!.value;
    }
    if (update === undefined)
      return { code: "openapi-overlay", message: "The action has neither update, copy nor remove: true" };
    // Each target gets its own copy.
    size.added_chars += jsonText(update).length * nodes.length;
    if (size.added_chars > limits.apiJson_chars)
      return { code: "openapi-overlay", message: "The overlay adds too much to the document" };
    for (const node of nodes) updateNode(node, update);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return { code: "openapi-overlay", key, message: `The ${key} ${error.message}` };
  }
}

function remove(nodes: readonly FoundNode[]): void {
  const items = new Map<unknown[], Set<number>>();
  for (const { parent } of nodes) {
    if (!parent) continue;
    if (!Array.isArray(parent.node)) delete (parent.node as Raw)[parent.key];
    else items.set(parent.node, (items.get(parent.node) ?? new Set()).add(Number(parent.key)));
  }
  for (const [list, removed] of items) {
    let length = 0;
    for (let index = 0; index < list.length; index++) if (!removed.has(index)) list[length++] = list[index];
    list.length = length;
  }
}

function updateNode({ value, parent }: FoundNode, update: unknown): void {
  const added = copyOf(update);
  if (Array.isArray(value)) value.push(added);
  else if (isObject(value) && isObject(added)) merge(value, added);
  else if (parent) setOwn(parent.node, parent.key, added);
}

/** Merges objects recursively. Appends lists. */
function merge(into: Raw, added: Raw): void {
  for (const [key, value] of Object.entries(added)) {
    const before = own(into, key);
    if (isObject(before) && isObject(value)) merge(before, value);
    else if (Array.isArray(before) && Array.isArray(value))
      for (const item of value as unknown[]) before.push(item);
    else setOwn(into, key, value);
  }
}

function isObject(value: unknown): value is Raw {
  return isRaw(value) && !(value instanceof SourceScalar);
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, below]) => [key, copyOf(below)]))
    : value;
}
