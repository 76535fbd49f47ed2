/**
 * Highlights code with grammars in a site's folder. Patterns of these grammars are untrusted, so their
 * running time is limited.
 */

import { createContext, Script } from "node:vm";
import type { Clock } from "../clock.ts";
import type { CodeThemes, Language } from "./highlight.ts";
import { highlightCode, plainLines } from "./highlight.ts";

/**
 * Timeout in milliseconds for highlighting a code block with a site's own grammar, whose patterns may be
 * malicious.
 */
const grammar_ms = 1_000;
/**
 * Maximum total time of a site's own grammars per build, in milliseconds. After that, code in their languages
 * is not highlighted.
 */
const grammars_ms = 30_000;

interface CustomGrammar {
  file: string;
  language: Language;
}

export class CustomGrammars {
  /** Grammars by the language name in fences, in lowercase. */
  private readonly grammars = new Map<string, CustomGrammar>();
  /** Grammars that failed. They are not tried again. */
  private readonly failed = new Set<CustomGrammar>();
  /**
   * Number of code blocks that weren't highlighted because of a failure. Another build can highlight them.
   */
  failures_count = 0;
  private spent_ms = 0;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Adds a grammar. Replaces earlier grammars with the same names. */
  add(names: Iterable<string>, grammar: CustomGrammar): void {
    for (const name of names) this.grammars.set(name.toLowerCase(), grammar);
  }

  /**
   * Returns the HTML of each line. Undefined if the site has no grammar for the language. If the grammar
   * fails, calls `onFailure` once and returns lines without highlighting. `reason` is a clause for an error
   * message.
   */
  highlight(
    code: string,
    name: string,
    themes: CodeThemes | undefined,
    onFailure: (file: string, reason: string) => void,
  ): string[] | undefined {
    const grammar = this.grammars.get(name.toLowerCase());
    if (!grammar) return undefined;

    if (this.failed.has(grammar)) {
      this.failures_count++;
      return plainLines(code);
    }

    const started_ms = this.clock();
    try {
      if (this.spent_ms > grammars_ms)
        throw new Error(
          `the site's custom grammars take longer than ${grammars_ms / 1_000} seconds in total`,
        );
      return withinTime(() => highlightCode(code, grammar.language, themes));
    } catch (error) {
      this.failed.add(grammar);
      this.failures_count++;
      const isSlow = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
      onFailure(
        grammar.file,
        isSlow
          ? `it takes longer than ${grammar_ms} ms for a single block`
          : String(error instanceof Error ? error.message : error),
      );
      return plainLines(code);
    } finally {
      this.spent_ms += this.clock() - started_ms;
    }
  }
}

const call = new Script("run()");

/** Runs a function as a script, whose timeout can interrupt a backtracking regular expression. */
function withinTime<T>(run: () => T): T {
  return call.runInContext(createContext({ run }), { timeout: grammar_ms }) as T;
}
