/** Finds the alternatives of a schema that belong together in two versions. */

import type { SchemaRef, SchemaView } from "../schema/schema-view.ts";

/** A schema in `oneOf` or `anyOf`. */
export interface Alternative {
  /** Its title or component, or else its number, as in `Option 2`. */
  label: string;
  schema: SchemaRef;
  /** The values of the discriminator that select it. Empty if there are none. */
  values: string;
  /** Whether values that another alternative also allows aren't allowed. */
  isExclusive: boolean;
}

type Pair = [before: Alternative | undefined, after: Alternative | undefined];

/** Maximum number of pairs of alternatives without a common name that are compared. */
const trials_count = 400;

export function alternativesOf({ variants }: SchemaView): Alternative[] {
  return variants.flatMap(({ kind, options }) =>
    kind === "if"
      ? []
      : options.map(({ label, schema, values = [] }) => ({
          label,
          schema,
          values: [...values].sort().join(),
          isExclusive: kind === "oneOf" && values.length === 0,
        })),
  );
}

/** Pairs alternatives with the same name, then equal ones, and then those with the same label, in order. */
export function pairAlternatives(
  before: readonly Alternative[],
  after: readonly Alternative[],
  isSame: (before: SchemaRef, after: SchemaRef) => boolean,
): Pair[] {
  const pairs = new Map<Alternative, Alternative>();
  const unpaired = new Set(before);
  const pair = (was: Alternative | undefined, is: Alternative) => {
    if (was && unpaired.delete(was)) pairs.set(is, was);
  };
  const rest = () => after.filter((is) => !pairs.has(is));
  const [earlier, later] = [byLabel(before), byLabel(after)];

  for (const [label, [is, ...others]] of later) {
    const named = earlier.get(label) ?? [];
    if (is && others.length === 0 && named.length === 1 && !isNumber(label)) pair(named[0], is);
  }
  if (unpaired.size * rest().length <= trials_count)
    for (const is of rest())
      pair(
        [...unpaired].find((was) => was.values === is.values && isSame(was.schema, is.schema)),
        is,
      );
  const left = byLabel([...unpaired]);
  for (const is of rest()) pair(left.get(is.label)?.shift(), is);

  return [
    ...after.map((is): Pair => [pairs.get(is), is]),
    ...[...unpaired].map((was): Pair => [was, undefined]),
  ];
}

function byLabel(alternatives: readonly Alternative[]): Map<string, Alternative[]> {
  const found = new Map<string, Alternative[]>();
  for (const one of alternatives) {
    const known = found.get(one.label);
    if (known) known.push(one);
    else found.set(one.label, [one]);
  }
  return found;
}

function isNumber(label: string): boolean {
  return /^Option \d+$/.test(label);
}
