/** Tests reading untrusted repositories with real git, from disk and from a local server. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { commitOf, deltaOf, hashOf, packedObject, packet, packOf } from "../../test/service/git-packs.ts";
import { git, selfSignedCertificate, startGitServer } from "../../test/service/git-server.ts";
import { hostileSources } from "../../test/service/hostile-sources.ts";
import { parseAllowedHosts } from "./allowed-hosts.ts";
import type { GitOptions } from "./check-git-source.ts";
import { checkGitSource, GitRefused } from "./check-git-source.ts";
import { docsFolderFiles } from "./docs-folder-files.ts";
import { datesFile } from "./git-dates.ts";
import { Git } from "./git-process.ts";
import { readBranch } from "./read-git-branch.ts";

const root = temporaryFolder();
const marker = path.join(root, "marker");
const onDisk: GitOptions = { path: process.env.PATH, protocols: ["file"] };
let count = 0;

function repository(
  files: Record<string, string> = {},
  prepare: (folder: string) => void = () => {},
): string {
  const folder = path.join(root, `repository-${++count}`);
  mkdirSync(folder);
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  prepare(folder);
  git(folder, ["add", "-A"]);
  git(folder, ["commit", "--quiet", "--allow-empty", "-m", "First words"]);
  return folder;
}

/** Commits a tree that git's own commands would refuse to create. Names may contain any bytes. */
function commitTree(folder: string, entries: [mode: string, hash: string, name: string | Buffer][]): void {
  const tree = Buffer.concat(
    entries.flatMap(([mode, hash, name]) => [
      Buffer.from(`${mode} `),
      Buffer.from(name as string),
      Buffer.from([0]),
      Buffer.from(hash, "hex"),
    ]),
  );
  const treeHash = git(folder, ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], tree);
  const commit = `tree ${treeHash}\nauthor Ann <ann@example.com> 1767225600 +0000\ncommitter Ann <ann@example.com> 1767225600 +0000\n\nHostile\n`;
  const commitHash = git(folder, ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], commit);
  git(folder, ["update-ref", "refs/heads/main", commitHash]);
}

function blob(folder: string, content: string): string {
  return git(folder, ["hash-object", "-w", "--stdin"], content);
}

async function read(
  folder: string,
  more: { branch?: string; directory?: string; options?: GitOptions; url?: string } = {},
) {
  const { branch = "main", directory, options = onDisk, url = pathToFileURL(folder).href } = more;
  const at = path.join(root, `read-${++count}`);
  mkdirSync(at);
  const source = { url, branch, ...(directory === undefined ? {} : { directory }) };
  try {
    const result = await readBranch(source, path.join(at, "files"), path.join(at, "scratch"), options);
    const names = (readdirSync(path.join(at, "files"), { recursive: true, withFileTypes: true }) ?? [])
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(path.join(at, "files"), path.join(entry.parentPath, entry.name)))
      .sort();
    return { ...result, names, text: (name: string) => readFileSync(path.join(at, "files", name), "utf8") };
  } finally {
    // The temporary folder is always removed, and no command of the repository has run.
    expect(existsSync(path.join(at, "scratch"))).toBe(false);
    expect(existsSync(marker)).toBe(false);
  }
}

const leftOut = (problems: { file: string; message: string }[]) =>
  problems.map(({ file, message }) => `${file}: ${message}`);

