/**
 * Reads and writes what a reader entered, found or asked, in the browser's storage. It's removed when the
 * browser has another session, such as after signing out.
 */

import { readSiteCookie } from "./site-cookie.ts";
import { readStored, storedKey, writeStored } from "./storage.ts";

/**
 * Key of the ID of the session that the stored values are from. Keys that start with `ownPrefix` are
 * Octavo's.
 */
const sessionKey = "octavo-session";
const ownPrefix = "octavo-";
/** Key of the color mode, which stays when the reader signs out. */
const modeKey = "octavo-mode";

/** Session of this page. Empty if nobody was signed in when it was loaded. */
const pageSession = currentSession();

/** Returns the ID of the reader's session, from a cookie of the host. Empty if there is none. */
function currentSession(): string {
  return readSiteCookie("octavo_reader_session").join(" ");
}

/** Whether the reader of this page signed out, or another session began. The page then stores nothing. */
export function isSessionOver(): boolean {
  return pageSession !== "" && pageSession !== currentSession();
}

/**
 * Calls a function when the session of this page may be over: when the session's cookie changes, or the
 * reader returns to the page.
 */
export function onSessionOver(over: () => void): void {
  const check = () => isSessionOver() && over();
  for (const event of ["focus", "pageshow"]) addEventListener(event, check);
  document.addEventListener("visibilitychange", check);
  (globalThis as { cookieStore?: EventTarget }).cookieStore?.addEventListener("change", check);
}

/** Removes the values of an earlier session. Values that were stored before the reader signed in stay. */
function removeOfOthers(storage: Storage): void {
  const session = currentSession();
  const stored = storage.getItem(storedKey(sessionKey));
  if (stored === null ? session === "" : stored === session) return;
  if (stored !== null) {
    const own = storedKey("");
    for (const key of Object.keys(storage))
      if (key.startsWith(ownPrefix) && key.endsWith(own) && key !== storedKey(modeKey))
        storage.removeItem(key);
  }
  if (session !== "") storage.setItem(storedKey(sessionKey), session);
}

/** Stores a value, or removes it, unless the session of this page is over. */
export function writeOfReader(
  kind: "localStorage" | "sessionStorage",
  key: string,
  value: string | undefined,
): void {
  prepare(kind);
  if (value === undefined || !isSessionOver()) writeStored(kind, key, value);
}

/** Reads a value. Undefined if there is none or the browser denies access. */
export function readOfReader(kind: "localStorage" | "sessionStorage", key: string): string | undefined {
  prepare(kind);
  return readStored(kind, key);
}

function prepare(kind: "localStorage" | "sessionStorage"): void {
  try {
    removeOfOthers(window[kind]);
  } catch {
    // The browser denies access.
  }
}
