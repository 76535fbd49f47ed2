/** Reads nodes of an OpenAPI document and resolves `$ref`s on demand. */

/** An object in a document. */
export type Raw = Record<string, unknown>;

/** A node and its JSON Pointer: `#/components/schemas/Pet`. */
export interface Located<T = unknown> {
  value: T;
  pointer: string;
}

/** Whether a value is an object, and neither `null` nor a list. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads an own property. Inherited properties are ignored, since a document can contain keys such as
 * `constructor`.
 */
export function own(node: unknown, key: string): unknown {
  return typeof node === "object" && node !== null && Object.hasOwn(node, key)
    ? (node as Raw)[key]
    : undefined;
}

/** Sets an own property. Assigning `__proto__`, which a document can contain, would set the prototype. */
export function setOwn(node: object, key: string | number, value: unknown): void {
  Object.defineProperty(node, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Reads an own property that is a string. Undefined for other values. */
export function ownText(node: unknown, key: string): string | undefined {
  const value = own(node, key);
  return typeof value === "string" ? value : undefined;
}

/**
 * Converts a value to text. Objects and lists become JSON, since `String` throws for an object with the key
 * `toString`.
 */
export function valueText(value: unknown): string {
  return typeof value === "object"
    ? JSON.stringify(value, (_, below: unknown) => (typeof below === "bigint" ? String(below) : below))
    : String(value);
}

/** Returns the strings in a list. Empty for other values. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** Returns the child of a node by key or index. Undefined if there is none. */
export function child(node: Located, key: string | number): Located | undefined {
  const value = own(node.value, String(key));
  return value === undefined ? undefined : { value, pointer: `${node.pointer}/${escapeKey(String(key))}` };
}

/** Returns the items of a list. Empty for other nodes. */
export function children(node: Located | undefined): Located[] {
  return node && Array.isArray(node.value) ? node.value.map((_, index) => child(node, index)!) : [];
}

/** Returns the key and node of each entry of an object. Empty for other nodes. */
export function entries(node: Located | undefined): [string, Located][] {
  return node && isRaw(node.value) ? Object.keys(node.value).map((key) => [key, child(node, key)!]) : [];
}

/**
 * Escapes a key for a JSON Pointer in a URL fragment (RFC 6901, section 6), where a literal `%` is `%25`.
 * `pointerKeys` returns the key again.
 */
export function escapeKey(key: string): string {
  return /[~/%]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25") : key;
}

/**
 * Returns the unescaped keys of a pointer or `$ref`. Undefined unless the text is `#` or starts with `#/`.
 */
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

/** Returns the pointer to a node, from its unescaped keys. */
export function pointerTo(keys: readonly string[]): string {
  return `#${keys.map((key) => `/${escapeKey(key)}`).join("")}`;
}

/**
 * Returns a reference in the spelling of `pointerTo`: `#/components/schemas/A%42` →
 * `#/components/schemas/AB`.
 */
export function canonicalPointer(ref: string): string {
  const keys = ref.includes("%") ? pointerKeys(ref) : undefined;
  return keys ? pointerTo(keys) : ref;
}

/**
 * Returns the object that contains the node at a pointer, and the node's key in it. Undefined if there is no
 * such object.
 */
export function parentOf(root: Raw, pointer: string): { node: Raw; key: string } | undefined {
  const keys = pointerKeys(pointer) ?? [];
  const key = keys.pop();
  let node: unknown = root;
  for (const step of keys) node = own(node, step);
  return isRaw(node) && key !== undefined ? { node, key } : undefined;
}

/** Removes the node at a pointer from `root`, unless a list contains it. */
export function removeAt(root: Raw, pointer: string): void {
  const at = parentOf(root, pointer);
  if (at) delete at.node[at.key];
}

/**
 * Returns the name in the pointer of a component: `#/components/schemas/Pet` → `Pet`. Undefined for other
 * pointers.
 */
export function componentName(pointer: string): string | undefined {
  const keys = pointerKeys(pointer);
  return keys?.length === 3 && keys[0] === "components" ? keys[2] : undefined;
}

/** A chain with this number of `$ref`s is treated as circular. */
const hops_count = 50;

/**
 * Finds nodes by pointer. In a browser, `root` is only a part of the document, and `loaded` contains more
 * nodes by pointer. `missing` collects the references that `follow` could not resolve.
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

  /**
   * Returns the node at a pointer in any spelling; undefined if there is none. Doesn't resolve a `$ref` of
   * the node.
   */
  at(ref: string): Located | undefined {
    const pointer = canonicalPointer(ref);
    this.visited?.add(pointer);
    if (this.loaded.has(pointer)) return { value: this.loaded.get(pointer), pointer };
    const keys = pointerKeys(pointer);
    let value: unknown = keys && this.root;
    for (const key of keys ?? []) value = own(value, key);
    return value === undefined ? undefined : { value, pointer: pointerTo(keys!) };
  }

  addMissing(ref: string): void {
    this.missing.add(canonicalPointer(ref));
  }

  /**
   * Returns the target of a node's `$ref`. If the target is only a reference itself, returns its target.
   * Undefined for a broken or circular reference.
   */
  target(node: Located): Located | undefined {
    let at: Located | undefined = node;
    for (let hop = 0; hop < hops_count; hop++) {
      const ref = referenceIn(at.value);
      if (ref === undefined || (hop > 0 && Object.keys(at.value as Raw).length > 1)) return at;
      at = this.at(ref);
      if (!at) {
        this.addMissing(ref);
        return undefined;
      }
    }

    return undefined;
  }

  /** Returns the node itself, or the target of its `$ref`. Undefined for a broken or circular reference. */
  follow(node: Located): Located | undefined {
    let at: Located | undefined = node;
    for (let hop = 0; hop < hops_count; hop++) {
      const ref = referenceIn(at.value);
      if (ref === undefined) return at;
      at = this.at(ref);
      if (!at) {
        this.addMissing(ref);
        return undefined;
      }
    }
    return undefined;
  }
}

function referenceIn(node: unknown): string | undefined {
  return ownText(node, "$ref") ?? ownText(node, "$dynamicRef");
}
