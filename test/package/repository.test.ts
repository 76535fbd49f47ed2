/** The files in which the version of the next release is written, and the workflow of the repository. */

import { readdirSync, readFileSync } from "node:fs";
import { load } from "js-yaml";
import { expect, test } from "vitest";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

test.each([
  ["chart/Chart.yaml", /^version: (.*)$/m],
  ["chart/Chart.yaml", /^appVersion: "(.*)"$/m],
  ["chart/Chart.yaml", /image: octavo:(.*)$/m],
  ["chart/Chart.yaml", /image: octavo-bundle:(.*)$/m],
  ["action.yml", /default: octavo@(.*)$/m],
  ["Dockerfile", /^ARG VERSION=(.*)$/m],
  ["compose.yaml", /image: octavo:(.*)$/m],
  ["docs/docs.json", /"version": "(.*?)"/],
])("%s has the version of package.json", (file, pattern) => {
  expect(pattern.exec(readFileSync(file, "utf8"))![1]).toBe(version);
});

test("the workflow runs the same tests as .ci/run, on the oldest supported Node.js", () => {
  const { jobs } = load(readFileSync(".github/workflows/ci.yml", "utf8")) as {
    jobs: { test: { strategy: { matrix: { node: (string | number)[] } }; steps: { run?: string }[] } };
  };
  expect(jobs.test.steps.map(({ run }) => run)).toContain(".ci/run");
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(`>=${jobs.test.strategy.matrix.node[0]}`).toBe(`${engines.node}.0`);
});

test("the templates for issues are valid YAML with a name and fields", () => {
  for (const file of readdirSync(".github/ISSUE_TEMPLATE").filter((name) => name !== "config.yml"))
    expect(load(readFileSync(`.github/ISSUE_TEMPLATE/${file}`, "utf8")), file).toMatchObject({
      name: expect.any(String),
      description: expect.any(String),
      body: expect.any(Array),
    });
});
