/**
 * Completes discriminators of parent schemas: a schema that includes its parent in `allOf` is a choice even
 * if no mapping names it, and its discriminator property has the value that selects it.
 */

import { canonicalPointer, isRaw, own, ownText, type Raw, Refs, setOwn } from "../nodes/refs.ts";
import { mappedPointer } from "../nodes/walk-references.ts";

/**
 * Maximum number of children of a schema that are found, and of schemas in which a property is looked for.
 */
const children_count = 200;
const ancestors_count = 50;

/** Names of the schemas that include a schema in `allOf`, by the pointer of the included schema. */
type Children = ReadonlyMap<string, readonly string[]>;

/**
 * Adds the missing children of each parent in `components.schemas` to its `discriminator.mapping`, in place.
 * By the specification, the value that selects a child is then the child's name. Parents with `oneOf` or
 * `anyOf` list their children there. Also sets the value in the children. A schema's own
 * `x-discriminator-value` takes precedence over its name. `discriminators`: those of the document with a
 * mapping. `choices`: schemas with a discriminator next to `oneOf` or `anyOf`.
 */
export function addImpliedMappings(
  root: Raw,
  { discriminators, choices }: { discriminators: readonly Raw[]; choices: readonly Raw[] },
): void {
  const refs = new Refs(root);
  for (const schema of choices) addOwnValues(schema, refs);

  const schemas = own(own(root, "components"), "schemas");
  if (!isRaw(schemas)) return;
  const all = Object.entries(schemas).filter((entry): entry is [string, Raw] => isRaw(entry[1]));
  const parents = all.filter(
    ([, { discriminator, oneOf, anyOf }]) =>
      ownText(discriminator, "propertyName") !== undefined && oneOf === undefined && anyOf === undefined,
  );

  if (parents.length === 0) return;
  const children = childrenIn(all);
  const values = valuesIn(discriminators);
  const completed = new Map<string, Raw>();
  const done = new Set<string>();
  for (const [name, schema] of parents) {
    const found = descendantsOf(name, children);
    if (found.size === 0) continue;
    const property = ownText(schema.discriminator, "propertyName")!;
    const valuesOf = (child: string) =>
      values.get(`${property} ${mappedPointer(child)}`) ?? [ownValue(schemas[child]) ?? child];
    addMapping(schema, found, valuesOf);
    for (const child of found) {
      if (done.has(`${property} ${child}`)) continue;
      done.add(`${property} ${child}`);
      const allowed = [child, ...descendantsOf(child, children)].flatMap(valuesOf);
      const known = completed.get(child) ?? (schemas[child] as Raw);
      completed.set(child, withValues(known, property, [...new Set(allowed)], refs));
    }
  }

  // Comes last, because values in a schema would count as restrictions of those that include it.
  for (const [child, schema] of completed) setOwn(schemas, child, schema);
}

/** Returns the value that a schema has for the discriminator of its parents. */
function ownValue(schema: unknown): string | undefined {
  return ownText(schema, "x-discriminator-value");
}

/** Adds the alternatives with a value of their own to the mapping, unless it names them. */
function addOwnValues(schema: Raw, refs: Refs): void {
  const { mapping, ...discriminator } = schema.discriminator as Raw;
  const declared = isRaw(mapping) ? mapping : {};
  const mapped = new Set(Object.values(declared).map((to) => typeof to === "string" && mappedPointer(to)));
  const added = ["oneOf", "anyOf"].flatMap((kind) => {
    const options = schema[kind];
    return (Array.isArray(options) ? (options as unknown[]) : []).flatMap((option): [string, string][] => {
      const ref = ownText(option, "$ref");
      const value = ref === undefined ? undefined : ownValue(refs.at(ref)?.value);
      return value === undefined || mapped.has(mappedPointer(ref!)) ? [] : [[value, ref!]];
    });
  });
  if (added.length > 0)
    schema.discriminator = { ...discriminator, mapping: { ...declared, ...Object.fromEntries(added) } };
}

function childrenIn(all: readonly [string, Raw][]): Children {
  const children = new Map<string, string[]>();
  for (const [name, { allOf }] of all)
    for (const part of Array.isArray(allOf) ? (allOf as unknown[]) : []) {
      const ref = ownText(part, "$ref");
      if (ref === undefined) continue;
      const parent = canonicalPointer(ref);
      const known = children.get(parent);
      if (known) known.push(name);
      else children.set(parent, [name]);
    }
  return children;
}

/** Returns the values that select a schema, by the name of the property and the pointer of the schema. */
function valuesIn(discriminators: readonly Raw[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { propertyName, mapping } of discriminators)
    for (const [value, target] of Object.entries(mapping as Raw)) {
      if (typeof target !== "string") continue;
      const key = `${propertyName} ${mappedPointer(target)}`;
      values.set(key, [...new Set([...(values.get(key) ?? []), value])]);
    }
  return values;
}

/** Returns the names of the schemas that include a schema, directly or in another schema. */
function descendantsOf(name: string, children: Children): Set<string> {
  const found = new Set(children.get(mappedPointer(name)));
  for (const child of found)
    for (const below of children.get(mappedPointer(child)) ?? [])
      if (found.size < children_count) found.add(below);
  found.delete(name);
  return found;
}

function addMapping(schema: Raw, children: ReadonlySet<string>, valuesOf: (child: string) => string[]): void {
  // Copies the discriminator, because an alias in YAML can use it in several schemas.
  const discriminator = schema.discriminator as Raw;
  const declared = isRaw(discriminator.mapping) ? Object.entries(discriminator.mapping) : [];
  const mapped = new Set(
    declared.flatMap(([value, target]) =>
      typeof target === "string" ? [mappedPointer(target), value] : [value],
    ),
  );

  const implied = [...children].filter((child) => !mapped.has(mappedPointer(child)) && !mapped.has(child));
  if (implied.length === 0) return;
  const mapping = Object.fromEntries([
    ...declared,
    ...implied.flatMap((child) => valuesOf(child).map((value) => [value, mappedPointer(child)])),
  ]);
  schema.discriminator = { ...discriminator, mapping };
}

/**
 * Returns a schema with the values of its discriminator property, unless the schema or one that it includes
 * already restricts them.
 */
function withValues(schema: Raw, property: string, values: readonly string[], refs: Refs): Raw {
  if (restricts(schema, property, refs, new Set())) return schema;
  const properties = isRaw(schema.properties) ? schema.properties : {};
  const declared = own(properties, property);
  if (declared !== undefined && !isRaw(declared)) return schema;
  const value = values.length === 1 ? { const: values[0] } : { enum: values };
  return { ...schema, properties: { ...properties, [property]: { ...declared, ...value } } };
}

/** Whether a schema allows only some values of a property, or values that aren't texts. */
function restricts(schema: unknown, property: string, refs: Refs, seen: Set<unknown>): boolean {
  if (seen.size > ancestors_count) return true;
  if (!isRaw(schema) || seen.has(schema)) return false;
  seen.add(schema);
  const declared = refs.follow({ value: own(schema.properties, property), pointer: "" })?.value;
  if (isRaw(declared)) {
    const { type = "string" } = declared;
    if (["enum", "const", "oneOf", "anyOf", "allOf"].some((keyword) => keyword in declared)) return true;
    if (type !== "string") return true;
  }

  const target = typeof schema.$ref === "string" ? refs.at(schema.$ref)?.value : undefined;
  const parts = [target, ...(Array.isArray(schema.allOf) ? (schema.allOf as unknown[]) : [])];
  return parts.some((part) => restricts(part, property, refs, seen));
}
