/** Compares the schemas of two versions of an API, through references and alternatives. */

import { type ChangeRule, changeLevels } from "../../../base/change-rules.ts";
import { isRaw, type Located, type Refs } from "../nodes/refs.ts";
import { canonical } from "../nodes/value-text.ts";
import { type Property, type SchemaRef, type SchemaView, viewOf } from "../schema/schema-view.ts";
import { type Change, type DataDirection, newChange } from "./change.ts";
import { inCode } from "./code-in-message.ts";
import { allowsAllValues, compareConditions, type Effects } from "./compare-conditions.ts";
import {
  type ComparedViews,
  compareLimits,
  compareTypes,
  compareValues,
  isScalar,
  named,
  shown,
} from "./compare-limits.ts";
import { type Alternative, alternativesOf, pairAlternatives } from "./pair-alternatives.ts";

/** The two documents of a comparison. */
export interface RefsOfVersions {
  before: Refs;
  after: Refs;
}

/** What compared schemas describe. */
export interface Subject {
  /** Such as "the query parameter `limit`". */
  place: string;
  /** See `Change`. Empty for a whole body. */
  field?: string;
  /** Whether values are sent as text. See `ComparedViews`. */
  isText?: boolean;
  /** Whether each item of a list is sent as a value of its own, so that a single value is also a list. */
  isRepeatable?: boolean;
}

/** The schema of a place in both versions. */
interface Compared extends ComparedViews {
  refs: { before: SchemaRef; after: SchemaRef };
  field: string;
  isRepeatable: boolean;
}

/**
 * Maximum number of pairs that are compared to find out which alternatives belong together. Alternatives can
 * refer to each other in many ways, so that the number of pairs is the square of that of the schemas.
 */
const trialPairs_count = 50_000;
/** Maximum number of nested schemas of such a pair. Pairs with more count as different. */
const trialDepth_levels = 50;
/** Maximum number of nested schemas that are compared on the way, so that the stack is large enough. */
const depth_levels = 150;

/** Compares pairs of schemas. Each pair is compared once per direction, and its changes are shared. */
export class SchemaComparison {
  private readonly refs: RefsOfVersions;
  private readonly compared = new Map<string, readonly Change[]>();
  /** Finds out what a change does. Its changes aren't listed. */
  private readonly trials: SchemaComparison;
  private readonly isTrial: boolean;
  private depth = 0;
  /** Pairs below `depth_levels`, which are compared after the others. */
  private readonly postponed: Parameters<SchemaComparison["compareNow"]>[] = [];

  constructor(refs: RefsOfVersions, isTrial = false) {
    this.refs = refs;
    this.isTrial = isTrial;
    this.trials = isTrial ? this : new SchemaComparison(refs, true);
  }

  compare(
    before: SchemaRef,
    after: SchemaRef,
    direction: DataDirection,
    subject: Subject,
  ): readonly Change[] {
    const found = this.compareNow(before, after, direction, subject);
    if (this.depth > 0 || this.postponed.length === 0) return found;
    const all = new Set(found);
    for (let next = this.postponed.pop(); next; next = this.postponed.pop())
      for (const change of this.compareNow(...next)) all.add(change);
    return [...all];
  }

  private compareNow(
    before: SchemaRef,
    after: SchemaRef,
    direction: DataDirection,
    subject: Subject,
  ): readonly Change[] {
    const { place, field = "", isText = false, isRepeatable = false } = subject;
    const views = {
      before: viewOf(before, this.refs.before, direction),
      after: viewOf(after, this.refs.after, direction),
    };
    const key = `${direction} ${isText} ${isRepeatable} ${identityOf(views.before)} ${identityOf(views.after)}`;
    const known = this.compared.get(key);
    if (known) return known;
    if (this.isTrial && (this.compared.size >= trialPairs_count || this.depth >= trialDepth_levels))
      return [newChange("limit-changed", "", {})];
    if (this.depth >= depth_levels) {
      this.postponed.push([before, after, direction, subject]);
      return [];
    }

    // A recursive schema contains itself. Its changes are then already listed.
    this.compared.set(key, []);
    this.depth++;
    const refs = { before, after };
    const found = this.changesOf({ ...views, refs, direction, place, field, isText, isRepeatable });
    this.depth--;
    const changes = [...new Set(found)];
    this.compared.set(key, changes);

    return changes;
  }

