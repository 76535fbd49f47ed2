/**
 * Removes the parts of operations that have `groups`, such as fields, parameters, variants, enum values and
 * headers, and their traces in examples. A page is the same for all of its readers, so no page can show these
 * parts. Pages, search, playgrounds and downloads use the resulting document. Operations with `groups` stay,
 * since they have separate pages.
 */

import { mayRestrictAccess } from "../../access-words.ts";
import { platformExtension } from "../nodes/extensions.ts";
import {
  componentName,
  escapeKey,
  isRaw,
  own,
  ownText,
  pointerKeys,
  pointerTo,
  type Raw,
  Refs,
  valueText,
} from "../nodes/refs.ts";
import { dataKeys, isDataKey, mapKeys, referencesIn } from "../nodes/walk-references.ts";
import { methods } from "../request/operation.ts";
import { type RestrictedSchema, Steps, TooManySteps } from "./combined-schemas.ts";
import { type HiddenWords, Words } from "./hidden-words.ts";
import { ExampleCleaner } from "./restricted-examples.ts";
import { RestrictedKeywords } from "./restricted-keywords.ts";

export interface RemovedParts {
  /**
   * References in the removed parts and, transitively, in their targets. Undefined if nothing was removed.
   */
  references: ReadonlySet<string> | undefined;
  /** Words that only the removed parts have. Undefined if nothing was removed. */
  hidden: HiddenWords | undefined;
  /** Pointers to nodes and enum keywords whose `groups` are ignored, at least in part. */
  ineffective: string[];
  /** Access rules that aren't known, and therefore remove their part. */
  unknown: UnknownRule[];
  /** Pointers to keywords that were left out because they name restricted properties or values. */
  leftOut: string[];
  /** Pointers to parts that were left out because they refer to a part of a restricted operation. */
  intoOperations: string[];
}

/** An access rule on a part that Octavo doesn't know, such as `audience`. */
export interface UnknownRule {
  pointer: string;
  rule: string;
}

/**
 * Calls `visit` once for each object, but not for maps or for objects inside data and extensions. `path`
 * contains the keys of the path to the object. Copy the array to keep it, because it is reused.
 */
function walk(root: Raw, visit: (node: Raw, path: readonly string[]) => void): void {
  const seen = new Set<unknown>();
  const path: string[] = [];
  const below = (value: unknown, isMap: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    if (!isMap) {
      if (seen.has(value)) return;
      seen.add(value);
      if (isRaw(value)) visit(value, path);
    }
    for (const [key, entry] of Object.entries(value)) {
      if (!isMap && isRaw(value) && isDataKey(key, entry)) continue;
      path.push(key);
      below(entry, !isMap && mapKeys.has(key) && isRaw(value) && isRaw(entry));
      path.pop();
    }
  };

  below(root, false);
}

const enumMaps = ["x-platform-enum", "x-mint-enum"];
const compositions = ["allOf", "oneOf", "anyOf"];

/** Removes the restricted parts from `root`. Throws `TooManySteps` if references are too entangled. */
export function removeRestricted(root: Raw): RemovedParts {
  const found = new RestrictedParts(root);
  const hasRestrictedExtensions = removeFromExtensions(root, found.removed());
  if (!hasRestrictedExtensions && found.parts.size === 0 && found.enums.size === 0)
    return { ...nothingRemoved, ineffective: found.ineffective, unknown: found.unknown };
  const references = found.remove();
  const cleaner = new ExampleCleaner(root, found.schemas);
  cleaner.removeOverrides();
  cleaner.clean(found.hiddenNames(references));
  const { ineffective, unknown, leftOut, intoOperations } = found;
  const hidden = found.hiddenWords(references);
  return { references, hidden, ineffective, unknown, leftOut, intoOperations };
}

export const nothingRemoved: RemovedParts = {
  references: undefined,
  hidden: undefined,
  ineffective: [],
  unknown: [],
  leftOut: [],
  intoOperations: [],
};

class RestrictedParts {
  private readonly root: Raw;
  private readonly refs: Refs;
  private readonly operations = new Set<string>();
  /** Keys to remove, by the object or list that contains them. */
  readonly parts = new Map<object, Set<string>>();
  /** Enum values to remove, by schema. */
  readonly enums = new Map<Raw, Set<string>>();
  /** Names and values to remove from examples, by schema. */
  readonly schemas = new Map<object, RestrictedSchema>();
  /** Names of properties and parameters that removed parts declare. */
  private readonly names = new Set<string>();
  /** Words of removed parts. */
  private readonly words = new Words();
  readonly ineffective: string[] = [];
  readonly unknown: UnknownRule[] = [];
  readonly leftOut: string[] = [];
  readonly intoOperations: string[] = [];
  private readonly steps = new Steps();

