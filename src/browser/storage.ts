/**
 * Reads and writes values in the browser's storage. Sites below different paths of a host share its storage,
 * so their keys end with the path of the site's root. At the root of a host, on pages from disk and in the
 * dashboard, keys are unchanged.
 */

import { siteBase } from "./site-urls.ts";

/** Returns the key of this site. The scripts in `src/engine/frame/init-scripts.ts` must use the same keys. */
export function storedKey(name: string): string {
  const { pathname } = siteBase();
  // Pages from disk have no host.
  return location.host && pathname !== "/" ? `${name} ${pathname}` : name;
}

/**
 * Stores a value; undefined removes it. Ignores errors, such as if the storage is full or, as in some private
 * windows, denied.
 */
export function writeStored(
  kind: "localStorage" | "sessionStorage",
  key: string,
  value: string | undefined,
): void {
  try {
    if (value === undefined) window[kind].removeItem(storedKey(key));
    else window[kind].setItem(storedKey(key), value);
  } catch {}
}

/** Reads a value. Undefined if there is none or the browser denies access. */
export function readStored(kind: "localStorage" | "sessionStorage", key: string): string | undefined {
  try {
    return window[kind].getItem(storedKey(key)) ?? undefined;
  } catch {
    return undefined;
  }
}
