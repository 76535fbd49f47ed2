/** Reports keywords of schemas that have no effect, because of the type or because another one is missing. */

import type { Problem } from "../../../base/problem.ts";
import { own, pointerTo, type Raw } from "../nodes/refs.ts";
import { walkSchemas } from "../nodes/walk-schemas.ts";
import { moreText, type ReportAt, reported_count } from "./lint-document.ts";

const jsonTypes = new Set("string number integer boolean array object null".split(" "));

/** Keywords that only apply to some types (JSON Schema 2020-12: Core, 10.3; Validation, 6 and 8). */
const typesByKeyword = new Map(
  (
    [
      ["number integer", "multipleOf minimum exclusiveMinimum maximum exclusiveMaximum"],
      ["string", "minLength maxLength pattern contentEncoding contentMediaType contentSchema"],
      [
        "array",
        "minItems maxItems uniqueItems minContains maxContains contains items prefixItems unevaluatedItems",
      ],
      [
        "object",
        "minProperties maxProperties required dependentRequired dependentSchemas properties patternProperties additionalProperties unevaluatedProperties propertyNames",
      ],
    ] as const
  ).flatMap(([types, keywords]) =>
    keywords.split(" ").map((keyword) => [keyword, types.split(" ")] as const),
  ),
);

/** Keywords that have no effect without another one (Core, 10.2.2; Validation, 6.4.4 and 6.4.5). */
const partners: Record<string, string | undefined> = {
  // biome-ignore lint/suspicious/noThenProperty: the name of a keyword.
  then: "if",
  else: "if",
  minContains: "contains",
  maxContains: "contains",
};

/** Reports each kind once, at its first place. */
export function lintKeywords(root: Raw, at: ReportAt): Problem[] {
  const kinds = new Map<string, { keyword: string; pointer: string; count: number }>();
  const add = (keyword: string, path: readonly string[], reason: string) => {
    const text = `has no effect on ${reason}`;
    const known = kinds.get(`${keyword} ${text}`);
    if (known) known.count++;
    else kinds.set(`${keyword} ${text}`, { keyword, pointer: pointerTo([...path, keyword]), count: 1 });
  };

  walkSchemas(root, (schema, path) => {
    const declared = own(schema, "type");
    const types = Array.isArray(declared) ? (declared as unknown[]) : [declared];
    const isKnown = types.length > 0 && types.every((type) => jsonTypes.has(type as string));
    for (const keyword of Object.keys(schema)) {
      const partner = own(partners, keyword) as string | undefined;
      if (partner !== undefined && own(schema, partner) === undefined)
        add(keyword, path, `a schema without ${partner}`);
      const applies = isKnown ? typesByKeyword.get(keyword) : undefined;
      if (applies && !types.some((type) => applies.includes(type as string)))
        add(keyword, path, `the type ${types.join(" or ")}`);
    }
  });

  return [...kinds]
    .slice(0, reported_count)
    .map(([text, { pointer, count }]) =>
      at(
        "openapi-ineffective-keyword",
        pointer,
        `${text} (at ${pointer})${moreText(count - 1)}`,
        "Remove the keyword, or change the type.",
        "key",
      ),
    );
}
