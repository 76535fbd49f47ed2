/**
 * The language server on real sites: it has the problems of `octavo check` after each edit, also when its
 * processes are killed, and its memory doesn't grow with the number of edits.
 */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { readFiles, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { LanguageClient } from "../../test/engine/language-client.ts";
import { checkedProblems, shownProblems } from "../../test/engine/language-judge.ts";
import { corpusEntries, corpusOf } from "../../test/shared/corpus.ts";
import { numbers } from "../../test/shared/random.ts";

type Texts = Record<string, string>;

const memoryEdits_count = 2_000;
const judged = path.join(temporaryFolder(), "judged");

/** Lines that add problems, or that look like they could. */
const lines = [
  "See [a](/nowhere), [b](#nowhere), [c](/), and [d](https://example.com).",
  '<Card titel="A" icon="rokcet">Text</Card>',
  "<Note>Never closed.",
  "</Note>",
  "{1 + }",
  "![Plant](/images/nowhere.svg)",
  "~~~\n[code](/nowhere)",
  "## Overview",
  '<Snippet file="nowhere.mdx" />',
  'import Nothing from "/snippets/nothing.mdx";\n\n<Nothing />',
  "Text {{undefined}} and {undefinedName}.",
  "| a | b |\n| - | - |\n| 1 | 2 | 3 |",
  "😀 [ümlaut](/ümlaut)",
];

const changes: ((text: string, random: (below: number) => number) => string)[] = [
  (text, random) => `${text}\n${lines[random(lines.length)]}\n`,
  (text, random) => {
    const all = text.split("\n");
    all.splice(random(all.length), 0, lines[random(lines.length)]!);
    return all.join("\n");
  },
  (text, random) => {
    const all = text.split("\n");
    all.splice(random(all.length), 1 + random(3));
    return all.join("\n");
  },
  (text, random) => {
    const at = random(text.length + 1);
    return text.slice(0, at) + '<{}[]("x'[random(9)] + text.slice(at);
  },
  (text) => text.replace(/^(#+ .*)$/m, "$1 changed"),
];

/** Writes a real site to a folder. Returns its texts and the files that are edited. */
function siteOfCorpus(name: string) {
  const texts = readFiles(path.join(corpusOf.docs, name)) as Texts;
  const folder = path.join(temporaryFolder(), "docs");
  writeFiles(folder, texts);
  const files = Object.keys(texts).filter((file) =>
    /\.mdx?$|(?:^|\/)docs\.json$|openapi\.(?:json|ya?ml)$/.test(file),
  );
  const uriOf = (file: string) => pathToFileURL(path.join(folder, file)).href;
  return { texts, folder, files, uriOf };
}

async function openClient(folder: string): Promise<LanguageClient> {
  const client = new LanguageClient([folder], { OCTAVO_CACHE: path.join(folder, "../caches") });
  await client.initialize(folder);
  return client;
}

/** The process of the server and the build process that it started. */
function processesOf(client: LanguageClient): number[] {
  const server = client.child.pid!;
  const parentOf = (pid: string) => {
    try {
      return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
    } catch {
      return undefined;
    }
  };
  const running = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return [server, ...running.filter((pid) => parentOf(pid) === server).map(Number)];
}

function memoryOf(client: LanguageClient): number {
  const sizes_kb = processesOf(client).map((pid) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0),
  );
  return sizes_kb.reduce((sum, size) => sum + size, 0) / 1024;
}

const isMissing = (name: string) => corpusEntries(path.join(corpusOf.docs, name)).length === 0;

/** Sites and numbers of edits. A check of the last site takes seconds. */
describe.each([
  ["x402", 40],
  ["turso", 40],
  ["spree", 10],
] as const)("%s", (name, edits_count) => {
  test.skipIf(isMissing(name))(
    `has the problems of octavo check after each of ${edits_count} edits`,
    { timeout: 1_800_000 },
    async () => {
      const { texts, folder, files, uriOf } = siteOfCorpus(name);
      const random = numbers(name.length);
      const client = await openClient(folder);
      const now = { ...texts };
      const times_ms: number[] = [];
      for (let edit = 0; edit < edits_count; edit++) {
        const file = edit % 8 === 7 ? "docs.json" : files[random(files.length)]!;
        const isUndone = random(5) === 0;
        now[file] = isUndone ? texts[file]! : changes[random(changes.length)]!(now[file]!, random);
        const began = performance.now();
        await client.edit(uriOf(file), now[file]!);
        times_ms.push(performance.now() - began);
        const expected = await checkedProblems(judged, now);
        expect(shownProblems(client, folder), `edit ${edit}: ${file}`).toEqual(expected);
        // A broken docs.json hides the problems of pages.
        if (file === "docs.json" && edit % 2 === 1) {
          now[file] = texts[file]!;
          await client.edit(uriOf(file), now[file]!);
        }
      }
      times_ms.sort((a, b) => a - b);
      const [p50, p95] = [0.5, 0.95].map((share) => times_ms[Math.floor(share * edits_count)]!.toFixed(0));
      console.log(`${name}: p50 ${p50} ms, p95 ${p95} ms`);
      expect(await client.end()).toBe(0);
    },
  );
});

describe.skipIf(isMissing("x402"))("a site", () => {
  test("needs no more memory after 2,000 edits than after 1,000", { timeout: 1_800_000 }, async () => {
    const { texts, folder, files, uriOf } = siteOfCorpus("x402");
    const random = numbers(5);
    const client = await openClient(folder);
    const now = { ...texts };
    const lowest: number[] = [];
    for (let edit = 0; edit < memoryEdits_count; edit++) {
      const file = files[random(files.length)]!;
      now[file] = random(3) === 0 ? texts[file]! : changes[random(changes.length)]!(now[file]!, random);
      await client.edit(uriOf(file), now[file]!);
      const part = Math.floor(edit / 250);
      lowest[part] = Math.min(lowest[part] ?? Number.POSITIVE_INFINITY, memoryOf(client));
    }
    console.log(`MB in each 250 edits: ${lowest.map((size) => size.toFixed(0)).join(" ")}`);
    expect(await client.end()).toBe(0);
    expect(lowest.at(-1)).toBeLessThan(1.1 * lowest[4]!);
  });

  test("has the right problems after its processes are killed at random", {
    timeout: 1_800_000,
  }, async () => {
    const { texts, folder, files, uriOf } = siteOfCorpus("x402");
    const random = numbers(9);
    const now = { ...texts };
    let client = await openClient(folder);
    for (let round = 0; round < 20; round++) {
      const file = files[random(files.length)]!;
      now[file] = changes[random(changes.length)]!(texts[file]!, random);
      await client.type(uriOf(file), now[file]!).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, random(400)));
      const processes = processesOf(client);
      const isServer = round % 2 === 0;
      const target = isServer ? processes[0]! : processes.at(-1)!;
      process.kill(target, "SIGKILL");
      if (target === processes[0]) {
        await new Promise((resolve) => client.child.once("exit", resolve));
        client = await openClient(folder);
        for (const [other, text] of Object.entries(now))
          if (text !== texts[other]) await client.edit(uriOf(other), text);
      }

      const last = files[random(files.length)]!;
      await client.edit(uriOf(last), now[last]!);
      expect(shownProblems(client, folder), `round ${round}`).toEqual(await checkedProblems(judged, now));
    }
    await client.end();
  });
});
