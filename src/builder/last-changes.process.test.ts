import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { datesFile } from "../io/git-dates.ts";
import { lastChanges } from "./last-changes.ts";

test("files whose names begin like a date have the date of their commit, like all others", () => {
  const folder = writeFiles(temporaryFolder(), { "2024-01-01Team.mdx": "a", "index.mdx": "b" });
  const env = {
    ...process.env,
    GIT_COMMITTER_DATE: "2025-02-03T10:00:00+00:00",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
      env,
    });
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "-m", "First words");
  const date = expect.stringMatching(/^2025-02-03T10:00:00(?:Z|\+00:00)$/);
  const { dates, history } = lastChanges(folder);
  expect(history).toBe("complete");
  expect(Object.fromEntries(dates)).toEqual({ "2024-01-01Team.mdx": date, "index.mdx": date });
});

test("in a shallow clone, files whose last commit is missing have no date", () => {
  const folder = writeFiles(temporaryFolder(), { "docs/old.mdx": "a", "other.txt": "b" });
  const git = (date: string, ...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
      env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  const commit = (date: string) => {
    git(date, "add", "-A");
    git(date, "commit", "--quiet", "-m", "Change");
  };
  git("", "init", "--quiet");
  commit("2021-02-03T10:00:00Z");
  writeFiles(folder, { "docs/new.mdx": "c" });
  commit("2024-02-03T10:00:00Z");
  writeFiles(folder, { "docs/newest.mdx": "d" });
  commit("2026-02-03T10:00:00Z");
  const clone = (depth: number) => {
    const copy = path.join(temporaryFolder(), "clone");
    git("", "clone", "--quiet", "--depth", String(depth), `file://${folder}`, copy);
    const { dates, history } = lastChanges(path.join(copy, "docs"));
    return { history, dates: Object.fromEntries([...dates].map(([file, date]) => [file, date.slice(0, 4)])) };
  };
  expect(clone(1)).toEqual({ history: "cut", dates: {} });
  expect(clone(2)).toEqual({ history: "cut", dates: { "newest.mdx": "2026" } });
  expect(clone(9)).toEqual({
    history: "complete",
    dates: { "newest.mdx": "2026", "new.mdx": "2024", "old.mdx": "2021" },
  });
  expect(lastChanges(temporaryFolder())).toEqual({ history: "none", dates: new Map() });
});

test("stored dates are read, and invalid ones are ignored", () => {
  const folder = temporaryFolder();
  const store = (text: string) => writeFileSync(path.join(folder, datesFile), text);
  store('{"history":"late","dates":{"a.mdx":"2024-01-02T03:04:05+00:00","b.mdx":"soon","c.mdx":4}}');
  expect(lastChanges(folder)).toEqual({
    history: "late",
    dates: new Map([["a.mdx", "2024-01-02T03:04:05+00:00"]]),
  });
  for (const text of ["", "[]", "null", '{"dates":3}']) {
    store(text);
    expect(lastChanges(folder).dates.size).toBe(0);
  }
});
