/** ULIDs: ids that sort by their time of creation. 48 bits of milliseconds and 80 random bits, in 26 letters of Crockford's alphabet. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const time_letters = 10;
const random_letters = 16;

/** The last instant of the year 9999. */
export const lastInstant_ms = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The id in upper case; undefined if the text is not an id. The first letter has three bits: more would overflow. */
export function readUlid(text: string): string | undefined {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(text) ? text.toUpperCase() : undefined;
}

export function ulidTime(ulid: string): number {
  let time = 0;
  for (const letter of ulid.slice(0, time_letters)) time = time * 32 + alphabet.indexOf(letter);
  return time;
}

/** The smallest id of an instant. */
export function firstUlidAt(time_ms: number): string {
  return timePart(time_ms) + "0".repeat(random_letters);
}

/** The prefixes of `letters` letters of the ids from `from` up to and without `to`, newest first. A shorter prefix by one letter covers 32 times the time. */
export function ulidPrefixes(from: string, to: string, letters: number): string[] {
  const span_ms = 32 ** (time_letters - letters);
  const prefixes: string[] = [];
  // If `to` is the smallest id with its prefix, no id below it has the prefix.
  const last = Math.floor(ulidTime(to) / span_ms) - (/^0*$/.test(to.slice(letters)) ? 1 : 0);
  for (let at = last; at >= Math.floor(ulidTime(from) / span_ms); at--) prefixes.push(timePart(at * span_ms).slice(0, letters));
  return prefixes;
}

function timePart(time_ms: number): string {
  let rest = time_ms;
  let letters = "";
  for (let i = 0; i < time_letters; i++) {
    letters = alphabet[rest % 32]! + letters;
    rest = Math.floor(rest / 32);
  }
  return letters;
}

/**
 * Creates ids from `now` and random bytes. The ids of one maker sort in the order of their creation: within a millisecond each is
 * the previous one plus 1 to 2^60, so that an id does not reveal the next one.
 */
export function ulidMaker(now: () => number, random: (bytes: number) => Uint8Array): () => string {
  let last_ms = -1;
  let randomDigits: number[] = [];
  return () => {
    const time_ms = Math.max(now(), last_ms);
    // A new millisecond starts in the lower half, which leaves room for 2^19 ids.
    if (time_ms > last_ms || !add(randomDigits, [...random(12)].map(digit))) {
      last_ms = time_ms > last_ms ? time_ms : last_ms + 1;
      randomDigits = [...random(random_letters)].map(digit);
      randomDigits[0]! %= 16;
    }
    return timePart(last_ms) + randomDigits.map((each) => alphabet[each]).join("");
  };
}

function digit(byte: number): number {
  return byte % 32;
}

/** Adds a number of fewer digits, and 1, in place. Returns false on overflow. */
function add(digits: number[], more: readonly number[]): boolean {
  let carry = 1;
  for (let i = digits.length - 1, j = more.length - 1; i >= 0; i--, j--) {
    const sum = digits[i]! + (more[j] ?? 0) + carry;
    digits[i] = sum % 32;
    carry = sum >= 32 ? 1 : 0;
  }
  return carry === 0;
}
