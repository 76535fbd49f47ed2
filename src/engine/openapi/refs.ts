/** Nodes of an OpenAPI document and resolution of `$ref`. Nothing is expanded ahead of time. */

export type Raw = Record<string, unknown>;

/** A node with its JSON Pointer, keys escaped: `#/components/schemas/Pet`. */
export interface Located<T = unknown> {
  value: T;
  pointer: string;
}

export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads own properties only: a document can contain keys such as `constructor`. */
export function own(node: unknown, key: string): unknown {
  return typeof node === "object" && node !== null && Object.hasOwn(node, key) ? (node as Raw)[key] : undefined;
}

export function ownText(node: unknown, key: string): string | undefined {
  const value = own(node, key);
  return typeof value === "string" ? value : undefined;
}

/** The child of a node by key or index; undefined if absent. */
export function child(node: Located, key: string | number): Located | undefined {
  const value = own(node.value, String(key));
  return value === undefined ? undefined : { value, pointer: `${node.pointer}/${escapeKey(String(key))}` };
}

export function children(node: Located | undefined): Located[] {
  return node && Array.isArray(node.value) ? node.value.map((_, index) => child(node, index)!) : [];
}

/** Key and node of each entry of an object, in the document's order. */
export function entries(node: Located | undefined): [string, Located][] {
  return node && isRaw(node.value) ? Object.keys(node.value).map((key) => [key, child(node, key)!]) : [];
}

export function escapeKey(key: string): string {
  if (!key.includes("~") && !key.includes("/")) return key;
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The keys of a pointer or a `$ref`; undefined if it is not a plain `#/…` pointer. */
export function pointerKeys(pointer: string): string[] | undefined {
  if (pointer === "#") return [];
  if (!pointer.startsWith("#/")) return undefined;
  return pointer
    .slice(2)
    .split("/")
    .map((key) => decode(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(key: string): string {
  if (!key.includes("%")) return key;
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** `#/components/schemas/Pet` → `Pet`; undefined for other pointers. */
export function componentName(pointer: string): string | undefined {
  const keys = pointerKeys(pointer);
  return keys?.length === 3 && keys[0] === "components" ? keys[2] : undefined;
}

/** Length of a chain of `$ref`s from which it counts as circular. */
const hops_count = 50;

/**
 * Finds nodes by pointer. A browser has only a part of the document: `loaded` contains further nodes by pointer,
 * and `missing` collects the references that could not be resolved.
 */
export class Refs {
  readonly root: Raw;
  readonly loaded: Map<string, unknown>;
  readonly missing = new Set<string>();
  /** When set, collects the pointers that are looked up. */
  visited: Set<string> | undefined;

  constructor(root: Raw, loaded: Map<string, unknown> = new Map()) {
    this.root = root;
    this.loaded = loaded;
  }

  at(pointer: string): Located | undefined {
    this.visited?.add(pointer);
    if (this.loaded.has(pointer)) return { value: this.loaded.get(pointer), pointer };
    const keys = pointerKeys(pointer);
    let value: unknown = keys && this.root;
    for (const key of keys ?? []) value = own(value, key);
    return value === undefined ? undefined : { value, pointer: `#${keys!.map((key) => `/${escapeKey(key)}`).join("")}` };
  }

  /** The node itself, or the target of its `$ref`. Undefined for a broken or circular reference. */
  follow(node: Located): Located | undefined {
    let at: Located | undefined = node;
    for (let hop = 0; hop < hops_count; hop++) {
      const ref = ownText(at.value, "$ref");
      if (ref === undefined) return at;
      at = this.at(ref);
      if (!at) {
        this.missing.add(ref);
        return undefined;
      }
    }
    return undefined;
  }
}
