/** `octavo check --questions`: which of the readers' questions a documentation folder doesn't cover. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { runCli } from "../../test/engine/run-cli.ts";

const folder = temporaryFolder();
const docs = writeFiles(
  path.join(folder, "docs"),
  siteOf({
    "index.mdx": "---\ntitle: Greenhouse\n---\n\nA greenhouse keeps plants warm in winter.",
    "watering.mdx":
      "---\ntitle: Water plants\n---\n\nTo water the plants, set `water.interval` to a number of hours.",
    "staff.mdx": "---\ntitle: Payroll\ngroups: [staff]\n---\n\nWages are paid on Fridays.",
  }),
);

function questionsIn(text: string): string {
  const file = path.join(folder, "questions.txt");
  writeFileSync(file, text);
  return file;
}

test("questions that no page covers are listed with the words that no page contains", async () => {
  const file = questionsIn(
    "# From support\n\nHow do I water the plants?\nCan I pay invoices with bitcoin?\r\n",
  );
  const { code, out } = await runCli(["check", docs, "--questions", file]);
  expect(code).toBe(0);
  expect(out).toContain("Not covered: Can I pay invoices with bitcoin?");
  expect(out).not.toContain("Not covered: How do I water the plants?");
  expect(out).toContain("Words that no page contains: pay, invoices, bitcoin");
  expect(out).toMatch(/2 questions: 1 answered with a quote, 0 with links, 1 not covered/);
});

test("--json has the result of each question", async () => {
  const { out } = await runCli([
    "check",
    docs,
    "--json",
    "--questions",
    questionsIn("How do I water the plants?"),
  ]);
  expect(JSON.parse(out).questions).toEqual([
    {
      question: "How do I water the plants?",
      result: "quoted",
      sections: ["Water plants", "Greenhouse"],
      missingWords: [],
    },
  ]);
});

test("restricted pages answer no question", async () => {
  const { out } = await runCli(["check", docs, "--questions", questionsIn("When are wages paid?")]);
  expect(out).toContain("Not covered: When are wages paid?");
  expect(out).not.toContain("Payroll");
});

test("--strict fails if a question isn't covered", async () => {
  expect(
    (await runCli(["check", docs, "--strict", "--questions", questionsIn("Is there a phone number?")])).code,
  ).toBe(1);
  expect(
    (await runCli(["check", docs, "--strict", "--questions", questionsIn("How do I water the plants?")]))
      .code,
  ).toBe(0);
});

test.each([
  ["a file that doesn't exist", () => path.join(folder, "missing.txt"), /Can't read .*missing\.txt/],
  ["a file without questions", () => questionsIn("# Nothing yet\n"), /has no questions/],
])("%s", async (_, file, message) => {
  const { code, err } = await runCli(["check", docs, "--questions", file()]);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
