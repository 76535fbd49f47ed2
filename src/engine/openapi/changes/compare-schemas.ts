/** Compares the schemas of two versions of an API, through references and alternatives. */

import { type ChangeRule, changeRules } from "../../../base/change-rules.ts";
import { isRaw, type Refs } from "../nodes/refs.ts";
import { canonical, shownAsJson } from "../nodes/value-text.ts";
import type { Direction } from "../schema/schema-flags.ts";
import { type Property, type SchemaRef, type SchemaView, viewOf } from "../schema/schema-view.ts";
import type { Change } from "./change.ts";
import { inCode } from "./code-in-message.ts";

/** Whether clients send the data (`request`) or receive it (`response`). */
export type DataDirection = Exclude<Direction, "schema">;

/** The two documents of a comparison. */
export interface RefsOfVersions {
  before: Refs;
  after: Refs;
}

/** Limits that allow fewer values if they are greater. Others allow fewer if they are smaller. */
const lowerLimits = new Set([
  "minimum",
  "exclusiveMinimum",
  "minLength",
  "minItems",
  "minContains",
  "minProperties",
]);
const upperLimits = new Set([
  "maximum",
  "exclusiveMaximum",
  "maxLength",
  "maxItems",
  "maxContains",
  "maxProperties",
]);
/** Keywords that `additional` and the other fields of a view already have. */
const ownFields = new Set(["additionalProperties", "items"]);

/** Compares pairs of schemas. Each pair is compared once per direction, and its changes are shared. */
export class SchemaComparison {
  private readonly refs: RefsOfVersions;
  private readonly compared = new Map<string, readonly Change[]>();

  constructor(refs: RefsOfVersions) {
    this.refs = refs;
  }

  /**
   * `place`: what the schemas describe, such as "the query parameter `limit`". `field`: see `Change`. Empty
   * for a whole body.
   */
  compare(
    before: SchemaRef,
    after: SchemaRef,
    direction: DataDirection,
    place: string,
    field = "",
  ): readonly Change[] {
    const views = {
      before: viewOf(before, this.refs.before, direction),
      after: viewOf(after, this.refs.after, direction),
    };
    const key = `${direction} ${identityOf(views.before)} ${identityOf(views.after)}`;
    const known = this.compared.get(key);
    if (known) return known;
    // A recursive schema contains itself. Its changes are then already listed.
    this.compared.set(key, []);
    const changes = [...new Set(this.changesOf(views, direction, place, field))];
    this.compared.set(key, changes);

    return changes;
  }

  private changesOf(
    views: { before: SchemaView; after: SchemaView },
    direction: DataDirection,
    place: string,
    field: string,
  ): Change[] {
    const { before, after } = views;
    const found: Change[] = [];
    const at = { before: before.pointer, after: after.pointer, field };
    const add = (rule: ChangeRule, message: string) => found.push(newChange(rule, message, at));
    compareTypes(before, after, direction, place, add);
    compareValues(before, after, direction, place, add);
    compareLimits(before, after, direction, place, add);
    if (before.format !== after.format && before.types.join() === after.types.join())
      add(
        "format-changed",
        `The format of ${place} changed from ${named(before.format)} to ${named(after.format)}`,
      );
    if (canonical(before.default?.value) !== canonical(after.default?.value))
      add(
        "default-changed",
        `The default of ${place} changed from ${shownDefault(before)} to ${shownDefault(after)}`,
      );

    found.push(...this.compareProperties(before, after, direction, place, field));
    if (before.items && after.items)
      found.push(...this.compare(before.items, after.items, direction, `items of ${place}`, field));
    if (typeof before.additional === "object" && typeof after.additional === "object")
      found.push(
        ...this.compare(before.additional, after.additional, direction, `values of ${place}`, field),
      );
    found.push(...this.compareAlternatives(before, after, direction, place, field));

    return found;
  }

