/** Grammars of a site's folder. Their patterns are untrusted, so their time is limited. */
import { createContext, Script } from "node:vm";
import type { Clock } from "../clock.ts";
import type { CodeThemes, Language } from "./highlight.ts";
import { highlightCode, plainLines } from "./highlight.ts";

/** Time for highlighting one block with a site's own grammar, whose patterns may be malicious. */
const grammar_ms = 1_000;
/** Time for a site's own grammars in one build. Beyond, their blocks are shown plain. */
const grammars_ms = 30_000;

interface CustomGrammar {
  file: string;
  language: Language;
}

export class CustomGrammars {
  /** By language name of a fence, in lower case. */
  private readonly grammars = new Map<string, CustomGrammar>();
  /** Grammars that failed, which are not tried again. */
  private readonly failed = new Set<CustomGrammar>();
  private spent_ms = 0;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  add(names: Iterable<string>, grammar: CustomGrammar): void {
    for (const name of names) this.grammars.set(name.toLowerCase(), grammar);
  }

  /** HTML of each line; undefined when the site has no such language. `onFailure` is called for a grammar that fails. */
  highlight(
    code: string,
    name: string,
    themes: CodeThemes | undefined,
    onFailure: (file: string, reason: string) => void,
  ): string[] | undefined {
    const grammar = this.grammars.get(name.toLowerCase());
    if (!grammar) return undefined;
    if (this.failed.has(grammar)) return plainLines(code);
    const started_ms = this.clock();
    try {
      if (this.spent_ms > grammars_ms) throw new Error(`the site's own grammars take longer than ${grammars_ms / 1_000} seconds together`);
      return withinTime(() => highlightCode(code, grammar.language, themes));
    } catch (error) {
      this.failed.add(grammar);
      const isSlow = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
      onFailure(
        grammar.file,
        isSlow ? `it takes longer than ${grammar_ms} ms for one block` : String(error instanceof Error ? error.message : error),
      );
      return plainLines(code);
    } finally {
      this.spent_ms += this.clock() - started_ms;
    }
  }
}

const call = new Script("run()");

/** Runs a function as a script with a time limit, which can interrupt a backtracking regular expression. */
function withinTime<T>(run: () => T): T {
  return call.runInContext(createContext({ run }), { timeout: grammar_ms }) as T;
}
