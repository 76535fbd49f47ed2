/**
 * The language server: receives the texts of an editor, and sends the problems of the site. Pages are built
 * in the build process, so that the server answers during a build.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { watch } from "chokidar";
import {
  CodeActionKind,
  type Connection,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type Position,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Problem } from "../../base/problem.ts";
import { isInSkippedFolder } from "../../base/skipped-folders.ts";
import type { BuildResult } from "../../builder/build-protocol.ts";
import type { SiteOutline } from "../../builder/site-outline.ts";
import { pageCache } from "../page-cache.ts";
import type { Terminal } from "../terminal.ts";
import { Checker, type EditorTexts } from "./checker.ts";
import { completionsAt } from "./completion.ts";
import { diagnosticOf } from "./diagnostics.ts";
import { DocsPaths } from "./docs-paths.ts";
import { findDocsFolder } from "./find-docs-folder.ts";
import { foldsIn } from "./folding.ts";
import { symbolsIn } from "./outline-symbols.ts";
import { quickFixes } from "./quick-fixes.ts";
import { definitionAt, type EditorReference, hoverAt } from "./references.ts";
import {
  editsForRenamedFiles,
  findReferences,
  renameAt,
  renamedAt,
  type SiteQuestions,
} from "./site-questions.ts";

export interface LanguageServerOptions {
  /** The documentation folder. Undefined to search the folders of the editor. */
  folder: string | undefined;
  threads: number | undefined;
}

/** Files that are sent to the builder if they aren't saved. Others are read from disk. */
const isText = (file: string) => /\.(?:mdx?|json|ya?ml|jsx?|tsx?|css|svg)$|(?:^|\/)\.\w+ignore$/i.test(file);

/** Starts the server on stdin and stdout. The process exits when the editor ends the connection. */
export function startLanguageServer(terminal: Terminal, options: LanguageServerOptions): LanguageServer {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const server = new LanguageServer(connection, terminal, options);
  connection.listen();
  return server;
}

/** A documentation folder that is open in an editor. */
export class LanguageServer {
  private readonly connection: Connection;
  private readonly terminal: Terminal;
  private readonly options: LanguageServerOptions;
  private readonly documents = new TextDocuments(TextDocument);
  private paths: DocsPaths | undefined;
  private checker: Checker | undefined;
  private outline: SiteOutline | undefined;
  private client: SiteQuestions["client"] = { hasDocumentChanges: false, hasRenames: false };
  /** Diagnostics that were sent, as JSON, by URI. */
  private readonly sent = new Map<string, string>();
  private readonly atEnd: (() => unknown)[] = [];

