/** The command line: output, exit codes and JSON. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  filesBelow,
  root,
  runOctavo,
  siteOf,
  startOctavo,
  temporaryFolder,
  writeFiles,
} from "../../test/engine/build.ts";
import { runCli } from "../../test/engine/run-cli.ts";
import { selfSignedCertificate } from "../../test/service/git-server.ts";
import { loadCommands } from "./run.ts";

const folder = temporaryFolder();
const at = (name: string) => path.join(folder, name);
const good = writeFiles(at("good"), siteOf({ "index.mdx": "Text.", "next.mdx": "More." }));
const undated = writeFiles(
  at("undated"),
  siteOf({ "index.mdx": "Hello" }, { metadata: { timestamp: true } }),
);
const restricted = writeFiles(
  at("restricted"),
  siteOf({ "index.mdx": "Text.", "staff.mdx": "---\ngroups: [staff]\n---\n\nText." }),
);
const warned = writeFiles(at("warned"), siteOf({ "index.mdx": "[dead](/nowhere)" }));
const broken = writeFiles(
  at("broken"),
  siteOf({ "index.mdx": "---\ntitle: A\n---\n\n<Note>\nNever closed." }, { theme: "mintt" }),
);

const commands = (await loadCommands()).map(({ name }) => name);

describe("help", () => {
  test.each(["", ...commands])("octavo %s --help", async (command) => {
    const { code, out, err } = await runCli([...(command ? [command] : []), "--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await expect(out).toMatchFileSnapshot(`help/${command || "octavo"}.txt`);
    if (command) expect(out).toMatch(/Example:\n {2}octavo /);
  });

  test("--version prints the version", async () => {
    const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
    expect((await runCli(["--version"])).out).toBe(`${version}\n`);
  });
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a build", async (signal) => {
  const child = spawn(
    process.execPath,
    [path.join(root, "bin/octavo.js"), "build", path.join(root, "docs"), "--out", at(signal), "--no-cache"],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = new Promise((resolve) => child.on("exit", (_code, by) => resolve(by)));
  // The build has started when it reports progress.
  await new Promise((resolve) => child.stderr.once("data", resolve));
  child.kill(signal);
  expect(await ended).toBe(signal);
});

describe("exit codes", () => {
  const rows: [string, string[], number, RegExp][] = [
    ["no command", [], 2, /Usage: octavo <command>/],
    ["unknown command", ["biuld"], 2, /Unknown command: "biuld"\. Did you mean build\?/],
    [
      "unknown option",
      ["check", good, "--jsn"],
      2,
      /Unknown option for check: --jsn\. Did you mean --json\?/,
    ],
    ["one argument too many", ["check", good, good], 2, /Unexpected argument for check/],
    ["no such folder", ["check", at("nowhere")], 2, /Folder not found: .*nowhere/],
    ["check: no problems", ["check", good], 0, /2 pages, no problems/],
    ["check: warnings", ["check", warned], 0, /1 pages?, 1 warning/],
    ["check --strict: warnings", ["check", warned, "--strict"], 1, /1 warning/],
    ["check --strict: no dates of pages", ["check", undated, "--strict"], 0, /1 warning/],
    ["check: errors", ["check", broken], 1, /2 errors/],
    ["check: no docs.json", ["check", folder], 1, /No docs\.json/],
    [
      "check in an unknown format",
      ["check", good, "--format", "xml"],
      2,
      /--format must be one of text, json, github/,
    ],
    ["build without --output", ["build", good], 2, /Missing --output/],
    ["build into the folder itself", ["build", good, "--out", good], 2, /isn't an empty folder|can't be/],
    [
      "export into the folder itself",
      ["export", good, "--output", `${good}/site.zip`],
      2,
      /can't be in the documentation folder/,
    ],
    ["build into a folder with other files", ["build", good, "--out", warned], 2, /isn't an empty folder/],
    [
      "build of an unknown kind",
      ["build", good, "--out", at("kind"), "--kind", "moon"],
      2,
      /--kind must be one of cloud, client-hosted, air-gapped/,
    ],
    [
      "build with an invalid number of threads",
      ["build", good, "--out", at("threads"), "--threads", "0"],
      2,
      /--threads must be a whole number/,
    ],
    [
      "export with an invalid number of threads",
      ["export", good, "--output", at("a.zip"), "--threads", "1e1"],
      2,
      /--threads must be/,
    ],
    ["check with an invalid number of threads", ["check", good, "--threads", "65"], 2, /--threads must be/],
    ["dev with an invalid number of threads", ["dev", good, "--threads", "x"], 2, /--threads must be/],
    [
      "build with an invalid URL",
      ["build", good, "--out", at("url"), "--url", "docs.example.com"],
      2,
      /--url must be a URL/,
    ],
    ["build: errors", ["build", broken, "--out", at("broken-site")], 1, /2 errors/],
    ["build: no problems", ["build", good, "--out", at("good-site")], 0, /2 pages, .* no problems/],
    [
      "build: a restricted page",
      ["build", restricted, "--out", at("public-site")],
      0,
      /1 page, .* no problems[\s\S]*1 page left out, because not everyone may see it/,
    ],
    ["build with --output", ["build", good, "--output", at("good-site")], 0, /2 pages, .* no problems/],
    ["export without --output", ["export", good], 2, /Set --output to a file name/],
    ["export to an unknown file type", ["export", good, "--output", at("site.rar")], 2, /\.tar\.gz or \.zip/],
    ["export", ["export", good, "--output", at("site.zip")], 0, /2 pages/],
    ["preview of nothing", ["preview"], 2, /Missing folder or archive/],
    ["preview of something else", ["preview", good], 2, /wasn't built by Octavo/],
    [
      "preview of a file that is not an archive",
      ["preview", path.join(good, "index.mdx")],
      2,
      /wasn't built|isn't an archive/,
    ],
    ["demo-api on an invalid port", ["demo-api", "--port", "70000"], 2, /--port must be a number/],
    ["dev on an invalid port", ["dev", good, "--port", "http"], 2, /--port must be a number/],
    ["init over a site", ["init", good], 2, /already has a docs\.json/],
  ];
  test.each(rows)("%s", async (_name, args, code, words) => {
    const ended = await runCli(args);
    expect(ended.out + ended.err).toMatch(words);
    expect(ended.code).toBe(code);
    expect(ended.err, "no stack of calls").not.toMatch(/\n\s+at /);
    if (code === 2) expect(ended.out, "only results go to stdout").toBe("");
  });
});

describe("Markdown files that aren't pages are listed with the reason", () => {
  const text = "Text.";
  const mixed = writeFiles(at("mixed"), {
    ...siteOf(
      {
        "index.mdx": 'import Part from "./part.mdx";\n\n<Part />',
        "part.mdx": text,
        "README.md": text,
        "api/readme.mdx": text,
        "AGENTS.md": text,
        "skill.md": text,
        "drafts/new.mdx": text,
        ".octavoignore": "drafts/",
        "closed.mdx": "---\ngroups: []\n---\nText.",
        "staff.mdx": "---\ngroups: [staff]\n---\nText.",
        "agents.mdx": text,
      },
      { navigation: { pages: ["index"] } },
    ),
    ...Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`snippets/${i}.mdx`, text])),
  });
  const reasons = [
    "README.md (always ignored)",
    "drafts/new.mdx (matches a rule in an ignore file)",
    "snippets/0.mdx, snippets/1.mdx, snippets/2.mdx, snippets/3.mdx, snippets/4.mdx, and 2 more (in a folder for snippets)",
    "part.mdx (imported by a page)",
    "api/readme.mdx (about the repository)",
    "AGENTS.md (instructions for agents)",
    "skill.md (a skill for agents, which is served unchanged)",
    "closed.mdx (no one can see it)",
  ];
  const listOf = (output: string) =>
    output
      .split("\n")
      .filter((line) => line.startsWith("  "))
      .map((line) => line.trim());

  test("by check", async () => {
    expect(listOf((await runCli(["check", mixed])).out).sort()).toEqual(reasons.toSorted());
    const { missing } = JSON.parse((await runCli(["check", mixed, "--json"])).out);
    expect(missing).toContainEqual({ file: "README.md", reason: "always ignored" });
  });

  test("by build and export, with the pages that the output leaves out", async () => {
    for (const output of [
      ["build", mixed, "--output", at("mixed-site")],
      ["export", mixed, "--output", at("mixed.zip")],
    ]) {
      const { out, err } = await runCli(output);
      expect(listOf(err).sort()).toEqual([...reasons, "staff.mdx (not everyone can see it)"].sort());
      expect(out).toMatch(/^2 pages, /);
    }
  });

  test("and nothing is listed if there are none", async () => {
    expect((await runCli(["check", good])).out).toBe("2 pages, no problems\n");
  });
});

describe("--json prints one object and nothing else on stdout", () => {
  test("check", async () => {
    const { out, err, code } = await runCli(["check", broken, "--json"]);
    expect({ err, code }).toEqual({ err: "", code: 1 });
    const { pages, problems, ...rest } = JSON.parse(out);
    expect({ pages, rest }).toEqual({ pages: 1, rest: {} });
    expect(problems.map(({ code }: { code: string }) => code)).toEqual(["config-value", "mdx-syntax"]);
    for (const found of problems)
      expect(Object.keys(found)).toEqual(["code", "severity", "message", "file", "line", "column", "hint"]);
    expect(problems[0]).toMatchObject({
      severity: "error",
      file: "docs.json",
      line: 2,
      column: 12,
      hint: 'Did you mean "mint"?',
    });
  });

  test.each([
    ["build", "--out", "json-site"],
    ["export", "--output", "json-site.tar.gz"],
  ])("%s", async (command, option, target) => {
    const { out, err, code } = await runCli([command, warned, option, at(target), "--json"]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(JSON.parse(out)).toEqual({
      pages: 1,
      leftOut: 0,
      problems: { error: 0, warning: 1 },
      bytes: expect.any(Number),
      sizes: expect.objectContaining({ pages: expect.any(Number), search: expect.any(Number) }),
      seconds: expect.any(Number),
    });
  });
});

test("check --format github annotates lines, with paths from the current folder", async () => {
  const at = writeFiles(path.join(folder, "a,b"), siteOf({ "index.mdx": "Text.\n\n[50%](/nowhere)" }));
  const { out, code } = await runCli(["check", at, "--format", "github"]);
  const file = path.relative(process.cwd(), at).replace(",", "%2C");
  const [annotation, ...rest] = out.split("\n");
  expect(annotation).toMatch(
    /^::warning file=.*,line=3,col=1,endLine=3,endColumn=\d+,title=dead-link::Page not found: \/nowhere/,
  );
  expect(annotation).toContain(`file=${file}/index.mdx,`);
  expect({ rest, code }).toEqual({ rest: ["1 page, 1 warning", ""], code: 0 });
});

test("control characters of authors don't reach the terminal, and don't add lines", async () => {
  const at = writeFiles(
    path.join(folder, "controls"),
    siteOf({ "index.mdx": '<Icon icon={"a\\u001b[31mred\\n::warning::x"} />' }),
  );
  for (const format of ["text", "github"]) {
    const { out } = await runCli(["check", at, "--format", format]);
    expect(out).toContain("::warning::x");
    expect(out).not.toMatch(/\u001b|^::warning::x/m);
  }
});

test("a command whose output nobody reads still succeeds", async () => {
  const child = startOctavo(["check", good]);
  child.stdout.destroy();
  let err = "";
  child.stderr.on("data", (chunk: string) => (err += chunk));
  const [code] = await once(child, "close");
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

test("a file that can't be read isn't reported as a connection error", async () => {
  const service = createHttpServer((request, response) =>
    request.on("end", () => response.end("{}")).resume(),
  );
  await once(service.listen(0, "127.0.0.1"), "listening");
  const { port } = service.address() as AddressInfo;
  const env = { OCTAVO_URL: `http://127.0.0.1:${port}`, OCTAVO_API_KEY: "key" };
  const { code, err } = await runCli(["import", "conversations", folder, "--project", "x"], env);
  service.closeAllConnections();
  service.close();
  expect({ code, err }).toEqual({ code: 2, err: "Expected a file, but found a folder\n" });
});

describe("the format of a problem", () => {
  test("has location, message, code frame with the value underlined, hint and code", async () => {
    const { out } = await runCli(["check", broken]);
    expect(out).toMatch(
      /^docs\.json:2:12 error theme must be one of mint, .* \(config-value\)\n {4}1 \| \{\n {2}> 2 \| {3}"theme": "mintt",\n {6}\| {12}\^{7}\n[\s\S]*? {2}→ Did you mean "mint"\?\n/,
    );
  });
});

describe("init, build and export", () => {
  test("a new site has no problems, and the files of a deleted page are removed", async () => {
    const site = at("fresh");
    expect(await runCli(["init", site, "--name", "Fresh"])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`\n  octavo dev ${site}\n`),
    });
    expect((await runCli(["check", site, "--strict"])).out).toMatch("9 pages, no problems");
    const out = at("fresh-site");
    const { out: summary } = await runCli(["build", site, "--out", out]);
    expect(summary).toMatch(/^diagrams \d+ KB, .*\bpages \d+ KB/m);
    const size = filesBelow(out).reduce((total, file) => total + statSync(path.join(out, file)).size, 0);
    expect(size).toBeLessThan(1_500_000);
    expect(filesBelow(out)).toContain("quickstart.html");
    // A missing page isn't redirected to the home page.
    expect(readFileSync(path.join(out, "_octavo/redirects.json"), "utf8")).toContain('"notFound":"page"');
    expect(readFileSync(path.join(out, "index.html"), "utf8")).toMatch(
      "<title>Welcome to Fresh - Fresh</title>",
    );
    writeFiles(
      site,
      siteOf({ "index.mdx": "Alone.", "quickstart.mdx": "" }, { navigation: { pages: ["index"] } }),
    );
    const { rmSync } = await import("node:fs");
    rmSync(path.join(site, "quickstart.mdx"));
    await runCli(["build", site, "--out", out]);
    expect(filesBelow(out)).not.toContain("quickstart.html");
    expect(filesBelow(out)).toContain("index.html");
  });

  test("a failure of the system is one plain message, with details on request", async () => {
    writeFiles(folder, { "a-file": "" });
    const out = path.join(folder, "a-file", "site");
    const failed = await runCli(["build", good, "--out", out, "--no-cache"]);
    expect(failed.code).toBe(2);
    expect(failed.err.trim().split("\n")).toEqual([
      expect.stringMatching(/^Part of the path isn't a folder: .*a-file/),
      "Add --verbose to see the details.",
    ]);
    const verbose = await runCli(["build", good, "--out", out, "--no-cache", "--verbose"]);
    expect(verbose.err).toContain("    at ");
  });

  test("init names commands as the user runs Octavo", async () => {
    const { out } = await runOctavo(["init", at("by-path")], { env: { ...process.env, npm_command: "" } });
    expect(out).toContain("\n  node bin/octavo.js dev ");
    const npx = await runOctavo(["init", at("by-npx")], { env: { ...process.env, npm_command: "exec" } });
    expect(npx.out).toContain("\n  npx octavo dev ");
  });

  test("init keeps existing files", async () => {
    const site = writeFiles(at("kept"), { "index.mdx": "Mine." });
    await runCli(["init", site]);
    expect(readFileSync(path.join(site, "index.mdx"), "utf8")).toBe("Mine.");
    expect(filesBelow(site)).toEqual(
      expect.arrayContaining([
        "api-reference/openapi.yaml",
        "docs.json",
        "guides/components.mdx",
        "index.mdx",
      ]),
    );
  });

  test("an export lists each of its files with size and hash", async () => {
    const { createHash } = await import("node:crypto");
    const { unzipSync } = await import("fflate");
    await runCli(["export", good, "--output", at("listed.zip")]);
    // The operator may replace this file, so it isn't listed.
    const {
      "manifest.json": manifest,
      "octavo.config.js": replaceable,
      ...files
    } = unzipSync(readFileSync(at("listed.zip")));
    const {
      formatVersion,
      version,
      generator,
      deployment,
      files: listed,
    } = JSON.parse(Buffer.from(manifest!).toString());
    expect({ formatVersion, deployment }).toEqual({ formatVersion: 1, deployment: null });
    expect(Buffer.from(replaceable!).toString()).toContain("octavoConfig =");
    expect(version).toMatch(/^[0-9a-f]{16}$/);
    expect(generator).toMatch(/^octavo \d/);
    expect(listed).toEqual(
      Object.entries(files).map(([path, bytes]) => ({
        path,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        bytes: bytes.length,
      })),
    );
  });
});

describe("OpenAPI documents from the operator's network", () => {
  const document = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Inside", version: "1" },
    paths: { "/a": { get: { responses: { 200: { description: "OK" } } } } },
  });
  let server: Server;
  let port: number;
  let authority: string;
  beforeAll(async () => {
    const tls = selfSignedCertificate(temporaryFolder(), "localhost");
    authority = tls.file;
    server = createServer(tls, (_, response) => response.end(document));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());
  const check = (env: Record<string, string>) => {
    const folder = writeFiles(
      at(`inside-${Object.keys(env).length}`),
      siteOf(
        { "index.mdx": "Text." },
        {
          navigation: {
            pages: ["index", { group: "API", openapi: `https://127.0.0.1:${port}/openapi.json` }],
          },
        },
      ),
    );
    return runOctavo(["check", folder], { env: { ...process.env, ...env } });
  };

  test("are fetched from listed hosts, with a certificate of the operator's authority", async () => {
    const { code, out, err } = await check({
      OCTAVO_OUTBOUND_ALLOW: "127.0.0.1",
      NODE_EXTRA_CA_CERTS: authority,
    });
    expect({ code, out: out + err }).toEqual({
      code: 0,
      out: expect.stringContaining("2 pages, no problems"),
    });
  });
  test("a blocked URL is reported with the setting to change", async () => {
    const { code, out, err } = await check({});
    expect([code, out + err]).toEqual([
      1,
      expect.stringContaining(`add 127.0.0.1:${port} to OCTAVO_OUTBOUND_ALLOW`),
    ]);
  });
  test("an unknown certificate authority is reported", async () => {
    const { code, out, err } = await check({ OCTAVO_OUTBOUND_ALLOW: "127.0.0.1" });
    expect([code, out + err]).toEqual([1, expect.stringContaining("certificate")]);
  });
  test("an invalid number of threads ends the command", async () => {
    const { code, err } = await check({ OCTAVO_BUILD_THREADS: "all", A: "", B: "", C: "" });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("OCTAVO_BUILD_THREADS must be a whole number between 1 and 64"),
    ]);
  });
  test("an invalid entry ends the command", async () => {
    const { code, err } = await check({ OCTAVO_OUTBOUND_ALLOW: "https://127.0.0.1", A: "", B: "" });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("OCTAVO_OUTBOUND_ALLOW: https://127.0.0.1 isn't a host name"),
    ]);
  });
});

describe("--audience", () => {
  test("exports what the groups may read, and writes a report", async () => {
    const [output, report] = [at("staff-site"), at("report.json")];
    const { code, err } = await runCli([
      "build",
      restricted,
      "--output",
      output,
      "--audience",
      "staff, partners",
      "--audience-report",
      report,
    ]);
    expect([code, err]).toEqual([0, ""]);
    expect(filesBelow(output)).toContain("staff.html");
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      audience: ["staff", "partners"],
      pages: 2,
      leftOut: { pages: [] },
    });
    await runCli([
      "build",
      restricted,
      "--output",
      output,
      "--audience",
      "public",
      "--audience-report",
      report,
    ]);
    expect(filesBelow(output)).not.toContain("staff.html");
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      audience: "public",
      leftOut: { pages: [{ path: "/staff", readers: ["staff"] }] },
    });
  });

  test.each([
    ["--audience", "staff,"],
    ["--audience", ""],
    ["--audience-report", "report.json"],
  ])("%s %s is wrong usage", async (...option) => {
    const { code, err } = await runCli(["build", restricted, "--output", at("never"), ...option]);
    expect([code, err]).toEqual([2, expect.stringContaining("--audience")]);
  });
});