  private compareProperties(
    before: SchemaView,
    after: SchemaView,
    direction: DataDirection,
    place: string,
    field: string,
  ): Change[] {
    const found: Change[] = [];
    const earlier = new Map(before.properties.map((property) => [property.name, property]));
    const later = new Map(after.properties.map((property) => [property.name, property]));

    for (const [name, property] of later) {
      const known = earlier.get(name);
      const inside = `${inCode(name)} in ${place}`;
      const path = field === "" ? name : `${field}.${name}`;
      if (known) {
        found.push(...this.compare(known.schema, property.schema, direction, inside, path));
        found.push(...this.flagChanges(known, property, direction, inside, path));
        continue;
      }
      const rule =
        direction === "response"
          ? "response-property-added"
          : property.required
            ? "required-request-property-added"
            : "optional-request-property-added";
      const what = property.required && direction === "request" ? "required property" : "property";
      found.push(
        newChange(rule, `The ${what} ${inside} was added`, { after: pointerOf(property), field: path }),
      );
    }

    for (const [name, property] of earlier)
      if (!later.has(name))
        found.push(
          newChange(`${direction}-property-removed`, `The property ${inCode(name)} in ${place} was removed`, {
            before: pointerOf(property),
          }),
        );

    return found;
  }

  private flagChanges(
    before: Property,
    after: Property,
    direction: DataDirection,
    place: string,
    field: string,
  ): Change[] {
    const found: Change[] = [];
    const at = { before: pointerOf(before), after: pointerOf(after), field };
    if (before.required !== after.required)
      found.push(
        newChange(
          `${direction}-property-${after.required ? "required" : "optional"}`,
          `The property ${place} is now ${after.required ? "required" : "optional"}`,
          at,
        ),
      );
    const wasDeprecated = viewOf(before.schema, this.refs.before, direction).deprecated;
    if (!wasDeprecated && viewOf(after.schema, this.refs.after, direction).deprecated)
      found.push(newChange("property-deprecated", `The property ${place} was deprecated`, at));
    return found;
  }

  private compareAlternatives(
    before: SchemaView,
    after: SchemaView,
    direction: DataDirection,
    place: string,
    field: string,
  ): Change[] {
    const found: Change[] = [];
    const earlier = alternativesOf(before);
    const later = alternativesOf(after);

    for (const [label, schema] of later) {
      const known = earlier.get(label);
      if (known) found.push(...this.compare(known, schema, direction, `${label} in ${place}`, field));
      else if (earlier.size > 0)
        found.push(
          newChange(`${direction}-alternative-added`, `The alternative ${label} of ${place} was added`, {
            after: schema.parts[0]?.pointer,
          }),
        );
    }

    for (const [label, schema] of earlier)
      if (!later.has(label) && later.size > 0)
        found.push(
          newChange(`${direction}-alternative-removed`, `The alternative ${label} of ${place} was removed`, {
            before: schema.parts[0]?.pointer,
          }),
        );

    return found;
  }
}

/** Identifies a schema by its nodes, without those that only refer to another one. */
function identityOf({ nodes }: SchemaView): string {
  const own = nodes.filter(
    ({ value }) => !(isRaw(value) && "$ref" in value && Object.keys(value).length === 1),
  );
  return own.map(({ pointer }) => pointer).join(" ");
}

type Add = (rule: ChangeRule, message: string) => void;

export function newChange(
  rule: ChangeRule,
  message: string,
  {
    before,
    after,
    field,
  }: { before?: string | undefined; after?: string | undefined; field?: string | undefined },
): Change {
  return {
    rule,
    level: changeRules[rule],
    message,
    operations: [],
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(field ? { field } : {}),
  };
}

function compareTypes(
  before: SchemaView,
  after: SchemaView,
  direction: DataDirection,
  place: string,
  add: Add,
): void {
  const [earlier, later] = [typesOf(before), typesOf(after)];
  const lost = missingIn(later, earlier);
  const gained = missingIn(earlier, later);
  if (!lost && !gained) return;

  // A type can be narrower and wider at the same time. The rule is the one that breaks clients.
  const isNarrower = direction === "request" ? lost : !gained;
  const rule = isNarrower ? (`${direction}-type-narrowed` as const) : (`${direction}-type-widened` as const);
  add(rule, `The type of ${place} changed from ${before.label} to ${after.label}`);
}

/** Returns the JSON types that a schema allows. Undefined if it allows any. */
function typesOf({ types, nullable }: SchemaView): ReadonlySet<string> | undefined {
  return types.length === 0 ? undefined : new Set(nullable ? [...types, "null"] : types);
}

/** Whether `types` doesn't allow a type of `others`. Undefined stands for all types. */
function missingIn(types: ReadonlySet<string> | undefined, others: ReadonlySet<string> | undefined): boolean {
  if (!types) return false;
  if (!others) return true;
  return [...others].some((type) => !types.has(type) && !(type === "integer" && types.has("number")));
}