  constructor(root: Raw) {
    this.root = root;
    this.refs = new Refs(root);
    walk(root, (node, path) => this.findRestrictedOperation(node, path));
    walk(root, (node, path) => this.find(node, path));
    if (this.schemas.size > 0) this.findInKeywords();
  }

  private findInKeywords(): void {
    const target = {
      remove: (holder: object, key: string, schema: Raw) => this.add(holder, key, schema, undefined),
      restrictedSchema: (schema: Raw) => this.restrictedSchema(schema),
      removeValues: (schema: Raw, values: ReadonlySet<string>) =>
        this.enums.set(schema, new Set([...(this.enums.get(schema) ?? []), ...values])),
    };
    const search = () => new RestrictedKeywords(this.refs, this.schemas, target);
    const names = search();
    walk(this.root, (node) => names.findNames(node));
    const keywords = search();
    walk(this.root, (node, path) => {
      for (const key of keywords.findKeywords(node)) this.leftOut.push(pointerTo([...path, key]));
    });
  }

  /** Collects operations with `groups`, since links to them are also removed. */
  private findRestrictedOperation(node: Raw, path: readonly string[]): void {
    if (!isOperation(path)) return;
    if (this.ruleOf(node, path) === undefined) return;
    this.operations.add(pointerTo(path));
    const id = ownText(node, "operationId");
    if (id !== undefined) this.operations.add(id);
  }

  /** Returns the access rules of an operation or path item as text. Undefined if it's public. */
  private ruleOf(node: Raw, path: readonly string[]): string | undefined {
    const extension = platformExtension(node);
    const { metadata } = extension;
    const item = this.refs.at(pointerTo(path.slice(0, path[0] === "components" ? 3 : 2)));
    const shared = platformExtension(item && (this.refs.follow(item) ?? item).value);
    if (own(metadata, "public") === true) return undefined;
    const rules = [extension, metadata, shared, shared.metadata].filter((each) => restricts(each));
    return rules.length > 0 ? JSON.stringify(rules.map((rule) => valueText(rule))) : undefined;
  }

  /** Returns the access rules of the operation or path item that contains a path, like `ruleOf`. */
  private ruleAt(path: readonly string[]): string | undefined {
    let node: unknown = this.root;
    let rule: string | undefined;
    for (const [index, key] of path.slice(0, operationKeys_count).entries()) {
      node = own(node, key);
      const at = path.slice(0, index + 1);
      if (isRaw(node) && hasOwnAccess(at)) rule = this.ruleOf(node, at);
    }
    return rule;
  }

  private find(node: Raw, path: readonly string[]): void {
    if (!hasOwnAccess(path)) {
      const extension = platformExtension(node);
      const pointer = pointerTo(path);
      const isClosed = restricts(extension);
      if (isClosed && (cannotBeRemoved(path) || own(node, "in") === "path")) this.ineffective.push(pointer);
      else if (isClosed && !isSet(extension.groups))
        this.unknown.push({ pointer, rule: Object.keys(extension).find((key) => isRule(extension, key))! });
      if (restricts(extension.metadata)) this.ineffective.push(pointer);
    }

    this.findInEnum(node, path);

    for (const [key, value] of Object.entries(node)) {
      if (dataKeys.has(key) || key.startsWith("x-") || typeof value !== "object" || value === null) continue;
      const at = [...path, key];
      if (Array.isArray(value) || mapKeys.has(key)) {
        for (const [name, entry] of Object.entries(value))
          if (this.isRestricted(entry, [...at, name])) {
            this.add(value, name, node, key === "properties" ? name : undefined);
            if (!Array.isArray(value)) this.words.addName(name, path);
          }
      } else if (this.isRestricted(value, at)) {
        this.add(node, key, node, undefined);
        // Without the schema, it isn't known which parts of an example are restricted.
        if (this.intoOperations.at(-1) === pointerTo(at))
          for (const examples of ["example", "examples"])
            if (examples in node) this.add(node, examples, node, undefined);
      }
    }

    this.findInDiscriminator(node, path);
  }

