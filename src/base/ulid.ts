/** Ids that sort by the time they were made: 48 bits of milliseconds and 80 of chance, in 26 letters of Crockford's alphabet. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const time_letters = 10;
const chance_letters = 16;

/** The last instant that the ids can hold, and the last of our years. */
export const lastInstant_ms = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The id in upper case, or undefined for what is none. The first letter holds three bits: more would overflow. */
export function readUlid(text: string): string | undefined {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(text) ? text.toUpperCase() : undefined;
}

export function ulidTime(ulid: string): number {
  let time = 0;
  for (const letter of ulid.slice(0, time_letters)) time = time * 32 + alphabet.indexOf(letter);
  return time;
}

/** The least id of an instant: ids from there on are of that instant or later. */
export function firstUlidAt(time_ms: number): string {
  return timePart(time_ms) + "0".repeat(chance_letters);
}

/** The beginnings, of so many letters, that ids from `from` on and below `to` may have; newest first. A letter less is 32 times the time. */
export function ulidStretches(from: string, to: string, letters: number): string[] {
  const span_ms = 32 ** (time_letters - letters);
  const stretches: string[] = [];
  // Nothing below its first id begins like a stretch.
  const last = Math.floor(ulidTime(to) / span_ms) - (/^0*$/.test(to.slice(letters)) ? 1 : 0);
  for (let at = last; at >= Math.floor(ulidTime(from) / span_ms); at--) stretches.push(timePart(at * span_ms).slice(0, letters));
  return stretches;
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
 * Makes ids. `random` fills bytes. Ids of one maker sort in the order in which they were made: within a millisecond each is
 * the one before plus 1 to 2^60, so that knowing one doesn't tell the next.
 */
export function ulidMaker(now: () => number, random: (bytes: number) => Uint8Array): () => string {
  let last_ms = -1;
  let chance: number[] = [];
  return () => {
    const time_ms = Math.max(now(), last_ms);
    // A new millisecond begins in the lower half, which leaves room for 2^19 ids.
    if (time_ms > last_ms || !add(chance, [...random(12)].map(digit))) {
      last_ms = time_ms > last_ms ? time_ms : last_ms + 1;
      chance = [...random(chance_letters)].map(digit);
      chance[0]! %= 16;
    }
    return timePart(last_ms) + chance.map((each) => alphabet[each]).join("");
  };
}

function digit(byte: number): number {
  return byte % 32;
}

/** Adds a number of fewer digits, and 1. False when there is no room, with `digits` spoiled. */
function add(digits: number[], more: readonly number[]): boolean {
  let carry = 1;
  for (let i = digits.length - 1, j = more.length - 1; i >= 0; i--, j--) {
    const sum = digits[i]! + (more[j] ?? 0) + carry;
    digits[i] = sum % 32;
    carry = sum >= 32 ? 1 : 0;
  }
  return carry === 0;
}