describe("the dates of pages", () => {
  /** A repository in which each commit changes `news.mdx`. The first one also adds `docs/old.mdx`. */
  function history(commits: number, settings: string): string {
    const folder = repository();
    const file = (name: string, text: string) => `M 644 inline ${name}\ndata ${text.length}\n${text}\n`;
    const stream = Array.from({ length: commits }, (_, index) => {
      const time = 1_600_000_000 + index * 86_400;
      const first = file("docs/old.mdx", "Old") + file("docs/docs.json", settings);
      return `commit refs/heads/history\ncommitter A <a@example.com> ${time} +0000\ndata 1\nA\n${index === 0 ? first : ""}${file("docs/news.mdx", String(index))}`;
    });
    git(folder, ["fast-import", "--quiet"], Buffer.from(stream.join("")));
    return folder;
  }

  const from = (folder: string, more = {}) => read(folder, { branch: "history", ...more });
  const shown = '{"metadata":{"timestamp":true}}';

  test.each([1, 3, 150])("are those of their last commits, in a history of %i", async (commits) => {
    const found = await from(history(commits, shown), { directory: "docs" });
    const last = new Date((1_600_000_000 + (commits - 1) * 86_400) * 1_000);
    expect(JSON.parse(found.text(datesFile))).toEqual({
      history: "complete",
      dates: expect.objectContaining({
        "old.mdx": "2020-09-13T12:26:40+00:00",
        "news.mdx": last.toISOString().replace(".000Z", "+00:00"),
      }),
    });
  });

  test("are read in the whole repository, and only if pages show them", async () => {
    const found = await from(history(2, shown));
    expect(JSON.parse(found.text(datesFile)).dates).toHaveProperty(
      "docs/old.mdx",
      "2020-09-13T12:26:40+00:00",
    );
    expect((await from(history(2, "{}"))).names).not.toContain(datesFile);
  });

  test("aren't taken from a file in the repository", async () => {
    const folder = repository({
      "docs.json": "{}",
      [datesFile]: '{"dates":{"a.mdx":"2001-01-01T00:00:00Z"}}',
    });
    const found = await read(folder);
    expect(found.names).toEqual(["docs.json"]);
    expect(leftOut(found.problems)).toEqual([`${datesFile}: Skipped because its path is reserved`]);
  });
});

