// Prints the problems of collecting all test files that need the corpus, one per line: errors of modules, and
// suites without tests.
import { createVitest } from "vitest/node";

const vitest = await createVitest("test", {
  run: true,
  watch: false,
  related: ["test/shared/corpus.ts"],
  reporters: [{}],
  globalSetup: [],
});
const { testModules, unhandledErrors } = await vitest.collect();
const problems = unhandledErrors.map((error) => String(error.message ?? error));
for (const module of testModules) {
  problems.push(...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`));
  for (const suite of [module, ...module.children.allSuites()])
    if (suite.children.size === 0)
      problems.push(`${module.relativeModuleId}: no tests in ${suite.name ?? "the file"}`);
}
await vitest.close();
console.log(JSON.stringify({ files: testModules.length, problems }));
process.exit();
