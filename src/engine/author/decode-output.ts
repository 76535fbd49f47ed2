/** Decodes the output of the sandbox. */

import { type ContentNode, element, type Props, type PropValue } from "../content.ts";
import { append, isTagName, nodeCount, rejectLookalike } from "./convert-values.ts";
import type { EvaluationBudget } from "./evaluation-budget.ts";
import type { Snippet } from "./values.ts";

/**
 * The context of a run: the slots and snippets that the output refers to by number, and the evaluation
 * budget.
 */
export interface DecodeContext {
  slots: readonly ContentNode[][];
  snippets: readonly Snippet[];
  budget: EvaluationBudget;
  /** Returns the nodes to show for a slot. */
  place(slot: number, content: ContentNode[]): ContentNode[];
  /** Called with the name of each element. */
  onTag(name: string): void;
}

/**
 * Decodes the nodes that a run rendered. The output is untrusted, so nodes of an unknown form are dropped.
 */
export function decodeNodes(output: unknown, around: DecodeContext): ContentNode[] {
  const nodes: ContentNode[] = [];
  if (Array.isArray(output))
    for (const item of output)
      for (const node of decodeNode(item, around)) append(nodes, node, around.budget);
  return nodes;
}

function decodeNode(item: unknown, around: DecodeContext): ContentNode[] {
  around.budget.charge(1);
  if (typeof item === "string") return [item];
  if (typeof item !== "object" || item === null) return [];

  const { slot, tag, snippet, props, children } = item as { [key: string]: unknown };
  return around.budget.deeper(() => {
    if (typeof slot === "number") return decodeSlot(slot, around);
    if (typeof snippet === "number") {
      return (
        around.snippets[snippet]?.expand(decodeProps(props, around), decodeNodes(children, around)) ?? []
      );
    }
    if (typeof tag !== "string" || !isTagName(tag)) return [];
    around.onTag(tag);
    return [element(tag, decodeProps(props, around), decodeNodes(children, around))];
  });
}

function decodeSlot(slot: number, around: DecodeContext): ContentNode[] {
  const content = around.slots[slot] ?? [];
  for (const node of content) around.budget.charge(nodeCount(node));
  return around.place(slot, content);
}

function decodeProps(output: unknown, around: DecodeContext): Props {
  const value = decodeValue(output, around);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Props) : {};
}

/**
 * Decodes a property value that a run returned. Undefined for a value of an unknown form. Throws
 * `AuthorCodeFailed` for an object with the keys of an element.
 */
export function decodeValue(output: unknown, around: DecodeContext): PropValue {
  around.budget.charge(1);

  if (
    typeof output === "string" ||
    typeof output === "number" ||
    typeof output === "boolean" ||
    output === null
  )
    return output;

  if (typeof output !== "object") return undefined;

  return around.budget.deeper(() => {
    if (Array.isArray(output)) return output.map((item) => decodeValue(item, around));
    if ("nodes" in output) return element("", {}, decodeNodes(output.nodes, around));
    if (!("fields" in output) || typeof output.fields !== "object" || output.fields === null)
      return undefined;
    const entries = Object.entries(output.fields).filter(([key]) => key !== "__proto__");
    const fields = Object.fromEntries(entries.map(([key, value]) => [key, decodeValue(value, around)]));
    rejectLookalike(fields);
    return fields;
  });
}
