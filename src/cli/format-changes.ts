/** Formats the changes of an API for terminals, Markdown, and GitHub workflows. */

import { type ChangeLevel, changeLevels } from "../base/change-rules.ts";
import { plainLine } from "../base/one-line.ts";
import { plural } from "../base/plural.ts";
import type { Change } from "../engine/openapi/changes/change.ts";

const titles: Readonly<Record<ChangeLevel, string>> = {
  breaking: "Breaking changes",
  "may-break": "Changes that may break clients",
  compatible: "Compatible changes",
  text: "Changes of texts",
};

/** Maximum number of operations that are named at a change of a shared schema. */
const operations_count = 5;

/** Formats changes as paragraphs by level. */
export function changesText(changes: readonly Change[]): string {
  if (changes.length === 0) return "No changes";
  return byLevel(changes)
    .map(([level, found]) => {
      const lines = found.map(
        ({ message, operations, rule }) =>
          `  ${plainLine(placeOf(operations))}: ${plainLine(message)} (${rule})`,
      );
      return [titles[level], ...lines].join("\n");
    })
    .join("\n\n");
}

/** Formats changes as Markdown with a heading for each level. */
export function changesMarkdown(changes: readonly Change[]): string {
  if (changes.length === 0) return "No changes";
  return byLevel(changes)
    .map(([level, found]) => {
      const items = found.map(
        ({ message, operations }) => `- \`${oneCode(placeOf(operations))}\`: ${plainLine(message)}`,
      );
      return [`## ${titles[level]}`, "", ...items].join("\n");
    })
    .join("\n\n");
}

/**
 * Formats changes as GitHub workflow commands: breaking ones are errors, ones that may break are warnings.
 */
export function changesAnnotations(changes: readonly Change[], file: string): string {
  const encoded = (text: string) => plainLine(text).replace(/[%\r\n]/g, encodeURIComponent);
  const property = (text: string) => encoded(text).replace(/[:,]/g, encodeURIComponent);
  return changes
    .map(({ level, rule, message, operations }) => {
      const kind = level === "breaking" ? "error" : level === "may-break" ? "warning" : "notice";
      return `::${kind} file=${property(file)},title=${rule}::${encoded(`${placeOf(operations)}: ${message}`)}`;
    })
    .join("\n");
}

/** Returns the number of changes by level: `2 breaking, 1 may break, 3 compatible`. */
export function changesSummary(changes: readonly Change[]): string {
  const counts = byLevel(changes).map(([level, { length }]) => `${length} ${level.replace("-", " ")}`);
  return counts.length ? `${plural(changes.length, "change")}: ${counts.join(", ")}` : "No changes";
}

function byLevel(changes: readonly Change[]): [ChangeLevel, Change[]][] {
  return changeLevels
    .map((level): [ChangeLevel, Change[]] => [level, changes.filter((change) => change.level === level)])
    .filter(([, found]) => found.length > 0);
}

function placeOf(operations: readonly string[]): string {
  const more = operations.length - operations_count;
  const named = operations.slice(0, operations_count).join(", ");
  return more > 0 ? `${named}, and ${more} more` : named;
}

function oneCode(text: string): string {
  return plainLine(text).replaceAll("`", "'");
}
