/**
 * Replaces `reader-storage.ts` in the widget. Its values are in the storage of the website that shows the
 * widget, and their keys end with the URL of the documentation site. There are no sessions.
 */

import { siteBase } from "./site-urls.ts";

const storedKey = (key: string) => `${key} ${siteBase().href}`;

export function onSessionOver(_over: () => void): void {}

/** Stores a value; undefined removes it. Ignores errors, such as if the browser denies access. */
export function writeOfReader(
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
export function readOfReader(kind: "localStorage" | "sessionStorage", key: string): string | undefined {
  try {
    return window[kind].getItem(storedKey(key)) ?? undefined;
  } catch {
    return undefined;
  }
}