  /** Whether a media type's schema allows no value, so that there are no responses of this type. */
  isNever(schema: SchemaRef, version: keyof RefsOfVersions): boolean {
    return allowsNone(viewOf(schema, this.refs[version], "response"));
  }

  /** Whether a schema allows all values, like a missing one. */
  allowsAll(schema: SchemaRef | undefined, version: keyof RefsOfVersions): boolean {
    return schema === undefined || allowsAllValues(viewOf(schema, this.refs[version]));
  }

  private changesOf(compared: Compared): Change[] {
    const { before, after, direction, place } = compared;
    const found: Change[] = [];
    const at = placesOf(compared);
    const add = (rule: ChangeRule, message: string) => found.push(newChange(rule, message, at));

    const [wasNever, isNever] = [allowsNone(before), allowsNone(after)];
    if (wasNever || isNever) {
      if (!wasNever) add(`${direction}-type-narrowed`, `No value of ${place} is allowed anymore`);
      if (!isNever) add(`${direction}-type-widened`, `Values of ${place} are allowed now`);
      return found;
    }

    const whole = this.compareRepeated(compared) ?? this.compareWithAlternatives(compared);
    if (whole) return whole;

    compareTypes(compared, add);
    compareValues(compared, add);
    compareLimits(compared, add);
    compareConditions(compared, add, {
      compareOptional: (was, is, what) => found.push(...this.compareOptional(compared, was, is, what)),
      effects: (was, is) => this.effects(was, is),
    });
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

    found.push(...this.compareProperties(compared), ...this.compareItems(compared));
    found.push(...this.compareOthers(compared), ...this.compareAlternatives(compared));

    return found;
  }

  private compareItems(compared: Compared): Change[] {
    const { before, after, direction, place, field, isText } = compared;
    const found: Change[] = [];
    if (!canBeBoth(before, after, "array")) return found;
    if (before.items && after.items)
      found.push(
        ...this.compare(before.items, after.items, direction, { place: `items of ${place}`, field, isText }),
      );
    else if (!hasNoItems(before) && !hasNoItems(after))
      found.push(...this.compareOptional(compared, before.items, after.items, `\`items\` of ${place}`));

    return found;
  }

  /** Compares the schemas of additional properties. */
  private compareOthers(compared: Compared): readonly Change[] {
    const { before, after, direction, place, field } = compared;
    const [was, is] = [before.additional, after.additional];
    if (was === false || is === false || !canBeBoth(before, after, "object")) return [];
    if (typeof was === "object" && typeof is === "object")
      return this.compare(was, is, direction, { place: `values of ${place}`, field });
    return this.compareOptional(
      compared,
      typeof was === "object" ? was : undefined,
      typeof is === "object" ? is : undefined,
      `The schema of other properties of ${place}`,
    );
  }

  /** Compares schemas of which one can be missing, which allows all values. */
  private compareOptional(
    { before: outerBefore, after: outerAfter, direction, field }: Compared,
    before: SchemaRef | undefined,
    after: SchemaRef | undefined,
    what: string,
  ): readonly Change[] {
    if (before && after) return this.compare(before, after, direction, { place: what, field });
    if (this.allowsAll(before, "before") && this.allowsAll(after, "after")) return [];
    const rule = `${direction}-limit-${after ? "tightened" : "loosened"}` as const;
    const at = {
      before: before?.parts[0]?.pointer ?? outerBefore.pointer,
      after: after?.parts[0]?.pointer ?? outerAfter.pointer,
      field,
    };
    return [newChange(rule, `${what} was ${after ? "added" : "removed"}`, at)];
  }

