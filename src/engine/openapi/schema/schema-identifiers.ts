/**
 * Resolves the identifiers of JSON Schema in a document: rewrites references by `$id` and `$anchor` to JSON
 * pointers, so that everything else only needs pointers. `$dynamicRef` becomes a pointer to its initial
 * target.
 */

import { escapeKey, isRaw, own, ownText, pointerKeys, type Raw, type Refs } from "../nodes/refs.ts";
import { isDataKey, mapKeys } from "../nodes/walk-references.ts";

/**
 * Key of the document that lists the pointers of `$dynamicAnchor`s, by the pointer of the schema with `$id`
 * and by name.
 */
export const dynamicAnchorsKey = "x-octavo-dynamic-anchors";

const documentBase = "urn:octavo:document";

interface Identifiers {
  /** Pointers by URI without fragment. */
  byUri: Map<string, string>;
  /** Pointers by URI with the name of an `$anchor` or `$dynamicAnchor` as its fragment. */
  byAnchor: Map<string, string[]>;
  dynamic: Record<string, Record<string, string>>;
}

/** Whether a node of a schema has a keyword that `resolveIdentifiers` reads. */
export function hasIdentifier(node: Raw): boolean {
  return (
    typeof node.$id === "string" ||
    typeof node.$anchor === "string" ||
    typeof node.$dynamicAnchor === "string" ||
    typeof node.$dynamicRef === "string"
  );
}

/** Rewrites the references of a document in place. References to other documents stay as they are. */
export function resolveIdentifiers(root: Raw): void {
  const known: Identifiers = { byUri: new Map([[documentBase, "#"]]), byAnchor: new Map(), dynamic: {} };
  walkSchemas(root, (node, pointer, base, resource) => {
    if (typeof node.$id === "string") known.byUri.set(base, pointer);
    for (const anchor of [node.$anchor, node.$dynamicAnchor])
      if (typeof anchor === "string") addAnchor(known.byAnchor, `${base}#${anchor}`, pointer);
    if (typeof node.$dynamicAnchor === "string")
      (known.dynamic[resource] ??= {})[node.$dynamicAnchor] = pointer;
  });

  walkSchemas(root, (node, pointer, base) => {
    const ref = ownText(node, "$ref");
    const dynamicRef = ownText(node, "$dynamicRef");
    if (ref !== undefined) node.$ref = targetOf(ref, base, known, root, pointer) ?? ref;
    if (dynamicRef === undefined) return;
    const target = targetOf(dynamicRef, base, known, root, pointer) ?? dynamicRef;
    const name = dynamicRef.slice(dynamicRef.indexOf("#") + 1);
    if (own(valueAt(root, target), "$dynamicAnchor") === name) node.$dynamicRef = target;
    else {
      // Without a `$dynamicAnchor`, the keyword has the same meaning as `$ref`.
      delete node.$dynamicRef;
      if (ref === undefined) node.$ref = target;
      else node.allOf = [...(Array.isArray(node.allOf) ? (node.allOf as unknown[]) : []), { $ref: target }];
    }
  });

  if (Object.keys(known.dynamic).length) root[dynamicAnchorsKey] = known.dynamic;
}

/**
 * Maximum number of schemas with the same anchor. An anchor should be unique, but schemas in `$defs` repeat
 * it.
 */
const sameAnchors_count = 100;

function addAnchor(byAnchor: Identifiers["byAnchor"], name: string, pointer: string): void {
  const known = byAnchor.get(name) ?? [];
  if (known.length < sameAnchors_count) known.push(pointer);
  byAnchor.set(name, known);
}

/** Returns the pointer that shares the longest path with another one. Undefined if there are none. */
function nearest(pointers: readonly string[], from: string): string | undefined {
  const keys = from.split("/");
  const shared = (pointer: string) => {
    const end = pointer.split("/").findIndex((key, index) => key !== keys[index]);
    return end < 0 ? Number.POSITIVE_INFINITY : end;
  };
  const distances = pointers.map(shared);
  return pointers[distances.indexOf(Math.max(...distances))];
}

type Visit = (node: Raw, pointer: string, base: string, resource: string) => void;

/** Visits the schemas, and the other objects with keywords, in a node. */
export function walkSchemas(root: unknown, visit: Visit): void {
  const seen = new Set<object>();
  const walk = (node: unknown, pointer: string, base: string, resource: string, isMap: boolean): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    let [uri, start] = [base, resource];

    if (isRaw(node) && !isMap) {
      const id = ownText(node, "$id");
      if (id !== undefined) [uri, start] = [resolved(id, base).split("#", 1)[0]!, pointer];
      visit(node, pointer, uri, start);
    }

    for (const key of Object.keys(node)) {
      const below = (node as Raw)[key];
      const names = isRaw(node) && !isMap;
      if (!(names && isDataKey(key, below)))
        walk(below, `${pointer}/${escapeKey(key)}`, uri, start, names && mapKeys.has(key) && isRaw(below));
    }
  };

  walk(root, "#", documentBase, "#", false);
}

function resolved(reference: string, base: string): string {
  if (reference.startsWith("#")) return base + reference;
  try {
    return new URL(reference, base === documentBase ? "octavo://document/" : base).href;
  } catch {
    return reference;
  }
}

function targetOf(
  reference: string,
  base: string,
  { byUri, byAnchor }: Identifiers,
  root: Raw,
  from: string,
): string | undefined {
  const [uri = "", ...fragments] = resolved(reference, base).split("#");
  const fragment = decoded(fragments.join("#"));
  const resource = byUri.get(uri);
  if (fragment !== "" && !fragment.startsWith("/"))
    return nearest(byAnchor.get(`${uri}#${fragment}`) ?? [], from);
  const pointer = resource === undefined ? undefined : `${resource}${fragment.replaceAll("%", "%25")}`;
  // Documents also refer to components of the whole document from schemas with an `$id`.
  if ((pointer === undefined || valueAt(root, pointer) === undefined) && reference.startsWith("#"))
    return reference;
  return pointer;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function valueAt(root: Raw, pointer: string): unknown {
  let value: unknown = root;
  for (const key of pointerKeys(pointer) ?? []) value = own(value, key);
  return value;
}

/**
 * Returns the pointer of the schema with `$id`, or of the document, that contains a node and has
 * `$dynamicAnchor`s.
 */
export function resourceOf(pointer: string, { root }: Refs): string | undefined {
  const dynamic = own(root, dynamicAnchorsKey);
  if (!isRaw(dynamic)) return undefined;
  for (let at = pointer; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/"))))
    if (Object.hasOwn(dynamic, at)) return at;
  return undefined;
}

/**
 * Returns the pointer to the target of a `$dynamicRef`: the outermost `$dynamicAnchor` with the name, among
 * the schemas in scope.
 */
export function dynamicTarget(reference: string, scope: readonly string[], refs: Refs): string {
  const name = ownText(refs.at(reference)?.value, "$dynamicAnchor");
  const dynamic = own(refs.root, dynamicAnchorsKey);
  if (name === undefined) return reference;
  for (const resource of scope) {
    const target = ownText(own(dynamic, resource), name);
    if (target !== undefined) return target;
  }
  return reference;
}
