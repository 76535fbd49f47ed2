/** The language server, driven by a client over stdin and stdout. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CodeAction,
  CodeActionRequest,
  type CompletionList,
  CompletionRequest,
  DefinitionRequest,
  DidCloseTextDocumentNotification,
  type DocumentSymbol,
  DocumentSymbolRequest,
  HoverRequest,
  type MarkupContent,
  type TextEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { readFiles, siteOf, temporaryFolder, testCaches, writeFiles } from "../../test/engine/build.ts";
import { LanguageClient } from "../../test/engine/language-client.ts";
import { checkedProblems, shownProblems } from "../../test/engine/language-judge.ts";
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

const judge = (texts: Record<string, string>) => checkedProblems(judged, texts);
const shown = (client: LanguageClient) => shownProblems(client, folder);

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

describe("writing", () => {
  let client: LanguageClient;
  beforeAll(async () => {
    client = await openClient();
    await client.edit(uriOf("index.mdx"), sources["index.mdx"]!);
  });
  afterAll(async () => {
    expect(await client.end()).toBe(0);
    expect(client.foreignOutput()).toBe("");
  });

  /** Writes a text whose `|` is the cursor. Returns its document and position. */
  async function at(text: string, file = "index.mdx") {
    const offset = text.indexOf("|");
    const lines = text.slice(0, offset).split("\n");
    await client.edit(uriOf(file), text.replace("|", ""));
    return {
      textDocument: { uri: uriOf(file) },
      position: { line: lines.length - 1, character: lines.at(-1)!.length },
    };
  }

  test.each([
    ["a component", "<Acc|", "Accordion", "Accordion"],
    ["a prop", '<Card icon="x" ti|', "title", "title"],
    ["a prop on the next line", "<Card\n  hr|", "href", "href"],
    ["a value", '<Callout type="wa|', "warning", "warning"],
    ["an icon", '<Card title="A" icon="rocke|', "rocket", "rocket"],
    ["a link", "[a](/st|", "/start", "/start"],
    ["a link in a prop", '<Card title="A" href="/gui|', "/guides/deep", "/guides/deep"],
    ["an image", "![a](/images/|", "/images/plant.svg", "/images/plant.svg"],
    ["an anchor", "[a](/start#|", "/start#use-it", "/start#use-it"],
    ["an anchor of the page", "[a](#wel|\n\n# Welcome", "#welcome", "#welcome"],
    ["a variable", "Use {{pro|", "product", "product"],
    ["a snippet", 'import Hint from "/snip|', "/snippets/hint.mdx", "/snippets/hint.mdx"],
    ["a frontmatter key", "---\nsideb|", "sidebarTitle", "sidebarTitle: "],
    ["a frontmatter value", "---\nmode: wi|", "wide", "wide"],
    ["an operation", "---\nopenapi: GET /pl|", "GET /plants", "GET /plants"],
  ])("completes %s", async (_, text, label, newText) => {
    const list = await client.connection.sendRequest(CompletionRequest.type, await at(text));
    const { items } = list as CompletionList;
    const item = items.find((other) => other.label === label);
    expect(item?.textEdit, items.map((other) => other.label).join(" ")).toMatchObject({ newText });
  });

  test.each([
    ["a key", '{ "nam|', "name", "name"],
    ["a nested key", '{ "styling": { "|', "codeblocks", "codeblocks"],
    ["a value", '{ "theme": "mi|', "mint", "mint"],
    ["a page", '{ "navigation": { "pages": ["index", "st|', "start", "start"],
  ])("completes %s in docs.json", async (_, text, label, newText) => {
    const list = await client.connection.sendRequest(CompletionRequest.type, await at(text, "docs.json"));
    await client.edit(uriOf("docs.json"), sources["docs.json"]!);
    const item = (list as CompletionList).items.find((other) => other.label === label);
    expect(item?.textEdit).toMatchObject({ newText });
  });

  test("completes nothing in a code fence", async () => {
    const list = await client.connection.sendRequest(CompletionRequest.type, await at("```mdx\n<Acc|"));
    expect((list as CompletionList).items).toEqual([]);
  });

  test.each([
    ["a link", "[a](/st|art)", "start.mdx", 0],
    ["an anchor", "[a](/start#use|-it)", "start.mdx", 7],
    ["an anchor of the page", "[a](#wel|come)\n\n# Welcome", "index.mdx", 2],
    ["a relative link", "[a](./guides/de|ep)", "guides/deep.mdx", 0],
    ["a snippet", 'import Hint from "/snippets/hi|nt.mdx"', "snippets/hint.mdx", 0],
    ["an image", "![a](/images/pl|ant.svg)", "images/plant.svg", 0],
    ["an operation", "---\nopenapi: GET /pla|nts\n---\n", "openapi.yaml", 4],
  ])("finds the definition of %s", async (_, text, file, line) => {
    const found = await client.connection.sendRequest(DefinitionRequest.type, await at(text));
    expect(found).toMatchObject({ uri: uriOf(file), range: { start: { line } } });
  });

  test.each([
    ["a component", '<Ca|rd title="A" />', /^\*\*<Card>\*\*\n\nProps: .*`icon`/],
    ["a link", "[a](/st|art)", /^\*\*Start\*\*\n\n`\/start` in `start.mdx`\n\nHow to start\.$/],
    [
      "an operation",
      "---\nopenapi: GET /pl|ants\n---\n",
      /^\*\*List plants\*\*\n\n`GET \/plants` in `openapi.yaml`/,
    ],
  ])("describes %s", async (_, text, expected) => {
    const hover = await client.connection.sendRequest(HoverRequest.type, await at(text));
    expect((hover!.contents as MarkupContent).value).toMatch(expected);
  });

  test("lists headings, each with the headings below it", async () => {
    const { textDocument } = await at("# A\n\n```md\n# Not\n```\n\n## B {#b}\n\n### C\n\n## D|");
    const symbols = await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
    const names = (list: DocumentSymbol[]): unknown[] =>
      list.map(({ name, children }) => (children?.length ? [name, names(children)] : name));
    expect(names(symbols as DocumentSymbol[])).toEqual([["A", [["B", ["C"]], "D"]]]);
  });

  test.each([
    ["index.mdx", "[a](/strat)", "[a](/start)"],
    ["index.mdx", "[a](/start#instal)", "[a](/start#install)"],
    ["index.mdx", '<Card titel="A">Text</Card>', '<Card title="A">Text</Card>'],
    ["index.mdx", '<Icon icon="rokcet" />', '<Icon icon="rocket" />'],
    ["index.mdx", "<Acordion>Text</Acordion>", "<Accordion>Text</Acordion>"],
    ["docs.json", sources["docs.json"]!.replace('"mint"', '"mintt"'), sources["docs.json"]!],
  ])("fixes a problem in %s: %s", async (file, text, expected) => {
    const uri = uriOf(file);
    const diagnostics = await client.edit(uri, text);
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const actions = (await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range,
      context: { diagnostics },
    })) as CodeAction[];
    const fixed = TextDocument.applyEdits(
      TextDocument.create(uri, "mdx", 0, text),
      (actions[0]?.edit?.changes?.[uri] ?? []) as TextEdit[],
    );
    await client.edit(uri, sources[file]!);
    expect(fixed, JSON.stringify(diagnostics)).toBe(expected);
  });
});

