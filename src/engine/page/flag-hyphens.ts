/**
 * Matches what is after the two hyphens of a flag: a letter, or, for `--` between a command and a flag, the
 * flag.
 */
const afterFlagMark = /^(?:\p{L}|[ \t]+-)/u;

/**
 * Restores the two hyphens of flags, for which the parser has written a dash. `source`: the text as written.
 */
export function withFlags(value: string, source: string): string {
  const written = [...source.matchAll(/-{2,}|[–—]|&(?:[nm]dash|#\d+|#x[\da-f]+);/gi)].flatMap(
    ({ 0: mark, index }) =>
      mark.startsWith("-")
        ? dashesOf(mark.length, isFlagMark(source, index))
        : /^[–—]|dash|8211|8212/i.test(mark)
          ? [mark]
          : [],
  );
  const dashes = value.match(/[–—]/g) ?? [];
  if (written.length !== dashes.length) return value;
  let next = 0;
  return value.replace(/[–—]/g, (dash) => (written[next++] === "--" ? "--" : dash));
}

/**
 * Whether the two hyphens at an index of a text are those of a flag, such as `--force` or `--2`, and not
 * those of a range, such as `1--2`.
 */
function isFlagMark(source: string, index: number): boolean {
  const after = source.slice(index + 2, index + 12);
  return (
    afterFlagMark.test(after) || (/^[^\s-]/.test(after) && !/[^\s([{"'=|/]/.test(source.charAt(index - 1)))
  );
}

/** Returns what the parser writes for a number of hyphens, but `--` for those of a flag. */
function dashesOf(hyphens_count: number, isFlag: boolean): string[] {
  if (hyphens_count === 2) return [isFlag ? "--" : "–"];
  return hyphens_count === 3 ? ["—"] : [];
}
