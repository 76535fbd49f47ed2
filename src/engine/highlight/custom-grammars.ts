/** Languages whose grammars a site brings along. They are strangers' patterns, so their work is timed. */
import { createContext, Script } from "node:vm";
import { limits } from "../../base/limits.ts";
import type { CodeThemes, Language } from "./highlight.ts";
import { paint, plainLines } from "./highlight.ts";

interface OwnGrammar {
  file: string;
  language: Language;
}

export class OwnGrammars {
  /** By the names that a fence may use, in lower case. */
  private readonly grammars = new Map<string, OwnGrammar>();
  /** Grammars that failed once: they would cost their time at every block. */
  private readonly failed = new Set<OwnGrammar>();
  private spent_ms = 0;

  add(names: Iterable<string>, grammar: OwnGrammar): void {
    for (const name of names) this.grammars.set(name.toLowerCase(), grammar);
  }

  /** HTML of each line; undefined when the site has no such language. `complain` is told of a grammar that fails. */
  highlight(
    code: string,
    name: string,
    themes: CodeThemes | undefined,
    complain: (file: string, reason: string) => void,
  ): string[] | undefined {
    const grammar = this.grammars.get(name.toLowerCase());
    if (!grammar) return undefined;
    if (this.failed.has(grammar)) return plainLines(code);
    const began_ms = Date.now();
    try {
      if (this.spent_ms > limits.grammars_ms)
        throw new Error(`the site's own grammars take longer than ${limits.grammars_ms / 1_000} seconds together`);
      return withinTime(() => paint(code, grammar.language, themes));
    } catch (error) {
      this.failed.add(grammar);
      const isSlow = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
      complain(
        grammar.file,
        isSlow ? `it takes longer than ${limits.grammar_ms} ms for one block` : String(error instanceof Error ? error.message : error),
      );
      return plainLines(code);
    } finally {
      this.spent_ms += Date.now() - began_ms;
    }
  }
}

const call = new Script("run()");

/** Only a script's time limit reaches into a regular expression that backtracks for ever. */
function withinTime<T>(run: () => T): T {
  return call.runInContext(createContext({ run }), { timeout: limits.grammar_ms }) as T;
}
