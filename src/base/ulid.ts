/**
 * Creates and parses ULIDs: ids that sort by creation time. An id has 48 bits of milliseconds and 80 random
 * bits, as 26 characters of Crockford's Base32.
 */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeLetters_count = 10;
const randomLetters_count = 16;

/** The last instant of the year 9999. */
export const lastInstant_ms = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Returns the id in uppercase. Undefined if the text isn't an id. The first character is at most 7, since 26
 * characters have 130 bits, 2 more than an id.
 */
export function readUlid(text: string): string | undefined {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(text) ? text.toUpperCase() : undefined;
}

/** Returns the creation time of an id, in milliseconds since 1970. */
export function ulidTime(ulid: string): number {
  let time = 0;
  for (const letter of ulid.slice(0, timeLetters_count)) time = time * 32 + alphabet.indexOf(letter);
  return time;
}

/** Returns the smallest id with this creation time. */
export function firstUlidAt(time_ms: number): string {
  return timePart(time_ms) + "0".repeat(randomLetters_count);
}

/**
 * Returns the prefixes of the ids from `from` (inclusive) to `to` (exclusive), newest first. Each prefix has
 * `letters` characters, at most
 * 10. With each character fewer, a prefix covers 32 times as much time.
 */
export function ulidPrefixes(from: string, to: string, letters: number): string[] {
  const span_ms = 32 ** (timeLetters_count - letters);
  const prefixes: string[] = [];
  // If `to` is the smallest id with its prefix, no id below it has the prefix.
  const last = Math.floor(ulidTime(to) / span_ms) - (/^0*$/.test(to.slice(letters)) ? 1 : 0);
  for (let at = last; at >= Math.floor(ulidTime(from) / span_ms); at--)
    prefixes.push(timePart(at * span_ms).slice(0, letters));
  return prefixes;
}

function timePart(time_ms: number): string {
  let rest = time_ms;
  let letters = "";
  for (let i = 0; i < timeLetters_count; i++) {
    letters = alphabet[rest % 32]! + letters;
    rest = Math.floor(rest / 32);
  }
  return letters;
}

/**
 * Returns a function that creates ids from the current time and random bytes. The ids sort in the order of
 * their creation, even if the clock is set back. Within a millisecond, each id is the previous one plus a
 * random number from 1 to 2^60, so that it can't be guessed.
 */
export function ulidMaker(now: () => number, random: (bytes: number) => Uint8Array): () => string {
  let last_ms = -1;
  let randomDigits: number[] = [];
  return () => {
    const time_ms = Math.max(now(), last_ms);
    // The random part starts in the lower half of its range, which leaves room for at least 2^19 ids per
    // millisecond.
    if (time_ms > last_ms || !add(randomDigits, [...random(12)].map(digit))) {
      last_ms = time_ms > last_ms ? time_ms : last_ms + 1;
      randomDigits = [...random(randomLetters_count)].map(digit);
      randomDigits[0]! %= 16;
    }
    return timePart(last_ms) + randomDigits.map((each) => alphabet[each]).join("");
  };
}

function digit(byte: number): number {
  return byte % 32;
}

/** Adds `more` and 1 to `digits` in place. `more` has at most as many digits. Returns false on overflow. */
function add(digits: number[], more: readonly number[]): boolean {
  let carry = 1;
  for (let i = digits.length - 1, j = more.length - 1; i >= 0; i--, j--) {
    const sum = digits[i]! + (more[j] ?? 0) + carry;
    digits[i] = sum % 32;
    carry = sum >= 32 ? 1 : 0;
  }
  return carry === 0;
}
