/** `octavo bundle plan`: output, access logs, and exit codes. */

import { describe, expect, test } from "vitest";
import { runOctavo, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";

const folder = temporaryFolder();
const bundle = async (name: string, pages: Record<string, string>) => {
  writeFiles(`${folder}/${name}`, siteOf(pages));
  await runOctavo(["export", name, "--output", `${name}.tar.gz`], { cwd: folder });
  return `${name}.tar.gz`;
};
const plan = (...args: string[]) => runOctavo(["bundle", "plan", ...args], { cwd: folder });

const old = await bundle("old", { "index.mdx": "Hello.", "gone.mdx": "Text." });
const next = await bundle("next", { "index.mdx": "Hello, world.", "new.mdx": "Text." });
writeFiles(folder, {
  "access.log": '::1 - - [30/Nov/2026:10:00:00 +0000] "GET /gone HTTP/2.0" 200 1\n',
  "other.txt": "No bundle",
  "other.zip": "PK No bundle",
});

describe("octavo bundle plan", () => {
  test("prints what changes, and fails only on request", async () => {
    const { code, out } = await plan(old, next, "--access-log", "access.log");
    expect({ code, out: out.trim() }).toEqual({
      code: 0,
      out: "1 new page\n  /new\n\n1 changed page\n  /\n\n1 page without a redirect\n  /gone\n\nRequests of the access log that will fail\n  /gone: 1 request",
    });
    expect((await plan(old, next, "--strict")).code).toBe(1);
    expect(await plan(old, old, "--strict")).toMatchObject({ code: 0, out: "Readers notice no change.\n" });
  });

  test("prints JSON", async () => {
    expect(JSON.parse((await plan(old, next, "--json")).out)).toMatchObject({
      added: ["/new"],
      changed: ["/"],
      gone: ["/gone"],
    });
  });

  test.each([
    [[old], 2, "Missing OLD and NEW"],
    [[old, "none.tar.gz"], 2, "File or folder not found: none.tar.gz"],
    [[old, next, "--access-log", "none.log"], 2, "File not found: none.log"],
    [[old, "other.zip"], 1, "other.zip isn't a .tar.gz or .zip archive"],
    [[old, "other.txt"], 1, "other.txt isn't a .tar.gz or .zip archive"],
  ])("explains %j", async (args, code, message) => {
    const ended = await plan(...args);
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(message)]);
  });
});
