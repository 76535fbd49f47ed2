/** The versions of an API in a real repository: tags, releases, days, clones, and deployments. */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readFiles, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { testRunner } from "../../test/engine/test-runner.ts";
import { readBranch } from "../io/read-git-branch.ts";
import type { BuildMessage } from "./build-protocol.ts";
import { usePatterns } from "./use-patterns.ts";

usePatterns(new URL("../../dist/patterns/", import.meta.url));

const work = temporaryFolder();
const repository = path.join(work, "repository");
let builds_count = 0;

const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_COMMITTER_DATE: date },
    encoding: "utf8",
  });
let date = "";

const api = (...names: string[]) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: Object.fromEntries(
      names.map((name) => [`/${name}`, { get: { responses: { 200: { description: "OK" } } } }]),
    ),
  });

const docs = (changes: object) =>
  Object.fromEntries(
    Object.entries(
      siteOf(
        { "index.mdx": "Text." },
        { api: { changes }, navigation: { pages: ["index"], openapi: "api [1].json" } },
      ),
    ).map(([file, text]) => [`docs/${file}`, text]),
  );

function commit(at: string, files: Record<string, string>, ...tags: string[]): void {
  date = at;
  writeFiles(repository, files);
  git(repository, "add", "-A");
  git(repository, "commit", "--quiet", "--allow-empty", "-m", "Change");
  for (const tag of tags) git(repository, "tag", tag);
}

beforeAll(() => {
  writeFiles(repository, docs({}) as Record<string, string>);
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", repository]);
  commit("2026-01-10T10:00:00Z", { "docs/api [1].json": api("a") }, "v1.9.0");
  commit("2026-02-10T09:00:00Z", { "docs/api [1].json": api("a", "b") }, "v1.10.0-rc.1");
  commit("2026-02-10T23:30:00-05:00", { "docs/api [1].json": api("a", "b", "c") }, "v1.10.0");
  commit("2026-03-10T10:00:00Z", { "docs/index.mdx": "Other text." }, "docs-7");
  date = "2026-04-10T10:00:00Z";
  git(repository, "checkout", "--quiet", "-b", "side");
  commit("2026-04-10T10:00:00Z", { "docs/api [1].json": api("side") }, "v9.0.0");
  git(repository, "checkout", "--quiet", "main");
  commit("2026-05-10T10:00:00Z", { "docs/api [1].json": api("a", "b", "c", "d") });
});

/** Builds a folder. Returns the versions with their added operations, and the problems. */
async function changesIn(folder: string) {
  const output = path.join(work, `out-${++builds_count}`);
  const messages: BuildMessage[] = [];
  const target = { kind: "client-hosted", links: "html" } as const;
  await testRunner({ send: (message) => messages.push(message) }).answer({
    id: 1,
    do: "build",
    job: { folder, crashed: [], output: { kind: "folder", path: output, target } },
  });

  const last = messages.at(-1)!;
  if (last.event !== "built") throw new Error(JSON.stringify(last));
  const { versions } = JSON.parse(readFiles(output)["api-changes.json"]!) as {
    versions: { version: string | null; documents: { changes: { operations: string[] }[] }[] }[];
  };
  const found = versions.map(({ version, documents }) =>
    [version, ...documents[0]!.changes.flatMap(({ operations }) => operations)].join(" "),
  );
  return { found, problems: last.result.problems.map(({ code, message }) => `${code}: ${message}`) };
}

const withSettings = (folder: string, changes: object) => {
  writeFileSync(
    path.join(folder, "docs/docs.json"),
    (docs(changes) as Record<string, string>)["docs/docs.json"]!,
  );
  return changesIn(path.join(folder, "docs"));
};

describe("a checkout", () => {
  test.each<[string, object, string[]]>([
    ["tags", {}, [" GET /d", "v1.10.0 GET /c", "v1.10.0-rc.1 GET /b"]],
    ["releases", { source: "releases" }, [" GET /d", "v1.10.0 GET /b GET /c"]],
    ["days in UTC", { source: "days" }, ["2026-05-10 GET /d", "2026-02-11 GET /c", "2026-02-10 GET /b"]],
    ["tags since a tag", { since: "v1.10.0" }, [" GET /d", "v1.10.0 GET /c"]],
    ["tags since a day", { since: "2026-02-11" }, [" GET /d", "v1.10.0 GET /c"]],
    ["days since a day", { source: "days", since: "2026-02-11" }, ["2026-05-10 GET /d", "2026-02-11 GET /c"]],
  ])("by %s", async (_, changes, expected) => {
    expect(await withSettings(repository, changes)).toEqual({ found: expected, problems: [] });
  });

  test("without a version like the first one", async () => {
    const { found, problems } = await withSettings(repository, { since: "v7" });
    expect(found).toEqual([]);
    expect(problems).toEqual([
      'api-history: The page of API changes is empty, because there is no version "v7"',
    ]);
  });

  test("in a linked worktree", async () => {
    const tree = path.join(work, "tree");
    git(repository, "worktree", "add", "--quiet", "--detach", tree);
    expect((await withSettings(tree, {})).found).toEqual([
      " GET /d",
      "v1.10.0 GET /c",
      "v1.10.0-rc.1 GET /b",
    ]);
  });

  test("in a shallow clone", async () => {
    const clone = path.join(work, "clone");
    git(work, "clone", "--quiet", "--depth=1", `file://${repository}`, clone);
    const { found, problems } = await withSettings(clone, {});
    expect(found).toEqual([]);
    expect(problems).toEqual([
      "api-history: API changes can be missing, because the Git checkout is shallow",
    ]);
  });

  test("in a partial clone", async () => {
    const clone = path.join(work, "partial");
    git(repository, "config", "uploadpack.allowFilter", "true");
    git(work, "clone", "--quiet", "--filter=blob:none", `file://${repository}`, clone);
    const { found, problems } = await withSettings(clone, {});
    expect(found).toEqual([]);
    expect(problems).toEqual([
      "api-history: API changes can be missing, because the Git repository doesn't have all files of earlier versions",
    ]);
  });

  test("outside a checkout", async () => {
    const folder = writeFiles(path.join(work, "plain"), {
      ...docs({}),
      "docs/api [1].json": api("a"),
    } as Record<string, string>);
    expect((await withSettings(folder, {})).problems).toEqual([
      "api-history: The page of API changes is empty, because the folder has no Git history",
    ]);
  });
});

describe("a branch on a server", () => {
  test.each([{}, { source: "releases" }, { source: "days" }, { since: "v1.10.0" }])(
    "has the same versions as a checkout: %j",
    async (changes) => {
      const expected = await withSettings(repository, changes);
      commit("2026-05-10T11:00:00Z", {});
      const at = path.join(work, `fetched-${++builds_count}`);
      await readBranch(
        { url: `file://${repository}`, branch: "main", directory: "docs" },
        path.join(at, "files"),
        path.join(at, "scratch"),
        { path: process.env.PATH, protocols: ["file"] },
      );
      expect(await changesIn(path.join(at, "files"))).toEqual(expected);
    },
  );
});
