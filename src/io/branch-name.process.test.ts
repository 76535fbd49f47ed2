/** Which names branches can have: Git decides. */

import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isBranchName } from "./branch-name.ts";

const acceptedByGit = (name: string) =>
  spawnSync("git", ["check-ref-format", "--branch", name], { cwd: "/" }).status === 0;

test.each([
  "fix/#12",
  "kim@docs",
  "a+b",
  "übersetzung",
  "@",
  'a"b',
  "a]b",
  "a&b;$(x)",
  "refs/heads/x",
  "😀",
  "a\u0085b",
  "#12",
])("%j is a branch name", (name) => expect([isBranchName(name), acceptedByGit(name)]).toEqual([true, true]));

test.each([
  "",
  "-x",
  ".a",
  "a/.b",
  "a..b",
  "a.lock",
  "a/b.lock/c",
  "a.",
  "a b",
  "a~b",
  "a^b",
  "a:b",
  "a?b",
  "a*b",
  "a[b",
  "a\\b",
  "a@{b",
])("%j isn't a branch name", (name) =>
  expect([isBranchName(name), acceptedByGit(name)]).toEqual([false, false]),
);

test("names of random characters", () => {
  const name = fc.array(fc.constantFrom(..."aä#@{}/.-+~^:?*[]\\ \u0001\u007f", ".lock", "..", "HEAD"), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(name, (parts) => {
      const text = parts.join("");
      // Git expands the names of earlier branches.
      fc.pre(!text.startsWith("@{-"));
      expect([text, isBranchName(text)]).toEqual([text, acceptedByGit(text)]);
    }),
    { numRuns: 150 },
  );
});
