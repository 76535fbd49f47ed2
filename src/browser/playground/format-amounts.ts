/** Formats sizes and durations for display. */

/** Formats a size in bytes: `1.2 KB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${round(bytes / 1_000)} KB`;
  return `${round(bytes / 1_000_000)} MB`;
}

/** Formats a time in milliseconds: `1.2 s`. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${round(ms / 1_000)} s`;
}

function round(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}
