import type { Command } from "../command.ts";
import { docsFolder } from "../docs-folder.ts";
import { readThreads, threadsOption } from "../threads-option.ts";

export const lsp: Command = {
  name: "lsp",
  summary: "Start a language server for editors, which uses stdin and stdout.",
  usage: "lsp [DIR]",
  example: "octavo lsp docs",
  positionals: 1,
  options: {
    stdio: { type: "boolean", description: "Use stdin and stdout, which is the default." },
    threads: threadsOption,
  },
  async run({ positionals, values }, terminal) {
    const folder = positionals[0] === undefined ? undefined : docsFolder(positionals[0]);
    const threads = readThreads(values.threads);

    // Loaded here, because other commands don't need it.
    const { startLanguageServer } = await import("../lsp/language-server.ts");
    const server = startLanguageServer(terminal, { folder, threads });
    await terminal.interrupted;
    await server.end();
    return 0;
  },
};
