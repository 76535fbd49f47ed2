/** Reads the shared question sets and creates search indexes of their corpora. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { IndexedPage } from "../src/engine/search/index-segment.ts";
import { SearchIndex } from "../src/engine/search/search-index.ts";
import { buildIndex } from "../test/engine/build-index.ts";
import { addVectors } from "./vectors.ts";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
export const corpus = path.resolve(root, "../shared/corpus/retrieval");

export type SetName = "anthropic-docs" | "squad2-sample";

export interface Question {
  id: string;
  question: string;
  /** Ids of the sections that answer the question. */
  relevant: string[];
}

interface DocumentRow {
  id: string;
  page: string;
  title: string;
  breadcrumbs?: string;
  heading?: string;
  text: string;
}

/** A corpus as a search index, with the ids of its sections in the set. */
export interface Corpus {
  index: SearchIndex;
  /** Ids of sections, by `route#anchor`. */
  ids: Map<string, string>;
  groups: Map<string, string>;
}

export function hasSets(): boolean {
  return existsSync(corpus);
}

export function rows<T>(file: string): T[] {
  const text = readFileSync(path.join(corpus, file), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

export function questions(set: SetName): { answerable: Question[]; unanswerable: Question[] } {
  const all = rows<Question & { answerable: boolean }>(`${set}/questions.jsonl`);
  return {
    answerable: all.filter(({ answerable }) => answerable),
    unanswerable: all.filter(({ answerable }) => !answerable),
  };
}

export async function openCorpus(set: SetName): Promise<Corpus> {
  return indexOf(rows<DocumentRow>(`${set}/docs.jsonl`), set);
}

async function indexOf(documents: readonly DocumentRow[], name: string): Promise<Corpus> {
  const pages = new Map<string, IndexedPage & { sections: IndexedPage["sections"][number][] }>();
  const ids = new Map<string, string>();
  const groups = new Map<string, string>();
  for (const { id, page: route, title, breadcrumbs, heading = "", text } of documents) {
    const anchor = id.slice(id.indexOf("#") + 1);
    let page = pages.get(route);
    if (!page) {
      page = {
        route,
        title,
        breadcrumbs: breadcrumbs ? [breadcrumbs] : [],
        ...(breadcrumbs ? { group: breadcrumbs } : {}),
        keywords: [],
        boost: 1,
        sections: [],
      };
      pages.set(route, page);
    }
    // In the set, the text of a section starts with its heading. In our index, it doesn't.
    const body = heading && text.startsWith(heading) ? text.slice(heading.length).trimStart() : text;
    page.sections.push({ anchor, headings: heading ? [heading] : [], text: body });
    ids.set(`${route}#${anchor}`, id);
    groups.set(id, breadcrumbs ?? title);
  }
  return { index: await openIndex([...pages.values()], name), ids, groups };
}

async function openIndex(pages: readonly IndexedPage[], name: string): Promise<SearchIndex> {
  const parts = buildIndex(pages, "en");
  const load = (name: string) => {
    const part = parts.get(name);
    return part === undefined ? Promise.reject(new Error(`No part ${name}`)) : Promise.resolve(part);
  };
  return addVectors(await SearchIndex.open(load), name, load);
}
