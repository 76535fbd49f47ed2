/** Builds folders and compares the words of their pages with the words of the sources. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { buildSiteFrom, filesBelow, mainOf } from "./build.ts";
import { countWords, countWordsOfHtml, sourceWords } from "./source-words.ts";

/** Words that an output leaves out on purpose, and why. */
export interface Exception {
  reason: string;
  /** Whether the word is in content that this exception is about. */
  applies(found: { word: string; kind: string; line: string; text: string; offset: number; output: "html" | "markdown" }): boolean;
}

export interface Conservation {
  checked: number;
  found: number;
  excepted: number;
  /** Words that are missing, as `file:line word (output)`. */
  missing: string[];
}

/**
 * Compares each word of the pages of a folder with the HTML and with the Markdown. A word that is in the source several times must also be in
 * the output several times.
 */
export async function conservationOf(folder: string, exceptions: readonly Exception[]): Promise<Conservation> {
  const names = filesBelow(folder);
  const site = await buildSiteFrom(Object.fromEntries(names.map((file) => [file, readFileSync(path.join(folder, file))])));
  const paths = new Set(site.paths);
  const result: Conservation = { checked: 0, found: 0, excepted: 0, missing: [] };
  for (const file of names.filter((name) => /\.mdx?$/.test(name))) {
    const route = file.replace(/\.mdx?$/, "").replace(/(^|\/)index$/, "") || "index";
    if (!paths.has(`${route}.html`)) continue;
    const text = readFileSync(path.join(folder, file), "utf8");
    const lines = text.split("\n");
    const shown = { html: countWordsOfHtml(mainOf(site.read(`${route}.html`))), markdown: countWords(site.read(`${route}.md`)) };
    for (const { word, kind, line } of sourceWords(text))
      for (const output of ["html", "markdown"] as const) {
        result.checked++;
        const offset = lines.slice(0, line - 1).join("\n").length;
        const left = shown[output].get(word) ?? 0;
        shown[output].set(word, left - 1);
        if (left > 0) result.found++;
        else if (exceptions.some((exception) => exception.applies({ word, kind, line: lines[line - 1] ?? "", text, offset, output }))) result.excepted++;
        else result.missing.push(`${file}:${line} ${word} (${kind}, ${output})`);
      }
  }
  return result;
}
