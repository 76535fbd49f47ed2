/** Prints the results of a run and the differences from the previous run. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Measured, shown } from "./measures.ts";

export interface Report {
  title: string;
  figures: { name: string; value: Measured }[];
  cases: CaseResult[];
}

/** The result of a question. */
export interface CaseResult {
  id: string;
  question: string;
  result: string;
  /** Score of the result. Higher is better. */
  value: number;
}

interface Kept {
  figures: Record<string, number>;
  cases: Record<string, { result: string; value: number }>;
}

/**
 * Prints reports and the questions whose result differs from the previous run. Stores the reports for the
 * next run.
 */
export function printReports(reports: readonly Report[], folder: string): void {
  for (const report of reports) {
    const last = readLast(report, folder);
    console.log(`\n${report.title}`);
    for (const { name, value } of report.figures) {
      const before = last?.figures[name];
      const change =
        before === undefined || Math.abs(value.value - before) < 0.0005
          ? ""
          : `  before ${before.toFixed(3)}`;
      console.log(`  ${name.padEnd(40)} ${shown(value)}${change}`);
    }
    printChanges(report, last);
    keep(report, folder);
  }
}

function printChanges({ cases }: Report, last: Kept | undefined): void {
  if (!last) return;
  const changed = cases.flatMap((now) => {
    const before = last.cases[now.id];
    return before && before.result !== now.result ? [{ now, before }] : [];
  });
  if (changed.length === 0) return console.log("  Every question fares as in the last run.");
  console.log(`  ${changed.length} questions fare otherwise than in the last run:`);
  for (const { now, before } of changed) {
    const sign = now.value > before.value ? "+" : now.value < before.value ? "-" : " ";
    console.log(
      `  ${sign} ${now.question.replace(/\s+/g, " ").slice(0, 90)}\n      ${before.result} → ${now.result}`,
    );
  }
}

function fileOf({ title }: Report, folder: string): string {
  return path.join(folder, `${title.split(",")[0]!.toLowerCase().replace(/\W+/g, "-")}.json`);
}

function readLast(report: Report, folder: string): Kept | undefined {
  const file = fileOf(report, folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept) : undefined;
}

function keep(report: Report, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const kept: Kept = {
    figures: Object.fromEntries(report.figures.map(({ name, value }) => [name, value.value])),
    cases: Object.fromEntries(report.cases.map(({ id, result, value }) => [id, { result, value }])),
  };
  writeFileSync(fileOf(report, folder), JSON.stringify(kept));
}
