/** `octavo api diff`: documents from files, revisions, and URLs; formats; exit codes. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { runOctavo, temporaryFolder, writeFiles } from "../../test/engine/build.ts";

const document = (paths: object) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths });
const get = { responses: { 200: { description: "" } } };
const both = document({ "/pets": { get }, "/cats": { get } });
const one = document({ "/pets": { get } });
const same = document({ "/cats": { get }, "/pets": { get } });

const folder = writeFiles(temporaryFolder(), {
  "both.json": both,
  "one.json": one,
  "same.json": same,
  "page.mdx": "Text.",
});
const git = (...args: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args]);
git("init", "--quiet");
writeFiles(folder, { "api.json": both });
git("add", "--all");
git("commit", "--quiet", "--message", "First");
git("tag", "v1");
writeFiles(folder, { "api.json": one });

const diff = (...args: string[]) => runOctavo(["api", "diff", ...args], { cwd: folder });

describe("octavo api diff", () => {
  test("prints the changes by level, and fails only on request", async () => {
    const { code, out, err } = await diff("both.json", "one.json");
    expect({ code, out: out.trim(), err: err.trim() }).toEqual({
      code: 0,
      out: "Breaking changes\n  GET /cats: Removed (operation-removed)",
      err: "1 change: 1 breaking",
    });
    expect((await diff("both.json", "one.json", "--fail-on", "breaking")).code).toBe(1);
    expect((await diff("one.json", "both.json", "--fail-on", "may-break")).code).toBe(0);
  });

  test("uses the levels in docs.json of the current folder", async () => {
    const rules = (level: string) => ({
      "docs.json": JSON.stringify({ api: { changes: { rules: { "operation-removed": level } } } }),
    });
    const at = writeFiles(temporaryFolder(), { "both.json": both, "one.json": one, ...rules("compatible") });
    const run = () =>
      runOctavo(["api", "diff", "both.json", "one.json", "--fail-on", "may-break"], { cwd: at });
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining("Compatible changes") });
    writeFiles(at, rules("ignore"));
    expect((await run()).out.trim()).toBe("No changes");
  });

  test("the order of paths makes no difference", async () => {
    expect((await diff("both.json", "same.json", "--fail-on", "may-break")).out.trim()).toBe("No changes");
  });

  test("reads a file of a revision", async () => {
    expect((await diff("v1:api.json", "api.json")).out).toContain("GET /cats: Removed");
    const sub = await runOctavo(["api", "diff", "v1:./api.json", "api.json"], { cwd: folder });
    expect(sub.out).toContain("GET /cats: Removed");
  });

  test("reads a URL", async () => {
    const server = createServer((_request, response) => response.end(both)).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/api.json`;
      const env = { ...process.env, OCTAVO_OUTBOUND_ALLOW: `127.0.0.1:${port}` };
      expect((await runOctavo(["api", "diff", url, "one.json"], { cwd: folder, env })).out).toContain(
        "GET /cats: Removed",
      );
      const refused = await diff(url, "one.json");
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("can't be fetched")]);
    } finally {
      server.close();
    }
  });

  test.each([
    [
      "json",
      '{"changes":[{"rule":"operation-removed","level":"breaking","message":"Removed","operations":["GET /cats"],"before":"#/paths/~1cats/get"}]}',
    ],
    ["markdown", "## Breaking changes\n\n- `GET /cats`: Removed"],
    ["github", "::error file=one.json,title=operation-removed::GET /cats: Removed"],
  ])("prints %s", async (format, expected) => {
    expect((await diff("both.json", "one.json", "--format", format)).out.trim()).toBe(expected);
  });

  test.each([
    [["both.json"], "Missing BEFORE and AFTER"],
    [["both.json", "gone.json"], "File not found: gone.json"],
    [["both.json", "page.mdx"], "page.mdx isn't an OpenAPI document"],
    [["v9:api.json", "one.json"], "v9:api.json isn't a file, or a file in a revision"],
    [["--output=x:api.json", "one.json"], "Unknown option"],
    [["both.json", "one.json", "--format", "xml"], "--format must be one of"],
    [["both.json", "one.json", "--fail-on", "text"], "--fail-on must be breaking or may-break"],
  ])("explains %j", async (args, message) => {
    const { code, err } = await diff(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
