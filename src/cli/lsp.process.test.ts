/** The language server, driven by a client over stdin and stdout. */

import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readFiles, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { LanguageClient } from "../../test/engine/language-client.ts";
import { runCli } from "../../test/engine/run-cli.ts";
import { numbers } from "../../test/shared/random.ts";

const work = temporaryFolder();
const folder = path.join(work, "project/docs");
const judged = path.join(work, "judged");
const caches = path.join(work, "caches");

const openapi = `openapi: 3.1.0
info: { title: Plants, version: "1" }
paths:
  /plants:
    get:
      summary: List plants
      responses: { "200": { description: OK } }
`;

const sources = siteOf(
  {
    "index.mdx": "---\ntitle: Home\n---\n\n# Welcome\n\nSee [the start](/strat).\n",
    "start.mdx": "---\ntitle: Start\ndescription: How to start.\n---\n\n## Install\n\n## Use it\n",
    "guides/deep.mdx": '---\ntitle: Deep\n---\n\n<Card titel="A" icon="rocket">Text</Card>\n',
    "snippets/hint.mdx": "A hint for {{product}}.\n",
    "images/plant.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    "openapi.yaml": openapi,
  },
  {
    variables: { product: "Greenhouse" },
    navigation: { pages: ["index", "start", "guides/deep", "GET /plants"] },
    api: { openapi: "openapi.yaml" },
  },
) as Record<string, string>;

const uriOf = (file: string) => pathToFileURL(path.join(folder, file)).href;

/** The problems of `octavo check` for the same texts, in a folder of their own. */
async function judge(texts: Record<string, string>): Promise<string[]> {
  rmSync(judged, { recursive: true, force: true });
  writeFiles(judged, texts);
  const { out } = await runCli(["check", judged, "--json"]);
  const { problems } = JSON.parse(out) as { problems: Record<string, string | number | null>[] };
  return problems
    .map(({ file, line, column, severity, code, message, hint }) =>
      JSON.stringify([file, line ?? 1, column ?? 1, severity, code, message, hint]),
    )
    .sort();
}

/** The diagnostics that the client has, in the form of `judge`. */
function shown(client: LanguageClient): string[] {
  return [...client.diagnostics]
    .flatMap(([uri, diagnostics]) =>
      diagnostics.map(({ range, severity, code, data }) =>
        JSON.stringify([
          decodeURIComponent(uri.slice(uriOf("").length + 1)),
          range.start.line + 1,
          range.start.character + 1,
          severity === 1 ? "error" : "warning",
          code,
          (data as { message: string }).message,
          (data as { hint?: string }).hint ?? null,
        ]),
      ),
    )
    .sort();
}

async function openClient(): Promise<LanguageClient> {
  const client = new LanguageClient([], { OCTAVO_CACHE: caches });
  await client.initialize(path.dirname(folder));
  return client;
}

beforeAll(() => void writeFiles(folder, sources));

describe("diagnostics", () => {
  let client: LanguageClient;
  beforeAll(async () => {
    client = await openClient();
  });
  afterAll(async () => {
    expect(await client.end()).toBe(0);
    expect(client.foreignOutput()).toBe("");
  });

  const lines = [
    "See [a](/start#install), [b](/start#instal), [c](/nowhere).",
    '<Card title="A" icon="rokcet">Text</Card>',
    "<Note>Never closed.",
    "<Unknown>Text</Unknown>",
    "{1 + }",
    "![Plant](/images/plnat.svg)",
    "```js\nconst a = 1;",
    "## Install",
    '<Snippet file="hint.mdx" />',
    "# Emoji 😀 and [ümlaut](/ümlaut)",
    "\r\nWindows [line](/nowhere)\r\n",
    "{{product}} and {{produkt}}",
    "export const Counter = () => <b>{nothing}</b>;\n\n<Counter />",
  ];
  const changes: ((text: string, random: () => number) => string)[] = [
    (text, random) => `${text}\n${lines[Math.floor(random() * lines.length)]}\n`,
    (text, random) => text.slice(0, Math.floor(text.length * (0.5 + random() / 2))),
    (text, random) => {
      const at = Math.floor(random() * text.length);
      return `${text.slice(0, at)}x${text.slice(at + 1)}`;
    },
    (text) => text.replace(/title: .*\n/, "titel: Other\n"),
  ];

  test("equal the problems of octavo check after each of 40 edits", async () => {
    const next = numbers(7);
    const random = () => next(1_000_000) / 1_000_000;
    const texts = { ...sources };
    const files = [
      "index.mdx",
      "start.mdx",
      "guides/deep.mdx",
      "snippets/hint.mdx",
      "openapi.yaml",
      "docs.json",
    ];
    const durations_ms: number[] = [];

    for (let edit = 0; edit < 40; edit++) {
      const file = files[Math.floor(random() * files.length)]!;
      const change = random() < 0.2 ? () => sources[file]! : changes[Math.floor(random() * changes.length)]!;
      texts[file] = change(texts[file]!, random);
      const began = performance.now();
      await client.edit(uriOf(file), texts[file]!);
      durations_ms.push(performance.now() - began);
      expect(shown(client), `edit ${edit}: ${file}\n${texts[file]}`).toEqual(await judge(texts));
    }

    durations_ms.sort((a, b) => a - b);
    console.log(`p50 ${durations_ms[20]!.toFixed(0)} ms, p95 ${durations_ms[38]!.toFixed(0)} ms`);
    expect(readFiles(folder)).toEqual(sources);
    expect(readFileSync(path.join(folder, "index.mdx"), "utf8")).toBe(sources["index.mdx"]);
  });
});
