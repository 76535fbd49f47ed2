/** `octavo check --external` against a server of the test. */

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { runCli } from "../../test/engine/run-cli.ts";
import { listen } from "../../test/shared/listen.ts";

let requests: string[] = [];
let open = 0;
let mostOpen = 0;
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  mostOpen = Math.max(mostOpen, ++open);
  setImmediate(() => {
    open--;
    response.writeHead(request.url!.startsWith("/gone") ? 404 : request.url === "/shut" ? 403 : 200).end();
  });
});

let base: string;
beforeAll(async () => {
  base = await listen(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
});

const sources = () =>
  siteOf(
    {
      "index.mdx": `[Gone](${base}/gone?a=1&b=2) and [again](${base}/gone?a=1&b=2#part).\n\n\`[code](${base}/code)\` [OK](${base}/ok) <Card title="Shut" href="${base}/shut">Text</Card>\n\nimport Hint from "/snippets/hint.mdx";\n\n<Hint />\n`,
      "other.mdx": `import Hint from "/snippets/hint.mdx";\n\n<Hint />\n\n[Local](http://localhost:1/) [Example](https://example.com/x) [Intranet](http://10.0.0.1/)\n\n{["composed"].map((name) => <a href={\`${base}/gone-\${name}\`}>x</a>)}\n`,
      "snippets/hint.mdx": `A [hint](${base}/gone-hint).\n`,
      "openapi.yaml": `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths:\n  /a:\n    get:\n      summary: A\n      description: See [here](${base}/gone-api).\n      responses: { "200": { description: OK } }\n`,
    },
    {
      navigation: { pages: ["index", "other", "GET /a"] },
      api: { openapi: "openapi.yaml" },
      navbar: { links: [{ label: "Blog", href: `${base}/gone-blog` }] },
    },
  ) as Record<string, string>;

async function check(folder: string, args: string[] = [], command = "check") {
  const { code, out } = await runCli([command, folder, "--external", "--json", ...args], {
    OCTAVO_OUTBOUND_ALLOW: base.slice("http://".length),
    OCTAVO_CACHE: path.join(folder, "../caches"),
  });
  const { problems, external } = JSON.parse(out) as {
    problems: { code: string; file: string; line: number | null; message: string }[];
    external: Record<string, unknown>;
  };
  const found = problems
    .filter((problem) => problem.code === "external-link")
    .map(({ file, line, message }) => `${file}:${line} ${message.replaceAll(base, "")}`)
    .sort();
  return { code, found, external };
}

test("lists broken links with their places, and tells blocked ones apart", async () => {
  const folder = path.join(temporaryFolder(), "docs");
  writeFiles(folder, sources());
  const { code, found, external } = await check(folder);
  expect(found).toEqual([
    "docs.json:21 Link to another site is broken: /gone-blog (status 404)",
    "index.mdx:1 Link to another site is broken: /gone?a=1&b=2 (status 404)",
    "index.mdx:1 Link to another site is broken: /gone?a=1&b=2 (status 404)",
    "openapi.yaml:7 Link to another site is broken: /gone-api (status 404)",
    "other.mdx:null Link to another site is broken: /gone-composed (status 404)",
    "snippets/hint.mdx:1 Link to another site is broken: /gone-hint (status 404)",
  ]);
  expect(external).toEqual({
    alive: 1,
    dead: 5,
    blocked: 1,
    skipped: 3,
    left: 0,
    blockedUrls: [{ url: `${base}/shut`, reason: "status 403" }],
  });
  expect(code).toBe(0);
  expect(mostOpen).toBeLessThanOrEqual(2);
  expect(requests.filter((request) => request.endsWith("/code"))).toEqual([]);

  // Later, only links that were dead are checked again.
  requests = [];
  expect((await check(folder)).found).toEqual(found);
  expect(requests.filter((request) => /ok|shut/.test(request))).toEqual([]);
  requests = [];
  await check(folder, ["--no-cache"]);
  expect(requests).toContain("HEAD /ok");
});

test("octavo broken-links fails, and --files selects the links", async () => {
  const folder = path.join(temporaryFolder(), "docs");
  writeFiles(folder, sources());
  const { code, found } = await check(folder, ["--files", "snippets/**"], "broken-links");
  expect(found).toEqual(["snippets/hint.mdx:1 Link to another site is broken: /gone-hint (status 404)"]);
  expect(code).toBe(1);
  expect([...new Set(requests)]).toEqual(["HEAD /gone-hint", "GET /gone-hint"]);
});

test("with --since, only new links are followed", async () => {
  const folder = path.join(temporaryFolder(), "docs");
  writeFiles(folder, sources());
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd: folder });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "First");
  writeFiles(folder, { "other.mdx": `[New](${base}/gone-new) [Old](${base}/gone-hint)\n` });
  const { found } = await check(folder, ["--since", "HEAD"]);
  expect(found).toEqual(["other.mdx:1 Link to another site is broken: /gone-new (status 404)"]);
  expect([...new Set(requests)]).toEqual(["HEAD /gone-new", "GET /gone-new"]);
});

test("without the option, no requests are sent", async () => {
  const folder = path.join(temporaryFolder(), "docs");
  writeFiles(folder, sources());
  const { out } = await runCli(["check", folder]);
  expect(out).not.toContain("external-link");
  expect(requests).toEqual([]);
});