  private effects(before: SchemaRef, after: SchemaRef): Effects {
    const of = (direction: DataDirection) =>
      this.trials.compare(before, after, direction, { place: "" }).map(({ rule }) => rule);
    const [request, response] = [of("request"), of("response")];
    return {
      lost: request.some((rule) => losing.test(rule)),
      gained: response.some((rule) => gaining.test(rule)),
      unknown: [...request, ...response].some((rule) =>
        /^(?:limit|format|content-encoding)-changed$/.test(rule),
      ),
    };
  }

  /** Compares a single value with a list, where the parameter is repeated for each item of a list. */
  private compareRepeated(compared: Compared): Change[] | undefined {
    const { before, after, refs, direction, place, field, isRepeatable } = compared;
    const isList = after.types.join() === "array" && after.items;
    if (!isRepeatable || !isList || !isScalar(before)) return undefined;
    if (after.constraints.some(({ keyword, value }) => keyword === "minItems" && Number(value) > 1))
      return undefined;
    const message = `The type of ${place} changed from ${before.label} to ${after.label}`;
    return [
      newChange("request-type-widened", message, placesOf(compared)),
      ...this.compare(refs.before, after.items!, direction, {
        place: `items of ${place}`,
        field,
        isText: true,
      }),
    ];
  }

