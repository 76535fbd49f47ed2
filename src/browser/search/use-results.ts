/** Searches while the reader types. */
import { useEffect, useState } from "preact/hooks";
import type { SearchFilter } from "../../engine/search/search-hit.ts";
import { askingWords, fill } from "../dialog-messages.ts";
import type { SearchReport } from "./report.ts";
import type { Found, SearchBackend } from "./search-backend.ts";

/** What a text found; without `found` the search failed. */
export interface Results {
  text: string;
  found?: Found;
}

interface Query {
  text: string;
  filter: SearchFilter;
  /** Another number searches again. */
  attempt: number;
}

/** The latest results, which may be those of an earlier text; undefined without a text. */
export function useResults(backend: SearchBackend, report: SearchReport, { text, filter, attempt }: Query): Results | undefined {
  const [results, setResults] = useState<Results>();
  const { product, version } = filter;
  useEffect(() => {
    const query = text.trim();
    if (!query) return setResults(undefined);
    let isOutdated = false;
    const show = (found?: Found) => {
      // Results of a shorter text never replace those of a longer one.
      if (isOutdated) return;
      setResults({ text: query, found });
      if (found) report.shown(query, found.sections.length);
    };
    backend.find(text.trimStart(), { product, version }, show).then(show, () => show());
    return () => {
      isOutdated = true;
    };
  }, [text, product, version, attempt]);
  return results;
}

/** A screen reader announces the results once the reader stops typing. */
const announced_ms = 600;

export function useAnnouncement(results: Results | undefined, count: number): string {
  const words = askingWords();
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (!results?.found) return;
    const message = count ? fill(words.resultsCount, { count }) : fill(words.nothing, { query: results.text });
    const timer = setTimeout(() => setAnnouncement(message), announced_ms);
    return () => clearTimeout(timer);
  }, [results]);
  return announcement;
}
