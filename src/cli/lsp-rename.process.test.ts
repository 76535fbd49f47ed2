/** References, renames, and folding of the language server, driven by a client over stdin and stdout. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  FoldingRangeRequest,
  type Location,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  type TextDocumentEdit,
  type TextEdit,
  WillRenameFilesRequest,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { readFiles, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { LanguageClient } from "../../test/engine/language-client.ts";
import { runCli } from "../../test/engine/run-cli.ts";

const openapi = `openapi: 3.1.0
info: { title: Plants, version: "1" }
paths:
  /plants:
    get:
      summary: List plants
      description: See [the start](/start).
      responses: { "200": { description: OK } }
`;

const docsJson = `{
  "$schema": "https://example.com/docs.json",
  "theme": "mint", "name": "Acme",
  "colors": { "primary": "#0D9373" },
  "navigation": {
    "groups": [
      { "group": "Start", "pages": ["index", "start", "/guides/deep", "guides/index"] },
      { "group": "API", "pages": ["GET /plants", "list"] }
    ]
  },
  "logo": "/images/plant.svg",
  "navbar": { "links": [{ "label": "Start", "href": "/start#install" }] },
  "api": { "openapi": "openapi.yaml" },
  "redirects": [
    { "source": "/begin", "destination": "/start" },
    { "source": "/new/first", "destination": "/start#use-it" }
  ]
}
`;

const sources = siteOf({
  "docs.json": docsJson,
  "index.mdx": [
    "---\ntitle: Home\nrelated: [start]\n---\n",
    'import Hint from "./snippets/hint.mdx";\n',
    "See [the start](/start), [use](./start.mdx#use-it?), and `[code](/start)`.\n",
    "```md\n[an example](/start)\n```\n",
    "[by reference][start] and [$5 for all](/start) at $6\n",
    "[start]: /start 'Start'\n",
    '<Card title="A"\n  href={"/start#install"}>\n  Text\n</Card>\n',
    "<Hint />\n",
    "[old](/begin) [section](/start#Install) [[/start]](/list)\n",
    "export const links = ['/start', '/list'];\n",
    "{links.map((to) => <a href={to}>{to}</a>)}\n",
  ].join("\n"),
  "start.mdx":
    "---\ntitle: Start\n---\n\n## Install\n\n[Top](#install) [Deep](guides/deep) ![](images/plant.svg)\n\n## Use it\n\n## Install\n\n[Second](#install-2)\n",
  "guides/index.mdx": "---\ntitle: Guides\n---\n\n[Deep](./deep) [Deep](guides/deep)\n",
  "guides/deep.mdx":
    '---\ntitle: Deep\n---\n\nimport Hint from "../snippets/hint.mdx";\n\n<Hint />\n\n<Snippet file="hint.mdx" />\n\n[Start](../start) [Start](../start.mdx#install) ![](../images/plant.svg)\n',
  "list.mdx": "---\ntitle: List\nopenapi: GET /plants\n---\n",
  "snippets/hint.mdx": "A [hint](/start#install).\n",
  "images/plant.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  "openapi.yaml": openapi,
}) as Record<string, string>;

const folder = path.join(temporaryFolder(), "docs");
const uriOf = (file: string) => pathToFileURL(path.join(folder, file)).href;
const fileOf = (uri: string) => path.relative(folder, fileURLToPath(uri)).split(path.sep).join("/");

/** The line and character of a text in a file. `|`: the cursor. */
function at(file: string, marked: string) {
  const offset = sources[file]!.indexOf(marked.replace("|", "")) + marked.indexOf("|");
  const lines = sources[file]!.slice(0, offset).split("\n");
  const position = { line: lines.length - 1, character: lines.at(-1)!.length };
  return { textDocument: { uri: uriOf(file) }, position };
}

const shown = (locations: readonly Location[]) =>
  locations
    .map(({ uri, range }) => `${fileOf(uri)}:${range.start.line + 1}:${range.start.character + 1}`)
    .sort();

