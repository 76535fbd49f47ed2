/** A client of the language server that runs `octavo lsp` and checks what it writes to stdout. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import path from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShutdownRequest,
} from "vscode-languageserver/node";
import { root, testCaches } from "./build.ts";

export class LanguageClient {
  readonly connection: ProtocolConnection;
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** The diagnostics of each file, by URI. */
  readonly diagnostics = new Map<string, Diagnostic[]>();
  capabilities: InitializeResult["capabilities"] = {};
  private readonly chunks: Buffer[] = [];
  private readonly checked = new Map<string, number>();
  private readonly versions = new Map<string, number>();
  private wake = () => {};

  private readonly clientCapabilities: ClientCapabilities;

  constructor(
    args: string[] = [],
    env: Record<string, string> = {},
    clientCapabilities: ClientCapabilities = {},
  ) {
    this.clientCapabilities = clientCapabilities;
    this.child = spawn(process.execPath, [path.join(root, "bin/octavo.js"), "lsp", ...args], {
      env: { ...process.env, OCTAVO_CACHE: testCaches, ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.child.once("exit", () => this.connection.dispose());
    const output = new PassThrough();
    this.child.stdout.on("data", (chunk: Buffer) => {
      this.chunks.push(chunk);
      output.write(chunk);
    });
    this.connection = createProtocolConnection(output, this.child.stdin);
    this.connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, version, diagnostics }) => {
      this.diagnostics.set(uri, diagnostics);
      if (version !== undefined) this.checked.set(uri, version);
      this.wake();
    });
    this.connection.listen();
  }

  async initialize(folder: string): Promise<void> {
    const uri = pathToFileURL(folder).href;
    const { capabilities } = await this.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "docs" }],
      capabilities: this.clientCapabilities,
    });
    this.capabilities = capabilities;
    await this.connection.sendNotification(InitializedNotification.type, {});
  }

  /** Opens a document or replaces its text, and waits for its diagnostics. */
  async edit(uri: string, text: string): Promise<Diagnostic[]> {
    await this.type(uri, text);
    while (this.checked.get(uri) !== this.versions.get(uri))
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    // The diagnostics of other files are sent before the answer to a later request.
    await this.connection.sendRequest("unknown").catch(() => {});
    return this.diagnostics.get(uri) ?? [];
  }

  /** Opens a document or replaces its text. */
  async type(uri: string, text: string): Promise<void> {
    const version = (this.versions.get(uri) ?? 0) + 1;
    this.versions.set(uri, version);
    if (version === 1)
      await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri, languageId: "mdx", version, text },
      });
    else
      await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
  }

  /** Ends the server. Resolves with its exit code. */
  async end(): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => this.child.once("exit", resolve));
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    return exited;
  }

  /** Returns what stdout contains apart from messages of the protocol. */
  foreignOutput(): string {
    let rest = Buffer.concat(this.chunks);
    for (;;) {
      const header = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString("latin1", 0, 60));
      if (!header) return rest.toString();
      const end = header[0].length + Number(header[1]);
      JSON.parse(rest.toString("utf8", header[0].length, end));
      rest = rest.subarray(end);
    }
  }
}
