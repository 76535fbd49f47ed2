/** Creates a text that matches a regular expression, without running it. */

/** Maximum length of a pattern and of a text, in characters. */
const pattern_chars = 500;
const text_chars = 300;

/**
 * Returns a text that matches a pattern. `repeats`: how often `*` and `+` repeat. Undefined if the pattern
 * isn't supported.
 */
export function textForPattern(pattern: string, repeats: number): string | undefined {
  if (pattern.length > pattern_chars) return undefined;
  const required = textWithRequired(pattern);
  if (required !== undefined) return required;
  try {
    const reader = new PatternReader(pattern, repeats);
    const text = reader.alternatives();
    return reader.isAtEnd && text.length <= text_chars ? text : undefined;
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

class UnsupportedPattern extends Error {}

/**
 * A rule for passwords: characters that the text must contain, and then one repeated class:
 * `^(?=.*[A-Z])(?=.*\d).{8,}$`.
 */
const requiredCharacters =
  /^\^?((?:\(\?(?:=\.\*\??(?:\[(?:[^\]\\]|\\.)+\]|\\[dwDW])|!\.\*\\s)\))+)(\.|\[(?:[^\]\\]|\\.)+\])(?:\{(\d{1,3})(,?)(\d{0,3})\}|[+*])\$?$/;

function textWithRequired(pattern: string): string | undefined {
  const [, lookaheads, fill, least = "0", comma = ",", most = ""] = requiredCharacters.exec(pattern) ?? [];
  if (lookaheads === undefined || fill === undefined) return undefined;
  const wanted = [...lookaheads.matchAll(/\(\?=\.\*\??((?:[^)\\[]|\\.|\[(?:[^\]\\]|\\.)+\])+)\)/g)].map(
    ([, atom]) => textForPattern(atom!, 1) ?? "",
  );
  const padding = textForPattern(fill, 1);
  if (!padding || wanted.some((one) => !isOf(one, fill))) return undefined;
  const text = wanted.join("").padEnd(Number(least), padding);
  return text.length <= Number(comma === "" ? least : most || text_chars) ? text : undefined;
}

/** Whether a character belongs to a class such as `[a-z]`. */
function isOf(character: string, characters: string): boolean {
  try {
    return new RegExp(`^${characters}$`).test(character);
  } catch {
    return false;
  }
}

const classes: Record<string, string> = { d: "0", w: "a", s: " ", D: "a", W: "-", S: "a" };
const escapes: Record<string, string> = { t: "\t", n: "\n", r: "\r", f: "\f", v: "\v", 0: "\0" };
/** Characters to try for a class that excludes others. */
const candidates = "abcxyzABC0123456789-_ .";

class PatternReader {
  private at = 0;
  private readonly pattern: string;
  private readonly repeats: number;

  constructor(pattern: string, repeats: number) {
    this.pattern = pattern;
    this.repeats = repeats;
  }

  get isAtEnd(): boolean {
    return this.at >= this.pattern.length;
  }

  alternatives(): string {
    const first = this.sequence();
    while (this.take("|")) this.sequence();
    return first;
  }

  private sequence(): string {
    let text = "";
    while (!this.isAtEnd && this.next !== "|" && this.next !== ")") text += this.term();
    return text;
  }

  private term(): string {
    if (this.take("^") || this.take("$")) return "";
    return this.repeated(this.atom());
  }

  private atom(): string {
    if (this.take("(")) {
      if (this.take("?") && !this.take(":")) {
        if (!this.take("<") || this.next === "=" || this.next === "!") throw new UnsupportedPattern();
        while (!this.take(">")) this.skip();
      }
      const text = this.alternatives();
      if (!this.take(")")) throw new UnsupportedPattern();
      return text;
    }
    if (this.take("[")) return this.characterClass();
    if (this.take("\\")) return this.escape();
    if (this.take(".")) return "a";
    return this.skip();
  }

  private escape(): string {
    const letter = this.skip();
    if (letter === "b") return "";
    if (Object.hasOwn(classes, letter)) return classes[letter]!;
    if (Object.hasOwn(escapes, letter)) return escapes[letter]!;

    if (letter === "x" || letter === "u") {
      const digits = new RegExp(`^[0-9a-fA-F]{${letter === "x" ? 2 : 4}}`).exec(
        this.pattern.slice(this.at, this.at + 4),
      )?.[0];
      if (digits === undefined) throw new UnsupportedPattern();
      this.at += digits.length;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }

    if (/[a-zA-Z1-9]/.test(letter)) throw new UnsupportedPattern();
    return letter;
  }

  private characterClass(): string {
    const isNegated = this.take("^");
    const ranges: [from: string, to: string][] = [];
    while (!this.take("]")) {
      const from = this.take("\\") ? this.escape() : this.skip();
      const isRange = this.next === "-" && this.pattern[this.at + 1] !== "]";
      if (isRange) this.skip();
      ranges.push([from, isRange ? (this.take("\\") ? this.escape() : this.skip()) : from]);
    }
    if (!isNegated) return ranges[0]?.[0] ?? "";
    // A class escape such as `\s` stands for more characters than the one in `ranges`.
    const other = [...candidates].find((one) => !ranges.some(([from, to]) => one >= from && one <= to));
    if (other === undefined) throw new UnsupportedPattern();
    return other;
  }

  private repeated(text: string): string {
    let count = 1;

    if (this.take("*") || this.take("+")) count = this.repeats;
    else if (this.take("?")) count = this.repeats > 1 ? 1 : 0;
    else {
      const found = /^\{(\d{1,3})(,)?(\d{0,4})\}/.exec(this.pattern.slice(this.at, this.at + 12));
      if (!found) return text;
      this.at += found[0].length;
      const least = Number(found[1]);
      const most = found[2] === undefined ? least : found[3] ? Number(found[3]) : Number.POSITIVE_INFINITY;
      count = Math.min(most, Math.max(least, this.repeats > 1 ? this.repeats : 0));
    }

    this.take("?");
    if (text.length * count > text_chars) throw new UnsupportedPattern();
    return text.repeat(count);
  }

  private get next(): string {
    return this.pattern[this.at] ?? "";
  }

  private take(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }

  private skip(): string {
    if (this.isAtEnd) throw new UnsupportedPattern();
    return this.pattern[this.at++]!;
  }
}