/** The files after an edit of the workspace. */
function textsAfter(edit: WorkspaceEdit | null): Record<string, string> {
  const texts = { ...sources };
  const change = (uri: string, edits: TextEdit[]) => {
    const file = fileOf(uri);
    texts[file] = TextDocument.applyEdits(TextDocument.create(uri, "mdx", 0, texts[file]!), edits);
  };
  for (const each of edit?.documentChanges ?? [])
    if ("kind" in each && each.kind === "rename") {
      texts[fileOf(each.newUri)] = texts[fileOf(each.oldUri)]!;
      delete texts[fileOf(each.oldUri)];
    } else {
      const { textDocument, edits } = each as TextDocumentEdit;
      change(textDocument.uri, edits as TextEdit[]);
    }
  return texts;
}

/** The changed lines of each file. */
function changes(texts: Record<string, string>): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [file, text] of Object.entries(texts)) {
    const before = new Set((sources[file] ?? "").split("\n"));
    const lines = text.split("\n").filter((line) => !before.has(line));
    if (lines.length > 0 && sources[file] !== undefined) found[file] = lines.map((line) => line.trim());
  }
  return found;
}

async function problems(texts: Record<string, string>): Promise<string[]> {
  const judged = temporaryFolder();
  writeFiles(judged, texts);
  const { out } = await runCli(["check", judged, "--json"]);
  return (JSON.parse(out) as { problems: { code: string; message: string }[] }).problems
    .map(({ code, message }) => `${code}: ${message}`)
    .sort();
}

let client: LanguageClient;

beforeAll(async () => {
  writeFiles(folder, sources);
  client = new LanguageClient(
    [],
    {},
    {
      workspace: {
        workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
      },
    },
  );
  await client.initialize(folder);
  await client.edit(uriOf("index.mdx"), sources["index.mdx"]!);
  await client.edit(uriOf("start.mdx"), sources["start.mdx"]!);
});

afterAll(async () => {
  expect(await client.end()).toBe(0);
  expect(client.foreignOutput()).toBe("");
});

describe("references", () => {
  const ofStart = [
    "docs.json:7:47",
    "docs.json:12:54",
    "docs.json:15:43",
    "docs.json:16:47",
    "guides/deep.mdx:11:9",
    "guides/deep.mdx:11:27",
    "index.mdx:3:11",
    "index.mdx:8:17",
    "index.mdx:8:32",
    "index.mdx:14:40",
    "index.mdx:16:10",
    "index.mdx:19:10",
    "index.mdx:25:7",
    "index.mdx:25:25",
    "index.mdx:27:24",
    "openapi.yaml:7:36",
    "snippets/hint.mdx:1:10",
  ].sort();

  test.each([
    ["a page, from a link", "index.mdx", "[the start](/st|art)", ofStart],
    ["a page, from docs.json", "docs.json", '"st|art"', ofStart],
    ["a page, from its own text", "start.mdx", "title: S|tart", ofStart],
    [
      "an anchor",
      "index.mdx",
      'href={"/start#ins|tall"}',
      [
        "docs.json:12:54",
        "guides/deep.mdx:11:27",
        "index.mdx:19:10",
        "index.mdx:25:25",
        "snippets/hint.mdx:1:10",
        "start.mdx:7:7",
      ],
    ],
    ["a heading", "start.mdx", "## Use| it", ["docs.json:16:47", "index.mdx:8:32"]],
    [
      "a snippet",
      "index.mdx",
      "./snippets/hi|nt.mdx",
      ["guides/deep.mdx:5:19", "guides/deep.mdx:9:16", "index.mdx:6:19"],
    ],
    [
      "an image",
      "guides/deep.mdx",
      "../images/pl|ant.svg",
      ["docs.json:11:12", "guides/deep.mdx:11:53", "start.mdx:7:41"],
    ],
    [
      "an operation",
      "list.mdx",
      "GET /pl|ants",
      ["docs.json:8:35", "docs.json:8:51", "index.mdx:25:52", "index.mdx:27:34", "list.mdx:3:10"],
    ],
    [
      "an operation, from its document",
      "openapi.yaml",
      "summary: List| plants",
      ["docs.json:8:35", "docs.json:8:51", "index.mdx:25:52", "index.mdx:27:34", "list.mdx:3:10"],
    ],
  ])("finds those of %s", async (_, file, marked, expected) => {
    const found = await client.connection.sendRequest(ReferencesRequest.type, {
      ...at(file, marked),
      context: { includeDeclaration: false },
    });
    expect(shown(found ?? [])).toEqual([...new Set(expected)].sort());
  });
});

