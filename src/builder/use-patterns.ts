import { existsSync, readFileSync } from "node:fs";
import { useTables } from "../engine/highlight/highlight.ts";

/**
 * Lets the highlighter use the patterns that were converted when the product was built. `folder`: URL of
 * their folder.
 */
export function usePatterns(folder: URL): void {
  useTables((grammar) => {
    const file = new URL(`${grammar}.json`, folder);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  });
}
