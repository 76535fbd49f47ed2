/**
 * Caches the regular expressions of grammars. Converting a pattern from Oniguruma's syntax takes longer than
 * using the pattern, so patterns of common grammars are converted when the product is built
 * (`scripts/build/patterns.js`).
 */

import { EmulatedRegExp } from "oniguruma-to-es";
import { AsciiRegExp } from "./ascii-reg-exp.ts";

type Options = EmulatedRegExp["rawOptions"];

/**
 * Arguments of `EmulatedRegExp` or, without options, of `RegExp`, and the source of the form for ASCII text
 * if there is one. Empty for patterns that JavaScript doesn't support.
 */
type Converted = [] | [source: string, flags: string, ascii: string | null, options?: Options];

/** Returns a grammar's table as JSON: converted patterns by original pattern. Undefined if there is none. */
export type ReadTable = (grammar: string) => string | undefined;

export class ConvertedPatterns extends Map<string, RegExp | Error> {
  private readonly tables: Record<string, Converted>[] = [];
  private readonly added = new Set<string>();
  private read: ReadTable = () => undefined;

  /** Sets the function that reads tables of converted patterns. */
  useTables(read: ReadTable): void {
    this.read = read;
  }

  /** Adds the converted patterns of a grammar, if it has a table. */
  addGrammar(name: string): void {
    if (this.added.has(name)) return;
    this.added.add(name);
    const table = this.read(name);
    if (table !== undefined) this.tables.push(JSON.parse(table));
  }

  override get(pattern: string): RegExp | Error | undefined {
    const known = super.get(pattern);
    if (known) return known;
    const table = this.tables.find((candidate) => Object.hasOwn(candidate, pattern));
    if (!table) return undefined;
    const revived = revive(table[pattern]!);
    this.set(pattern, revived);
    return revived;
  }
}

function revive(converted: Converted): RegExp | Error {
  if (converted.length === 0) return new Error("Unsupported pattern");
  const [source, flags, ascii, options] = converted;
  const create = (source: string, flags: string) =>
    options ? new EmulatedRegExp(source, flags, options) : new RegExp(source, flags);
  if (ascii === null) return create(source, flags);
  return new AsciiRegExp(create(ascii, flags.replace("v", "")), () => create(source, flags), options);
}
