import type { PageStore } from "../../src/engine/site/page-cache.ts";

/** Creates a page store that keeps its entries in memory. */
export function memoryStore(): PageStore {
  const entries = new Map<string, Buffer>();
  return {
    read: (name) => entries.get(name)?.toString(),
    readBytes: (name) => entries.get(name),
    readLines: (name, count) => {
      const lines = entries.get(name)?.toString().split("\n") ?? [];
      return lines.length > count ? lines.slice(0, count) : undefined;
    },
    write: (name, entry) => void entries.set(name, typeof entry === "string" ? Buffer.from(entry) : Buffer.concat(entry)),
  };
}
