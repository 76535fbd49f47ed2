/**
 * Writes how a preview differs from the live site, as Markdown for a comment that strangers may read. Names
 * are code, so that nothing that an author wrote becomes Markdown. Questions of readers and restricted pages
 * are only counted.
 */

import { oneLine } from "../../base/one-line.ts";
import { plural } from "../../base/plural.ts";
import type { Problem } from "../../base/problem.ts";
import { problemCodes } from "../../base/problem-codes.ts";
import type { ComparedApi, ListedPaths, SiteComparison } from "../../builder/compare-sites.ts";
import { answersText } from "../deployments/answers-text.ts";
import type { PreviewComparison } from "../deployments/compare-with-live.ts";

/** Maximum number of lines of each list. */
const listed_count = 10;
/** Maximum length of a name, in characters. */
const name_chars = 200;

export interface ComparisonTextOptions {
  comparison: PreviewComparison;
  newProblems: readonly Problem[];
  /** URL of the deployment's page in the dashboard. */
  dashboardUrl: string;
}

export function comparisonText({ comparison, newProblems, dashboardUrl }: ComparisonTextOptions): string {
  const parts = [
    ...("missing" in comparison ? [missingText[comparison.missing]] : partsOf(comparison, dashboardUrl)),
    ...problemsPart(newProblems),
  ];
  return parts.length === 0
    ? "There are no differences from the live site."
    : ["Compared with the live site:", ...parts].join("\n\n");
}

const missingText = {
  failed: "The preview couldn't be compared with the live site.",
  "too-long": "Comparing the preview with the live site took too long.",
} as const;

function partsOf(
  { added, changed, gone, broken, apis, answers }: SiteComparison,
  dashboardUrl: string,
): string[] {
  return [
    ...pathsPart("added", added, "page"),
    ...pathsPart("changed", changed, "page"),
    ...pathsPart("removed", gone, "page"),
    ...pathsPart("to the live site will break", broken, "link"),
    ...apis.map(apiPart),
    ...(answers && answers.lost.length + answers.gained.length > 0
      ? [`**Answers**: ${answersText(answers)}. [Show the questions](${dashboardUrl})`]
      : []),
    ...(answers && answers.left > 0
      ? [`${plural(answers.left, "question")} of readers couldn't be tried in time.`]
      : []),
  ];
}

function pathsPart(what: string, { count, paths }: ListedPaths, noun: string): string[] {
  if (count === 0) return [];
  const shown = paths.slice(0, listed_count);
  return [list(`**${plural(count, noun)} ${what}**`, shown.map(code), count - shown.length)];
}

function apiPart({ file, counts, changes }: ComparedApi): string {
  const names = {
    breaking: "breaking",
    "may-break": "may break clients",
    compatible: "compatible",
    text: "of texts",
  } as const;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const levels = Object.entries(names).flatMap(([level, name]) => {
    const count = counts[level as keyof typeof counts];
    return count > 0 ? [`${count} ${name}`] : [];
  });
  const shown = changes.slice(0, listed_count);
  return list(
    `**${plural(total, "API change")}** in ${code(file)}: ${levels.join(", ")}`,
    shown.map(({ level, text }) => `${level === "breaking" ? "Breaking" : "May break"}: ${code(text)}`),
    counts.breaking + counts["may-break"] - shown.length,
  );
}

function problemsPart(problems: readonly Problem[]): string[] {
  if (problems.length === 0) return [];
  const shown = problems.slice(0, listed_count);
  const lines = shown.map(({ file, line, code: name, severity }) => {
    const title = problemCodes[name as keyof typeof problemCodes]?.title ?? name;
    return `${severity === "error" ? "Error" : "Warning"} in ${code([file, line].filter(Boolean).join(":"))}: ${title}`;
  });
  return [list(`**${plural(problems.length, "new problem")}**`, lines, problems.length - shown.length)];
}

/** `others`: number of items that aren't listed. */
function list(title: string, items: readonly string[], others: number): string {
  const rest = others > 0 ? [items.length > 0 ? `${others} more` : `${others} not listed`] : [];
  return [title, ...[...items, ...rest].map((item) => `- ${item}`)].join("\n");
}

function code(text: string): string {
  return `\`${oneLine(text.replaceAll("`", "'")).slice(0, name_chars)}\``;
}
