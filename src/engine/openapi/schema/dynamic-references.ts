/**
 * Applies the `$dynamicAnchor`s of schemas to the schemas that they refer to, as in a generic `Page` whose
 * items another schema defines (JSON Schema 2020-12, section 8.2.3.2). Must come after `resolveIdentifiers`.
 */

import { canonicalPointer, escapeKey, isRaw, own, ownText, type Raw, Refs, setOwn } from "../nodes/refs.ts";
import { isDataKey, referencesIn } from "../nodes/walk-references.ts";
import { dynamicAnchorsKey, walkSchemas } from "./schema-identifiers.ts";

/** Maximum number of schemas that a schema can bind, and of values in all copies in a document. */
const reachable_count = 500;
const copiedValues_count = 200_000;

/** Pointers of schemas, by the name of their `$dynamicAnchor`. */
type Bindings = ReadonlyMap<string, string>;

/**
 * Adds a copy of each schema whose `$dynamicRef`s have another target where a schema refers to it, in place.
 * The copies are in the `$defs` of the schema that binds them. Returns the pointers of the schemas that bind
 * nothing because of the limits.
 */
export function bindDynamicReferences(root: Raw): string[] {
  return isRaw(own(root, dynamicAnchorsKey)) ? new Binder(root).bind() : [];
}

class Binder {
  private readonly root: Raw;
  private readonly refs: Refs;
  /** Changes of nodes, which are made at the end, because copies are made of the nodes as written. */
  private readonly changes: (() => void)[] = [];
  /** Number of values that copies can still have. */
  private room = copiedValues_count;
  private readonly unbound: string[] = [];

  constructor(root: Raw) {
    this.root = root;
    this.refs = new Refs(root);
  }

  bind(): string[] {
    walkSchemas(this.root, (node, pointer) => {
      const bindings = this.bindingsOf(node, pointer);
      if (bindings.size && !this.bindBelow(node, pointer, bindings)) this.unbound.push(pointer);
    });
    for (const change of this.changes) change();
    return this.unbound;
  }

  private bindingsOf(node: Raw, pointer: string): Bindings {
    const bindings = new Map<string, string>();
    const anchors = own(own(this.root, dynamicAnchorsKey), pointer);
    if (isRaw(anchors) && pointer !== "#")
      for (const [name, target] of Object.entries(anchors)) bindings.set(name, String(target));
    for (const [key, schema] of Object.entries(isRaw(node.$defs) ? node.$defs : {})) {
      const name = ownText(schema, "$dynamicAnchor");
      if (name !== undefined) bindings.set(name, `${pointer}/$defs/${escapeKey(key)}`);
    }

    const name = ownText(node, "$dynamicAnchor");
    if (name !== undefined) bindings.set(name, pointer);
    return bindings;
  }

  /**
   * Replaces the references in a schema whose targets have `$dynamicRef`s that the schema binds. Returns
   * false, and changes nothing, if a limit is reached.
   */
  private bindBelow(node: Raw, pointer: string, bindings: Bindings): boolean {
    if (this.room <= 0) return [...referencesIn(node, false)].length === 0;
    const affected = this.affectedFrom(node, bindings);
    if (affected === undefined) return false;
    if (affected.size === 0) return true;
    for (const target of affected) this.room -= valuesIn(this.refs.at(target)!.value, this.room);
    if (this.room <= 0) return false;

    const copies = new Map<string, string>();
    const definitions: Raw = {};
    const names = new Set(Object.keys(isRaw(node.$defs) ? node.$defs : {}));
    for (const target of affected) {
      const base = target.slice(target.lastIndexOf("/") + 1) || "Bound";
      let name = base;
      for (let n = 2; names.has(name); n++) name = `${base}${n}`;
      names.add(name);
      copies.set(target, `${pointer}/$defs/${name}`);
    }

    for (const [target, to] of copies) {
      const copy = this.copy(this.refs.at(target)!.value, bindings, copies);
      definitions[to.slice(to.lastIndexOf("/") + 1)] = copy;
    }

    walkSchemas(node, (inner) => {
      const copied = copies.get(canonicalPointer(ownText(inner, "$ref") ?? ""));
      if (copied !== undefined) this.changes.push(() => setOwn(inner, "$ref", copied));
    });
    this.changes.push(() =>
      setOwn(node, "$defs", { ...(isRaw(node.$defs) ? node.$defs : {}), ...definitions }),
    );
    return true;
  }

  /**
   * Returns the pointers of the schemas that a schema refers to, and that have `$dynamicRef`s that it binds.
   * Undefined if it refers to too many schemas.
   */
  private affectedFrom(node: Raw, bindings: Bindings): Set<string> | undefined {
    const users = new Map<string, string[]>();
    const reached = new Set([...referencesIn(node, false)]);
    for (const from of reached) {
      if (reached.size > reachable_count) return undefined;
      for (const to of referencesIn(this.refs.at(from)?.value, false)) {
        reached.add(to);
        users.set(to, [...(users.get(to) ?? []), from]);
      }
    }

    const affected = new Set([...reached].filter((from) => this.hasBound(from, bindings)));
    for (const target of affected) for (const user of users.get(target) ?? []) affected.add(user);
    for (const target of bindings.values()) affected.delete(target);
    return affected;
  }

  private hasBound(pointer: string, bindings: Bindings): boolean {
    let isFound = false;
    walkSchemas(this.refs.at(pointer)?.value, (node) => {
      isFound ||= this.boundTarget(node, bindings) !== undefined;
    });
    return isFound;
  }

  /** Returns the schema that a node's `$dynamicRef` is bound to, if it isn't its initial target. */
  private boundTarget(node: Raw, bindings: Bindings): string | undefined {
    const initial = ownText(node, "$dynamicRef");
    if (initial === undefined) return undefined;
    const name = ownText(this.refs.at(initial)?.value, "$dynamicAnchor");
    const bound = name === undefined ? undefined : bindings.get(name);
    return bound === canonicalPointer(initial) ? undefined : bound;
  }

  private copy(value: unknown, bindings: Bindings, copies: ReadonlyMap<string, string>): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.copy(item, bindings, copies));
    const copied: Raw = {};
    for (const [key, below] of Object.entries(value))
      setOwn(copied, key, isDataKey(key, below) ? below : this.copy(below, bindings, copies));
    const bound = this.boundTarget(value as Raw, bindings);
    if (bound !== undefined) {
      delete copied.$dynamicRef;
      copied.$ref = bound;
    }

    const target = copies.get(canonicalPointer(ownText(value, "$ref") ?? ""));
    if (target !== undefined) copied.$ref = target;
    return copied;
  }
}

/** Counts the values in a value, up to `most`. */
function valuesIn(value: unknown, most: number): number {
  let count = 0;
  const waiting = [value];
  while (waiting.length && count < most) {
    count++;
    const next = waiting.pop();
    if (typeof next === "object" && next !== null) waiting.push(...Object.values(next));
  }
  return count;
}
