/** Finds numbers in texts, for comparing the numbers of an answer with those of its sources. */

/** English number words. A section can contain "three" where the answer contains "3". */
const englishWords = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/**
 * Returns the numbers of a section, without thousands separators, and with a point before decimals. Of
 * `20.19`, `20` is a number, too, because answers shorten versions.
 */
export function numbersInSection(text: string, language: string): Set<string> {
  const numbers = new Set<string>();
  for (const [digits] of text.matchAll(/\d+(?:[.,]\d+)*/g)) {
    const parts = normalized(digits).split(".");
    for (let count = 1; count <= parts.length; count++) numbers.add(parts.slice(0, count).join("."));
  }
  if (language === "en")
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
      const value = englishWords.indexOf(word);
      if (value >= 0) numbers.add(String(value));
    }
  return numbers;
}

/**
 * Returns the numbers of a sentence of an answer, as in `numbersInSection`. Leaves out the number of a list
 * item, citations, and digits that belong to a name, such as `sha256`. If the sections aren't in English,
 * leaves out numbers up to 12, because the sections may contain them as words.
 */
export function numbersInSentence(sentence: string, language: string): string[] {
  const text = sentence.replace(/^[\s>]*\d{1,9}[.)]\s/, "").replace(/\[(?:\d+|\?)\]/g, "");
  const numbers = [...text.matchAll(/(?<![\p{L}\d_.,-])\d+(?:[.,]\d+)*/gu)].map(([digits]) =>
    normalized(digits),
  );
  return language === "en"
    ? numbers
    : numbers.filter((number) => Number(number) > englishWords.length - 1 || number.includes("."));
}

function normalized(digits: string): string {
  return digits.replace(/[.,](?=\d{3}(?:\D|$))/g, "").replaceAll(",", ".");
}