function compareValues(
  before: SchemaView,
  after: SchemaView,
  direction: DataDirection,
  place: string,
  add: Add,
): void {
  const [earlier, later] = [valuesOf(before), valuesOf(after)];
  if (!earlier && !later) return;
  if (!earlier || !later) {
    const rule = later ? `${direction}-value-removed` : `${direction}-value-added`;
    return add(
      rule as ChangeRule,
      later
        ? `Only some values of ${place} are allowed now: ${listed([...later.values()])}`
        : `All values of ${place} are allowed now, not only ${listed([...earlier!.values()])}`,
    );
  }

  const removed = [...earlier].filter(([key]) => !later.has(key)).map(([, value]) => value);
  const added = [...later].filter(([key]) => !earlier.has(key)).map(([, value]) => value);
  const verb = (values: readonly unknown[]) => (values.length === 1 ? "value" : "values");
  if (removed.length)
    add(
      `${direction}-value-removed`,
      `The ${verb(removed)} ${listed(removed)} of ${place} ${was(removed)} removed`,
    );
  if (added.length)
    add(`${direction}-value-added`, `The ${verb(added)} ${listed(added)} of ${place} ${was(added)} added`);
}

function was(values: readonly unknown[]): string {
  return values.length === 1 ? "was" : "were";
}

/** Returns the only values that a schema allows, by their canonical text. */
function valuesOf({ enum: values, const: constant }: SchemaView): Map<string, unknown> | undefined {
  const all = constant ? [constant.value] : values;
  return all && new Map(all.map((value) => [canonical(value), value]));
}

function compareLimits(
  before: SchemaView,
  after: SchemaView,
  direction: DataDirection,
  place: string,
  add: Add,
): void {
  const limits = (view: SchemaView) =>
    new Map(
      view.constraints
        .filter(({ keyword }) => !ownFields.has(keyword))
        .map(({ keyword, value }) => [keyword, value]),
    );
  const [earlier, later] = [limits(before), limits(after)];
  if (before.additional !== false && after.additional === false)
    add(`${direction}-limit-tightened`, `Other properties of ${place} aren't allowed anymore`);
  if (before.additional === false && after.additional !== false)
    add(`${direction}-limit-loosened`, `Other properties of ${place} are allowed now`);

  for (const keyword of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(keyword), later.get(keyword)];
    if (canonical(was) === canonical(is)) continue;
    const effect =
      was === undefined
        ? "tightened"
        : is === undefined
          ? "loosened"
          : effectOf(keyword, was as number, is as number);
    const message =
      was === undefined
        ? `\`${keyword}\` of ${place} is now ${shown(is)}`
        : is === undefined
          ? `\`${keyword}\` of ${place} was removed. It was ${shown(was)}`
          : `\`${keyword}\` of ${place} changed from ${shown(was)} to ${shown(is)}`;
    add(effect ? `${direction}-limit-${effect}` : "limit-changed", message);
  }
}

/** Returns whether a limit allows fewer or more values than before. Undefined if neither is known. */
function effectOf(keyword: string, was: number, is: number): "tightened" | "loosened" | undefined {
  if (lowerLimits.has(keyword)) return is > was ? "tightened" : "loosened";
  if (upperLimits.has(keyword)) return is < was ? "tightened" : "loosened";
  return undefined;
}

function alternativesOf({ variants }: SchemaView): Map<string, SchemaRef> {
  return new Map(
    variants.flatMap(({ kind, options }) =>
      kind === "if" ? [] : options.map(({ label, schema }) => [label, schema] as const),
    ),
  );
}

function pointerOf({ schema }: Property): string | undefined {
  return schema.parts[0]?.pointer;
}

function named(format: string | undefined): string {
  return format === undefined ? "none" : inCode(format);
}

function shownDefault(view: SchemaView): string {
  return view.default ? shown(view.default.value) : "none";
}

function shown(value: unknown): string {
  return inCode(shownAsJson(value));
}

/** Maximum number of values in a message. */
const listed_count = 10;

function listed(values: readonly unknown[]): string {
  const first = values.slice(0, listed_count).map(shown);
  return values.length > listed_count ? `${first.join(", ")}, …` : first.join(", ");
}
