/** Formats problems as a JUnit report, which most CI systems read: one test case for each file. */

import path from "node:path";
import { escapeHtml } from "../base/html-text.ts";
import { plainLine } from "../base/one-line.ts";
import { plural } from "../base/plural.ts";
import type { Problem } from "../base/problem.ts";
import { formatProblems, problemSummary } from "./format-problems.ts";

export interface JunitOptions {
  /** Path of the documentation folder, relative to the repository. */
  folder: string;
  /** Whether a problem fails the check. The test case of a file without such problems succeeds. */
  isFailing: (problem: Problem) => boolean;
  /** Number of problems that aren't in the list. */
  omitted: number;
}

export function junitReport(
  problems: readonly Problem[],
  { folder, isFailing, omitted }: JunitOptions,
): string {
  const byFile = new Map<string, Problem[]>();
  for (const found of problems) {
    const others = byFile.get(found.file);
    if (others) others.push(found);
    else byFile.set(found.file, [found]);
  }

  const failures = [...byFile.values()].filter((found) => found.some(isFailing)).length;
  const counts = `tests="${Math.max(1, byFile.size)}" failures="${failures}" errors="0"`;

  // Some CI systems report a suite without test cases as an error.
  const cases = byFile.size
    ? [...byFile].map(([file, found]) => testCase(file, folder, found, found.some(isFailing)))
    : ['    <testcase name="No problems" classname="octavo"/>'];

  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="octavo" ${counts}>`,
    `  <testsuite name="octavo check" ${counts}>`,
    ...cases,
    ...(omitted > 0 ? [`    <system-out>${plural(omitted, "more problem")} not listed</system-out>`] : []),
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

function testCase(file: string, folder: string, found: readonly Problem[], isFailed: boolean): string {
  const name = attribute(plainLine(file));
  const place = attribute(plainLine(path.posix.join(folder, file)));
  const list = xmlText(formatProblems(found, { color: false }));
  const content = isFailed
    ? `<failure message="${attribute(problemSummary(found))}" type="problem">${list}</failure>`
    : `<system-out>${list}</system-out>`;
  return `    <testcase name="${name}" classname="octavo" file="${place}">${content}</testcase>`;
}

/** Escapes text. Removes characters that XML 1.0 doesn't allow (section 2.2). */
function xmlText(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""));
}

function attribute(text: string): string {
  return xmlText(text).replaceAll("\n", " ");
}
