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

/** Makes ids. `random` fills bytes; ids of one maker in one millisecond count up, so that they sort as they were made. */
export function ulidMaker(now: () => number, random: (bytes: number) => Uint8Array): () => string {
  let last_ms = -1;
  let chance: number[] = [];
  return () => {
    const time_ms = Math.max(now(), last_ms);
    if (time_ms === last_ms) countUp(chance);
    else chance = [...random(chance_letters)].map((byte) => byte % 32);
    last_ms = time_ms;
    return timePart(time_ms) + chance.map((digit) => alphabet[digit]).join("");
  };
}

function countUp(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i] !== 31) {
      digits[i]!++;
      return;
    }
    digits[i] = 0;
  }
}
