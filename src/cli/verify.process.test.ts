/** Bundles are verified: their files, a new build of the same source, and signatures. */

import { execFileSync } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Zip, ZipDeflate, zipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { startBundleServer } from "../../test/bundle/server.ts";
import { filesBelow, runOctavo, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { runCli } from "../../test/engine/run-cli.ts";

const work = temporaryFolder();
const at = (name: string) => path.join(work, name);
const repository = at("repository");
const docs = path.join(repository, "docs");
const bundle = at("bundle.tar.gz");
const git = (...args: string[]) =>
  execFileSync("git", ["-C", repository, "-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
    encoding: "utf8",
  }).trim();

function unpack(archive: string, name: string): string {
  const folder = at(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
  return folder;
}

/** Packs one file as `.tar.gz`. */
function packed(archive: string, name: string, content: string | Buffer): string {
  const folder = at(`${archive}-files`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), content);
  execFileSync("tar", ["-czf", at(archive), "-C", folder, name]);
  return at(archive);
}

function zipped(archive: string, content: Buffer): string {
  writeFileSync(at(archive), zipSync({ "x.html": content }));
  return at(archive);
}

/** 101 MB that compress to about a thirtieth. */
const longText = Array.from({ length: 101_000 }, () =>
  randomBytes(25).toString("hex").padEnd(1_000, "x"),
).join("");

/** Prints the largest memory of the process in kilobytes when it ends. */
const reportMemory =
  "--import data:text/javascript,process.on(`exit`,()=>console.error(`memory`,process.resourceUsage().maxRSS))";

const manifestOf = (folder: string) => JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8"));

beforeAll(async () => {
  const specification = {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/things": { get: { summary: "List things", responses: { 200: { description: "Fine" } } } } },
  };
  writeFiles(
    docs,
    siteOf(
      {
        "index.mdx":
          'import { Counter } from "/counter.jsx";\n\n<Counter />\n\n![Dot](/dot.svg)\n\n```mermaid\ngraph LR; A-->B\n```',
        "log.mdx": '---\nrss: true\n---\n\n<Update label="One">Text.</Update>',
        "counter.jsx":
          "export const Counter = () => { const [n, set] = useState(0); return <b onClick={() => set(n + 1)}>{n}</b>; };",
        "dot.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
        "own.css": "main { color: red }",
        "own.js": "document.title += 1;",
        "data.csv": "a,b\n",
        "api.json": JSON.stringify(specification),
      },
      {
        navigation: {
          groups: [
            { group: "All", pages: ["index", "log"] },
            { group: "API", openapi: "api.json" },
          ],
        },
        redirects: [{ source: "/old", destination: "/log" }],
      },
    ),
  );
  execFileSync("git", ["init", "--quiet", repository]);
  git("add", ".");
  git("commit", "--quiet", "-m", "First");
  const { code, err } = await runCli([
    "export",
    docs,
    "--output",
    bundle,
    "--url",
    "https://example.com/docs",
  ]);
  expect(code, err).toBe(0);
});

test("the manifest contains no credentials of the remote, and no repository that no page links to", async () => {
  const checkout = at("credentials");
  const linked = (settings: Record<string, unknown>) =>
    writeFiles(checkout, siteOf({ "index.mdx": "Text." }, settings));
  linked({ feedback: { suggestEdit: true } });
  for (const args of [
    ["init", "--quiet", "-b", "main"],
    ["add", "."],
    ["-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "One"],
  ])
    execFileSync("git", ["-C", checkout, ...args]);
  const repositoryOf = async (remote: string) => {
    execFileSync("git", ["-C", checkout, "config", "remote.origin.url", remote]);
    const archive = at("credentials.tar.gz");
    expect((await runCli(["export", checkout, "--output", archive])).code).toBe(0);
    return manifestOf(unpack(archive, "credentials-site")).source.target.repository?.url;
  };
  expect(await repositoryOf("https://gitlab-ci-token:SECRET@git.example.com/acme/docs.git")).toBe(
    "https://git.example.com/acme/docs.git",
  );
  expect(await repositoryOf("git@git.example.com:acme/docs.git")).toBe("ssh://git.example.com/acme/docs.git");
  expect(await repositoryOf("/home/alice/docs.git")).toBeUndefined();
  linked({});
  expect(await repositoryOf("https://git.example.com/acme/docs.git")).toBeUndefined();
});

describe("no program of the checkout's git configuration runs", () => {
  /** A commit with a signature, which git passes to a program to check it. */
  function commitSigned(folder: string, gitFolder: string) {
    const run = (input: string, ...args: string[]) =>
      execFileSync("git", [`--git-dir=${gitFolder}`, `--work-tree=${folder}`, ...args], {
        input,
        encoding: "utf8",
      }).trim();
    run("", "add", "--all");
    const person = "Ann <ann@example.com> 1700000000 +0000";
    const signature = "-----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----";
    const tree = run("", "write-tree");
    const commit = `tree ${tree}\nauthor ${person}\ncommitter ${person}\ngpgsig ${signature}\n\nText\n`;
    run("", "update-ref", "HEAD", run(commit, "hash-object", "-t", "commit", "-w", "--stdin"));
    return tree;
  }

  const program = () => {
    const file = at("program.sh");
    writeFileSync(file, `#!/bin/sh\ntouch ${at("ran")}\nexit 1\n`, { mode: 0o755 });
    return file;
  };

  const settings: [string, () => [string, string][]][] = [
    ["a file system monitor", () => [["core.fsmonitor", program()]]],
    [
      "a program for signatures",
      () => [
        ["log.showSignature", "true"],
        ["gpg.program", program()],
      ],
    ],
    ["hooks", () => [["core.hooksPath", path.dirname(program())]]],
    ["a filter", () => [["filter.evil.clean", program()]]],
    [
      "a server for missing objects",
      () => [
        ["extensions.partialClone", "origin"],
        ["remote.origin.promisor", "true"],
        ["remote.origin.url", "ssh://git@127.0.0.1:9/docs.git"],
        ["protocol.ssh.allow", "always"],
        ["core.sshCommand", program()],
      ],
    ],
    [
      "a proxy with a password",
      () => [
        ["extensions.partialClone", "origin"],
        ["remote.origin.promisor", "true"],
        ["remote.origin.url", "ftp://127.0.0.1:9/docs.git"],
        ["protocol.ftp.allow", "always"],
        ["http.proxy", "http://user@127.0.0.1:9"],
        ["credential.helper", `!${program()}`],
      ],
    ],
  ];

  const commands: [string, (folder: string) => string[]][] = [
    ["check", (folder) => ["check", folder]],
    ["build", (folder) => ["build", folder, "--output", at("built")]],
    ["export", (folder) => ["export", folder, "--output", at("monitored.tar.gz")]],
    ["verify", () => ["verify", bundle, "--source", "HEAD"]],
    ["api", () => ["api", "diff", "HEAD:docs.json", "HEAD:index.mdx"]],
  ];

  test.each(
    settings.flatMap(([what, set]) => commands.map(([name, args]) => [what, name, set, args] as const)),
  )("%s, %s", async (what, _name, set, args) => {
    for (const isBare of [false, true]) {
      const checkout = at(`monitored-${isBare}`);
      rmSync(checkout, { recursive: true, force: true });
      const page = "---\ntitle: Text\n---\nText.\n";
      writeFiles(checkout, {
        ...siteOf({ "index.mdx": page }, { metadata: { timestamp: true } }),
        ".gitattributes": "* filter=evil",
      });
      // A repository can't contain a folder .git, but it can contain the parts of a repository.
      execFileSync(
        "git",
        isBare ? ["init", "--quiet", "--bare", checkout] : ["-C", checkout, "init", "--quiet"],
      );
      const gitFolder = isBare ? checkout : path.join(checkout, ".git");
      const tree = commitSigned(checkout, gitFolder);
      for (const [key, value] of set())
        execFileSync("git", ["config", "--file", path.join(gitFolder, "config"), key, value]);
      // Files that may have changed are read again.
      utimesSync(path.join(checkout, "index.mdx"), 0, 0);
      // Without the tree of the commit, git looks for a server that has it.
      if (what.startsWith("a server") || what.startsWith("a proxy"))
        rmSync(path.join(gitFolder, "objects", tree.slice(0, 2)), { recursive: true });
      rmSync(at("ran"), { force: true });
      await runOctavo(args(checkout), { cwd: checkout });
      expect(filesBelow(work)).not.toContain("ran");
    }
  });
});

test("the manifest names the commit, the version and the inputs", () => {
  expect(manifestOf(unpack(bundle, "named"))).toMatchObject({
    generator: expect.stringMatching(/^octavo \d/),
    source: {
      commit: git("rev-parse", "HEAD"),
      directory: "docs",
      inputs: { files: 9, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      target: { kind: "client-hosted", origin: "https://example.com/docs" },
    },
  });
});

describe("the files", () => {
  test("of an untouched bundle are as in the manifest, packed and unpacked", async () => {
    for (const name of [bundle, unpack(bundle, "untouched")]) {
      const { code, out } = await runCli(["verify", name]);
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(
          /^All \d+ files are as in the manifest\nversion \w+, for https:\/\/example\.com\/docs, built from commit [0-9a-f]{40}\noctavo\.config\.js isn't checked, .*\s*$/,
        ),
      ]);
    }
  });

  test("of each kind are named if a byte is flipped", async () => {
    const folder = unpack(bundle, "flipped");
    // Files of one kind have the same path, except for hashes and names.
    const kindOf = (file: string) =>
      file
        .replace(/[0-9a-f]{8,}/g, "")
        .replace(/[^/]*(\.\w+)$/, (name, end: string) => (file.startsWith("_octavo/") ? name : end));
    const kinds = new Map(
      filesBelow(folder)
        .filter((file) => !/^(?:manifest\.json|octavo\.config\.js)$/.test(file))
        .map((file) => [kindOf(file), file]),
    );
    expect(kinds.size).toBeGreaterThanOrEqual(30);
    for (const file of kinds.values()) {
      const target = path.join(folder, file);
      const before = readFileSync(target);
      const bytes = Buffer.from(before);
      const middle = Math.floor(bytes.length / 2);
      bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
      writeFileSync(target, bytes);
      const { code, out } = await runCli(["verify", folder, "--json"]);
      expect([code, JSON.parse(out).differences]).toEqual([1, [{ path: file, kind: "changed" }]]);
      writeFileSync(target, before);
    }
  });

  test("are named if they are missing or added", async () => {
    const folder = unpack(bundle, "moved");
    rmSync(path.join(folder, "log.html"));
    writeFileSync(path.join(folder, "added.html"), "");
    const { code, err } = await runCli(["verify", folder]);
    expect([code, err]).toEqual([1, "missing: log.html\nadded: added.html\n"]);
  });

  test.each<[string, string, (folder: string) => void]>([
    [
      "a link in place of a page",
      "added.html",
      (folder) => symlinkSync("/etc/passwd", path.join(folder, "added.html")),
    ],
    ["a linked folder", "etc", (folder) => symlinkSync("/etc", path.join(folder, "etc"))],
  ])("with %s aren't a bundle, packed and unpacked", async (_, link, change) => {
    const folder = unpack(bundle, "linked");
    change(folder);
    const archive = at("linked.tar.gz");
    execFileSync("tar", ["-czf", archive, "-C", folder, "."]);
    for (const [name, message] of [
      [folder, `${link}, which is neither a file nor a folder`],
      [archive, `${link}" is a link. Only files and folders are allowed.`],
    ] as const) {
      const { code, err } = await runCli(["verify", name]);
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    }
  });

  test.each<[string, () => string, string]>([
    [
      "zeros in a .tar.gz",
      () => packed("zeros.tar.gz", "x.html", Buffer.alloc(200_000_000)),
      "200 times its size",
    ],
    [
      "a large manifest in a .tar.gz",
      () => packed("long.tar.gz", "manifest.json", longText),
      "manifest.json is larger than 100 MB",
    ],
    [
      "a manifest with many values",
      () =>
        packed("values.tar.gz", "manifest.json", `[${JSON.stringify(Array.from(randomBytes(4_100_000)))}]`),
      "manifest.json is damaged",
    ],
    ["zeros in a .zip", () => zipped("zeros.zip", Buffer.alloc(200_000_000)), "200 times its size"],
  ])("that need much more memory than the archive aren't a bundle: %s", async (_, pack, message) => {
    const { code, err } = await runOctavo(["verify", pack()], { env: { NODE_OPTIONS: reportMemory } });
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(Number(/^memory (\d+)$/m.exec(err)?.[1])).toBeLessThan(350_000);
  });

  test("that are in the archive twice aren't a bundle", async () => {
    const archive = at("twice.tar");
    writeFileSync(archive, gunzipSync(readFileSync(bundle)));
    writeFiles(at("more"), { "index.html": "Other" });
    execFileSync("tar", ["-rf", archive, "-C", at("more"), "index.html"]);
    writeFileSync(`${archive}.gz`, gzipSync(readFileSync(archive)));
    const { code, err } = await runCli(["verify", `${archive}.gz`]);
    expect([code, err]).toEqual([1, expect.stringContaining('"index.html" appears twice')]);
  });

  test.each(["first", "last"])(
    "that are in a ZIP archive twice aren't a bundle, if the %s one is right",
    async (right) => {
      const files = Object.fromEntries(
        filesBelow(unpack(bundle, "zipped")).map((name) => [name, readFileSync(at(`zipped/${name}`))]),
      );
      const other = Object.entries({ "index.html": Buffer.from("Other") });
      const archive = at("twice.zip");
      const parts: Uint8Array[] = [];
      const zip = new Zip((_error, part) => parts.push(part));
      for (const [name, bytes] of right === "first"
        ? [...Object.entries(files), ...other]
        : [...other, ...Object.entries(files)]) {
        const entry = new ZipDeflate(name);
        zip.add(entry);
        entry.push(bytes, true);
      }
      zip.end();
      writeFileSync(archive, Buffer.concat(parts));
      const { code, err } = await runCli(["verify", archive]);
      expect([code, err]).toEqual([1, expect.stringContaining("index.html twice")]);
    },
  );

  test.each([
    [
      "there is no manifest",
      (folder: string) => rmSync(path.join(folder, "manifest.json")),
      "has no manifest.json",
    ],
    [
      "the manifest is damaged",
      (folder: string) => appendFileSync(path.join(folder, "manifest.json"), "x"),
      "manifest.json is damaged",
    ],
  ])("can't be verified if %s", async (_, damage, message) => {
    const folder = unpack(bundle, "damaged");
    damage(folder);
    const { code, err } = await runCli(["verify", folder]);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe("a new build", () => {
  test("of the same source in another folder and by another process is equal", async () => {
    const copy = at("elsewhere/copied docs");
    cpSync(docs, copy, { recursive: true });
    const { code, out, err } = await runCli(["verify", bundle, "--source", copy]);
    expect([code, err, out]).toEqual([0, "", expect.stringContaining("are equal to a new build")]);
  });

  test("of the revision is equal, and of a later one names the changed files", async () => {
    const first = git("rev-parse", "HEAD");
    writeFileSync(path.join(docs, "log.mdx"), "Other text.");
    git("commit", "--quiet", "-am", "Second");
    const verify = (revision: string) =>
      runOctavo(["verify", bundle, "--source", revision], { cwd: repository });
    expect((await verify(first)).code).toBe(0);
    const later = await verify("HEAD");
    expect(later.code).toBe(1);
    expect(later.err).toContain("changed: log.html");
    expect(later.err).toContain("The source isn't the one that the bundle was built from");
    expect((await verify("--upload-pack=x")).code).toBe(2);

    // In a hook, Git sets the path of the index.
    const index = path.join(repository, ".git/index");
    const before = readFileSync(index, "hex");
    const env = { ...process.env, GIT_INDEX_FILE: index };
    await runOctavo(["verify", bundle, "--source", first], { cwd: repository, env });
    expect(readFileSync(index, "hex")).toBe(before);
    expect((await verify("none")).code).toBe(2);
  });
});

describe("a signature", () => {
  const keys = (name: string) => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(at(`${name}.key`), privateKey.export({ type: "pkcs8", format: "pem" }));
    writeFileSync(at(`${name}.pub`), publicKey.export({ type: "spki", format: "pem" }));
  };
  const signed = at("signed.tar.gz");
  beforeAll(async () => {
    keys("own");
    keys("other");
    const { code, err } = await runCli(["export", docs, "--output", signed, "--signing-key", at("own.key")]);
    expect(code, err).toBe(0);
  });
  const verify = (name: string, key: string) => runCli(["verify", name, "--public-key", at(key)]);

  test("is valid only for its key and its manifest", async () => {
    expect((await verify(signed, "own.pub")).code).toBe(0);
    expect((await verify(signed, "other.pub")).err).toContain("isn't valid for this key");
    expect((await verify(bundle, "own.pub")).err).toContain("The bundle isn't signed");
    expect((await verify(signed, "own.key")).err).toContain("isn't a public Ed25519 key");
    const folder = unpack(signed, "relabeled");
    writeFileSync(
      path.join(folder, "manifest.json"),
      readFileSync(path.join(folder, "manifest.json"), "utf8").replace(/"version": "\w+"/, '"version": "v2"'),
    );
    expect((await runCli(["verify", folder])).code).toBe(0);
    expect((await verify(folder, "own.pub")).err).toContain("isn't valid for this key");
  });

  test("of a bundle that the key's owner didn't sign isn't served", async () => {
    const serve = async (source: string, key: string) => {
      const server = await startBundleServer({
        OCTAVO_BUNDLE_URL: source,
        OCTAVO_BUNDLE_PUBLIC_KEY: at(key),
      });
      try {
        const { code, problem = "" } = await server.settled();
        return [code, problem, (await server.get("/index")).status] as const;
      } finally {
        await server.stop();
      }
    };
    expect(await serve(signed, "own.pub")).toEqual([200, "", 308]);
    expect(await serve(signed, "other.pub")).toEqual([
      503,
      expect.stringContaining("isn't valid for this key"),
      404,
    ]);
    expect(await serve(bundle, "own.pub")).toEqual([503, expect.stringContaining("isn't signed"), 404]);
  });

  test.each([
    ["a missing key", ["--signing-key", "none.pem"]],
    ["a public key", ["--signing-key", at("own.pub")]],
  ])("with %s is wrong usage", async (_, option) => {
    expect((await runCli(["export", docs, "--output", at("never.tar.gz"), ...option])).code).toBe(2);
  });
});
