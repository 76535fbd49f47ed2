/**
 * Reads the TextMate grammars in `styling.codeblocks.languages.custom`, which are JSON files in the
 * documentation folder.
 */

import { type Files, readText } from "../../../base/files.ts";
import { type Problem, problem } from "../../../base/problem.ts";
import type { Clock } from "../../clock.ts";
import type { PositionOf } from "../../config/docs-json.ts";
import type { DocsJson } from "../../config/docs-json-schema.ts";
import { CustomGrammars } from "../../highlight/custom-grammars.ts";
import { type CodeThemes, openGrammar } from "../../highlight/highlight.ts";
import { JsonSyntaxError, parseJson } from "../../json-positions.ts";
import { normalizePath } from "../../paths.ts";

/** Maximum length of a custom grammar, in characters. */
const grammar_chars = 2 * 1024 * 1024;

type Grammar = Parameters<typeof openGrammar>[0];

/**
 * Returns the paths of the grammars in the settings. A path outside the documentation folder becomes
 * undefined.
 */
export function grammarFiles(settings: DocsJson): (string | undefined)[] {
  const codeblocks = settings.styling?.codeblocks;
  const paths = (typeof codeblocks === "object" && codeblocks.languages?.custom) || [];
  return paths.map((path) => normalizePath("", path));
}

export async function readGrammars(
  files: Files,
  settings: DocsJson,
  themes: CodeThemes | undefined,
  placeOf: PositionOf,
  clock: Clock,
): Promise<{ grammars: CustomGrammars; problems: Problem[] }> {
  const grammars = new CustomGrammars(clock);
  const problems: Problem[] = [];
  for (const [index, file] of grammarFiles(settings).entries()) {
    try {
      const grammar = readGrammar(files, file);
      const names = [grammar.name, ...(grammar.aliases ?? []), grammar.scopeName.split(".").at(-1)!];
      grammars.add(names, { file: file!, language: await openGrammar(grammar, themes) });
    } catch (error) {
      const place = placeOf(["styling", "codeblocks", "languages", "custom", index]);
      problems.push(
        problem(
          "config-value",
          place,
          `The grammar can't be used: ${error instanceof Error ? error.message : error}`,
          "Use the path to a TextMate grammar in JSON format.",
        ),
      );
    }
  }

  return { grammars, problems };
}

/** Reads a grammar. Throws if the file is missing, too large or not a grammar. */
function readGrammar(files: Files, file: string | undefined): Grammar {
  const text = file === undefined ? undefined : readText(files, file);
  if (text === undefined) throw new Error("file not found");
  if (text.length > grammar_chars) throw new Error(`it's larger than ${grammar_chars / 1024 / 1024} MB`);
  const grammar = parse(text) as Partial<Grammar> | null;
  if (typeof grammar?.scopeName !== "string" || !Array.isArray(grammar.patterns))
    throw new Error("it has no scopeName or patterns");
  const aliases = Array.isArray(grammar.aliases)
    ? grammar.aliases.filter((alias) => typeof alias === "string")
    : [];
  const name = typeof grammar.name === "string" ? grammar.name : grammar.scopeName;
  return { ...(grammar as Grammar), name: name.toLowerCase(), aliases };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Error(`line ${error.span.line}: ${error.message}`);
    throw error;
  }
}
