import { headLines_count, type PageStore } from "../../src/engine/site/page-cache.ts";

/** Creates a page store that keeps its entries in memory. */
export function memoryStore(): PageStore {
  const entries = new Map<string, Buffer>();
  return {
    read: (name) => entries.get(name)?.toString(),
    readBytes: (name) => entries.get(name),
    readHead: (name) => {
      const lines = entries.get(name)?.toString().split("\n") ?? [];
      return lines.length > headLines_count ? lines.slice(0, headLines_count) : undefined;
    },
    discardHead: () => {},
    write: (name, entry) => void entries.set(name, typeof entry === "string" ? Buffer.from(entry) : Buffer.concat(entry)),
  };
}
