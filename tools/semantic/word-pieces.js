/** Splits texts into the word pieces of BERT models without upper case. */

/** Maximum length of a word, in characters. Longer words are unknown. */
const word_chars = 100;

/**
 * Returns a function that encodes a text as at most `most` numbers of pieces. `json`: the content of
 * `tokenizer.json`.
 */
export function readTokenizer(json) {
  const vocabulary = new Map(Object.entries(JSON.parse(json).model.vocab));
  const [first, last, unknown] = ["[CLS]", "[SEP]", "[UNK]"].map((name) => vocabulary.get(name));
  return (text, most) => {
    const ids = [first];
    for (const word of wordsOf(text)) {
      if (ids.length >= most - 1) break;
      ids.push(...(piecesOf(word, vocabulary) ?? [unknown]));
    }
    return [...ids.slice(0, most - 1), last];
  };
}

/** Lower-case words without accents. Punctuation marks and Chinese characters are words of their own. */
function wordsOf(text) {
  const plain = text
    .replace(/[\p{Cc}\p{Cf}\ufffd]/gu, (character) => (/\s/.test(character) ? " " : ""))
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
  return plain.match(/[\p{P}$+<=>^`|~]|\p{Script=Han}|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu) ?? [];
}

/** Numbers of the longest pieces that make up a word. Undefined if there are none. */
function piecesOf(word, vocabulary) {
  if (word.length > word_chars) return undefined;
  const ids = [];
  for (let start = 0; start < word.length; ) {
    const prefix = start === 0 ? "" : "##";
    let end = word.length;
    while (end > start && !vocabulary.has(prefix + word.slice(start, end))) end--;
    if (end === start) return undefined;
    ids.push(vocabulary.get(prefix + word.slice(start, end)));
    start = end;
  }
  return ids;
}