  /**
   * Collects discriminator values that select a removed variant: the values in the mapping, and the name of
   * the variant's component.
   */
  private findInDiscriminator(node: Raw, path: readonly string[]): void {
    const discriminator = own(node, "discriminator");
    if (!isRaw(discriminator)) return;
    const removed = new Set<string>();
    for (const key of compositions)
      for (const [index, entry] of Object.entries(own(node, key) ?? {})) {
        const ref = ownText(entry, "$ref");
        if (ref !== undefined && this.isRestricted(entry, [...path, key, index])) removed.add(ref);
      }

    const values = new Set([...removed].flatMap((ref) => componentName(ref) ?? []));
    const mapping = own(discriminator, "mapping");
    for (const [value, target] of isRaw(mapping) ? Object.entries(mapping) : []) {
      const to = valueText(target);
      const ref = to.includes("/") ? to : `#/components/schemas/${escapeKey(to)}`;
      if (!removed.has(ref) && !this.leadsToRestricted(ref) && !this.leadsIntoOperation(ref, path)) continue;
      this.add(mapping as Raw, value, node, undefined);
      values.add(value);
    }

    if (values.size === 0) return;
    for (const value of values) this.restrictedSchema(node).values.add(value);
    const declared = own(own(node, "properties"), ownText(discriminator, "propertyName") ?? "");
    if (isRaw(declared)) this.enums.set(declared, new Set([...(this.enums.get(declared) ?? []), ...values]));
  }

  private findInEnum(node: Raw, path: readonly string[]): void {
    for (const key of enumMaps) {
      const values = own(node, key);
      if (values === undefined) continue;
      const listed = own(node, "enum");
      const restricted = isRaw(values) ? Object.keys(values).filter((value) => isSet(values[value])) : [];
      const known = restricted.filter(
        (value) => Array.isArray(listed) && listed.some((entry) => valueText(entry) === value),
      );
      if (!isRaw(values) || known.length < restricted.length)
        this.ineffective.push(pointerTo([...path, key]));
      if (!isRaw(values) || restricted.length === 0) continue;
      this.enums.set(node, new Set([...(this.enums.get(node) ?? []), ...restricted]));
      for (const value of restricted) this.restrictedSchema(node).values.add(value);
    }
  }

  private add(holder: object, key: string, schema: Raw, name: string | undefined): void {
    this.parts.set(holder, (this.parts.get(holder) ?? new Set()).add(key));
    if (name !== undefined) this.restrictedSchema(schema).names.add(name);
  }

  /** Returns the restricted names and values of a schema. Callers add to these sets. */
  private restrictedSchema(schema: Raw): RestrictedSchema {
    const known = this.schemas.get(schema) ?? { names: new Set(), values: new Set() };
    this.schemas.set(schema, known);
    return known;
  }

  private isRestricted(node: unknown, path: readonly string[]): boolean {
    if (!isRaw(node) || hasOwnAccess(path) || cannotBeRemoved(path)) return false;
    if (restricts(platformExtension(node))) return true;
    const ref = ownText(node, "$ref");
    if (ref !== undefined && this.leadsIntoOperation(ref, path)) {
      this.intoOperations.push(pointerTo(path));
      return true;
    }
    if (ref !== undefined) return this.leadsToRestricted(ref);
    if (this.hasRestrictedSchema(node, path, new Set())) return true;
    const operation = ownText(node, "operationRef") ?? ownText(node, "operationId");
    return path.at(-2) === "links" && operation !== undefined && this.operations.has(operation);
  }

  /**
   * Whether a reference at `from` resolves to a part of an operation that other readers may read, also
   * through other references. Parts of an operation with the same rules can refer to each other. `seen`: the
   * references of this search, with the rules at their places.
   */
  private leadsIntoOperation(ref: string, from: readonly string[], seen = new Set<string>()): boolean {
    const keys = pointerKeys(ref) ?? [];
    this.steps.spend(1 + keys.length);
    const rule = this.ruleAt(keys);
    if (rule !== undefined && rule !== this.ruleAt(from)) return true;

    let node: unknown = this.root;
    for (const [index, key] of keys.entries()) {
      node = own(node, key);
      const next = ownText(node, "$ref");
      if (next === undefined) continue;
      const at = keys.slice(0, index + 1);
      if (isNew(seen, `${this.ruleAt(at)} ${next}`) && this.leadsIntoOperation(next, at, seen)) return true;
    }
    return false;
  }

  /**
   * Whether a reference resolves to a restricted node, or to a node inside one. `seen`: the references of
   * this search.
   */
  private leadsToRestricted(ref: string, seen = new Set<string>()): boolean {
    const keys = pointerKeys(ref);
    this.steps.spend(1 + (keys?.length ?? 0));
    if (!isNew(seen, ref)) return false;

    let node: unknown = keys && this.root;
    const path: string[] = [];
    for (const key of keys ?? []) {
      path.push(key);
      node = own(node, key);
      if (hasOwnAccess(path) || !isRaw(node)) continue;
      if (restricts(platformExtension(node)) && !cannotBeRemoved(path)) return true;
      if (this.hasRestrictedSchema(node, path, seen)) return true;
      const next = ownText(node, "$ref");
      if (next !== undefined && this.leadsToRestricted(next, seen)) return true;
    }
    return false;
  }

