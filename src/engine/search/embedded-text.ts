/** Reads the passages of an index in the form that a model turns into vectors. */

import {
  bytesOf,
  type Head,
  type PageRecord,
  pagesOfPassages,
  pagesOfRecords,
  readPassages,
} from "./index-format.ts";
import { readableText } from "./readable-text.ts";
import { headingsOf, type LoadPart } from "./search-index.ts";

/**
 * Maximum length of the names before a passage, and of a passage, in characters. Models read only the start
 * of a longer text.
 */
const names_chars = 200;
const passage_chars = 1_200;

export interface EmbeddedText {
  /** Number of the passage. */
  number: number;
  /** Title of the page, headings, and the passage, without Markdown. */
  text: string;
}

/** Yields the passages of all pages, in ascending order. Rejects if `load` rejects. */
export async function* embeddedTexts(load: LoadPart): AsyncGenerator<EmbeddedText> {
  const { sections, starts } = JSON.parse((await load("head")) as string) as Head;
  const bits = bytesOf(starts);
  let number = -1;
  for (const part of sections.keys()) {
    const pages = JSON.parse((await load(`d${part}`)) as string) as PageRecord[];
    for (const [place, [, title, , , records]] of pages.entries()) {
      const page = part * pagesOfRecords + place;
      const passages = readPassages(await load(`p${Math.floor(page / pagesOfPassages)}`))[
        page % pagesOfPassages
      ]!;
      for (const ordinal of records.keys()) {
        do number++;
        while (!(bits[number >> 3]! & (1 << (number & 7))));
        const names = shortened([title, ...headingsOf(records, ordinal)].join(" › "), names_chars);
        for (const [index, text] of passages[ordinal]!.entries())
          yield { number: number + index, text: `${names}\n${shortened(readableText(text), passage_chars)}` };
      }
    }
  }
}

function shortened(text: string, most_chars: number): string {
  return text.length > most_chars ? text.slice(0, most_chars).toWellFormed() : text;
}
