import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { lastChanges } from "./last-changes.ts";

test("files whose names begin like a date have the date of their commit, like all others", () => {
  const folder = writeFiles(temporaryFolder(), { "2024-01-01Team.mdx": "a", "index.mdx": "b" });
  const env = { ...process.env, GIT_COMMITTER_DATE: "2025-02-03T10:00:00+00:00", GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], { env });
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "-m", "First words");
  const date = expect.stringMatching(/^2025-02-03T10:00:00(?:Z|\+00:00)$/);
  expect(Object.fromEntries(lastChanges(folder))).toEqual({ "2024-01-01Team.mdx": date, "index.mdx": date });
});
