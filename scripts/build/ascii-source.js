/**
 * Writes a regular expression for text that contains only ASCII characters. V8 compiles a character class
 * with Unicode properties, or the complement of a class in a Unicode mode, to thousands of ranges. A class of
 * ASCII characters has a few.
 */

/**
 * Returns the source of a regular expression that has the same matches in ASCII text, for the same flags
 * without `v`. Undefined if the source doesn't have that flag, or contains something that can't be written
 * without it.
 */
export function asciiSource(source, flags) {
  if (!flags.includes("v") || source.includes("\\q{")) return undefined;
  let result = "";
  for (let at = 0; at < source.length; ) {
    const part = partAt(source, at);
    result += /^(?:\[|\\[pP]|\\u\{)/.test(part) ? asciiClass(part, flags) : part;
    at += part.length;
  }
  // With `v`, U+017F and U+212A match ASCII letters if case is ignored, and a surrogate pair is one
  // character.
  return /[\u017f\u212a\ud800-\udfff]|\\u(?:017f|212a|d[89a-f])/i.test(result) ? undefined : result;
}

/** Returns the character class, escape or character at an index. */
function partAt(source, at) {
  if (source[at] === "\\") return /^\\(?:[pPu]\{[^}]*\}|.)/s.exec(source.slice(at))[0];
  if (source[at] !== "[") return source[at];
  let depth = 0;
  for (let end = at; end < source.length; end++) {
    if (source[end] === "\\") end++;
    else if (source[end] === "[") depth++;
    else if (source[end] === "]" && --depth === 0) return source.slice(at, end + 1);
  }
  throw new Error(`A character class has no end: ${source}`);
}

const asciiClasses = new Map();

/** Returns a class with the ASCII characters that a character class matches. */
function asciiClass(part, flags) {
  const mode = flags.includes("i") ? "vi" : "v";
  const key = `${mode} ${part}`;
  if (!asciiClasses.has(key)) {
    const pattern = new RegExp(part, mode);
    const isIn = Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code)));
    const [inside, outside] = [rangesOf(isIn, true), rangesOf(isIn, false)];
    asciiClasses.set(key, inside.length <= outside.length ? `[${inside}]` : `[^${outside}]`);
  }
  return asciiClasses.get(key);
}

function rangesOf(isIn, wanted) {
  let ranges = "";
  for (let first = 0; first < isIn.length; first++) {
    if (isIn[first] !== wanted) continue;
    let last = first;
    while (isIn[last + 1] === wanted) last++;
    ranges += last === first ? written(first) : `${written(first)}-${written(last)}`;
    first = last;
  }
  return ranges;
}

function written(code) {
  const character = String.fromCharCode(code);
  return /\w/.test(character) ? character : `\\x${code.toString(16).padStart(2, "0")}`;
}