describe("reading a branch", () => {
  test("the files of a branch, and its last commit", async () => {
    const folder = repository({ "docs.json": "{}", "guides/first.mdx": "First" });
    const found = await read(folder);
    expect(found.names).toEqual(["docs.json", "guides/first.mdx"]);
    expect(found.text("guides/first.mdx")).toBe("First");
    expect(found.commit).toEqual({
      sha: git(folder, ["rev-parse", "HEAD"]),
      ref: "main",
      message: "First words",
      author: "Ann",
    });
    expect(found.problems).toEqual([]);
  });

  test("another branch, and a folder of it", async () => {
    const folder = repository({ "site/docs/docs.json": "{}", "src/code.ts": "" });
    git(folder, ["checkout", "--quiet", "-b", "feature/new-pages"]);
    writeFileSync(path.join(folder, "site/docs/page.mdx"), "New");
    git(folder, ["add", "-A"]);
    git(folder, ["commit", "--quiet", "-m", "More"]);
    const found = await read(folder, { branch: "feature/new-pages", directory: "/site/docs/" });
    expect(found.names).toEqual(["docs.json", "page.mdx"]);
    expect(found.commit).toMatchObject({ ref: "feature/new-pages", message: "More" });
  });

  test("the subject and the author of a commit are cut", async () => {
    const folder = repository({ "docs.json": "{}" });
    const message = path.join(root, "long-message");
    writeFileSync(message, `Größe ${"x".repeat(2_000_000)}`);
    git(folder, [
      "commit",
      "--quiet",
      "--allow-empty",
      "--author",
      `${"Ann ".repeat(10_000)}<ann@example.com>`,
      "-F",
      message,
    ]);
    const { commit } = await read(folder);
    expect(commit.message).toMatch(/^Größe x{400,500}\.\.$/);
    expect(commit.author!.length).toBeLessThanOrEqual(500);
  });

  test("git is stopped when its output is too long", async () => {
    const own = new Git(path.join(root, "long-output"), "file", { path: process.env.PATH });
    await own.run(["init", "--quiet", "--bare", "."]);
    const print = (bytes: number) =>
      own.run(["print"], { config: { "alias.print": `!head -c ${bytes} /dev/zero` } });
    expect((await print(65_536)).length).toBe(65_536);
    await expect(print(65_537)).rejects.toThrow("Git returned more than 64 KB");
  });

  test("a missing branch or folder is reported", async () => {
    const folder = repository({ "docs.json": "{}" });
    await expect(read(folder, { branch: "nowhere" })).rejects.toThrow(
      "The repository has no branch named nowhere",
    );
    await expect(read(folder, { directory: "nowhere" })).rejects.toThrow(
      'The branch has no folder "nowhere"',
    );
    await expect(read(path.join(root, "no-repository"))).rejects.toThrow(GitRefused);
  });

  test("copying files ends when the deployment is canceled", async () => {
    const folder = repository({ "docs.json": "{}" });
    const programs = path.join(root, "slow-git");
    mkdirSync(programs);
    const script = `#!/bin/sh\n[ "$1" = cat-file ] && exec sleep 60\nPATH='${process.env.PATH}' exec git "$@"\n`;
    writeFileSync(path.join(programs, "git"), script, { mode: 0o755 });
    const signal = AbortSignal.timeout(2_000);
    const started = performance.now();
    const options = { ...onDisk, path: `${programs}:${process.env.PATH}`, signal };
    await expect(read(folder, { options })).rejects.toThrow("aborted due to timeout");
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe("arguments and protocols in disguise", () => {
  test.each(hostileSources(marker))("%s", async (_, source) => {
    expect(() => checkGitSource(source, {})).toThrow(GitRefused);
    const at = path.join(root, `refused-${++count}`);
    await expect(
      readBranch(source, `${at}-files`, `${at}-scratch`, { path: process.env.PATH }),
    ).rejects.toThrow(GitRefused);
    expect(existsSync(marker)).toBe(false);
    expect(existsSync(`${at}-scratch`)).toBe(false);
  });

  test.each([
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f.1",
    "[::1]",
    "[::ffff:7f00:1]",
    "169.254.169.254",
    "10.0.0.1",
  ])("a host in a private network was rejected: %s", async (host) => {
    const lookup = async (name: string) => (name === "localhost" ? ["127.0.0.1"] : []);
    const refused = read("", { url: `https://${host}/x.git`, options: { path: process.env.PATH, lookup } });
    await expect(refused).rejects.toThrow("isn't allowed to call");
  });

  test("a host with a public and a private address is refused", async () => {
    const lookup = async () => ["93.184.215.14", "10.1.1.1"];
    const refused = read("", {
      url: "https://git.example.com/x.git",
      options: { path: process.env.PATH, lookup },
    });
    await expect(refused).rejects.toThrow("isn't allowed to call");
  });

  test.each([22, 25, 389])("a port that isn't a web server's was rejected: %d", async (low) => {
    const options = { path: process.env.PATH, lookup: async () => ["93.184.215.14"] };
    const refused = read("", { url: `https://git.example.com:${low}/x.git`, options });
    await expect(refused).rejects.toThrow(`add git.example.com:${low} to OCTAVO_OUTBOUND_ALLOW`);
  });

  test("a metadata service is refused even if all private networks are allowed", async () => {
    const options = {
      path: process.env.PATH,
      allowPrivate: true,
      allowed: parseAllowedHosts("git.example.com").hosts,
    };
    for (const address of ["169.254.169.254", "168.63.129.16", "fd00:ec2::254"]) {
      const refused = read("", {
        url: "https://git.example.com/x.git",
        options: { ...options, lookup: async () => [address] },
      });
      await expect(refused).rejects.toThrow("isn't allowed to call");
    }
  });

  test("the configuration of this machine has no effect", async () => {
    const folder = repository({ "docs.json": "{}" });
    writeFileSync(
      path.join(root, ".gitconfig"),
      `[core]\n\tfsmonitor = touch ${marker}\n[url "file:///nowhere/"]\n\tinsteadOf = file:///\n`,
    );
    process.env.GIT_CONFIG_COUNT = "1";
    process.env.GIT_CONFIG_KEY_0 = "url.file:///nowhere/.insteadOf";
    process.env.GIT_CONFIG_VALUE_0 = "file:///";
    process.env.GIT_TRACE = marker;
    try {
      expect((await read(folder)).names).toEqual(["docs.json"]);
    } finally {
      for (const name of ["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "GIT_TRACE"])
        delete process.env[name];
      rmSync(path.join(root, ".gitconfig"));
    }
  });
});

describe("hostile repositories", () => {
  test("hooks, filters, attributes and settings in the tree are files like any other", async () => {
    const folder = repository({
      "docs.json": "{}",
      ".gitattributes": "* filter=evil diff=evil\n",
      ".gitconfig": `[filter "evil"]\n\tsmudge = touch ${marker}\n`,
      ".lfsconfig": "[lfs]\n\turl = https://lfs.example.com\n",
      "hooks/post-checkout": `#!/bin/sh\ntouch ${marker}\n`,
    });
    const found = await read(folder);
    expect(found.names).toContain("hooks/post-checkout");
    expect(found.text("docs.json")).toBe("{}");
  });

  test("hooks and settings of the repository that is read do not run", async () => {
    const folder = repository({ "docs.json": "{}" });
    for (const hook of ["post-checkout", "pre-receive", "reference-transaction", "pre-push", "post-upload"])
      writeFileSync(path.join(folder, ".git/hooks", hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    git(folder, ["config", "core.fsmonitor", `touch ${marker}`]);
    git(folder, ["config", "core.sshCommand", `touch ${marker}`]);
    git(folder, ["config", "core.pager", `touch ${marker}`]);
    expect((await read(folder)).names).toEqual(["docs.json"]);
  });

  test("a submodule is skipped and reported", async () => {
    const folder = repository({
      "docs.json": "{}",
      ".gitmodules": `[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c 'touch ${marker}'\n`,
    });
    git(folder, ["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`]);
    git(folder, ["commit", "--quiet", "-m", "Submodule"]);
    const found = await read(folder);
    expect(found.names).toEqual([".gitmodules", "docs.json"]);
    expect(leftOut(found.problems)).toEqual(["sub: Skipped because it's a submodule"]);
  });

  test("files in Git LFS are skipped and reported", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`;
    const found = await read(
      repository({ "docs.json": "{}", "empty.md": "", "image.png": pointer, "zebra.md": "Text" }),
    );
    expect(found.names).toEqual(["docs.json", "empty.md", "zebra.md"]);
    expect(found.text("zebra.md")).toBe("Text");
    expect(leftOut(found.problems)).toEqual([
      "image.png: Skipped because it's stored in Git LFS, which isn't supported",
    ]);
  });

  test("unsafe names are skipped", async () => {
    const folder = repository({ "docs.json": "{}" });
    const hash = blob(folder, "x");
    const inner = git(folder, ["mktree"], `100644 blob ${hash}\tconfig\n`);
    commitTree(folder, [
      ["40000", inner, ".GIT"],
      ["40000", inner, ".."],
      ["100644", hash, "C:file"],
      ["100644", hash, "a\\b"],
      ["100644", hash, "cafe\u0301.md"],
      ["100644", hash, "caf\u00e9.md"],
      ["100644", hash, "good.md"],
      ["100644", hash, "line\nbreak"],
      ["100644", hash, "x".repeat(300)],
      ["100644", hash, Buffer.from([0x66, 0xff, 0x66])],
    ]);
    const found = await read(folder);
    expect(found.names).toEqual(["caf\u00e9.md", "good.md"]);
    expect(found.problems.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => "source-skipped"));
    expect(leftOut(found.problems).join("\n")).toMatch(
      /line\?break: Skipped because its path contains an invalid character/,
    );
  });

  test("names that differ only in case are both read if the file system distinguishes them", async () => {
    const folder = repository();
    const [one, two] = [blob(folder, "1"), blob(folder, "2")];
    commitTree(folder, [
      ["100644", one, "PAGE.md"],
      ["100644", two, "page.md"],
    ]);
    const found = await read(folder);
    expect(found.names.length + found.problems.length).toBe(2);
  });

  test("a file above the size limit is skipped", async () => {
    const folder = repository({ "docs.json": "{}", "big.bin": "x".repeat(26 * 1024 * 1024) });
    const found = await read(folder);
    expect(found.names).toEqual(["docs.json"]);
    expect(leftOut(found.problems)).toEqual(["big.bin: Skipped because it's larger than 25 MB"]);
  });

  test.each([
    ["file", 5_000],
    ["file", 3_000_000],
    ["folder", 5_000],
  ])("the name of a %s with %i bytes is refused while it arrives", async (kind, bytes) => {
    const folder = repository();
    const hash = blob(folder, "x");
    const entry: [string, string] =
      kind === "file" ? ["100644", hash] : ["40000", git(folder, ["mktree"], `100644 blob ${hash}\tfile\n`)];
    commitTree(folder, [[...entry, "n".repeat(bytes)]]);
    await expect(read(folder)).rejects.toThrow(
      new GitRefused("The repository contains a name that is longer than 4,096 bytes"),
    );
  });

  test("a branch with too many files is refused", async () => {
    const folder = repository();
    const hash = blob(folder, "x");
    const lines = Array.from(
      { length: 100_001 },
      (_, i) => `100644 blob ${hash}\tfile-${String(i).padStart(6, "0")}`,
    );
    commitTree(folder, [["40000", git(folder, ["mktree"], lines.join("\n")), "many"]]);
    await expect(read(folder)).rejects.toThrow("The branch has more than 100000 files");
  });

  test.each([
    ["bomb", "The branch has more than 100000 files"],
    ["node_modules", "The branch has more than 500000 files, including those in skipped folders"],
  ])("nested trees that expand to 10^10 files are refused in the folder %s", async (name, message) => {
    const folder = repository();
    let inner = git(folder, ["mktree"], `100644 blob ${blob(folder, "x")}\tfile\n`);
    for (let level = 0; level < 10; level++)
      inner = git(
        folder,
        ["mktree"],
        Array.from({ length: 10 }, (_, i) => `040000 tree ${inner}\tfolder-${i}`).join("\n"),
      );
    commitTree(folder, [["40000", inner, name]]);
    await expect(read(folder)).rejects.toThrow(message);
  });

  test("small objects that expand to 600 MB are refused", async () => {
    const folder = repository();
    const hash = blob(folder, "\0".repeat(25 * 1024 * 1024));
    commitTree(
      folder,
      Array.from({ length: 24 }, (_, i): [string, string, string] => [
        "100644",
        hash,
        `zeros-${String(i).padStart(2, "0")}`,
      ]),
    );
    await expect(read(folder)).rejects.toThrow("The branch contains more than 500 MB of files");
  });
});

describe("symbolic links", () => {
  test.each([
    ["out of the repository", "/etc/passwd"],
    ["to another tenant", "../../other/docs.json"],
    ["to itself", "link"],
    ["to a folder", "guides"],
    ["to nothing", "nowhere"],
  ])("%s", async (_, target) => {
    const folder = repository({ "docs.json": "{}", "guides/a.mdx": "A" }, (at) =>
      symlinkSync(target, path.join(at, "link")),
    );
    const found = await read(folder);
    expect(found.names).toEqual(["docs.json", "guides/a.mdx"]);
    expect(leftOut(found.problems)).toEqual([
      "link: Skipped because it's a symbolic link that doesn't point to a file in the folder",
    ]);
  });

  test.each([
    ["to a file", "guides/b.mdx", "a.mdx"],
    ["to a file in another folder", "link.mdx", "./guides/a.mdx"],
    ["to a link", "guides/b.mdx", "../other.mdx"],
  ])("%s in the folder are followed, as in a local folder", async (_, name, target) => {
    const folder = repository({ "docs.json": "{}", "guides/a.mdx": "The text" }, (at) => {
      symlinkSync("guides/a.mdx", path.join(at, "other.mdx"));
      symlinkSync(target, path.join(at, name));
    });
    const found = await read(folder);
    expect(leftOut(found.problems)).toEqual([]);
    expect(found.names).toEqual(docsFolderFiles(folder).files.paths);
    expect(found.names).toContain(name);
  });
});

describe("over HTTP", () => {
  let server: Awaited<ReturnType<typeof startGitServer>>;
  let folder = "";
  let seen: string[] = [];
  let redirectTo: string | undefined;

  beforeAll(async () => {
    folder = repository({ "docs.json": "{}" });
    server = await startGitServer(root, (request, response) => {
      seen.push(request.url!);
      const isAnn = request.headers.authorization === `Basic ${Buffer.from("ann:s3cret").toString("base64")}`;
      if (redirectTo !== undefined) response.writeHead(302, { location: redirectTo + request.url }).end();
      else if (!isAnn) response.writeHead(401, { "www-authenticate": "Basic" }).end();
      return isAnn && redirectTo === undefined;
    });
  });
  afterAll(() => server.stop());

  const options: GitOptions = { path: process.env.PATH, protocols: ["http"], allowPrivate: true };
  const address = (user = "") => `http://${user}git.example.com:${server.port}/${path.basename(folder)}/.git`;
  const lookup = async () => ["127.0.0.1"];

  test("the connection is made to the checked IP address", async () => {
    seen = [];
    const found = await read(folder, { url: address("ann:s3cret@"), options: { ...options, lookup } });
    expect(found.names).toEqual(["docs.json"]);
    expect(seen.length).toBeGreaterThan(0);
  });

  test("a host in the operator's allow-list is allowed", async () => {
    const allowing = (allow: string): GitOptions => ({
      path: process.env.PATH,
      protocols: ["http"],
      allowed: parseAllowedHosts(allow).hosts,
      lookup,
    });
    const found = await read(folder, {
      url: address("ann:s3cret@"),
      options: allowing(`git.example.com:${server.port}`),
    });
    expect(found.names).toEqual(["docs.json"]);
    const refused = read(folder, {
      url: address("ann:s3cret@"),
      options: allowing("git.example.com:443 other.example"),
    });
    await expect(refused).rejects.toThrow(
      "git.example.com can't be found, or this docs server isn't allowed to call it",
    );
  });

  test("a certificate of the operator's own certificate authority is accepted", async () => {
    const tls = selfSignedCertificate(root, "git.example.com");
    const secure = await startGitServer(root, undefined, tls);
    const url = `https://git.example.com:${secure.port}/${path.basename(folder)}/.git`;
    const trusting: GitOptions = {
      path: process.env.PATH,
      allowPrivate: true,
      lookup,
      extraCaFile: tls.file,
    };
    try {
      expect((await read(folder, { url, options: trusting })).names).toEqual(["docs.json"]);
      await expect(read(folder, { url, options: { ...trusting, extraCaFile: undefined } })).rejects.toThrow(
        /certificate/,
      );
    } finally {
      await secure.stop();
    }
  });

  test("a failed login is reported without the password", async () => {
    const failure = await read(folder, { url: address("ann:wr0ng@"), options: { ...options, lookup } }).catch(
      (error: Error) => error.message,
    );
    expect(failure).toBe(
      "The repository doesn't exist or requires authentication. Check its URL and your credentials.",
    );
  });

  test("a small pack with a huge object is refused, with little memory", async () => {
    const tree = Buffer.alloc(0);
    const commit = commitOf(hashOf("tree", tree));
    const hash = hashOf("commit", commit);
    const pack = packOf([packedObject("commit", commit), packedObject("tree", tree), ...deltaOf(90)]);
    expect(pack.length).toBeLessThan(20_000);

    const hostile = createServer(async (request, response) => {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(chunk as Buffer);
      const isStart = request.url!.includes("/info/refs");
      response.setHeader(
        "content-type",
        `application/x-git-upload-pack-${isStart ? "advertisement" : "result"}`,
      );
      if (isStart)
        response.end(
          `${packet("# service=git-upload-pack\n")}0000${packet("version 2\n")}${packet("ls-refs\n")}${packet("fetch=shallow\n")}0000`,
        );
      else if (Buffer.concat(body).includes("command=ls-refs"))
        response.end(`${packet(`${hash} refs/heads/main\n`)}0000`);
      else
        response.end(
          Buffer.concat([
            Buffer.from(`${packet("shallow-info\n")}${packet(`shallow ${hash}`)}0001${packet("packfile\n")}`),
            Buffer.from((pack.length + 5).toString(16).padStart(4, "0")),
            Buffer.from([1]),
            pack,
            Buffer.from("0000"),
          ]),
        );
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => hostile.once("listening", resolve));

    try {
      const url = `http://git.example.com:${(hostile.address() as AddressInfo).port}/x.git`;
      await expect(read(folder, { url, options: { ...options, lookup } })).rejects.toThrow(
        "Git needs more than 1 GB of memory to read the repository",
      );
    } finally {
      hostile.close();
    }
  });

  test("a redirect is not followed", async () => {
    const inner: string[] = [];
    const other = createServer((request, response) => {
      inner.push(request.url!);
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    redirectTo = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      await expect(
        read(folder, { url: address("ann:s3cret@"), options: { ...options, lookup } }),
      ).rejects.toThrow(/redirects to a different URL/);
      expect(inner).toEqual([]);
    } finally {
      redirectTo = undefined;
      await new Promise((resolve) => other.close(resolve));
    }
  });

  test("reading from a server that doesn't respond ends when the deployment is canceled", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const url = `http://git.example.com:${(silent.address() as AddressInfo).port}/x.git`;
    const started = performance.now();
    await expect(
      read(folder, { url, options: { ...options, lookup, signal: AbortSignal.timeout(500) } }),
    ).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(5_000);
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
});

test("Git connects only with the protocol of the checked URL", async () => {
  const scratch = new Git(path.join(root, "one-protocol"), "https", { path: process.env.PATH });
  await expect(scratch.run(["ls-remote", pathToFileURL(repository()).href])).rejects.toThrow(
    "transport 'file' not allowed",
  );
});

test.each(["fix/#12", "kim@docs", "a+b", "übersetzung", "a&b;$(x)", "a]b{c}"])(
  "reads the branch %s",
  async (branch) => {
    const folder = repository({ "docs.json": "{}" });
    git(folder, ["checkout", "--quiet", "-b", branch]);
    git(folder, ["rm", "--quiet", "docs.json"]);
    git(folder, ["commit", "--quiet", "--allow-empty", "-m", "Other words"]);
    expect((await read(folder)).names).toEqual(["docs.json"]);
    expect((await read(folder, { branch })).names).toEqual([]);
  },
);