  constructor(connection: Connection, terminal: Terminal, options: LanguageServerOptions) {
    this.connection = connection;
    this.terminal = terminal;
    this.options = options;
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => this.start());
    this.documents.onDidChangeContent(() => this.checker?.request());
    this.documents.onDidClose(() => this.checker?.request());
    this.documents.onDidSave(() => this.checker?.request());
    this.documents.listen(connection);
    this.answerRequests();
  }

  /** Ends the build process and stops watching the folder. */
  async end(): Promise<void> {
    await Promise.all(this.atEnd.map((stop) => stop()));
  }

  private initialize(params: InitializeParams): InitializeResult {
    const folder = this.options.folder ?? docsFolderOf(params);
    const { documentChanges, resourceOperations } = params.capabilities.workspace?.workspaceEdit ?? {};
    const hasDocumentChanges = documentChanges === true;
    const hasRenames = hasDocumentChanges && resourceOperations?.includes("rename") === true;
    this.client = { hasDocumentChanges, hasRenames };
    if (folder !== undefined) this.paths = new DocsPaths(folder);
    return {
      serverInfo: { name: "octavo", version: this.terminal.version },
      capabilities: {
        textDocumentSync: {
          openClose: true,
          change: TextDocumentSyncKind.Incremental,
          save: true,
        },
        completionProvider: { triggerCharacters: ["<", '"', "/", "(", "#", "{", " "] },
        hoverProvider: true,
        definitionProvider: true,
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        workspace: {
          fileOperations: {
            willRename: { filters: [{ scheme: "file", pattern: { glob: "**/*" } }] },
          },
        },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
    };
  }

  private start(): void {
    const { paths, terminal } = this;
    if (paths === undefined) {
      this.connection.console.warn("No folder with a docs.json file was found.");
      return;
    }

    const builder = terminal.startBuildProcess(undefined, this.options.threads);
    this.atEnd.push(() => builder.end());
    const note = (text: string) => this.connection.console.warn(text);
    this.checker = new Checker({
      builder,
      job: { folder: paths.folder, ...pageCache(paths.folder, { ...terminal, note }) },
      takeSnapshot: () => this.takeSnapshot(paths),
      onResult: (result, versions) => this.show(result, versions, paths),
      onFailure: (error) => this.connection.console.error(error.message),
    });

    const { checker } = this;
    const watcher = watch(paths.folder, {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (file) => isInSkippedFolder(path.relative(paths.folder, file).replaceAll(path.sep, "/")),
    });
    watcher.on("all", () => checker.request());
    watcher.on("error", (error) => this.connection.console.warn((error as Error).message));
    this.atEnd.push(() => watcher.close());
    checker.request();
  }

  private answerRequests(): void {
    const { connection, documents } = this;
    const isPage = (uri: string) => /\.mdx?$/i.test(uri);

    connection.onCompletion(({ textDocument: { uri }, position }) => {
      const file = this.paths?.fileOf(uri);
      const document = documents.get(uri);
      const isKnown = isPage(uri) || /(?:docs|mint)\.json$/.test(uri);
      if (file === undefined || !document || !this.outline || !isKnown) return null;
      const before = document.getText({ start: { line: 0, character: 0 }, end: position });
      return completionsAt(before, position, file, this.outline);
    });

    connection.onHover(({ textDocument: { uri }, position }) => {
      const context = isPage(uri) ? this.referenceContext(uri, position) : undefined;
      return context && hoverAt(context);
    });

    connection.onDefinition(({ textDocument: { uri }, position }) => {
      const context = isPage(uri) ? this.referenceContext(uri, position) : undefined;
      return context && definitionAt(context);
    });

    connection.onDocumentSymbol(({ textDocument: { uri } }) => {
      const document = documents.get(uri);
      return document && isPage(uri) ? symbolsIn(document.getText()) : [];
    });

    connection.onFoldingRanges(({ textDocument: { uri } }) => {
      const document = documents.get(uri);
      return document && isPage(uri) ? foldsIn(document.getText()) : [];
    });

    this.answerQuestions();

    connection.onCodeAction(({ textDocument: { uri }, context: { diagnostics } }) => {
      const document = documents.get(uri);
      return document ? quickFixes(diagnostics, uri, document.getText().split(/\r\n?|\n/)) : [];
    });
  }

  /** Answers the requests that need the whole site. */
  private answerQuestions(): void {
    const { connection } = this;
    const fileOf = (uri: string) => this.paths?.fileOf(uri);

    connection.onReferences(async ({ textDocument: { uri }, position, context: { includeDeclaration } }) => {
      const file = fileOf(uri);
      const site = this.siteQuestions();
      return site && file !== undefined
        ? await findReferences(file, position, includeDeclaration, site)
        : null;
    });

    connection.onPrepareRename(({ textDocument: { uri }, position }) => {
      const file = fileOf(uri);
      const site = this.siteQuestions();
      return (site && file !== undefined ? renamedAt(file, position, site) : undefined) ?? null;
    });

    connection.onRenameRequest(async ({ textDocument: { uri }, position, newName }) => {
      const file = fileOf(uri);
      const site = this.siteQuestions();
      return site && file !== undefined ? await renameAt(file, position, newName, site) : null;
    });

    connection.workspace.onWillRenameFiles(async ({ files }) => {
      const site = this.siteQuestions();
      return site ? await editsForRenamedFiles(files, site) : null;
    });
  }

  private siteQuestions(): SiteQuestions | undefined {
    const { paths, outline, checker, documents, client } = this;
    if (!paths || !outline || !checker) return undefined;
    return {
      outline,
      paths,
      client,
      textOf: (file) => this.textOf(paths, file),
      uriOf: (file) => this.openUri(paths, file) ?? paths.uriOf(file),
      versionOf: (uri) => documents.get(uri)?.version ?? null,
      ask: (question) => checker.ask(question),
    };
  }

  private textOf(paths: DocsPaths, file: string): string | undefined {
    return this.documents.get(this.openUri(paths, file) ?? "")?.getText() ?? savedText(paths, file);
  }

  private referenceContext(uri: string, position: Position): EditorReference | undefined {
    const { paths, outline, documents } = this;
    const file = paths?.fileOf(uri);
    const document = documents.get(uri);
    if (!paths || file === undefined || !document || !outline) return undefined;
    const end = { line: position.line + 1, character: 0 };
    const line = document.getText({ start: { line: position.line, character: 0 }, end });
    return {
      line: line.replace(/[\r\n]+$/, ""),
      position,
      file,
      outline,
      textOf: (other) => this.textOf(paths, other),
      uriOf: (other) => this.openUri(paths, other) ?? paths.uriOf(other),
    };
  }

  private takeSnapshot(paths: DocsPaths): EditorTexts {
    const texts: Record<string, string> = {};
    const versions = new Map<string, number>();
    for (const document of this.documents.all()) {
      const file = paths.fileOf(document.uri);
      if (file === undefined || !isText(file)) continue;
      versions.set(document.uri, document.version);
      const text = document.getText();
      if (text !== savedText(paths, file)) texts[file] = text;
    }
    return { texts, versions };
  }

  /** Sends the problems of each file that has some, and of those that had some or are open. */
  private show(result: BuildResult, versions: EditorTexts["versions"], paths: DocsPaths): void {
    this.outline = result.outline ?? this.outline;
    const found = new Map<string, Diagnostic[]>([...this.sent.keys()].map((uri) => [uri, []]));
    for (const uri of versions.keys()) found.set(uri, []);

    for (const [file, problems] of byFile(result.problems, new Set(this.outline?.files))) {
      const uri = this.openUri(paths, file) ?? paths.uriOf(file);
      const text = this.documents.get(uri)?.getText() ?? savedText(paths, file);
      const context = { text, serviceUrl: this.terminal.service.url };
      found.set(
        uri,
        problems.map((problem) => diagnosticOf(problem, context)),
      );
    }

    for (const [uri, diagnostics] of found) {
      const version = versions.get(uri);
      const text = JSON.stringify([diagnostics, version]);
      if (text === this.sent.get(uri)) continue;
      if (diagnostics.length > 0 || version !== undefined) this.sent.set(uri, text);
      else this.sent.delete(uri);
      void this.connection.sendDiagnostics({
        uri,
        diagnostics,
        ...(version === undefined ? {} : { version }),
      });
    }
  }

  /** Returns the URI that the editor uses for an open file. */
  private openUri(paths: DocsPaths, file: string): string | undefined {
    return this.documents.keys().find((uri) => paths.fileOf(uri) === file);
  }
}

/** Groups problems by file. Those of fetched documents are listed in docs.json, with the URL. */
function byFile(problems: readonly Problem[], files: ReadonlySet<string>): Map<string, Problem[]> {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const isHere = files.has(problem.file) || !/^https?:/.test(problem.file);
    const file = isHere ? problem.file : "docs.json";
    const { file: at, line, column, length: _, ...rest } = problem;
    const shown: Problem = isHere
      ? problem
      : { ...rest, file, message: `${[at, line, column].filter(Boolean).join(":")}: ${problem.message}` };
    const group = groups.get(file);
    if (group) group.push(shown);
    else groups.set(file, [shown]);
  }
  return groups;
}

function savedText({ folder }: DocsPaths, file: string): string | undefined {
  try {
    return readFileSync(path.join(folder, file), "utf8");
  } catch {
    return undefined;
  }
}

function docsFolderOf({ workspaceFolders, rootUri }: InitializeParams): string | undefined {
  const roots = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
  for (const uri of roots) {
    const folder = uri.startsWith("file:") ? findDocsFolder(fileURLToPath(uri)) : undefined;
    if (folder !== undefined) return folder;
  }
  return undefined;
}
