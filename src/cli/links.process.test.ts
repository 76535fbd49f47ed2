/** Commands don't follow links of a cloned repository out of it, and keep their cache outside of it. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  filesBelow,
  readFiles,
  runOctavo,
  siteOf,
  temporaryFolder,
  writeFiles,
} from "../../test/engine/build.ts";
import { runCli } from "../../test/engine/run-cli.ts";
import { userCaches } from "./page-cache.ts";

const folder = temporaryFolder();
let count = 0;
const newFolder = () => path.join(folder, String(count++));

/** A folder of the user, and a function that fails if it has changed. */
function userFolder(): { at: string; expectUnchanged(): void } {
  const at = writeFiles(newFolder(), { "letter.txt": "mine", "deep/photo.jpg": "mine", "1.pack": "mine" });
  for (const name of ["", "letter.txt", "deep"]) chmodSync(path.join(at, name), 0o755);
  return {
    at,
    expectUnchanged() {
      expect(readFiles(at)).toEqual({ "letter.txt": "mine", "deep/photo.jpg": "mine", "1.pack": "mine" });
      for (const name of ["", "letter.txt", "deep"])
        expect(statSync(path.join(at, name)).mode & 0o777).toBe(0o755);
    },
  };
}

describe("links of earlier versions' cache", () => {
  const links: [string, string, (target: string, link: string) => string][] = [
    [".octavo/cache", "", (target) => target],
    [".octavo/cache", "", (target, link) => path.relative(path.dirname(link), target)],
    [".octavo", "", (target) => target],
    [".octavo/.gitignore", "letter.txt", (target) => target],
  ];
  const commands: ((docs: string) => string[])[] = [
    (docs) => ["check", docs],
    (docs) => ["build", docs, "--output", newFolder()],
    (docs) => ["export", docs, "--output", `${newFolder()}.tar.gz`],
  ];
  for (const [link, inside, targetOf] of links)
    test(`${link} at ${inside || "a folder"}`, async () => {
      for (const command of commands) {
        const user = userFolder();
        const docs = writeFiles(newFolder(), siteOf({ "index.mdx": "Text." }));
        mkdirSync(path.dirname(path.join(docs, link)), { recursive: true });
        symlinkSync(targetOf(path.join(user.at, inside), path.join(docs, link)), path.join(docs, link));
        const { code, err } = await runCli(command(docs));
        expect({ code, err }).toEqual({ code: 0, err: "" });
        user.expectUnchanged();
      }
    });
});

