/**
 * The shape of a line of code: the line with every word that its grammar cannot know replaced
 * by a stand-in of the same kind (`userName` and `teamId` become one). Lines of one shape are
 * coloured alike, so each shape goes through the grammar once, however many pages vary it.
 */
export interface Shape {
  text: string;
  replaced: Replaced[];
}

/** Where a stand-in lies in the shape, and its word in the line. */
export interface Replaced {
  shapeStart: number;
  shapeEnd: number;
  lineStart: number;
  lineEnd: number;
}

const standInFor = (word: string): string => {
  const snake = word.includes("_", 1);
  if (!/[a-z]/.test(word)) return snake ? "ZQ_X" : "ZQX";
  if (/^[A-Z]/.test(word)) return "Zqx";
  if (/[A-Z]/.test(word)) return "zqX";
  return snake ? "zq_x" : "zqx";
};

/** Words of a grammar: whatever occurs in its patterns may be meant literally. */
export class Vocabulary {
  private readonly words: ReadonlySet<string>;
  private readonly standIns = new Map<string, string>();

  /** @param patterns the grammar's source, from which the words are taken */
  constructor(patterns: string) {
    this.words = new Set(
      patterns
        .replace(/\\+[a-zA-Z]/g, " ")
        .toLowerCase()
        .match(/[a-z]{2,}/g) ?? [],
    );
  }

  shape(line: string): Shape {
    const replaced: Replaced[] = [];
    let shift = 0;
    // Short words, hexadecimal colours, escapes and directives mean something to many grammars.
    const text = line.replace(/(?<![#\\&@%\w])[A-Za-z][A-Za-z0-9_]{2,}|(?<![#\\\w.])[1-9]\d*(?![\w.])/g, (word: string, start: number) => {
      if (word.charCodeAt(0) < 65) return "1".repeat(word.length);
      const standIn = this.standIn(word);
      if (standIn === word) return word;
      const shapeStart = start + shift;
      replaced.push({ shapeStart, shapeEnd: shapeStart + standIn.length, lineStart: start, lineEnd: start + word.length });
      shift += standIn.length - word.length;
      return standIn;
    });
    return { text, replaced };
  }

  private standIn(word: string): string {
    let standIn = this.standIns.get(word);
    if (standIn === undefined) {
      standIn = this.isKnown(word.toLowerCase()) ? word : standInFor(word);
      if (this.standIns.size < 50_000) this.standIns.set(word, standIn);
    }
    return standIn;
  }

  /** A pattern may write a word in two parts (`un(?:signed)?`), so two known parts make a known word. */
  private isKnown(word: string): boolean {
    if (this.words.has(word)) return true;
    for (let i = 2; i <= word.length - 2; i++) {
      if (this.words.has(word.slice(0, i)) && this.words.has(word.slice(i))) return true;
    }
    return false;
  }
}

/** Translates ascending offsets in a shape into offsets in the line that it was made of. */
export function offsetsInLine(replaced: readonly Replaced[], offsets: readonly number[]): number[] {
  let next = 0;
  let word: Replaced | undefined;
  return offsets.map((offset) => {
    while (next < replaced.length && replaced[next]!.shapeStart < offset) word = replaced[next++];
    if (!word) return offset;
    return offset < word.shapeEnd ? word.lineStart : word.lineEnd + offset - word.shapeEnd;
  });
}
