/** Reports what makes a site hard to use for people with disabilities. */

import { type Problem, problem } from "../../base/problem.ts";
import type { PositionOf } from "../config/docs-json.ts";
import type { DocsJson } from "../config/docs-json-schema.ts";
import { changedColors } from "../frame/palette.ts";
import type { Page } from "./page.ts";
import type { AccessibilityFlaw } from "./pages/accessibility-flaws.ts";

const messages: Record<AccessibilityFlaw["kind"], (what: string) => [message: string, hint: string]> = {
  alt: (url) => [
    `Image without alternative text: ${url}`,
    'Describe the image in the brackets, as in ![A settings page](image.png). For decoration, use <img alt="">.',
  ],
  heading: (title) => [
    `The heading ${JSON.stringify(title)} skips a level`,
    "Use ## for the sections of a page, and one # more for each level below.",
  ],
  link: (label) => [
    label === "" ? "Link without text" : `The text ${JSON.stringify(label)} doesn't say where the link leads`,
    "Use the title of the target, or what readers find there.",
  ],
};

const codes = {
  alt: "accessibility-alt",
  heading: "accessibility-heading",
  link: "accessibility-link",
} as const satisfies Record<AccessibilityFlaw["kind"], string>;

export function checkAccessibility(
  pages: Iterable<Page>,
  { colors, background }: DocsJson,
  placeOf: PositionOf,
): Problem[] {
  const problems = [...pages].flatMap(({ file, summary }) =>
    (summary.accessibility ?? []).map(({ kind, what, ...place }) =>
      problem(codes[kind], { file, ...place }, ...messages[kind](what)),
    ),
  );

  const found = changedColors(colors, background?.color).map(({ key, color, mode, contrast, used }) =>
    problem(
      "accessibility-contrast",
      placeOf(["colors", key]),
      `The contrast of ${color} is ${contrast.toFixed(1)} in ${mode} mode, so the site uses ${used} for text and links`,
      "Choose a color with a contrast of at least 4.5, or keep this one if you accept the change.",
    ),
  );

  return [...problems, ...found];
}
