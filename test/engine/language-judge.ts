/** Compares the diagnostics of a language client with the problems of `octavo check`. */

import { rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { writeFiles } from "./build.ts";
import type { LanguageClient } from "./language-client.ts";
import { runCli } from "./run-cli.ts";

/** The problems of `octavo check` for texts, which are written to a folder of their own. */
export async function checkedProblems(folder: string, texts: Record<string, string>): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  writeFiles(folder, texts);
  const { out } = await runCli(["check", folder, "--json"]);
  const { problems } = JSON.parse(out) as { problems: Record<string, string | number | null>[] };
  return problems
    .map(({ file, line, column, severity, code, message, hint }) =>
      JSON.stringify([file, line ?? 1, column ?? 1, severity, code, message, hint]),
    )
    .sort();
}

/** The diagnostics that a client has for the files of a folder, in the form of `checkedProblems`. */
export function shownProblems(client: LanguageClient, folder: string): string[] {
  const root = `${pathToFileURL(folder).href}/`;
  return [...client.diagnostics]
    .flatMap(([uri, diagnostics]) =>
      diagnostics.map(({ range, severity, code, data }) =>
        JSON.stringify([
          decodeURIComponent(uri.slice(root.length)),
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
