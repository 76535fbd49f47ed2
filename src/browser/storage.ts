/** Returns the browser's storage. Undefined if the browser denies access, as in some private windows. */
function open(kind: "localStorage" | "sessionStorage"): Storage | undefined {
  try {
    return window[kind];
  } catch {
    return undefined;
  }
}

/** Stores a value; undefined removes it. Errors are ignored. */
export function writeStored(kind: "localStorage" | "sessionStorage", key: string, value: string | undefined): void {
  try {
    if (value === undefined) open(kind)?.removeItem(key);
    else open(kind)?.setItem(key, value);
  } catch {
    // Storage is full or denied.
  }
}

/** Reads a value. Undefined if there is none or the browser denies access. */
export function readStored(kind: "localStorage" | "sessionStorage", key: string): string | undefined {
  try {
    return open(kind)?.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