describe("the cache", () => {
  test("is in the folder of OCTAVO_CACHE, one for each documentation folder, and nothing is written to that folder", async () => {
    const env = { OCTAVO_CACHE: newFolder() };
    const all = ["one", "two"].map((name) =>
      writeFiles(path.join(newFolder(), name), siteOf({ "index.mdx": "Text." })),
    );
    for (const docs of [...all, ...all]) {
      await runCli(["check", docs], env);
      expect(filesBelow(docs)).toEqual(["docs.json", "index.mdx"]);
    }
    expect(readdirSync(env.OCTAVO_CACHE)).toHaveLength(2);
    expect(lstatSync(env.OCTAVO_CACHE).mode & 0o077).toBe(0);
    symlinkSync(all[0]!, `${all[0]}-link`);
    await runCli(["check", `${all[0]}-link`], env);
    expect(readdirSync(env.OCTAVO_CACHE), "the same folder by another path").toHaveLength(2);
  });

  test("that is committed doesn't decide what is built", async () => {
    const env = { OCTAVO_CACHE: newFolder() };
    const docs = writeFiles(newFolder(), siteOf({ "index.mdx": "Honest text." }));
    await runCli(["check", docs], env);
    const [cache] = readdirSync(env.OCTAVO_CACHE);
    cpSync(path.join(env.OCTAVO_CACHE, cache!), path.join(docs, ".octavo/cache"), { recursive: true });
    const before = readFiles(path.join(docs, ".octavo"));
    const out = newFolder();
    await runCli(["build", docs, "--output", out], { OCTAVO_CACHE: newFolder() });
    expect(readFileSync(path.join(out, "index.html"), "utf8")).toContain("Honest text.");
    expect(readFiles(path.join(docs, ".octavo"))).toEqual(before);
  });

  test.each([
    ["a file", (at: string) => void writeFiles(path.dirname(at), { [path.basename(at)]: "x" })],
    [
      "a folder in a file",
      (at: string) =>
        void writeFiles(path.dirname(path.dirname(at)), { [path.basename(path.dirname(at))]: "x" }),
    ],
  ])("in %s can't be written, which is noted, and the command works", async (_, create) => {
    const at = path.join(newFolder(), "parent", "cache");
    mkdirSync(path.dirname(path.dirname(at)), { recursive: true });
    create(at);
    const docs = writeFiles(newFolder(), siteOf({ "index.mdx": "Text." }));
    const { code, err } = await runCli(["check", docs], { OCTAVO_CACHE: at });
    expect(code).toBe(0);
    expect(err).toMatch(
      /Pages aren't cached\. .*To cache them, set OCTAVO_CACHE to a folder that you can write to\./,
    );
    expect((await runCli(["check", docs, "--no-cache"], { OCTAVO_CACHE: at })).err).toBe("");
  });

  test("that wasn't used for a month is removed, and nothing else", async () => {
    const env = { OCTAVO_CACHE: newFolder() };
    const old = writeFiles(path.join(env.OCTAVO_CACHE, "0".repeat(32)), { "1.pack": "", "1.index": "" });
    const kept = writeFiles(path.join(env.OCTAVO_CACHE, "1".repeat(32)), {
      "1.pack": "",
      "notes.txt": "mine",
    });
    const other = writeFiles(path.join(env.OCTAVO_CACHE, "other"), { "1.pack": "mine" });
    for (const at of [old, kept, other]) utimesSync(at, 0, 0);
    const user = userFolder();
    symlinkSync(user.at, path.join(env.OCTAVO_CACHE, "2".repeat(32)));
    await runCli(["check", writeFiles(newFolder(), siteOf({ "index.mdx": "Text." }))], env);
    expect([existsSync(old), readFiles(kept), readFiles(other)]).toEqual([
      false,
      { "notes.txt": "mine" },
      { "1.pack": "mine" },
    ]);
    user.expectUnchanged();
  });

  test("is by default in the cache folder of the user's platform", () => {
    expect(userCaches({ HOME: "/home/a" }, "linux")).toBe("/home/a/.cache/octavo");
    expect(userCaches({ HOME: "/home/a", XDG_CACHE_HOME: "/caches" }, "linux")).toBe("/caches/octavo");
    expect(userCaches({ HOME: "/home/a", XDG_CACHE_HOME: "relative" }, "linux")).toBe(
      "/home/a/.cache/octavo",
    );
    expect(userCaches({ HOME: "/Users/a" }, "darwin")).toBe("/Users/a/Library/Caches/octavo");
    expect(userCaches({ OCTAVO_CACHE: "/here", HOME: "/home/a" }, "linux")).toBe("/here");
  });
});

test("init doesn't write through links, and says what it skips", async () => {
  const user = userFolder();
  const site = newFolder();
  mkdirSync(site);
  symlinkSync(user.at, path.join(site, "guides"));
  symlinkSync(path.join(user.at, "new.mdx"), path.join(site, "index.mdx"));
  const { code, err } = await runCli(["init", site]);
  expect(code).toBe(0);
  expect(err).toContain(
    "Skipped guides/writing.mdx, because guides is a symbolic link. Replace the link with a folder.",
  );
  user.expectUnchanged();
  expect(filesBelow(site)).toContain("quickstart.mdx");
});

test("export doesn't write through a link next to the archive", async () => {
  const user = userFolder();
  const docs = writeFiles(newFolder(), siteOf({ "index.mdx": "Text." }));
  for (const name of ["site.tar.gz", "site.zip"]) {
    const out = newFolder();
    mkdirSync(out);
    symlinkSync(path.join(user.at, "letter.txt"), path.join(out, `${name}.part`));
    expect((await runCli(["export", docs, "--output", path.join(out, name)])).code).toBe(0);
    user.expectUnchanged();
  }
});

