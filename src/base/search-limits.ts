/**
 * Limits for searching an index, checked by browser scripts and by hosts. Kept separate from `limits`, so
 * that browser scripts don't include the other limits.
 */

/** Maximum length of an indexed search term, in characters. Longer terms are usually encoded data. */
export const searchTerm_chars = 60;
/**
 * Maximum length of a word that is stemmed, in characters. Stemmers are slow with longer words, which are
 * rare in any language.
 */
export const stemmedWord_chars = 40;
/** Maximum number of cached stems per language. A full cache is cleared. */
export const stemmedWords_count = 200_000;
/** Maximum length of a query that the search engine reads, in characters. The rest is ignored. */
export const query_chars = 10_000;
/** Maximum number of distinct terms of a query. Further terms are ignored. */
export const queryTerms_count = 64;
/** Maximum number of terms of a query whose spelling is corrected: the first ones. */
export const correctedWords_count = 24;
/**
 * Maximum number of characters that are removed from the end of an unfinished word to find its stem. Few
 * suffixes are longer.
 */
export const ending_chars = 4;
/** Maximum number of indexed terms that a search tries as completions of an unfinished word. */
export const queryVariants_count = 24;
/** Maximum number of terms per shard whose unpacked posting lists are cached. */
export const unpackedTerms_count = 16;
/** Maximum number of index shards that are searched for terms that start with an unfinished word. */
export const shardsOfWord_count = 2;
/** Maximum number of entries in each cache that maps words to search terms. A full cache is cleared. */
export const knownWords_count = 20_000;
