/** `octavo check` in pull requests: the problems that a change adds, selected files, and formats for CI systems. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { briefly, runOctavo, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";

const root = temporaryFolder();
let repository: string;
let count = 0;

const pages = {
  "index.mdx": "Text.\n\n[Old](/missing)\n\n[Guide](/guides/start)",
  "guides/start.mdx": "Start.\n\n[Guide](/guides/next)",
  "guides/next.mdx": "Next.",
};

/** A repository with two commits: an empty one with the tag `empty`, and one with a documentation folder. */
beforeEach(() => {
  repository = path.join(root, `${++count}`);
  mkdirSync(repository);
  git("init", "--quiet", "--initial-branch=main");
  git("commit", "--quiet", "--allow-empty", "--message", "Empty");
  git("tag", "empty");
  writeFiles(path.join(repository, "docs"), siteOf(pages));
  commit("First");
});

function git(...args: string[]): string {
  const user = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  return execFileSync("git", ["-C", repository, ...user, ...args], { encoding: "utf8" }).trim();
}

function commit(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

const edit = (files: Record<string, string>) => writeFiles(path.join(repository, "docs"), files);
const octavo = (args: string[], env: Record<string, string> = {}) =>
  runOctavo(args, { cwd: repository, env: { ...process.env, OCTAVO_URL: "", ...env } });
const check = (...args: string[]) => octavo(["check", "docs", ...args]);

async function added(revision: string, ...args: string[]): Promise<string[]> {
  const { out, err, code } = await check("--since", revision, "--json", ...args);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  return briefly(JSON.parse(out).problems);
}

describe("--since", () => {
  test("lists only a problem on a new line, and not an old one that moved", async () => {
    edit({ "index.mdx": `[New](/nowhere)\n\nMore.\n\n${pages["index.mdx"]}` });
    const { out, code } = await check("--since", "main", "--strict");
    expect(out).toMatch(/^index\.mdx:1:1 warning Page not found: \/nowhere/);
    expect(out).toMatch(/3 pages, 1 warning\nNot listed: 1 problem that main also has\n$/);
    expect({ code, count: out.match(/dead-link/g)?.length }).toEqual({ code: 1, count: 1 });
    const { unlisted } = JSON.parse((await check("--since", "main", "--json")).out);
    expect(unlisted).toEqual({ known: 1, otherFiles: 0, overLimit: 0 });
  });

  test("succeeds if a change adds no problems, with old errors too", async () => {
    edit({ "broken.mdx": "<Note>\nNever closed." });
    commit("Broken");
    edit({ "index.mdx": `More.\n\n${pages["index.mdx"]}` });
    expect((await check("--since", "HEAD", "--strict")).code).toBe(0);
    expect((await check()).code).toBe(1);
  });

  test("finds the same problem on another line of a file", async () => {
    edit({ "index.mdx": 'A <Icon icon="nonsense" />' });
    commit("Icon");
    edit({ "index.mdx": 'B <Icon icon="nonsense" />\n\nA <Icon icon="nonsense" />' });
    expect(await added("HEAD")).toEqual(["unknown-icon index.mdx:1"]);
  });

  test("finds links of unchanged files that a deleted page breaks", async () => {
    rmSync(path.join(repository, "docs/guides/start.mdx"));
    const broken = ["nav-page-missing docs.json:10", "dead-link index.mdx:5"];
    expect(await added("main")).toEqual(broken);
    git("commit", "--quiet", "--all", "--message", "Delete");
    expect(await added("HEAD")).toEqual([]);
    expect(await added("HEAD~1")).toEqual(broken);
  });

  test("lists all problems if the revision doesn't have the folder", async () => {
    expect(await added("empty")).toEqual(["dead-link index.mdx:3"]);
    renameSync(path.join(repository, "docs"), path.join(repository, "[a] docs"));
    const { out } = await octavo(["check", "[a] docs", "--since", "main", "--json"]);
    expect(briefly(JSON.parse(out).problems)).toEqual(["dead-link index.mdx:3"]);
    commit("Rename");
    const after = await octavo(["check", "[a] docs", "--since", "HEAD", "--json"]);
    expect(JSON.parse(after.out)).toMatchObject({ problems: [], unlisted: { known: 1 } });
  });

  test("works with a folder that is the whole repository, and from within the folder", async () => {
    const inside = await runOctavo(["check", "--since", "main"], { cwd: path.join(repository, "docs") });
    expect(inside.out).toBe("3 pages, no problems\nNot listed: 1 problem that main also has\n");
    repository = writeFiles(path.join(root, "whole"), siteOf(pages));
    git("init", "--quiet");
    commit("First");
    expect((await octavo(["check", "--since", "HEAD"])).out).toBe(inside.out.replace("main", "HEAD"));
  });

  test("changes neither the checkout nor its index, not even in a hook of git", async () => {
    edit({ "guides/next.mdx": "Staged." });
    git("add", "--all");
    edit({ "guides/next.mdx": "Not staged." });
    const index = path.join(repository, ".git/index");
    const state = () => [
      git("--no-optional-locks", "status", "--porcelain"),
      readFileSync(index, "hex"),
      statSync(index).mtimeMs,
    ];
    const before = state();
    const { code } = await octavo(["check", "docs", "--since", "HEAD"], {
      GIT_DIR: path.join(repository, ".git"),
      GIT_INDEX_FILE: index,
      GIT_WORK_TREE: repository,
    });
    expect([code, ...state()]).toEqual([0, ...before]);
  });

  test("runs no programs that the checkout configures", async () => {
    const mark = path.join(root, "ran");
    git("config", "filter.run.smudge", `touch ${mark}`);
    git("config", "core.fsmonitor", `touch ${mark}`);
    writeFiles(repository, { ".gitattributes": "*.mdx filter=run\n" });
    expect(await added("main")).toEqual([]);
    expect(statSync(mark, { throwIfNoEntry: false })).toBeUndefined();
  });

  test.each([
    ["a revision that doesn't exist", "v9", /Revision not found: v9\. .*fetch-depth: 0/],
    ["an option", "--upload-pack=x", /Revision not found: --upload-pack=x/],
    ["a file of a revision", "main:docs/index.mdx", /Revision not found/],
  ])("%s is invalid", async (_, revision, message) => {
    const { code, out, err } = await check(`--since=${revision}`);
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringMatching(message) });
  });

  test("needs a checkout", async () => {
    const folder = writeFiles(path.join(root, "plain"), siteOf(pages));
    const { code, err } = await runOctavo(["check", folder, "--since", "HEAD"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("isn't in one") });
  });
});

