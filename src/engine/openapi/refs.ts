/** Nodes of an OpenAPI document, and the way from a `$ref` to what it names. Nothing is expanded: a node is read when it is shown. */

export type Raw = Record<string, unknown>;

/** A node of a document with the place where it is declared: `#/components/schemas/Pet`, keys escaped as in JSON Pointer. */
export interface Located<T = unknown> {
  value: T;
  pointer: string;
}

export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Own properties only: a document may hold keys such as `constructor`. */
export function own(node: unknown, key: string): unknown {
  return typeof node === "object" && node !== null && Object.hasOwn(node, key) ? (node as Raw)[key] : undefined;
}

export function ownText(node: unknown, key: string): string | undefined {
  const value = own(node, key);
  return typeof value === "string" ? value : undefined;
}

/** The child of a node, by a key or an index; undefined when there is none. */
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

/** The keys of a pointer or a `$ref`; undefined for one that is no plain `#/…` pointer. */
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

/** `#/components/schemas/Pet` → `Pet`: what readers call the node. */
export function componentName(pointer: string): string | undefined {
  const keys = pointerKeys(pointer);
  return keys?.length === 3 && keys[0] === "components" ? keys[2] : undefined;
}

/** How many `$ref`s may lead from one to the next before it is called a circle. */
const hops_count = 50;

/**
 * Finds nodes by pointer. In a browser only a part of the document is at hand: `loaded` holds more of it by pointer,
 * and what was asked for in vain is named in `missing`.
 */
export class Refs {
  readonly root: Raw;
  readonly loaded: Map<string, unknown>;
  readonly missing = new Set<string>();
  /** Set by who wants to know which nodes were asked for. */
  asked: Set<string> | undefined;

  constructor(root: Raw, loaded: Map<string, unknown> = new Map()) {
    this.root = root;
    this.loaded = loaded;
  }

  at(pointer: string): Located | undefined {
    this.asked?.add(pointer);
    if (this.loaded.has(pointer)) return { value: this.loaded.get(pointer), pointer };
    const keys = pointerKeys(pointer);
    let value: unknown = keys && this.root;
    for (const key of keys ?? []) value = own(value, key);
    return value === undefined ? undefined : { value, pointer: `#${keys!.map((key) => `/${escapeKey(key)}`).join("")}` };
  }

  /** What a node stands for: itself, or what its `$ref` leads to. Undefined for a dead or circular reference. */
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
