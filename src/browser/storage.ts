/**
 * Reads and writes values in the browser's storage. Sites below different paths of a host share its storage, so their keys end with the
 * path of the site's root. At the root of a host, on pages from disk and in the dashboard, keys are unchanged.
 */

/** Returns the key of this site. The scripts in `src/engine/frame/init-scripts.ts` must use the same keys. */
function storedKey(name: string): string {
  const { root } = document.documentElement.dataset;
  if (root === undefined || location.protocol === "file:") return name;
  const { pathname } = new URL(root || ".", location.href);
  return pathname === "/" ? name : `${name} ${pathname}`;
}

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
    if (value === undefined) open(kind)?.removeItem(storedKey(key));
    else open(kind)?.setItem(storedKey(key), value);
  } catch {
    // Storage is full or denied.
  }
}

/** Reads a value. Undefined if there is none or the browser denies access. */
export function readStored(kind: "localStorage" | "sessionStorage", key: string): string | undefined {
  try {
    return open(kind)?.getItem(storedKey(key)) ?? undefined;
  } catch {
    return undefined;
  }
}