describe("--files", () => {
  beforeEach(() => {
    edit({ "guides/start.mdx": "[A](/a)", "guides/[id], b.mdx": "[B](/b)", "#c.mdx": "[C](/c)" });
  });

  test.each([
    ["a file of the folder", "guides/start.mdx", ["guides/start.mdx"]],
    ["a path from the current folder", "./docs/index.mdx", ["index.mdx"]],
    [
      "a list with lines and other files",
      "src/main.ts\ndocs/index.mdx\nguides/start.mdx\n",
      ["guides/start.mdx", "index.mdx"],
    ],
    ["a name that is also a pattern", "docs/#c.mdx", ["#c.mdx"]],
    ["a folder", "docs/", ["#c.mdx", "guides/[id], b.mdx", "guides/start.mdx", "index.mdx"]],
    ["a pattern", "guides/*", ["guides/[id], b.mdx", "guides/start.mdx"]],
    ["a pattern with an exception", "*.mdx,!guides/**", ["#c.mdx", "index.mdx"]],
  ])("selects %s", async (_, list, expected) => {
    const { out, err } = await check("--files", list, "--json");
    const { problems, unlisted } = JSON.parse(out);
    expect(err).toBe("");
    expect(problems.map(({ file }: { file: string }) => file).sort()).toEqual(expected);
    expect(unlisted?.otherFiles ?? 0).toBe(4 - expected.length);
  });

  test("selects absolute paths, and says if nothing matches", async () => {
    const absolute = await check("--files", path.join(repository, "docs/index.mdx"), "--strict");
    expect(absolute.out).toContain("5 pages, 1 warning");
    expect([absolute.code, absolute.err]).toEqual([1, ""]);
    expect((await check("--files", "guides/next.mdx", "--strict")).err).toBe("");
    expect(await check("--files", "guide/next.mdx", "--strict")).toMatchObject({
      code: 0,
      err: "No file of the folder matches --files.\n",
    });
  });
});

