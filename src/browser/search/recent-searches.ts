/** What was searched for in this browser, the last one first. */
import { keep, kept } from "../storage.ts";

const key = "octavo-searches";
const kept_count = 6;

export function recentSearches(): string[] {
  try {
    const list: unknown = JSON.parse(kept("localStorage", key) ?? "[]");
    return Array.isArray(list) ? list.filter((text) => typeof text === "string").slice(0, kept_count) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(text: string): void {
  write([text, ...recentSearches().filter((other) => other !== text)].slice(0, kept_count));
}

export function forgetSearch(text: string): void {
  write(recentSearches().filter((other) => other !== text));
}

function write(list: string[]): void {
  keep("localStorage", key, list.length ? JSON.stringify(list) : undefined);
}
