/** Describes the constraints of a value in words. */

import { type ConstraintMessages, fillCount } from "../../i18n/messages.ts";
import type { Constraint } from "./schema-constraints.ts";

/** A constraint or another fact about a value. */
export interface Limit {
  text: string;
  /** A value that follows the text and is shown as code: the pattern after `pattern`. */
  value?: string;
}

/** Messages of keywords whose value is shown as code after the message. */
const named = { pattern: "pattern", contentEncoding: "contentEncoding" } as const;

/** Messages of keywords that are only shown if their value is `false`. */
const closing = {
  additionalProperties: "noOtherProperties",
  unevaluatedProperties: "noOtherProperties",
  items: "noOtherItems",
  additionalItems: "noOtherItems",
  unevaluatedItems: "noOtherItems",
} as const;

/** Returns a constraint in words. `value`: the constraint's value, formatted. */
export function constraintLimit(
  { keyword }: Pick<Constraint, "keyword">,
  value: string,
  messages: ConstraintMessages,
): Limit {
  if (Object.hasOwn(closing, keyword)) return { text: messages[closing[keyword as keyof typeof closing]] };
  if (Object.hasOwn(named, keyword)) return { text: messages[named[keyword as keyof typeof named]], value };
  return { text: fillCount(messages[keyword as keyof ConstraintMessages], value) };
}
