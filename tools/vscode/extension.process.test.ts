/** The extension for VS Code, loaded with a stand-in for the editor's API. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { writeExtension } from "../../scripts/vscode-extension.js";
import { siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";

interface Extension {
  activate(context: { subscriptions: unknown[] }): Promise<void>;
  deactivate(): Promise<void>;
}

interface Manifest {
  contributes: { commands: { command: string }[] };
}

/** The parts of the editor that the extension uses. Everything else is a class without members. */
const editor = `
const any = new Proxy(class {}, { get: (target, key) => key in target || typeof key === "symbol" ? target[key] : any });
const state = (globalThis.editorOfTest = { commands: {}, opened: [], errors: [] });
const channel = { append() {}, appendLine() {}, dispose() {} };
module.exports = new Proxy({
  commands: {
    registerCommand: (name, run) => ((state.commands[name] = run), { dispose() {} }),
    executeCommand: async (name, uri) => void state.opened.push(name + " " + uri),
  },
  env: { asExternalUri: async (uri) => uri, language: "en" },
  Uri: { parse: String },
  ViewColumn: { Beside: -2 },
  ProgressLocation: { Window: 10 },
  window: {
    createOutputChannel: () => channel,
    showErrorMessage: (message) => void state.errors.push(message),
    withProgress: (_, work) => work(),
    get activeTextEditor() { return state.editor; },
  },
  workspace: {
    workspaceFolders: undefined,
    onDidChangeConfiguration: () => ({ dispose() {} }),
    getConfiguration: () => ({ get: (key) => state.settings?.[key] }),
    findFiles: async () => (state.folder ? [{ fsPath: state.folder + "/docs.json" }] : []),
  },
}, { get: (target, key) => (key in target ? target[key] : any) });
`;

interface EditorState {
  commands: Record<string, () => Promise<void>>;
  opened: string[];
  errors: string[];
  folder?: string;
  settings?: Record<string, string>;
  editor?: { document: { uri: { fsPath: string } } };
}

test("registers its commands, previews the page of the editor, and says what is missing", async () => {
  const extension = temporaryFolder();
  await writeExtension(extension);
  writeFiles(extension, { "node_modules/vscode/index.js": editor });
  const { activate, deactivate } = createRequire(path.join(extension, "package.json"))(
    "./extension.js",
  ) as Extension;
  await activate({ subscriptions: [] });
  const state = (globalThis as unknown as { editorOfTest: EditorState }).editorOfTest;
  const { contributes } = JSON.parse(readFileSync(path.join(extension, "package.json"), "utf8")) as Manifest;
  expect(Object.keys(state.commands).sort()).toEqual(
    contributes.commands.map(({ command }) => command).sort(),
  );

  await state.commands["octavo.preview"]!();
  expect(state.errors).toEqual(["The workspace has no docs.json. Open a documentation folder."]);

  const folder = path.join(temporaryFolder(), "my docs");
  writeFiles(folder, siteOf({ "guides/index.mdx": "# Guides", "start.mdx": "# Start" }));
  state.folder = folder;
  state.settings = { command: path.resolve("bin/octavo.js") };
  state.editor = { document: { uri: { fsPath: path.join(folder, "guides/index.mdx") } } };
  await state.commands["octavo.preview"]!();
  expect(state.opened[0]).toMatch(/^simpleBrowser\.api\.open http:\/\/localhost:\d+\/guides$/);
  const answer = await fetch(state.opened[0]!.split(" ")[1]!);
  expect(await answer.text()).toContain("Guides");

  state.editor = { document: { uri: { fsPath: path.join(folder, "../other.mdx") } } };
  await state.commands["octavo.preview"]!();
  expect(state.opened[1]).toMatch(/^simpleBrowser\.api\.open http:\/\/localhost:\d+\/$/);
  await deactivate();
});

test("is small, and has the version of the product when it's packed", async () => {
  const lines = readFileSync("tools/vscode/extension.ts", "utf8").split("\n");
  expect(lines.length).toBeLessThan(200);
  const folder = temporaryFolder();
  await writeExtension(folder);
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as { version: string; type?: string };
  expect(read(path.join(folder, "package.json"))).toMatchObject({ version: read("package.json").version });
  expect(read(path.join(folder, "package.json")).type).toBeUndefined();
});
