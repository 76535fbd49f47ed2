/** Selects files by patterns like those of `.gitignore`. */

import path from "node:path";
import ignore from "ignore";

/**
 * Parses the value of `--files`, a list of patterns that is separated by commas or line breaks. Returns a
 * function that tells whether a file of the folder matches. Patterns are relative to the folder, or start
 * with its absolute path or its path from the current folder.
 */
export function filePatterns(list: string, folder: string): (file: string) => boolean {
  const starts = [folder, path.relative(process.cwd(), folder)].map((start) => `${slashed(start)}/`);

  const patterns = list
    .split(/[,\r\n]/)
    .map((text) => slashed(text.trim()))
    .filter((text) => text !== "")
    .map((text) => {
      const [, not, given] = /^(!?)(?:\.\/)*(.*)$/s.exec(text)!;
      const start = starts.find((start) => start !== "/" && given!.startsWith(start));
      return not! + (start === undefined ? given! : `/${given!.slice(start.length) || "**"}`);
    });

  // The names of files can contain characters that have a meaning in patterns.
  const names = new Set(patterns.map((text) => text.replace(/^\//, "")));
  const rules = ignore().add(patterns);
  return (file) => names.has(file) || (ignore.isPathValid(file) && rules.ignores(file));
}

function slashed(text: string): string {
  return path.sep === "/" ? text : text.replaceAll(path.sep, "/");
}