test("build replaces links in the output folder, and doesn't follow them", async () => {
  const user = userFolder();
  const docs = writeFiles(newFolder(), siteOf({ "index.mdx": "Text.", "guides/a.mdx": "Text." }));
  const out = newFolder();
  expect((await runCli(["build", docs, "--output", out])).code).toBe(0);
  rmSync(path.join(out, "index.html"));
  symlinkSync(path.join(user.at, "letter.txt"), path.join(out, "index.html"));
  rmSync(path.join(out, "guides"), { recursive: true });
  symlinkSync(user.at, path.join(out, "guides"));
  symlinkSync(user.at, path.join(out, "unrelated"));
  expect((await runCli(["build", docs, "--output", out])).code).toBe(0);
  user.expectUnchanged();
  expect(filesBelow(out)).toEqual(expect.arrayContaining(["index.html", "guides/a.html"]));
  expect(existsSync(path.join(out, "unrelated"))).toBe(false);
});

describe("an output that is a link in a checkout is refused", () => {
  const docs = writeFiles(newFolder(), siteOf({ "index.mdx": "Text." }));

  test.each<[string, string, (output: string) => string[]]>([
    ["build", "site", (output) => ["build", docs, "--output", output]],
    ["build, in a linked folder", "out/site", (output) => ["build", docs, "--output", output]],
    ["export", "site.tar.gz", (output) => ["export", docs, "--output", output]],
    ["export, in a linked folder", "out/site.zip", (output) => ["export", docs, "--output", output]],
    ["init", "site", (output) => ["init", output]],
    ["import-site", "site", (output) => ["import-site", docs, output, "--from", "mint"]],
    [
      "the report of an audience",
      "report.json",
      (output) => [
        "build",
        docs,
        "--output",
        newFolder(),
        "--audience",
        "public",
        "--audience-report",
        output,
      ],
    ],
  ])("%s", async (_, name, args) => {
    const built = newFolder();
    expect((await runCli(["build", docs, "--output", built])).code).toBe(0);
    writeFiles(built, { "letter.txt": "mine" });
    const checkout = newFolder();
    mkdirSync(path.join(checkout, ".git"), { recursive: true });
    const link = path.join(checkout, name.split("/")[0]!);
    symlinkSync(built, link);
    const before = filesBelow(built);
    const { code, err } = await runCli(args(path.join(checkout, name)));
    expect([code, err]).toEqual([2, expect.stringContaining("is a symbolic link in a Git repository")]);
    expect(filesBelow(built)).toEqual(before);
  });

  test("but not a link outside a checkout", async () => {
    const [built, link] = [newFolder(), newFolder()];
    mkdirSync(built);
    symlinkSync(built, link);
    expect((await runCli(["build", docs, "--output", link])).code).toBe(0);
    expect(filesBelow(built)).toContain("index.html");
  });
});

describe.each(["serve", "bundle-server"])("%s doesn't use a data folder that", (command) => {
  const start = (cwd: string) => {
    const { OCTAVO_DATA: _, ...env } = process.env;
    return runOctavo([command], {
      cwd,
      env: { ...env, OCTAVO_BUNDLE_URL: "http://127.0.0.1:9/site.tar.gz" },
    });
  };

  test("is a link in the current folder", async () => {
    const user = userFolder();
    const cwd = newFolder();
    mkdirSync(cwd);
    symlinkSync(user.at, path.join(cwd, ".octavo"));
    const { code, err } = await start(cwd);
    expect(code).toBe(2);
    expect(err).toContain(".octavo is a symbolic link. Set OCTAVO_DATA to the data folder");
    user.expectUnchanged();
  });

  test("came with a checkout", async () => {
    const cwd = newFolder();
    writeFiles(cwd, { "docs.json": "{}", ".octavo/secret": "known to the author" });
    execFileSync("git", ["-C", cwd, "init", "--quiet"]);
    execFileSync("git", ["-C", cwd, "add", "--all", "--force"]);
    const { code, err } = await start(cwd);
    expect(code).toBe(2);
    expect(err).toContain("Git tracks files in .octavo. Set OCTAVO_DATA to another data folder");
    expect(filesBelow(path.join(cwd, ".octavo"))).toEqual(["secret"]);
  });
});
