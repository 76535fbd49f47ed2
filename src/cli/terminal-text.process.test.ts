/** What texts of others, such as servers and readers, can do to the terminal of a command. */

import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOctavo, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { listen } from "../../test/shared/listen.ts";
import { terminalText } from "./terminal-text.ts";

/** Sets the title, clears the screen, moves the cursor, and rings the bell, with C0 and C1 characters. */
const escapes = "A\u001b]2;title\u0007B\u009b2JC\u001b[5AD\u0090q\u009cE\u001bcF\rG\bH\u007fI";
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const server = createServer((_request, response) => {
  response.writeHead(403, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: escapes, details: [{ message: escapes }] }));
});
let url: string;
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => server.close());

test("an error of the service can't control the terminal", async () => {
  const { code, err } = await runOctavo(["feed", temporaryFolder(), "--project", "x"], {
    env: { ...process.env, OCTAVO_URL: url, OCTAVO_API_KEY: "oct_x" },
  });
  expect([code, controls.test(err)]).toEqual([2, false]);
  expect(err).toContain("A]2;titleB2JC[5ADqEcFGHI\n");
});

test("a question of a reader can't control the terminal, and JSON stays valid", async () => {
  const docs = writeFiles(temporaryFolder(), siteOf({ "index.mdx": "A greenhouse." }));
  const questions = path.join(temporaryFolder(), "questions.txt");
  writeFileSync(questions, `${escapes.replace("\r", "")}\n`);
  const args = ["check", docs, "--questions", questions];
  const { out } = await runOctavo(args);
  expect(out).toContain("Not covered: A");
  expect(out).not.toMatch(controls);
  const json = await runOctavo([...args, "--json"]);
  expect(json.out).not.toMatch(controls);
  expect(JSON.parse(json.out).questions[0].question).toBe(escapes.replace("\r", ""));
});

describe("terminalText", () => {
  const colored = "\u001b[31merror\u001b[0m in \u001b[1ma.mdx\u001b[0m";

  test("keeps tabs, line breaks, and the colors of commands", () => {
    expect(terminalText(`a\tb\n${colored} Größe 日本`, true)).toBe(`a\tb\n${colored} Größe 日本`);
  });

  test("drops colors if the output has none, and sequences that commands don't use", () => {
    expect(terminalText("if (a\u202e \u2066// b\u2069 c", true)).toBe("if (a // b c");
    expect(terminalText(colored, false)).toBe("[31merror[0m in [1ma.mdx[0m");
    expect(terminalText("\u001b[8mhidden \u001b[1;31m \u001b\u0000[2m", true)).toBe("[8mhidden [1;31m [2m");
  });

  test("escapes control characters in JSON", () => {
    const value = { a: "\u009b\u007f\u001b[31m\u0085" };
    expect(JSON.parse(terminalText(JSON.stringify(value), true))).toEqual(value);
    expect(JSON.parse(terminalText(JSON.stringify([value], null, 2), true))).toEqual([value]);
  });
});
