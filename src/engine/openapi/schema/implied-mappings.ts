/**
 * Completes discriminators of parent schemas: a schema that includes its parent in `allOf` is a choice even
 * if no mapping names it.
 */

import { canonicalPointer, isRaw, own, ownText, type Raw } from "../nodes/refs.ts";
import { mappedPointer } from "../nodes/walk-references.ts";

/**
 * Adds the missing children of each parent in `components.schemas` to its `discriminator.mapping`, in place.
 * By the specification, the value that selects a child is then the child's name. Parents with `oneOf` or
 * `anyOf` list their children there.
 */
export function addImpliedMappings(root: Raw): void {
  const schemas = own(own(root, "components"), "schemas");
  if (!isRaw(schemas)) return;
  const all = Object.entries(schemas).filter((entry): entry is [string, Raw] => isRaw(entry[1]));
  const parents = all.filter(
    ([, { discriminator, oneOf, anyOf }]) =>
      ownText(discriminator, "propertyName") !== undefined && oneOf === undefined && anyOf === undefined,
  );

  if (parents.length === 0) return;
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

  for (const [name, schema] of parents) {
    const found = new Set(children.get(mappedPointer(name)));
    for (const child of found) for (const below of children.get(mappedPointer(child)) ?? []) found.add(below);
    found.delete(name);
    // Copies the discriminator, because an alias in YAML can use it in several schemas.
    const discriminator = schema.discriminator as Raw;
    const declared = isRaw(discriminator.mapping) ? Object.entries(discriminator.mapping) : [];
    const mapped = new Set(
      declared.flatMap(([value, target]) =>
        typeof target === "string" ? [mappedPointer(target), value] : [value],
      ),
    );
    const implied = [...found].filter((child) => !mapped.has(mappedPointer(child)) && !mapped.has(child));
    if (implied.length === 0) continue;
    const mapping = Object.fromEntries([
      ...declared,
      ...implied.map((child) => [child, mappedPointer(child)]),
    ]);
    schema.discriminator = { ...discriminator, mapping };
  }
}
