/** Reads the values of a schema that alternatives list with `const`, and the descriptions of enum values. */

import { jsonText } from "../nodes/json-text.ts";
import { isRaw, type Located, own, ownText, type Refs, valueText } from "../nodes/refs.ts";
import type { Layer } from "./schema-layers.ts";

/** Alternatives that each allow one value. At most one of them allows several and has a name or a text. */
export interface ConstChoices extends Located<unknown[]> {
  texts: (string | undefined)[];
  /** Description of the alternative with several values. */
  description: string | undefined;
  /** The values of deprecated alternatives. */
  deprecated: unknown[];
}

const choiceAnnotations = new Set("const enum type title description deprecated summary $comment".split(" "));

/**
 * Returns the values of a layer's alternatives, if each alternative only has a `const` (or an enum) and
 * annotations.
 */
export function constChoices({ node, options }: Layer, refs: Refs): ConstChoices | undefined {
  const list = options.oneOf ?? options.anyOf;
  if (!list || (options.oneOf && options.anyOf)) return undefined;
  const found: ConstChoices = {
    value: [],
    pointer: node.pointer,
    texts: [],
    description: undefined,
    deprecated: [],
  };
  /** Whether an alternative with several values has a name or a text, so that it isn't merged with others. */
  let several: { isNamed: boolean } | undefined;
  for (const option of list) {
    const { value } = refs.follow(option) ?? option;
    const listed = own(value, "enum");
    const values =
      own(value, "const") !== undefined
        ? [own(value, "const")]
        : Array.isArray(listed)
          ? (listed as unknown[])
          : [];
    if (values.length === 0 || !isRaw(value) || values.some((one) => typeof one === "object" && one !== null))
      return undefined;
    if (Object.keys(value).some((keyword) => !choiceAnnotations.has(keyword) && !keyword.startsWith("x-")))
      return undefined;
    const [title, description] = [
      ownText(option.value, "title") ?? ownText(value, "title"),
      ownText(option.value, "description") ?? ownText(value, "description"),
    ];
    if (own(option.value, "deprecated") === true || own(value, "deprecated") === true)
      found.deprecated.push(...values);
    if (values.length > 1) {
      const isNamed = [title, description, own(option.value, "$ref")].some((text) => text !== undefined);
      const isDisjoint = values.every((one) => !found.value.includes(one));
      if (several && (isNamed || several.isNamed || !isDisjoint)) return undefined;
      several ??= { isNamed };
      found.description = description;
      const isNew = (one: unknown) => !found.value.includes(one);
      found.texts.push(...values.filter(isNew).map(() => undefined));
      found.value.push(...values.filter(isNew));
      continue;
    }
    if (found.value.includes(values[0])) continue;
    found.value.push(values[0]);
    found.texts.push(
      [title, description].filter((text) => text !== undefined && text !== String(values[0])).join(": ") ||
        undefined,
    );
  }

  return found;
}

/** Returns the descriptions of the layers that list values or alternatives. */
export function choiceDescriptionsOf(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ node: { value }, options: { oneOf, anyOf } }) => {
    const hasChoices = oneOf !== undefined || anyOf !== undefined || own(value, "enum") !== undefined;
    return (hasChoices && ownText(value, "description")) || [];
  });
}

/**
 * Returns the descriptions of enum values, from alternatives and from the extensions for names and
 * descriptions of values.
 */
export function enumTextsOf(
  values: readonly unknown[],
  nodes: readonly Located[],
  choices: readonly ConstChoices[],
): (string | undefined)[] | undefined {
  const texts = new Map<string, string[]>();
  const add = (value: unknown, text: unknown) => {
    if (typeof text !== "string" || text === "" || text === value) return;
    const key = jsonText(value);
    const known = texts.get(key);
    if (!known) texts.set(key, [text]);
    else if (!known.includes(text)) known.push(text);
  };

  for (const choice of choices) choice.value.forEach((value, index) => add(value, choice.texts[index]));

  for (const { value: node } of nodes) {
    const listed = own(node, "enum") ?? values;
    for (const key of ["x-enum-varnames", "x-enumNames", "x-enumDescriptions", "x-enum-descriptions"]) {
      const given = own(node, key);
      // Next to a reference, the list is for all values of its target.
      if (
        Array.isArray(given) &&
        Array.isArray(listed) &&
        (listed !== values || given.length === values.length)
      )
        listed.forEach((value, index) => add(value, given[index]));
      else if (isRaw(given)) for (const value of values) add(value, own(given, valueText(value)));
    }
    // The keys of comments are the names of the values.
    if (Array.isArray(listed))
      for (const [index, value] of listed.entries())
        add(value, own(own(node, "x-enum-comments"), `${own(own(node, "x-enum-varnames"), `${index}`)}`));
    const described = own(own(node, "x-ms-enum"), "values");
    for (const one of Array.isArray(described) ? (described as unknown[]) : [])
      for (const key of ["name", "description"]) add(own(one, "value"), own(one, key));
  }

  return texts.size ? values.map((value) => texts.get(jsonText(value))?.join(": ")) : undefined;
}
