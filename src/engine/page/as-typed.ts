/**
 * Restores the quotation marks, hyphens, and dots that an author typed, for which the parser has written
 * typographic characters.
 */

/** What an author can have typed for a character that the parser writes. */
const typed: Readonly<Record<string, readonly string[]>> = {
  "“": ['"'],
  "”": ['"'],
  "‘": ["'"],
  "’": ["'"],
  "—": ["---"],
  "–": ["--"],
  "…": ["..."],
};

const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/iy;

/**
 * `source`: the Markdown of the text. Other syntax in it, such as escapes and character references, stays as
 * the parser read it.
 */
export function asTyped(value: string, source: string): string {
  let out = "";
  let at = 0;
  for (const character of value) {
    const options = typed[character];
    let shown = character;
    for (; at < source.length; at++) {
      const mark = options?.find((text) => source.startsWith(text, at));
      reference.lastIndex = at;
      const [name] = reference.exec(source) ?? [];
      if (mark !== undefined) shown = mark;
      else if (!source.startsWith(character, at) && (name === undefined || character === "&")) continue;
      at += mark?.length ?? (source.startsWith(character, at) ? character.length : name!.length);
      break;
    }
    out += shown;
  }

  return out;
}
