/**
 * Replaces `reader-storage.ts` in the widget. Its values are in the storage of the website that shows the
 * widget, and their keys end with the URL of the documentation site. There are no sessions.
 */

import { readStored, writeStored } from "../storage.ts";
import { siteBase } from "./site-urls.ts";

type Kind = "localStorage" | "sessionStorage";

const widgetKey = (key: string) => `${key} ${siteBase().href}`;

export function onSessionOver(_over: () => void): void {}

/** Stores a value; undefined removes it. */
export function writeOfReader(kind: Kind, key: string, value: string | undefined): void {
  writeStored(kind, widgetKey(key), value);
}

/** Reads a value. Undefined if there is none. */
export function readOfReader(kind: Kind, key: string): string | undefined {
  return readStored(kind, widgetKey(key));
}
