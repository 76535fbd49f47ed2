/**
 * Reads and writes values in the browser's storage. Sites below different paths of a host share its storage, so their keys end with the
 * path of the site's root. At the root of a host, on pages from disk and in the dashboard, keys are unchanged. What a signed-in reader
 * stored is removed when the browser has another session, such as after signing out.
 */

import { siteBase } from "./site-urls.ts";

/** Returns the key of this site. The scripts in `src/engine/frame/init-scripts.ts` must use the same keys. */
function storedKey(name: string): string {
  const { pathname } = siteBase();
  // Pages from disk have no host.
  return location.host && pathname !== "/" ? `${name} ${pathname}` : name;
}

/** Key of the ID of the session that the stored values are from. Keys that start with `ownPrefix` are Octavo's. */
const sessionKey = "octavo-session";
const ownPrefix = "octavo-";
/** Key of the color mode, which stays when the reader signs out. */
export const modeKey = "octavo-mode";

/** Session of this page. Empty if nobody was signed in when it was loaded. */
const pageSession = currentSession();

/** Returns the ID of the reader's session, from a cookie of the host. Empty if there is none. */
function currentSession(): string {
  try {
    return /(?:^|; )(?:__\w+-)?octavo_reader_session=([\w-]+)/.exec(document.cookie)?.[1] ?? "";
  } catch {
    // A page in a sandboxed frame has no cookies.
    return "";
  }
}

/** Whether the reader of this page signed out, or another session began. The page then stores nothing. */
export function isSessionOver(): boolean {
  return pageSession !== "" && pageSession !== currentSession();
}

/** Calls a function when the session of this page may be over: when the session's cookie changes, or the reader returns to the page. */
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
      if (key.startsWith(ownPrefix) && (own === "" || key.endsWith(own)) && key !== storedKey(modeKey)) storage.removeItem(key);
  }
  if (session !== "") storage.setItem(storedKey(sessionKey), session);
}

/** Stores a value; undefined removes it. Ignores errors, such as if the storage is full or, as in some private windows, denied. */
export function writeStored(kind: "localStorage" | "sessionStorage", key: string, value: string | undefined): void {
  try {
    removeOfOthers(window[kind]);
    if (value === undefined) window[kind].removeItem(storedKey(key));
    else if (!isSessionOver()) window[kind].setItem(storedKey(key), value);
  } catch {}
}

/** Reads a value. Undefined if there is none or the browser denies access. */
export function readStored(kind: "localStorage" | "sessionStorage", key: string): string | undefined {
  try {
    removeOfOthers(window[kind]);
    return window[kind].getItem(storedKey(key)) ?? undefined;
  } catch {
    return undefined;
  }
}
