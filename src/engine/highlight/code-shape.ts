/**
 * The shape of a line of code: words that the grammar doesn't contain are replaced with placeholders, and the
 * digits of most numbers with `1`. For example, `userName` and `teamId` get the same placeholder. Lines with
 * the same shape and the same grammar state have the same colors, so the grammar runs only once for them.
 */
export interface Shape {
  text: string;
  replaced: Replacement[];
}

/** A placeholder: its offsets in the shape, and the offsets of the replaced word in the line. */
export interface Replacement {
  shapeStart: number;
  shapeEnd: number;
  lineStart: number;
  lineEnd: number;
}

const placeholderFor = (word: string): string => {
  const snake = word.includes("_", 1);
  if (!/[a-z]/.test(word)) return snake ? "ZQ_X" : "ZQX";
  if (/^[A-Z]/.test(word)) return "Zqx";
  if (/[A-Z]/.test(word)) return "zqX";
  return snake ? "zq_x" : "zqx";
};

/** Knows the words in the patterns of a grammar, which the grammar may match literally. */
export class Vocabulary {
  private readonly words: ReadonlySet<string>;
  private readonly placeholders = new Map<string, string>();

  /** `patterns`: source of the grammar. All words in the source become known. */
  constructor(patterns: string) {
    this.words = new Set(
      patterns
        .replace(/\\+[a-zA-Z]/g, " ")
        .toLowerCase()
        .match(/[a-z]{2,}/g) ?? [],
    );
  }

  shape(line: string): Shape {
    const replaced: Replacement[] = [];
    let shift = 0;

    // Keeps short words, hexadecimal colors, escapes and directives, since many grammars match them.
    const text = line.replace(
      /(?<![#\\&@%\w])[A-Za-z][A-Za-z0-9_]{2,}|(?<![#\\\w.])[1-9]\d*(?![\w.])/g,
      (word: string, start: number) => {
        if (word.charCodeAt(0) < 65) return "1".repeat(word.length);
        const placeholder = this.placeholder(word);
        if (placeholder === word) return word;
        const shapeStart = start + shift;
        replaced.push({
          shapeStart,
          shapeEnd: shapeStart + placeholder.length,
          lineStart: start,
          lineEnd: start + word.length,
        });
        shift += placeholder.length - word.length;
        return placeholder;
      },
    );

    return { text, replaced };
  }

  private placeholder(word: string): string {
    let placeholder = this.placeholders.get(word);
    if (placeholder === undefined) {
      placeholder = this.isKnown(word.toLowerCase()) ? word : placeholderFor(word);
      if (this.placeholders.size < 50_000) this.placeholders.set(word, placeholder);
    }
    return placeholder;
  }

  /**
   * Whether the grammar may match a word literally. Patterns can split a word in two (`un(?:signed)?`), so a
   * word that consists of two known parts is also known.
   */
  private isKnown(word: string): boolean {
    if (this.words.has(word)) return true;
    for (let i = 2; i <= word.length - 2; i++) {
      if (this.words.has(word.slice(0, i)) && this.words.has(word.slice(i))) return true;
    }
    return false;
  }
}

/** Converts ascending offsets in a shape to offsets in its line. */
export function offsetsInLine(replaced: readonly Replacement[], offsets: readonly number[]): number[] {
  let next = 0;
  let word: Replacement | undefined;
  return offsets.map((offset) => {
    while (next < replaced.length && replaced[next]!.shapeStart < offset) word = replaced[next++];
    if (!word) return offset;
    return offset < word.shapeEnd ? word.lineStart : word.lineEnd + offset - word.shapeEnd;
  });
}
