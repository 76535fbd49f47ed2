/** The words that our texts avoid, with their replacements, and measures of readability. */

/** Pattern → what to write instead. */
export const avoided: readonly (readonly [RegExp, string])[] = [
  [/(?:(?!optionally)[\w`'-]+, ){2,}[\w`'-]+ (?:and|or) \w/, "a comma before “and” or “or”"],
  [/\bstands?\b|\bstood\b/i, "is, appears; “for” → means"],
  [/\blies?\b/i, "is, is stored"],
  [/\bholds?\b(?! (?:a |the )?(?:lock|lease))|\bheld\b/i, "contains, applies, keeps"],
  [/\btells\b|\btold\b|\bsaid of\b/i, "shows, reports, says"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [
    /\b(?:is|are|was|were|be|been|gets?) made\b(?! (?:available|public|private|up))/i,
    "is created, is generated",
  ],
  [
    /\bmakes? (?:a|an|the|another) (?:key|account|project|deployment|export|bundle|backup|link)\b(?! live)/i,
    "create",
  ],
  [/\banew\b/i, "again; rebuild"],
  [/\bbeside\b/i, "next to, with"],
  [/\bof (?:its|their|your|our|his) own\b/i, "its own …, separate"],
  [
    /(?<!\b(?:IP|IPv[46]|link-local|email|network|MAC|delivery|shipping|billing|private|public|internal|loopback) )\baddress(?:es)?\b(?! bar)/i,
    "URL, path, host, email or IP address",
  ],
  [/\b(?:nobody|somebody|everybody|whoever)\b/i, "no one, someone, everyone; or rewrite"],
  [/\bleads? (?:nowhere|everywhere|out|on|there|back)\b/i, "broken link; points to"],
  [/\bgo(?:es)? on with\b|\blets? go of\b/i, "continues; releases"],
  [/\b(?:with|of|for|than|from|to|in|by|about|and) what (?:is|was|are|were)\b(?! left)/i, "name the thing"],
  [/^(?:Who|What) (?!if\b)[^?]*[^?:]\.$/, "name the subject instead of a clause"],
  [/\bin (?:the|its|their) place\b(?! to)/i, "instead; a placeholder is shown"],
  [/\b(?:one|once) a (?:line|page)\b/i, "one per line"],
  [/\bfigures\b/i, "metrics, numbers"],
  [
    /\bin (?:other|your|its|their|our|the reader's) (?:own )?words\b|\bwords of (?:the|a)\b/i,
    "text; phrased differently",
  ],
  [/\bway (?:in|out|back)\b/i, "entry, exit, rollback"],
  [/\basked for\b/i, "requested"],
  [/\b(?:doors?|desks?|forests?|shoots?|moods?)\b|\b(?:by|of) chance\b/i, "the technical term; random"],
  [/\bkeep it$/i, "Cancel"],
  [/\b(?:taken back|withdrawn)\b/i, "revoked; rolled back"],
  [/\bmistakes?\b/i, "problem, error"],
  [/\be-mails?\b/i, "email"],
  [/(?<![\w./@:-])git(?=[ ,;)]|[.:]?$|[.:] )/, "Git; the command in code"],
  [/\bin a circle\b|\bin circles\b/i, "circular, a cycle"],
  [/\bside by side\b(?!,? in)/i, "at the same time, in parallel"],
  [
    /\bas it stands\b|\bfor lack of\b|\ball the same\b|\bone after the other\b/i,
    "unchanged; without; anyway; in turn",
  ],
  [
    /\b(?:colour|organis|licence|behaviour|catalogue|honour|analyse|serialis|normalis|initialis|recognis|favourite|centre)/i,
    "US spelling",
  ],
];

/** A text's sentences. A heading or label without a final period is one, too. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])["”)]?\s+(?=[A-Z“"(])/).filter((sentence) => /[A-Za-z]{2}/.test(sentence));
}

export const wordsOf = (text: string) => text.match(/[A-Za-z0-9][\w'’./-]*/g) ?? [];

function syllablesOf(word: string): number {
  const groups = word
    .toLowerCase()
    .replace(/(?:[^laeiouy]es|ed|[^laeiouy]e)$/, "")
    .match(/[aeiouy]{1,2}/g);
  return Math.max(1, groups?.length ?? 1);
}

export interface Readability {
  words: number;
  sentences: number;
  /** Sentences of more than 30 words. */
  long: string[];
  /** Flesch–Kincaid grade level of full sentences. */
  grade: number;
}

export function readability(texts: readonly string[]): Readability {
  const sentences = texts.flatMap(sentencesOf);
  const full = sentences.filter((sentence) => /[.!?:]$/.test(sentence) && wordsOf(sentence).length >= 4);
  const words = full.flatMap(wordsOf);
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return {
    words: sentences.flatMap(wordsOf).length,
    sentences: full.length,
    long: full.filter((sentence) => wordsOf(sentence).length > 30),
    grade:
      full.length === 0 ? 0 : 0.39 * (words.length / full.length) + 11.8 * (syllables / words.length) - 15.59,
  };
}
