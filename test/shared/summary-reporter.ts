/**
 * Prints at the end of a run: the ten slowest files, flaky tests (passed after a retry), and files with
 * skipped tests.
 */

import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const slowest_count = 10;

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules
      .map((module) => ({ module, duration_ms: duration(module) }))
      .sort((a, b) => b.duration_ms - a.duration_ms);
    console.log("\nSlowest files");
    for (const { module, duration_ms } of timed.slice(0, slowest_count))
      console.log(
        `${(duration_ms / 1_000).toFixed(1).padStart(7)} s  ${path.relative(process.cwd(), module.moduleId)}`,
      );

    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({ module, test, state: test.result().state })),
    );
    const flaky = tests.filter(({ test }) => test.diagnostic()?.flaky);
    if (flaky.length > 0) console.log("\nFlaky tests");
    for (const { module, test } of flaky)
      console.log(`  ${path.relative(process.cwd(), module.moduleId)} > ${test.fullName}`);
    const skipped = tests.filter(({ state }) => state === "skipped");
    if (skipped.length > 0) {
      console.log("\nSkipped tests");
      const byFile = new Map<string, number>();
      for (const { module } of skipped) byFile.set(module.moduleId, (byFile.get(module.moduleId) ?? 0) + 1);
      for (const [file, count] of byFile)
        console.log(`${String(count).padStart(7)}    ${path.relative(process.cwd(), file)}`);
    }
    const count = (state: string) => tests.filter((each) => each.state === state).length;
    console.log(`\n${count("passed")} passed, ${count("failed")} failed, ${skipped.length} skipped`);
  }
}

function duration(module: TestModule): number {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return setupDuration + collectDuration + duration;
}
