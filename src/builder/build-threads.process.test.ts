/** Builds with several threads on the command line. */

import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { readFiles, root, runOctavo, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";

const folder = temporaryFolder();
const at = (name: string) => path.join(folder, name);
const nested = (levels: number) => `${"<Note>\n".repeat(levels)}Text\n${"</Note>\n".repeat(levels)}`;

/**
 * Enough pages for several threads. The last pages need most of the stack, and more than all of it. A second
 * thread starts with these.
 */
const docs = writeFiles(
  at("docs"),
  siteOf({
    ...Object.fromEntries(
      Array.from({ length: 220 }, (_, page) => [
        `page-${page}.mdx`,
        `---\ntitle: Page ${page}\n---\n\n## Part\n\n\`\`\`js\nconst page = ${page};\n\`\`\`\n`,
      ]),
    ),
    "z-deep.mdx": nested(250),
    "z-deeper.mdx": nested(298),
  }),
);
const build = (out: string, threads: number) => [
  "build",
  docs,
  "--output",
  at(out),
  "--threads",
  String(threads),
  "--no-cache",
];
const one = await runOctavo(build("one", 1));

test("the files and problems are the same with two threads", async () => {
  const two = await runOctavo(build("two", 2));
  expect(one.err).toContain("z-deeper.mdx error The page couldn't be rendered");
  expect([two.code, two.err]).toEqual([one.code, one.err]);
  expect(readFiles(at("two"))).toEqual(readFiles(at("one")));
});

test("after a build that is killed, the next one is right", async () => {
  const [docs, out] = [at("docs"), at("killed")];
  const args = (threads: number) => ["build", docs, "--output", out, "--threads", String(threads)];
  for (const share of [0.3, 0.6]) {
    const child = spawn(process.execPath, [path.join(root, "bin/octavo.js"), ...args(2)], {
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    child.stderr.on("data", (chunk: Buffer) => {
      const [, done, total] = /(\d+)\/(\d+)/.exec(chunk.toString()) ?? [];
      if (Number(done) >= share * Number(total)) process.kill(-child.pid!, "SIGKILL");
    });
    await ended;
  }
  await runOctavo(args(2));
  expect(readFiles(out)).toEqual(readFiles(at("one")));
});