describe("the server", () => {
  test("writes no unsaved text to disk", async () => {
    const client = await openClient();
    await client.edit(uriOf("index.mdx"), "A secretmarker that isn't saved. {{product}}");
    await client.edit(uriOf("new.mdx"), "Another secretmarker.");
    await client.end();
    for (const place of [work, testCaches])
      for (const [file, text] of Object.entries(readFiles(place)))
        expect(text.includes("secretmarker"), file).toBe(false);
  });

  test("has the same problems after it was killed", async () => {
    for (let run = 0; run < 3; run++) {
      const client = await openClient();
      await client.edit(uriOf("index.mdx"), sources["index.mdx"]!);
      expect(shown(client)).toEqual(await judge(sources));
      void client.type(uriOf("index.mdx"), "[a](/nowhere)").catch(() => {});
      client.child.kill("SIGKILL");
      await new Promise((resolve) => client.child.once("exit", resolve));
      expect(client.foreignOutput()).toMatch(/^$|^Content-Length/);
    }
  });

  test("checks the newest text while an author types, and clears the problems of a closed file", async () => {
    const client = await openClient();
    const uri = uriOf("start.mdx");
    for (let key = 0; key < 200; key++)
      await client.type(uri, `${sources["start.mdx"]}\n[a](/nowhere${key})`);
    expect(await client.edit(uri, "[a](/last)")).toMatchObject([{ code: "dead-link" }]);
    await client.connection.sendNotification(DidCloseTextDocumentNotification.type, {
      textDocument: { uri },
    });
    await expect.poll(() => client.diagnostics.get(uri)).toEqual([]);
    expect(shown(client)).toEqual(await judge(sources));
    await client.end();
  });

  test("notices files that other programs change", async () => {
    const client = await openClient();
    await client.edit(uriOf("index.mdx"), sources["index.mdx"]!);
    writeFiles(folder, { "start.mdx": "[a](/outside)" });
    await expect
      .poll(() => client.diagnostics.get(uriOf("start.mdx")))
      .toMatchObject([{ code: "dead-link" }]);
    writeFiles(folder, sources);
    await expect.poll(() => client.diagnostics.get(uriOf("start.mdx"))).toEqual([]);
    await client.end();
  });

  test.each([
    ["deep nesting", "<Note>".repeat(20_000)],
    ["deep lists", "> - ".repeat(20_000)],
    ["deep JSON", '{"a":'.repeat(100_000)],
    ["5 MB of text", "word ".repeat(1_000_000)],
    ["5 MB of lines", "[a](/nowhere) <Card titel='a' />\n\n".repeat(150_000)],
    ["an endless loop", "{(() => { for (;;); })()}"],
  ])("answers after %s", { timeout: 120_000 }, async (name, text) => {
    const client = await openClient();
    const uri = uriOf(name === "deep JSON" ? "docs.json" : "index.mdx");
    await client.edit(uri, text);
    const position = { line: 0, character: 5 };
    await client.connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
    await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
    await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } });
    await client.edit(uri, sources[path.relative(folder, fileURLToPath(uri))]!);
    expect(shown(client)).toEqual(await judge(sources));
    expect(await client.end()).toBe(0);
    expect(client.foreignOutput()).toBe("");
  });
});
