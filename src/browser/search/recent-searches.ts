/** Stores the recent searches of this browser, the latest one first. */

import { readOfReader, writeOfReader } from "../reader-storage.ts";

const key = "octavo-searches";
const stored_count = 6;

export function recentSearches(): string[] {
  try {
    const list: unknown = JSON.parse(readOfReader("localStorage", key) ?? "[]");
    return Array.isArray(list) ? list.filter((text) => typeof text === "string").slice(0, stored_count) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(text: string): void {
  write([text, ...recentSearches().filter((other) => other !== text)].slice(0, stored_count));
}

export function forgetSearch(text: string): void {
  write(recentSearches().filter((other) => other !== text));
}

function write(list: string[]): void {
  writeOfReader("localStorage", key, list.length ? JSON.stringify(list) : undefined);
}
