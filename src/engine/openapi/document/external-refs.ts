/**
 * Removes the parts of a document that depend on an external `$ref`, since external documents are not loaded.
 */

import { child, entries, isRaw, type Located, type Raw, Refs, removeAt } from "../nodes/refs.ts";
import { referencesIn } from "../nodes/walk-references.ts";
import { methodsOf } from "../request/operation.ts";
import { listOperations, operationLabel } from "../request/operation-list.ts";

/**
 * Removes from `root` the path items, operations and components that depend on an external `$ref`. Returns
 * the keys of the removed path items and the labels of the removed operations.
 */
export function removeExternalDependents(root: Raw): string[] {
  const removed = removeExternalPathItems(root);
  const refs = new Refs(root);
  const affected = affectedPointers(refs);
  const isAffected = (node: Located) =>
    [...referencesIn(node.value, false)].some((ref) => isExternal(ref) || affected.has(ref));
  const operations = listOperations(refs).filter(
    ({ node, pathItem }) => isAffected(node) || sharedParts(refs.follow(pathItem)).some(isAffected),
  );
  for (const { node } of operations) removeAt(root, node.pointer);
  for (const [, group] of entries(refs.at("#/components")))
    for (const [, component] of entries(group)) if (isAffected(component)) removeAt(root, component.pointer);
  return [...removed, ...operations.map(operationLabel)];
}

function isExternal(ref: string): boolean {
  return !ref.startsWith("#");
}

/**
 * Removes path items that are external `$ref`s, except the operations next to the `$ref`. Returns their keys.
 */
function removeExternalPathItems(root: Raw): string[] {
  return ["paths", "webhooks", "components/pathItems"].flatMap((field) => {
    const items = entries(new Refs(root).at(`#/${field}`));
    const external = items.filter(
      ([, item]) => isRaw(item.value) && typeof item.value.$ref === "string" && isExternal(item.value.$ref),
    );
    for (const [, item] of external)
      removeAt(root, methodsOf(item).length === 0 ? item.pointer : `${item.pointer}/$ref`);
    return external.map(([path]) => path);
  });
}

/** Returns the parameters and servers of a path item, which all of its operations share. */
function sharedParts(item: Located | undefined): Located[] {
  return ["parameters", "servers"].flatMap((key) => (item && child(item, key)) ?? []);
}

/**
 * Returns pointers to all referenced nodes that use an external `$ref`, directly or through other references.
 */
function affectedPointers(refs: Refs): Set<string> {
  const usersOf = new Map<string, string[]>();
  const affected: string[] = [];
  for (const target of referencesIn(refs.root, false)) {
    if (isExternal(target)) continue;
    const node = refs.at(target);
    for (const ref of node ? referencesIn(node.value, false) : []) {
      if (isExternal(ref)) affected.push(target);
      else usersOf.set(ref, [...(usersOf.get(ref) ?? []), target]);
    }
  }
  const found = new Set(affected);
  for (const target of found) for (const user of usersOf.get(target) ?? []) found.add(user);
  return found;
}
