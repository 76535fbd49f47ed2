/** Runs the steps of `action.yml` like a runner. Only the installation is replaced. */

import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { type OpenTestService, openTestService } from "../service/open-test-service.ts";
import { newOrganization, type TestOrganization } from "../service/service.ts";

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { name: string; run: string; env: Record<string, string> }[] };
}

const action = load(readFileSync("action.yml", "utf8")) as Action;
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

const folder = temporaryFolder();
const bin = path.join(folder, "bin");
let service: OpenTestService;
let organization: TestOrganization;

beforeAll(async () => {
  service = await openTestService({ background: true });
  organization = await newOrganization(service);
  writeFiles(folder, {
    // Installs the checkout instead of the package.
    "bin/npm": `#!/bin/bash
mkdir -p "$3/node_modules/.bin"
echo "$*" > "$3/arguments"
ln -s "${root}/bin/octavo.js" "$3/node_modules/.bin/octavo"
`,
  });
  chmodSync(path.join(bin, "npm"), 0o755);
  writeFiles(path.join(folder, "docs"), siteOf({ "index.mdx": "# Hello\n\nText." }));
  writeFiles(path.join(folder, "warned"), siteOf({ "index.mdx": "# Hello\n\n[dead](/nowhere)" }));
  writeFiles(path.join(folder, "broken"), siteOf({ "index.mdx": "# Hello" }, { theme: "mintt" }));
});
afterAll(() => service.stop());

/** Runs the steps in order until one fails. */
async function run(
  inputs: Record<string, string>,
): Promise<{ code: number; step: string; log: string; outputs: string; temp: string }> {
  const temp = mkdtempSync(path.join(folder, "temp-"));
  const outputs = path.join(temp, "outputs");
  writeFileSync(outputs, "");
  const values = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ""])),
    ...inputs,
  };
  let log = "";
  const read = () => ({ log, outputs: readFileSync(outputs, "utf8"), temp });
  for (const step of action.runs.steps) {
    const env = Object.entries(step.env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.(\S+) \}\}/g, (_, input: string) => values[input]!),
    ]);
    const script = path.join(temp, "step.sh");
    writeFileSync(script, step.run);
    const code = await new Promise<number>((resolve) => {
      const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
        cwd: folder,
        env: {
          PATH: `${bin}:${process.env.PATH}`,
          RUNNER_TEMP: temp,
          GITHUB_OUTPUT: outputs,
          ...Object.fromEntries(env),
        },
      });
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => (log += chunk.toString()));
      child.once("close", (code) => resolve(code ?? -1));
    });
    if (code !== 0) return { code, step: step.name, ...read() };
  }
  return { code: 0, step: "", ...read() };
}

test("installs the release that the action belongs to", async () => {
  expect(action.inputs.package!.default).toBe(`octavo@${version}`);
  const { temp } = await run({ package: "./octavo.tgz" });
  expect(readFileSync(path.join(temp, "octavo/arguments"), "utf8")).toMatch(/ \.\/octavo\.tgz\n$/);
});

test("check annotates the lines with problems", async () => {
  expect(await run({})).toMatchObject({ code: 0, log: "1 page, no problems\n", outputs: "" });
  const warned = await run({ folder: "warned" });
  expect(warned).toMatchObject({
    code: 0,
    log: expect.stringMatching(
      /^::warning file=warned\/index\.mdx,line=3,col=\d+,endLine=3,endColumn=\d+,title=dead-link::/,
    ),
  });
  expect(await run({ folder: "warned", strict: "true" })).toMatchObject({ code: 1, step: "Check" });
});

test("check with a revision annotates only new problems", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args]);
  git("init", "--quiet");
  git("add", "warned");
  git("commit", "--quiet", "--message", "First");
  expect(await run({ folder: "warned", strict: "true", since: "HEAD" })).toMatchObject({
    code: 0,
    log: "1 page, no problems\nNot listed: 1 problem that HEAD also has\n",
  });
});

test("export writes an archive", async () => {
  expect(
    await run({ command: "export", output: "out.tar.gz", "site-url": "https://docs.example.com" }),
  ).toMatchObject({ code: 0 });
  expect(existsSync(path.join(folder, "out.tar.gz"))).toBe(true);
});

test("deploy prints and returns the site's URL, and stops before the upload if there are errors", {
  timeout: 120_000,
}, async () => {
  const access = {
    "service-url": `http://localhost:${service.port}`,
    "api-key": organization.key,
    project: organization.projectId,
  };
  const { code, log, outputs } = await run({ command: "deploy", ...access });
  expect({ code, log }).toMatchObject({ code: 0 });
  expect(outputs).toMatch(/^url=http:\/\/org-.*\n$/);
  expect(log).not.toContain(organization.key);
  expect(await run({ command: "deploy", folder: "broken", ...access })).toMatchObject({
    code: 1,
    step: "Check",
  });
  // The project isn't connected to a repository.
  const preview = await run({ command: "preview", branch: "draft", ...access });
  expect(preview).toMatchObject({ code: 2, step: "Run", log: expect.stringMatching(/Git repository/) });
});

test.each([["$(touch evil)"], ["moon"]])("the command %s is rejected", async (command) => {
  expect(await run({ command })).toMatchObject({
    code: 2,
    step: "Run",
    log: expect.stringContaining("::error::The command must be"),
  });
  expect(existsSync(path.join(folder, "evil"))).toBe(false);
});