  /** Whether a node is a parameter or header, and all of its schemas are restricted. */
  private hasRestrictedSchema(node: Raw, path: readonly string[], seen: ReadonlySet<string>): boolean {
    if (!["parameters", "headers"].includes(path.at(-2) ?? "")) return false;
    this.steps.spend(seen.size);
    const content = own(node, "content");
    const media = isRaw(content) ? Object.values(content) : [];
    const schemas = [node, ...media].map((each) => own(each, "schema")).filter(isRaw);
    return (
      schemas.length > 0 &&
      schemas.every((schema) => {
        const ref = ownText(schema, "$ref");
        return restricts(platformExtension(schema)) || (!!ref && this.leadsToRestricted(ref, new Set(seen)));
      })
    );
  }

  /** Returns the objects that `remove` removes. */
  removed(): Set<unknown> {
    return new Set(
      [...this.parts].flatMap(([holder, keys]) => [...keys].map((key) => own(holder, key))).filter(isRaw),
    );
  }

  /**
   * Removes the restricted parts. Returns all references inside the removed parts and, transitively, inside
   * their targets.
   */
  remove(): Set<string> {
    const references = new Set<string>();
    const collect = (node: unknown) => {
      for (const ref of referencesIn(node)) references.add(ref);
      if (isRaw(node)) for (const name of namesIn(node)) this.names.add(name);
      if (isRaw(node)) walk(node, (schema) => this.words.add(schema));
      this.words.addReferences(node);
    };

    for (const [holder, keys] of this.parts) {
      for (const key of keys) {
        collect(own(holder, key));
      }
      if (Array.isArray(holder))
        holder.splice(0, Infinity, ...holder.filter((_, index) => !keys.has(String(index))));
      else for (const key of keys) delete (holder as Raw)[key];
    }

    for (const [node, values] of this.enums) {
      for (const value of values) this.words.names.add(value);
      removeFromEnum(node, values);
    }
    for (const ref of references) collect(this.refs.at(ref)?.value);
    return references;
  }

  /**
   * Returns the names of removed fields that no remaining part declares. Examples must not contain these
   * names.
   */
  hiddenNames(references: ReadonlySet<string>): Set<string> {
    const hidden = new Set([...this.names, ...[...this.schemas.values()].flatMap(({ names }) => [...names])]);
    this.visitShown(references, (node) => {
      for (const name of namesIn(node)) hidden.delete(name);
    });
    return hidden;
  }

  /** Returns the words of removed parts that no remaining part has. */
  hiddenWords(references: ReadonlySet<string>): HiddenWords {
    const shown = new Words();
    this.visitShown(references, (node) => {
      walk(node, (schema) => shown.add(schema));
      shown.addReferences(node);
    });
    return this.words.without(shown);
  }

  /**
   * Visits what remains visible: the document without components, and each component. Excludes components in
   * `removed` unless a remaining part refers to them.
   */
  private visitShown(removed: ReadonlySet<string>, visit: (node: Raw) => void): void {
    const waiting: unknown[] = [{ ...this.root, components: undefined }];
    for (const [kind, group] of Object.entries(isRaw(this.root.components) ? this.root.components : {}))
      for (const [name, component] of Object.entries(isRaw(group) ? group : {}))
        if (!removed.has(`#/components/${escapeKey(kind)}/${escapeKey(name)}`)) waiting.push(component);
    const followed = new Set<string>();
    for (const node of waiting) {
      if (!isRaw(node)) continue;
      visit(node);
      for (const ref of referencesIn(node)) {
        if (followed.has(ref)) continue;
        followed.add(ref);
        waiting.push(this.refs.at(ref)?.value);
      }
    }
  }
}

/**
 * Removes restricted objects from extensions, whose content isn't interpreted. YAML anchors can define
 * objects there that are used in other places. `removed`: objects that are restricted there. Returns whether
 * something was removed.
 */
