import { renameSync, writeFileSync } from "node:fs";

/** Writes a file of the cache. Other builds see either the earlier or the new content. */
export function replaceFile(file: string, content: Uint8Array): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}
