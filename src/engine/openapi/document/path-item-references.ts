/** Replaces references to path items, so that each use of a path item has its own operations. */

import {
  canonicalPointer,
  child,
  entries,
  isRaw,
  type Located,
  own,
  ownText,
  type Raw,
  Refs,
  setOwn,
} from "../nodes/refs.ts";
import { methodsOf, parameterId } from "../request/operation.ts";

/**
 * Path items that replaced a reference: for each key, the pointer of its value's source. By the pointer of
 * the path item.
 */
type Sources = Map<string, Map<string, string>>;

/**
 * Replaces, in place, references to path items in `paths` and `webhooks`, and those in callbacks that have
 * operations or parameters next to the reference. Keys next to a reference take precedence, except
 * extensions, which can restrict access. Keeps external, broken, and circular references. Returns undefined
 * if nothing was replaced, or else a function that returns the source of a pointer.
 */
export function expandPathItems(root: Raw): ((pointer: string) => string) | undefined {
  const refs = new Refs(root);
  const sources: Sources = new Map();
  const expanded = (["paths", "webhooks"] as const).flatMap((field) => {
    const map = refs.at(`#/${field}`);
    const items = entries(map).flatMap(([path, item]) => {
      const value = path.startsWith("x-") ? undefined : expandedItem(refs, item, sources);
      return value ? [{ map: map!.value as Raw, key: path, value }] : [];
    });
    return items;
  });

  // Assigned last, so that the items above were read from the document as it was written.
  for (const { map, key, value } of expanded) setOwn(map, key, value);

  for (const callback of callbacksIn(refs)) {
    for (const [expression, item] of entries(callback)) {
      const hasParts = methodsOf(item).length > 0 || own(item.value, "parameters") !== undefined;
      const value = hasParts ? expandedItem(refs, item, sources) : undefined;
      if (value) setOwn(callback.value as Raw, expression, withoutCallbacks(value));
    }
  }

  return sources.size === 0 ? undefined : (pointer) => sourceOf(pointer, sources);
}

function expandedItem(refs: Refs, item: Located, sources: Sources): Raw | undefined {
  const origins = new Map<string, string>();
  const seen = new Set<string>();
  let value: Raw = {};
  for (let at: Located | undefined = item; at !== undefined; ) {
    if (!isRaw(at.value) || seen.has(at.pointer)) return undefined;
    seen.add(at.pointer);
    const { $ref: _, ...keys } = at.value;
    for (const key of Object.keys(keys))
      if (key.startsWith("x-") || !(key in value)) origins.set(key, at.pointer);
    value = merged(keys, value);
    const ref = ownText(at.value, "$ref");
    if (ref === undefined) break;
    at = ref.startsWith("#") ? refs.at(ref) : undefined;
    if (!at && ref.startsWith("#")) return undefined;
    // The rest of the chain is external.
    if (!at) value = { $ref: ref, ...value };
  }

  if (seen.size === 1) return undefined;
  sources.set(item.pointer, origins);
  return value;
}

/** Merges a path item with the keys next to a reference to it. */
function merged(item: Raw, beside: Raw): Raw {
  const extensions = Object.entries(item).filter(([key]) => key.startsWith("x-"));
  const all = { ...item, ...beside, ...Object.fromEntries(extensions) };
  const [inherited, own] = [item.parameters, beside.parameters];
  if (!Array.isArray(inherited) || !Array.isArray(own)) return all;
  const known = new Set(own.map(parameterKey));
  return {
    ...all,
    parameters: [
      ...(inherited as unknown[]).filter((one) => !known.has(parameterKey(one))),
      ...(own as unknown[]),
    ],
  };
}

function parameterKey(parameter: unknown): string {
  const ref = ownText(parameter, "$ref");
  if (ref !== undefined) return canonicalPointer(ref);
  return parameterId({ in: ownText(parameter, "in") ?? "", name: ownText(parameter, "name") ?? "" });
}

/** Returns the callbacks in components, and those of operations in `paths` and `webhooks`. */
function callbacksIn(refs: Refs): Located[] {
  const items = ["#/paths", "#/webhooks", "#/components/pathItems"].flatMap((pointer) =>
    entries(refs.at(pointer)),
  );
  const operations = items.flatMap(([, item]) =>
    methodsOf(item).flatMap((method) => child(item, method) ?? []),
  );
  const maps = [
    refs.at("#/components/callbacks"),
    ...operations.map((operation) => child(operation, "callbacks")),
  ];
  return maps.flatMap((map) => entries(map).map(([, callback]) => callback));
}

/** Removes the callbacks of a callback's operations. They aren't shown, and could contain the callback. */
function withoutCallbacks(item: Raw): Raw {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => {
      if (!isRaw(value)) return [key, value];
      const { callbacks: _, ...rest } = value;
      return [key, rest];
    }),
  );
}

function sourceOf(pointer: string, sources: Sources): string {
  for (let end = pointer.indexOf("/", 2); end !== -1; end = pointer.indexOf("/", end + 1)) {
    const origins = sources.get(pointer.slice(0, end));
    const [key = ""] = pointer.slice(end + 1).split("/", 1);
    const origin = origins?.get(key);
    if (origin !== undefined) return origin + pointer.slice(end);
  }
  return pointer;
}
