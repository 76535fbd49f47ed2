/** Starts `octavo lsp` for the documentation folder of the workspace, and `octavo dev` for previews. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import {
  commands,
  type ExtensionContext,
  env,
  type LogOutputChannel,
  ProgressLocation,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** On Windows, npm installs commands as scripts, which only a shell runs. */
const isWindows = process.platform === "win32";

let client: LanguageClient | undefined;
let preview: { process: ChildProcess; url: Promise<string> } | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel("Octavo", { log: true });
  context.subscriptions.push(
    output,
    commands.registerCommand("octavo.preview", () => reportErrors(() => openPreview(output))),
    commands.registerCommand("octavo.restart", () => reportErrors(() => startClient(output))),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("octavo")) void reportErrors(() => startClient(output));
    }),
  );
  await reportErrors(() => startClient(output));
}

export async function deactivate(): Promise<void> {
  preview?.process.kill();
  await client?.stop();
}

async function startClient(output: LogOutputChannel): Promise<void> {
  const folder = await docsFolder();
  await client?.stop();
  client = undefined;
  if (folder === undefined) return;

  const pattern = `${folder}/**/*`;
  client = new LanguageClient(
    "octavo",
    "Octavo",
    { ...octavoCommand(folder, "lsp"), options: { cwd: folder, shell: isWindows } },
    {
      documentSelector: [
        "mdx",
        "markdown",
        "json",
        "jsonc",
        "yaml",
        "javascriptreact",
        "typescriptreact",
      ].map((language) => ({ scheme: "file", language, pattern })),
      outputChannel: output,
    },
  );
  await client.start();
}

async function openPreview(output: LogOutputChannel): Promise<void> {
  const folder = await docsFolder();
  if (folder === undefined) throw new Error("The workspace has no docs.json. Open a documentation folder.");
  const file = window.activeTextEditor?.document.uri.fsPath;
  if (!preview || preview.process.exitCode !== null) preview = startPreview(folder, output);
  const { url } = preview;
  const base = await window.withProgress(
    { location: ProgressLocation.Window, title: "Octavo: starting the preview" },
    () => url,
  );

  const page = file === undefined ? "" : path.relative(folder, file).split(path.sep).join("/");
  const route = /^(?!\.\.).*\.mdx?$/.test(page)
    ? page.replace(/\.mdx?$/, "").replace(/(^|\/)index$/, "")
    : "";
  const at = Uri.parse(`${base}/${route.split("/").map(encodeURIComponent).join("/")}`);
  await commands.executeCommand("simpleBrowser.api.open", await env.asExternalUri(at), {
    viewColumn: ViewColumn.Beside,
    preserveFocus: true,
  });
}

/** Starts `octavo dev`. `url` resolves with the URL of the preview, without a slash at its end. */
function startPreview(folder: string, output: LogOutputChannel): NonNullable<typeof preview> {
  const { command, args } = octavoCommand(folder, "dev");
  const child = spawn(command, args, { cwd: folder, shell: isWindows });
  const url = new Promise<string>((resolve, reject) => {
    let text = "";
    const read = (chunk: Buffer) => {
      output.append(chunk.toString());
      text = (text + chunk.toString()).slice(-10_000);
      const found = /http:\/\/localhost:\d+/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`octavo dev ended with code ${code}. See the output.`)));
  });
  return { process: child, url };
}

/** Returns the `octavo` command: that of the settings, of the nearest `node_modules`, or of the `PATH`. */
function octavoCommand(folder: string, name: string): { command: string; args: string[] } {
  const quoted = (text: string) => (isWindows ? `"${text}"` : text);
  const args = [name, quoted(folder)];
  const configured = workspace.getConfiguration("octavo").get<string>("command");
  if (configured) return { command: quoted(configured), args };
  const { root } = path.parse(folder);
  for (let at = folder; at !== root; at = path.dirname(at)) {
    const own = path.join(at, "node_modules/.bin", isWindows ? "octavo.cmd" : "octavo");
    if (existsSync(own)) return { command: quoted(own), args };
  }
  return { command: "octavo", args };
}

async function docsFolder(): Promise<string | undefined> {
  const [root] = workspace.workspaceFolders ?? [];
  const folder = workspace.getConfiguration("octavo").get<string>("folder");
  if (root && folder) return path.join(root.uri.fsPath, folder);
  const found = await workspace.findFiles("**/docs.json", "**/node_modules/**", 100);
  const folders = found.map(({ fsPath }) => path.dirname(fsPath));
  return folders.sort((a, b) => a.length - b.length)[0];
}

async function reportErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = (error as Error).message;
    void window.showErrorMessage(
      message.includes("ENOENT") ? `${message}. Install octavo, or set octavo.command.` : message,
    );
  }
}
