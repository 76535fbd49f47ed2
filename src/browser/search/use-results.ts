/** Hooks that search while the reader types, and announce the number of results. */

import { useEffect, useState } from "preact/hooks";
import type { SearchFilter } from "../../engine/search/search-hit.ts";
import { dialogMessages, fill } from "../dialog-messages.ts";
import type { SearchBackend, SearchResults } from "./search-backend.ts";
import type { SearchReport } from "./search-report.ts";

/** Results of a query. `found` is undefined if the search failed. */
export interface Results {
  text: string;
  found?: SearchResults;
  /** Whether the results were shown before their snippets had loaded. */
  isEarly?: boolean;
}

interface Query {
  text: string;
  filter: SearchFilter;
  /** Number of the attempt. Changing it repeats the search. */
  attempt: number;
}

/**
 * Returns the latest results, which may be for an earlier query. Undefined if the text is empty, and until
 * the first results arrive.
 */
export function useResults(
  backend: SearchBackend,
  report: SearchReport,
  { text, filter, attempt }: Query,
): Results | undefined {
  const [results, setResults] = useState<Results>();
  const { product, version } = filter;
  useEffect(() => {
    const query = text.trim();
    if (!query) return setResults(undefined);
    let isOutdated = false;
    let isEarly = false;
    const show = (found?: SearchResults) => {
      // Results of an earlier query don't replace those of a later one.
      if (isOutdated) return;
      setResults({ text: query, found, isEarly });
      if (found) report.shown(query, found.sections.length);
    };

    const showEarly = (found: SearchResults) => {
      isEarly = true;
      show(found);
    };

    backend.find(text.trimStart(), { product, version }, showEarly).then(show, () => show());
    return () => {
      isOutdated = true;
    };
  }, [text, product, version, attempt]);

  return results;
}

/** How long results must be unchanged before they are announced to screen readers. */
const announced_ms = 600;

/** Returns the number of results as a message for screen readers. `count`: number of displayed sections. */
export function useAnnouncement(results: Results | undefined, count: number): string {
  const messages = dialogMessages();
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (!results?.found) return;
    const message = count
      ? fill(messages.resultsCount, { count })
      : fill(messages.nothing, { query: results.text });
    const timer = setTimeout(() => setAnnouncement(message), announced_ms);
    return () => clearTimeout(timer);
  }, [results]);
  return announcement;
}