describe("formats", () => {
  const author = "index.mdx";

  beforeEach(() => {
    edit({
      [author]: '[50%](/a%0A"<b>&c)\n\n[x](/missing)',
      "guides/a b:c.mdx": "<Note>\nNever closed.",
    });
  });

  test("SARIF has a rule for each code, and results with a region", async () => {
    const { out, err, code } = await octavo(["check", "docs", "--format", "sarif"], {
      OCTAVO_URL: "https://octavo.example.com/",
    });
    const { version, runs } = JSON.parse(out);
    const [{ tool, results, columnKind }] = runs;
    expect({ version, code, err, columnKind }).toEqual({
      version: "2.1.0",
      code: 1,
      err: "4 pages, 1 error and 2 warnings\n",
      columnKind: "utf16CodeUnits",
    });
    expect(tool.driver).toMatchObject({ name: "Octavo", semanticVersion: expect.stringMatching(/^\d+\./) });

    const { rules } = tool.driver;
    expect(rules.map(({ id }: { id: string }) => id).sort()).toEqual(["dead-link", "mdx-syntax"]);
    for (const rule of rules) {
      expect(rule.helpUri).toBe(`https://octavo.example.com/dashboard/problems/${rule.id}`);
      expect(rule.help.text).not.toBe("");
    }

    for (const { ruleId, ruleIndex, message, locations } of results) {
      expect(rules[ruleIndex].id).toBe(ruleId);
      expect(message.text).not.toBe("");
      expect(locations).toHaveLength(1);
    }
    const [broken] = results.filter(({ ruleId }: { ruleId: string }) => ruleId === "mdx-syntax");
    expect(broken).toMatchObject({
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "docs/guides/a%20b%3Ac.mdx" },
            region: { startLine: expect.any(Number), startColumn: expect.any(Number) },
          },
        },
      ],
    });
    const link = results.find(({ message }: { message: { text: string } }) =>
      message.text.includes("/missing"),
    );
    expect(link).toMatchObject({
      level: "warning",
      locations: [{ physicalLocation: { region: { startLine: 3, endLine: 3, startColumn: 1 } } }],
    });
  });

  test("JUnit has a test case for each file, which fails like the command", async () => {
    const report = async (...args: string[]) => {
      const { out, code } = await check("--format", "junit", ...args);
      // Authors' texts are between tags and in attributes.
      expect(out.replace(/<[?/]?[a-z-]+(?: [a-z]+="[^"<>]*")*[?/]?>/g, "")).not.toMatch(/[<>]|&(?!\w+;)/);
      const [, tests, failures] = /<testsuite [^>]*tests="(\d+)" failures="(\d+)"/.exec(out)!;
      return { out, counts: [code, tests, failures] };
    };

    const { out, counts } = await report();
    expect(counts).toEqual([1, "2", "1"]);
    expect(out).toMatch(
      /<testcase name="guides\/a b:c\.mdx" classname="octavo" file="docs\/guides\/a b:c\.mdx"><failure message="1 error" type="problem">guides/,
    );
    expect(out).toMatch(
      / file="docs\/index\.mdx"><system-out>index\.mdx:1:1 warning .*: \/a%0A&quot;&lt;b&gt;&amp;c/,
    );

    expect((await report("--strict", "--files", author)).counts).toEqual([1, "1", "1"]);
    const none = await report("--since", "main", "--files", "guides/next.mdx");
    expect(none.counts).toEqual([0, "1", "0"]);
  });

  test("GitHub annotations name the line, and escape what authors wrote", async () => {
    const { out } = await check("--format", "github", "--since", "main");
    expect(out).toMatch(
      /^::warning file=docs\/index\.mdx,line=1,col=1,endLine=1,endColumn=\d+,title=dead-link::Page not found: \/a%250A"<b>&c/m,
    );
    expect(out).toContain("::error file=docs/guides/a b%3Ac.mdx,line=");
  });

  test("the output is bounded, and errors come first", async () => {
    const links = Array.from({ length: 5_100 }, (_, i) => `[x](/n${i})`).join("\n\n");
    edit({ "a.mdx": links });
    const { out } = await check("--json");
    const { problems, unlisted } = JSON.parse(out);
    expect([problems.length, problems[0].severity]).toEqual([5_000, "error"]);
    expect(unlisted).toEqual({ known: 0, otherFiles: 0, overLimit: 103 });
    const sarif = JSON.parse((await check("--format", "sarif")).out);
    expect(sarif.runs[0].invocations[0].toolExecutionNotifications[0].message.text).toBe(
      "103 more problems not listed",
    );
    expect((await check("--format", "junit")).out).toContain("103 more problems not listed");
    expect((await check()).out).toContain("\nNot listed: 103 more problems\n");
  });
});

describe("other names", () => {
  test("validate is check", async () => {
    const [a, b] = [await octavo(["validate", "docs"]), await check()];
    expect(a).toEqual(b);
    expect((await octavo(["validat"])).err).toContain("Did you mean validate?");
  });

  test("a11y lists only accessibility problems, which check lists on request", async () => {
    edit({ "index.mdx": "## One\n\n![](/a.png)\n\n[b](/nowhere)" });
    const { code, out } = await octavo(["a11y", "docs", "--json"]);
    const codes = (text: string) => JSON.parse(text).problems.map((found: { code: string }) => found.code);
    expect([code, codes(out)]).toEqual([1, expect.arrayContaining(["accessibility-alt"])]);
    expect(codes(out).filter((found: string) => !found.startsWith("accessibility-"))).toEqual([]);
    expect(codes((await check("--json")).out)).not.toContain("accessibility-alt");
    expect(codes((await check("--accessibility", "--json")).out)).toContain("accessibility-alt");
  });

  test("broken-links lists and fails only on links, and says what can hide them", async () => {
    edit({ "index.mdx": '[a](/nowhere)\n\n[b](#none)\n\n![c](/c.png)\n\n<Icon icon="nonsense-icon" />' });
    const { code, out, err } = await octavo(["broken-links", "docs", "--json"]);
    const codes = JSON.parse(out).problems.map((found: { code: string }) => found.code);
    expect({ code, err, codes: codes.sort() }).toEqual({
      code: 1,
      err: "",
      codes: ["dead-anchor", "dead-link", "missing-image"],
    });
    expect((await octavo(["broken-links", "docs", "--since", "HEAD", "--files", "guides/**"])).code).toBe(0);

    edit({ "index.mdx": "<Note>\nNever closed." });
    const hidden = await octavo(["broken-links", "docs"]);
    expect([hidden.code, hidden.out]).toEqual([0, "3 pages, no problems\n"]);
    expect(hidden.err).toMatch(
      /^There is also 1 error of other kinds, which can hide problems of this kind\./,
    );
  });
});
