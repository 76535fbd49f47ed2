/**
 * AFDocs (https://afdocs.dev) rates Octavo's documentation on the service and as a bundle: all checks on all
 * pages.
 */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { startBundleServer } from "../../test/bundle/server.ts";
import { readFiles, root, runOctavo } from "../../test/engine/build.ts";
import { newSite } from "../../test/service/test-sites.ts";
import { openTestService } from "../../test/shared/service.ts";

const afdocs = path.join(root, "node_modules/.bin/afdocs");
const folder = mkdtempSync(path.join(tmpdir(), "octavo-agents-"));

// Node.js doesn't resolve the host names of the service's sites.
const lookups = path.join(folder, "lookups.cjs");
writeFileSync(
  lookups,
  `const dns = require("node:dns");
const { lookup } = dns;
dns.lookup = (host, ...rest) => lookup(host.endsWith(".localhost") ? "127.0.0.1" : host, ...rest);
`,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Report {
  results: { id: string; status: string; message: string }[];
  testedPages: number;
  scoring: { overall: number };
}

async function rate(url: string): Promise<Report> {
  const args = [
    ...["check", url, "--format", "json", "--score", "--quiet", "--request-delay", "0"],
    ...["--sampling", "deterministic", "--max-links", "5000", "--max-concurrency", "8"],
  ];
  const env = { ...process.env, NODE_OPTIONS: `--require=${lookups}` };
  const options = { maxBuffer: 256 * 1024 * 1024, env };
  // The exit code is 1 if a single page fails a check, even if the score is 100.
  const { stdout } = await promisify(execFile)(afdocs, args, options).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(stdout) as Report;
}

function expectFullScore({ results, testedPages, scoring }: Report): void {
  const failed = results.filter(({ status }) => status === "fail" || status === "error");
  console.error(failed.map(({ id, message }) => `${id}: ${message}`).join("\n"));
  expect(testedPages).toBeGreaterThan(300);
  expect(scoring.overall).toBe(100);
  for (const id of [
    "llms-txt-directive-md",
    "llms-txt-size",
    "content-start-position",
    "markdown-link-portability",
  ])
    expect(results.find((result) => result.id === id)?.status, id).toBe("pass");
}

describe("AFDocs gives Octavo's docs 100 of 100", { timeout: 600_000 }, () => {
  test("as a bundle", async () => {
    const file = path.join(folder, "docs.tar.gz");
    // The bundle contains the server's URL, so it's exported when the port is known.
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: file });
    try {
      await server.settled();
      const url = `http://localhost:${server.port}`;
      const { code, err } = await runOctavo(["export", "docs", "--output", file, "--url", url]);
      expect({ code, err }).toMatchObject({ code: 0 });
      await server.fetchAgain();
      expectFullScore(await rate(url));
    } finally {
      await server.stop();
    }
  });

  test("on the service", async () => {
    const files = Object.entries(readFiles("docs")).filter(([name]) => !/\.(?:png|woff2|webp)$/.test(name));
    const texts = Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
    const service = await openTestService();
    const site = await newSite(service, texts);

    try {
      expectFullScore(await rate(site.origin));
    } finally {
      await service.stop();
    }
  });
});
