/** Storage may be closed to us (private windows, `file://`, full): then nothing is kept. */
function open(kind: "localStorage" | "sessionStorage"): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}

/** Keeps a value for the visits to come, or for this tab. An absent value is forgotten. */
export function keep(kind: "localStorage" | "sessionStorage", key: string, value: string | undefined): void {
  try {
    if (value === undefined) open(kind)?.removeItem(key);
    else open(kind)?.setItem(key, value);
  } catch {
    // Full or forbidden: the page works without.
  }
}

/** What was kept. */
export function kept(kind: "localStorage" | "sessionStorage", key: string): string | undefined {
  try {
    return open(kind)?.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