describe("renames", () => {
  test("a heading, with the links to it and to headings whose numbers change", async () => {
    const place = at("start.mdx", "## Inst|all");
    expect(await client.connection.sendRequest(PrepareRenameRequest.type, place)).toMatchObject({
      placeholder: "Install",
    });
    const edit = await client.connection.sendRequest(RenameRequest.type, {
      ...place,
      newName: "Set up (fast)",
    });
    const texts = textsAfter(edit);
    expect(changes(texts)).toEqual({
      "docs.json": ['"navbar": { "links": [{ "label": "Start", "href": "/start#set-up-fast" }] },'],
      "guides/deep.mdx": ["[Start](../start) [Start](../start.mdx#set-up-fast) ![](../images/plant.svg)"],
      "index.mdx": [
        'href={"/start#set-up-fast"}>',
        "[old](/begin) [section](/start#set-up-fast) [[/start]](/list)",
      ],
      "snippets/hint.mdx": ["A [hint](/start#set-up-fast)."],
      "start.mdx": [
        "## Set up (fast)",
        "[Top](#set-up-fast) [Deep](guides/deep) ![](images/plant.svg)",
        "[Second](#install)",
      ],
    });
    expect(await problems(texts)).toEqual([]);
  });

  test("refuses a heading without text, and what isn't a heading", async () => {
    const heading = at("start.mdx", "## Inst|all");
    const text = at("start.mdx", "title: St|art");
    await expect(
      client.connection.sendRequest(RenameRequest.type, { ...heading, newName: " " }),
    ).rejects.toThrow("A heading needs a text in one line.");
    expect(await client.connection.sendRequest(PrepareRenameRequest.type, text)).toBeNull();
  });

  const moved = {
    "docs.json": [
      '{ "group": "Start", "pages": ["index", "new/first", "/guides/deep", "guides/index"] },',
      '"navbar": { "links": [{ "label": "Start", "href": "/new/first#install" }] },',
      '{ "source": "/begin", "destination": "/new/first" },',
      '{ "source": "/start", "destination": "/new/first" }',
    ],
    "guides/deep.mdx": ["[Start](../new/first) [Start](../new/first.mdx#install) ![](../images/plant.svg)"],
    "index.mdx": [
      "related: [new/first]",
      "See [the start](/new/first), [use](./new/first.mdx#use-it?), and `[code](/start)`.",
      "[by reference][start] and [$5 for all](/new/first) at $6",
      "[start]: /new/first 'Start'",
      'href={"/new/first#install"}>',
      "[old](/begin) [section](/new/first#Install) [[/start]](/list)",
      "export const links = ['/new/first', '/list'];",
    ],
    "openapi.yaml": ["description: See [the start](/new/first)."],
    "snippets/hint.mdx": ["A [hint](/new/first#install)."],
  };

  test("a page, from a link to it", async () => {
    const place = at("index.mdx", "[the start](/st|art)");
    expect(await client.connection.sendRequest(PrepareRenameRequest.type, place)).toMatchObject({
      placeholder: "start.mdx",
    });
    const edit = await client.connection.sendRequest(RenameRequest.type, { ...place, newName: "/new/first" });
    const texts = textsAfter(edit);
    expect(changes(texts)).toEqual(moved);
    expect(texts["start.mdx"]).toBeUndefined();
    expect(texts["new/first.mdx"]).toContain(
      "[Top](#install) [Deep](../guides/deep) ![](../images/plant.svg)",
    );
    expect(await problems(texts)).toEqual([]);
  });

  test("a folder, whose pages and links the editor moves", async () => {
    const files = [{ oldUri: uriOf("guides"), newUri: uriOf("manual/v2") }];
    const edit = await client.connection.sendRequest(WillRenameFilesRequest.type, { files });
    const texts = textsAfter(edit);
    for (const name of ["index.mdx", "deep.mdx"]) {
      texts[`manual/v2/${name}`] = texts[`guides/${name}`]!;
      delete texts[`guides/${name}`];
    }
    expect(changes(texts)).toEqual({
      "docs.json": [
        '{ "group": "Start", "pages": ["index", "start", "/manual/v2/deep", "manual/v2/index"] },',
        '{ "source": "/new/first", "destination": "/start#use-it" },',
        '{ "source": "/guides", "destination": "/manual/v2" },',
        '{ "source": "/guides/deep", "destination": "/manual/v2/deep" }',
      ],
      "start.mdx": ["[Top](#install) [Deep](manual/v2/deep) ![](images/plant.svg)"],
    });
    expect(texts["manual/v2/index.mdx"]).toContain("[Deep](./deep) [Deep](deep)");
    expect(texts["manual/v2/deep.mdx"]).toContain('from "../../snippets/hint.mdx"');
    expect(texts["manual/v2/deep.mdx"]).toContain("![](../../images/plant.svg)");
    expect(await problems(texts)).toEqual([]);
  });

  test.each([
    [
      "a snippet",
      "snippets/hint.mdx",
      "snippets/notes/tip.mdx",
      ['import Hint from "./snippets/notes/tip.mdx";'],
    ],
    ["an image", "images/plant.svg", "assets/tree.svg", undefined],
  ])("%s", async (_, from, to, ofHome) => {
    const files = [{ oldUri: uriOf(from), newUri: uriOf(to) }];
    const edit = await client.connection.sendRequest(WillRenameFilesRequest.type, { files });
    const texts = textsAfter(edit);
    texts[to] = texts[from]!;
    delete texts[from];
    expect(changes(texts)["index.mdx"]).toEqual(ofHome);
    expect(await problems(texts)).toEqual([]);
  });

  test("a page and back leaves the files as they were", async () => {
    const other = path.join(temporaryFolder(), "docs");
    writeFiles(other, sources);
    const own = new LanguageClient([other]);
    await own.initialize(other);
    const there = (file: string) => pathToFileURL(path.join(other, file)).href;
    await own.edit(there("docs.json"), docsJson);

    for (const [from, to] of [
      ["start.mdx", "more/begin.mdx"],
      ["more/begin.mdx", "start.mdx"],
    ] as const) {
      const files = [{ oldUri: there(from), newUri: there(to) }];
      const edit = await own.connection.sendRequest(WillRenameFilesRequest.type, { files });
      for (const [uri, edits] of Object.entries(edit?.changes ?? {})) {
        const file = fileURLToPath(uri);
        const text = readFileSync(file, "utf8");
        writeFileSync(file, TextDocument.applyEdits(TextDocument.create(uri, "mdx", 0, text), edits));
      }
      mkdirSync(path.dirname(path.join(other, to)), { recursive: true });
      renameSync(path.join(other, from), path.join(other, to));
      await own.edit(there("docs.json"), readFileSync(path.join(other, "docs.json"), "utf8"));
    }

    const { "docs.json": settings, ...pages } = readFiles(other);
    const { "docs.json": _, ...others } = sources;
    expect(pages).toEqual(others);
    expect(settings).toBe(
      docsJson.replace(
        '"/start#use-it" }',
        '"/start#use-it" },\n    { "source": "/more/begin", "destination": "/start" }',
      ),
    );
    await own.end();
  });
});

test("folds frontmatter, sections, code, and elements", async () => {
  const { textDocument } = at("index.mdx", "|Se");
  const folds = await client.connection.sendRequest(FoldingRangeRequest.type, { textDocument });
  expect(folds!.map(({ startLine, endLine }) => [startLine + 1, endLine + 1])).toEqual([
    [1, 4],
    [10, 12],
    [18, 20],
  ]);
});
