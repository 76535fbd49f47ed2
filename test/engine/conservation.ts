/** Builds folders and compares the words of their pages with the words of the sources. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { buildSiteFrom, filesBelow, mainOf } from "./build.ts";
import { countWords, countWordsOfHtml, sourceWords } from "./source-words.ts";

/**
 * Content that an output leaves out on purpose: content for other readers, and expressions, which are
 * evaluated. docs/how-it-works.mdx describes it.
 */
const exceptions = {
  audience: (found: Found) => found.kind === "audience",
  expression: (found: Found) => /\{[^}]*$|\{[\w.]+\}/.test(found.line),
};

interface Found {
  kind: string;
  /** The line of the word. */
  line: string;
}

export interface Conservation {
  checked: number;
  found: number;
  excepted: number;
  /** Words that are missing, as `file:line word (output)`. */
  missing: string[];
  /** Pages that couldn't be rendered. */
  crashed: string[];
}

/**
 * Compares each word of the pages of a folder with the HTML and with the Markdown. A word that is in the
 * source several times must also be in the output several times.
 */
export async function conservationOf(folder: string): Promise<Conservation> {
  const names = filesBelow(folder);
  const site = await buildSiteFrom(
    Object.fromEntries(names.map((file) => [file, readFileSync(path.join(folder, file))])),
  );
  const paths = new Set(site.paths);
  const crashed = site.problems
    .filter(({ code }) => code === "page-crashed")
    .map(({ file, message }) => `${file}: ${message}`);
  const result: Conservation = { checked: 0, found: 0, excepted: 0, missing: [], crashed };
  for (const file of names.filter((name) => /\.mdx?$/.test(name))) {
    const route = file.replace(/\.mdx?$/, "").replace(/(^|\/)index$/, "") || "index";
    // Another file has the page's path, or a redirect does.
    const isOther = site.problems.some(
      (problem) => problem.code === "path-conflict" && problem.file === file,
    );
    if (isOther || !paths.has(`${route}.html`) || !mainOf(site.read(`${route}.html`))) continue;
    const text = readFileSync(path.join(folder, file), "utf8");
    const lines = text.split("\n");
    const shown = {
      html: countWordsOfHtml(mainOf(site.read(`${route}.html`))),
      markdown: countWords(site.read(`${route}.md`)),
    };
    const words = sourceWords(text);
    // Words that may be missing come last, so that they don't take the place of others.
    for (const { word, kind, line } of [
      ...words.filter((found) => found.kind !== "audience"),
      ...words.filter((found) => found.kind === "audience"),
    ])
      for (const output of ["html", "markdown"] as const) {
        result.checked++;
        const left = shown[output].get(word) ?? 0;
        shown[output].set(word, left - 1);
        if (left > 0) result.found++;
        else if (Object.values(exceptions).some((applies) => applies({ kind, line: lines[line - 1] ?? "" })))
          result.excepted++;
        else result.missing.push(`${file}:${line} ${word} (${kind}, ${output})`);
      }
  }
  return result;
}
