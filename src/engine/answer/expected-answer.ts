/**
 * Detects what kind of answer an English question asks for, such as a duration or a number, and whether a
 * text contains one.
 */

export type ExpectedAnswer = "duration" | "number" | "place" | "instruction" | undefined;

const kinds: readonly [Exclude<ExpectedAnswer, undefined>, RegExp][] = [
  [
    "duration",
    /\bhow (?:long|often|soon|fast)\b|\bwhen (?:do|does|is|are|will)\b|\b(?:life ?time|time-?out|expir\w*)\b/i,
  ],
  [
    "number",
    /\bhow (?:many|much|big|large|small|old)\b|\b(?:which|what) (?:\w+ )?(?:version|port|size|number)\b|\b(?:maximum|minimum|max|min|limit|oldest|largest)\b/i,
  ],
  ["place", /\bwhere\b|\bwhat (?:is the )?(?:url|path|address|file)\b|\bwhich (?:file|folder|directory)\b/i],
  ["instruction", /\bhow (?:do|can|could|should|would|to)\b|^\s*(?:can|could|may) (?:i|we|you)\b/i],
];

const number =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|sixty|hundred|thousand|million)\b/i;
const duration =
  /\b(?:milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|never|forever|ms|_seconds|until)\b/i;

/** Returns the kind of answer that a question asks for. Undefined if no kind is recognized. */
export function expectedAnswer(question: string): ExpectedAnswer {
  return kinds.find(([, pattern]) => pattern.test(question))?.[0];
}

/**
 * Removes the word of an English question that only says which kind of answer is expected, as in "How long
 * does it take?". The answer has a number or a duration instead of this word.
 */
export function withoutExpectedWord(question: string): string {
  return question.replace(
    /\b(how) (?:long|often|soon|fast|big|large|small|old|high|far|many|much)\b/gi,
    "$1",
  );
}

/**
 * Scores whether a text contains the expected kind of answer: 1 if it does, 0 if no kind is expected. If the
 * text doesn't contain it, the score is -1 for durations and numbers, and -0.5 for places and instructions.
 */
export function expectedScore(expected: ExpectedAnswer, text: string): number {
  switch (expected) {
    case "duration":
      return (number.test(text) && duration.test(text)) || /\b(?:never|forever)\b/i.test(text) ? 1 : -1;
    case "number":
      return number.test(text) ? 1 : -1;
    case "place":
      return /`[^`]*[/.][^`]*`|\bunder\b|\*\*/.test(text) ? 1 : -0.5;
    case "instruction":
      return /`[^`]+`|```|\*\*[^*]+\*\*/.test(text) ? 1 : -0.5;
    default:
      return 0;
  }
}