  private compareProperties({ before, after, direction, place, field, isText }: Compared): Change[] {
    const found: Change[] = [];
    if (!canBeBoth(before, after, "object")) return found;
    const earlier = new Map(before.properties.map((property) => [property.name, property]));
    const later = new Map(after.properties.map((property) => [property.name, property]));

    for (const [name, property] of later) {
      const known = earlier.get(name);
      const inside = `${inCode(name)} in ${place}`;
      const path = field === "" ? name : `${field}.${name}`;
      if (known) {
        found.push(
          ...this.compare(known.schema, property.schema, direction, { place: inside, field: path, isText }),
        );
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

  /**
   * Compares a schema with one that only lists alternatives. Undefined if both schemas are of the same kind.
   */
  private compareWithAlternatives(compared: Compared): Change[] | undefined {
    const { before, after, refs, direction, place, field } = compared;
    const [earlier, later] = [alternativesOf(before), alternativesOf(after)];
    if ((earlier.length === 0) === (later.length === 0)) return undefined;
    const [listing, plain] = later.length > 0 ? [after, before] : [before, after];
    if (listing.properties.length > 0) return undefined;
    // `string | integer` is also written as a list of types.
    if (plain.types.length > 1 && plain.label === listing.label && isScalar(plain)) return [];

    const isAdded = later.length > 0;
    const alternatives = isAdded ? later : earlier;
    const compare = (comparison: SchemaComparison, { schema }: Alternative) =>
      comparison.compare(isAdded ? refs.before : schema, isAdded ? schema : refs.after, direction, {
        place,
        field,
      });
    const levels = alternatives.map((one) => {
      const found = compare(this.trials, one).map(({ level }) => changeLevels.indexOf(level));
      return Math.min(changeLevels.indexOf("text"), ...found);
    });
    // Either one alternative has to allow the values of a schema, or a schema those of all alternatives.
    const isOneEnough = (direction === "request") === isAdded;
    const isAmbiguous =
      isOneEnough &&
      isAdded &&
      levels.filter((one, index) => one > 1 && alternatives[index]!.isExclusive).length > 1;
    const level = isAmbiguous
      ? "breaking"
      : changeLevels[isOneEnough ? Math.max(...levels) : Math.min(...levels)];
    if (level === "may-break")
      return alternatives
        .filter((_, index) => !isOneEnough || index === levels.indexOf(changeLevels.indexOf(level)))
        .flatMap((one) => compare(this, one));

    const listed = alternatives.map(({ label }) => label).join(" | ");
    const [was, is] = isAdded ? [before.label, listed] : [listed, after.label];
    const isWider = (level === "breaking") === (direction === "response");
    return [
      newChange(
        `${direction}-type-${isWider ? "widened" : "narrowed"}`,
        `The type of ${place} changed from ${was} to ${is}`,
        placesOf(compared),
      ),
    ];
  }

  private compareAlternatives(compared: Compared): Change[] {
    const { before, after, direction, place, field } = compared;
    const [earlier, later] = [alternativesOf(before), alternativesOf(after)];
    const at = placesOf(compared);
    if (earlier.length === 0 && later.length > 0)
      return [
        newChange(
          `${direction}-limit-tightened`,
          `Alternatives of ${place} were added: ${labelsOf(later)}`,
          at,
        ),
      ];
    if (later.length === 0 && earlier.length > 0)
      return [
        newChange(
          `${direction}-limit-loosened`,
          `The alternatives of ${place} were removed: ${labelsOf(earlier)}`,
          at,
        ),
      ];

    const isSame = (was: SchemaRef, is: SchemaRef) =>
      this.trials.compared.size < trialPairs_count &&
      this.trials.compare(was, is, direction, { place: "" }).length === 0;
    return pairAlternatives(earlier, later, isSame).flatMap(([was, is]) => {
      if (was && is)
        return this.compare(was.schema, is.schema, direction, { place: `${is.label} in ${place}`, field });
      return is
        ? newChange(`${direction}-alternative-added`, `The alternative ${is.label} of ${place} was added`, {
            after: is.schema.parts[0]?.pointer,
            field,
          })
        : newChange(
            `${direction}-alternative-removed`,
            `The alternative ${was!.label} of ${place} was removed`,
            { before: was!.schema.parts[0]?.pointer },
          );
    });
  }
}

/** Rules of a request whose change allows fewer values, and of a response whose change allows more. */
const losing =
  /^(?:request-(?:type-narrowed|value-removed|limit-tightened|property-required|alternative-removed)|(?:required|optional)-request-property-added)$/;
const gaining =
  /^response-(?:type-widened|value-added|values-.*|limit-loosened|property-optional|property-removed|alternative-added)$/;

function labelsOf(alternatives: readonly Alternative[]): string {
  return alternatives.map(({ label }) => label).join(", ");
}

function allowsNone({ nodes }: SchemaView): boolean {
  return nodes.some(({ value }) => value === false);
}

/** Whether a value can be of a type in both versions. Otherwise the change of its type says it all. */
function canBeBoth(before: SchemaView, after: SchemaView, type: string): boolean {
  return [before, after].every(({ types }) => types.length === 0 || types.includes(type));
}

function hasNoItems({ nodes }: SchemaView): boolean {
  return nodes.some(({ value }) => isRaw(value) && value.items === false);
}

/** Keywords next to a reference that make no difference here. */
const besideReference = new Set(
  "$ref description title summary deprecated readOnly writeOnly example examples".split(" "),
);

/** Returns the nodes of a schema without those that only refer to another one. */
function ownNodes({ nodes }: SchemaView): Located[] {
  const isReference = ({ value }: Located) =>
    isRaw(value) &&
    "$ref" in value &&
    Object.keys(value).every((keyword) => besideReference.has(keyword) || keyword.startsWith("x-"));
  return nodes.filter((node) => !isReference(node));
}

function identityOf(view: SchemaView): string {
  return ownNodes(view)
    .map(({ pointer }) => pointer)
    .join(" ");
}

/** Returns the pointers of a schema: those of the component, if it's only referred to. */
function placesOf({ before, after, field }: Pick<Compared, "before" | "after" | "field">) {
  const pointerOf = (view: SchemaView) => ownNodes(view).at(-1)?.pointer ?? view.pointer;
  return { before: pointerOf(before), after: pointerOf(after), field };
}

function pointerOf({ schema }: Property): string | undefined {
  return schema.parts[0]?.pointer;
}

function shownDefault(view: SchemaView): string {
  return view.default ? shown(view.default.value) : "none";
}
