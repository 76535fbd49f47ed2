/** Reports utility classes with a color of the site that doesn't exist, such as `bg-primary-500`. */

import { type Files, readText } from "../../../base/files.ts";
import { type Problem, problem } from "../../../base/problem.ts";
import type { Page } from "../page.ts";

const colorClass =
  /^(?:[^\s:[\]]{1,40}:){0,5}!?-?(?:accent|bg|border(?:-[bltrxyse])?|caret|decoration|divide|fill|from|outline|placeholder|ring(?:-offset)?|shadow|stroke|text|to|via)-((?:primary|background)(?:-[a-z\d-]{1,30})?)(?:\/\S{1,20})?$/;

/** The names that docs.json gives to colors (`namedColors`). */
const colorNames = new Set([
  "primary",
  "primary-light",
  "primary-dark",
  "background-light",
  "background-dark",
]);

/** Checks the classes of pages. Classes that an author's style sheet mentions are left out. */
export function checkClassNames(
  pages: Iterable<Page>,
  styleSheets: readonly string[],
  files: Files,
): Problem[] {
  const problems: Problem[] = [];
  let styles: string | undefined;
  for (const { file, storedName, summary } of pages) {
    if (storedName !== file) continue;
    for (const name of summary.classNames) {
      const color = colorClass.exec(name)?.[1];
      if (color === undefined || colorNames.has(color)) continue;
      styles ??= styleSheets.map((sheet) => readText(files, sheet) ?? "").join("\n");
      if (styles.replaceAll("\\", "").includes(`.${name}`)) continue;
      const lines = (readText(files, file) ?? "").split("\n");
      const line = lines.findIndex((text) => text.includes(name));
      const place =
        line < 0 ? {} : { line: line + 1, column: lines[line]!.indexOf(name) + 1, length: name.length };
      const hint = `The colors of docs.json are ${[...colorNames].join(", ")}.`;
      problems.push(problem("no-effect", { file, ...place }, `The class ${name} has no effect`, hint));
    }
  }

  return problems;
}
