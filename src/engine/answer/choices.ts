/** Finds the products or versions between which a question doesn't decide. */

import { termsOf } from "../search/terms.ts";
import type { Choices, NamedSection, RetrievedSection } from "./retrieved.ts";

/**
 * Minimum score of a section for the question to be about it as much as about the best section, relative to
 * the best section.
 */
const equalScore = 0.85;
/**
 * Minimum share of the terms of two titles that both contain, for the sections to be about the same subject.
 */
const sameTitle = 0.5;

/**
 * Returns the choices for a question, the one with the best section first. Undefined if the best section is
 * on a page without a product or version, or if the sections of the others are about something else, or have
 * the same text.
 */
export function choicesOf(sections: readonly RetrievedSection[], language: string): Choices | undefined {
  const [best] = sections;
  for (const kind of ["product", "version"] as const) {
    const name = best?.[kind];
    if (best === undefined || name === undefined) continue;
    const options: NamedSection[] = [{ name, section: 1 }];
    for (const [index, section] of sections.entries()) {
      const other = section[kind];
      if (
        section.score < equalScore * best.score ||
        other === undefined ||
        options.some((option) => option.name === other)
      )
        continue;
      if (section.text !== best.text && haveSameTitle(section, best, [other, name], language))
        options.push({ name: other, section: index + 1 });
    }
    if (options.length > 1) return { kind, options };
  }

  return undefined;
}

/**
 * Returns the name of the choice that the text ends with, in parentheses, or else of the only one that it
 * mentions, by words that the other names don't contain. Undefined if it mentions none or several.
 */
export function chosenIn(text: string, { options }: Choices, language: string): string | undefined {
  const chosen = options.find(({ name }) => text.trimEnd().endsWith(`(${name})`));
  if (chosen) return chosen.name;
  const asked = new Set(termsOf(text, language));
  const mentioned = options.filter(({ name }) => {
    const others = new Set(
      options.filter((option) => option.name !== name).flatMap((option) => termsOf(option.name, language)),
    );
    return termsOf(name, language).some((term) => asked.has(term) && !others.has(term));
  });
  return mentioned.length === 1 ? mentioned[0]!.name : undefined;
}

function haveSameTitle(
  one: RetrievedSection,
  other: RetrievedSection,
  names: readonly string[],
  language: string,
): boolean {
  const left = new Set(names.flatMap((name) => termsOf(name, language)));
  const [first, second] = [one, other].map(
    ({ title }) => new Set(termsOf(title, language).filter((term) => !left.has(term))),
  );
  const common = [...first!].filter((term) => second!.has(term)).length;
  return common >= sameTitle * Math.max(first!.size, second!.size);
}