function removeFromExtensions(root: Raw, removed: ReadonlySet<unknown>): boolean {
  let isChanged = false;
  const seen = new Set<unknown>();

  const isLeftOut = (value: unknown) => {
    const isRestricted = removed.has(value) || (isRaw(value) && restricts(platformExtension(value)));
    isChanged ||= isRestricted;
    return isRestricted;
  };

  const below = (value: unknown, isInside: boolean): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (isInside && Array.isArray(value))
      value.splice(0, Infinity, ...value.filter((entry) => !isLeftOut(entry)));
    for (const [key, entry] of Object.entries(value)) {
      if (key === "x-platform" || key === "x-mint") continue;
      const isExtension = isInside || key.startsWith("x-");
      if (isExtension && isLeftOut(entry)) delete (value as Raw)[key];
      else below(entry, isExtension);
    }
  };

  below(root, false);
  return isChanged;
}

/** Number of keys in the longest path to an operation. */
const operationKeys_count = 5;
/** Maximum number of references in a search. The document can't be used if there are more. */
const references_count = 1_000;

/** Adds a reference to those of a search. Returns false if it's one of them, as in a circle. */
function isNew(seen: Set<string>, reference: string): boolean {
  if (seen.has(reference)) return false;
  if (seen.size === references_count) throw new TooManySteps();
  seen.add(reference);
  return true;
}

function isSet(groups: unknown): boolean {
  return groups !== undefined && groups !== null;
}

/** Whether `x-platform` or its metadata has `groups`, or an access rule that Octavo doesn't know. */
function restricts(extension: unknown): boolean {
  return isRaw(extension) && Object.keys(extension).some((key) => isRule(extension, key));
}

function isRule(extension: Raw, key: string): boolean {
  return key === "groups" ? isSet(extension[key]) : mayRestrictAccess(key, extension[key]);
}

/** Returns the names of all properties and parameters that are declared in a node. */
function namesIn(node: Raw): Set<string> {
  const names = new Set<string>();
  walk(node, (schema) => {
    const properties = own(schema, "properties");
    for (const name of isRaw(properties) ? Object.keys(properties) : []) names.add(name);
    const name = own(schema, "in") === undefined ? undefined : ownText(schema, "name");
    if (name !== undefined) names.add(name);
  });
  return names;
}

/**
 * Removes enum values, and their names and descriptions, which are lists in the order of the enum, maps by
 * value or name, or the values of `x-ms-enum`.
 */
function removeFromEnum(node: Raw, restricted: ReadonlySet<string>): void {
  const values = node.enum;
  const keys = new Set(restricted);
  if (Array.isArray(values)) {
    const remains = values.map((value) => !restricted.has(valueText(value)));
    for (const [key, list] of Object.entries(node)) {
      if (key !== "enum" && !/^x-enum-?(?:varnames|names|descriptions)$/i.test(key)) continue;
      if (!Array.isArray(list)) continue;
      if (/names$/i.test(key))
        for (const [index, name] of list.entries()) if (remains[index] === false) keys.add(`${name}`);
      node[key] = list.filter((_, index) => remains[index] ?? true);
    }
  }

  for (const [key, named] of Object.entries(node))
    if (/^x-enum/i.test(key) && isRaw(named)) {
      const removed = /comments$/i.test(key) ? keys : restricted;
      node[key] = Object.fromEntries(Object.entries(named).filter(([name]) => !removed.has(name)));
    }

  const described = node["x-ms-enum"];
  if (isRaw(described) && Array.isArray(described.values))
    node["x-ms-enum"] = {
      ...described,
      values: described.values.filter((one) => !restricted.has(valueText(own(one, "value")))),
    };
  for (const key of enumMaps) delete node[key];
}

/**
 * Whether a path leads to a path item or operation. Their `groups` restrict pages and downloads instead of
 * removing parts.
 */
function hasOwnAccess(path: readonly string[]): boolean {
  const rest = path[0] === "components" && path[1] === "pathItems" ? path.slice(1) : path;
  return /^(?:paths|webhooks|pathItems)$/.test(rest[0] ?? "") && (rest.length === 2 || isOperation(rest));
}

function isOperation(path: readonly string[]): boolean {
  const rest = path[0] === "components" && path[1] === "pathItems" ? path.slice(1) : path;
  if (!/^(?:paths|webhooks|pathItems)$/.test(rest[0] ?? "")) return false;
  return rest.length === 3
    ? (methods as readonly string[]).includes(rest[2]!)
    : rest.length === 4 && rest[2] === "additionalOperations";
}

/**
 * Whether the part at a path can't be removed, even if it has `groups`: the root and its fields, info, tags,
 * servers, kinds of components and security schemes.
 */
function cannotBeRemoved(path: readonly string[]): boolean {
  const [first, second] = path;
  if (path.length === 0 || first === "info" || first === "tags") return true;
  if (path.at(-2) === "servers" && /^\d+$/.test(path.at(-1)!)) return true;
  return first === "components" ? path.length < 3 || second === "securitySchemes" : path.length === 1;
}
