import { type ContentNode, element, type Props, type PropValue } from "../content.ts";
import type { Budget } from "./budget.ts";
import { append, isTagName, refuseLookalike, weigh } from "./convert.ts";
import type { Snippet } from "./values.ts";

/** What the output of a run may refer to by number. */
export interface Surroundings {
  slots: readonly ContentNode[][];
  snippets: readonly Snippet[];
  budget: Budget;
  /** How a slot's content is placed. */
  place(slot: number, content: ContentNode[]): ContentNode[];
}

/** Reads what a run rendered. The text comes from hostile code: what has no known form is left out. */
export function decodeNodes(output: unknown, around: Surroundings): ContentNode[] {
  const nodes: ContentNode[] = [];
  if (Array.isArray(output)) for (const item of output) for (const node of decodeNode(item, around)) append(nodes, node, around.budget);
  return nodes;
}

function decodeNode(item: unknown, around: Surroundings): ContentNode[] {
  around.budget.charge(1);
  if (typeof item === "string") return [item];
  if (typeof item !== "object" || item === null) return [];
  const { slot, tag, snippet, props, children } = item as { [key: string]: unknown };
  return around.budget.deeper(() => {
    if (typeof slot === "number") return decodeSlot(slot, around);
    if (typeof snippet === "number") {
      return around.snippets[snippet]?.expand(decodeProps(props, around), decodeNodes(children, around)) ?? [];
    }
    if (typeof tag !== "string" || !isTagName(tag)) return [];
    return [element(tag, decodeProps(props, around), decodeNodes(children, around))];
  });
}

function decodeSlot(slot: number, around: Surroundings): ContentNode[] {
  const content = around.slots[slot] ?? [];
  for (const node of content) around.budget.charge(weigh(node));
  return around.place(slot, content);
}

function decodeProps(output: unknown, around: Surroundings): Props {
  const value = decodeValue(output, around);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Props) : {};
}

/** Reads a property value that a run returned. */
export function decodeValue(output: unknown, around: Surroundings): PropValue {
  around.budget.charge(1);
  if (typeof output === "string" || typeof output === "number" || typeof output === "boolean" || output === null) return output;
  if (typeof output !== "object") return undefined;
  return around.budget.deeper(() => {
    if (Array.isArray(output)) return output.map((item) => decodeValue(item, around));
    if ("nodes" in output) return element("", {}, decodeNodes(output.nodes, around));
    if (!("fields" in output) || typeof output.fields !== "object" || output.fields === null) return undefined;
    const entries = Object.entries(output.fields).filter(([key]) => key !== "__proto__");
    const fields = Object.fromEntries(entries.map(([key, value]) => [key, decodeValue(value, around)]));
    refuseLookalike(fields);
    return fields;
  });
}
