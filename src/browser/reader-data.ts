/** Reads what the site's sign-in says about the reader. */

import { type ReaderData, readerDataCookie } from "../base/reader-data.ts";
import { readSiteCookie } from "./site-cookie.ts";

/** Reads the cookie. Undefined if there is none, if there are several, or if it isn't valid. */
export function readReaderData(): ReaderData | undefined {
  try {
    const [text, another] = readSiteCookie(readerDataCookie);
    if (text === undefined || another !== undefined) return undefined;
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
  } catch {
    // Anyone at the browser can change cookies.
    return undefined;
  }
}
