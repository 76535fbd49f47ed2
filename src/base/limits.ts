/** Limits that several files use, with their units and reasons. Other limits are next to their use. */

import * as questionLimits from "./question-limits.ts";

export const limits = {
  /** Maximum nesting depth of brackets or containers in a page. Parsers recurse; the native parser crashes at a depth of about 5,000. */
  nesting_levels: 300,
  /** Maximum time without a message before a build process is killed. */
  buildStall_ms: 60_000,
  /** How often a build process is checked. */
  buildWatch_ms: 500,
  /** Nice value of a build process, so that requests have priority. */
  buildPriority: 10,
  /** Processor time after which a build gets a lower priority than shorter builds. */
  longBuild_s: 10,
  longBuildPriority: 19,
  /** Heap of the build process. */
  buildHeap_mb: 2_048,
  /** Young generation of the build process's heap: pages allocate many objects, and a small one is collected too often. */
  buildYoungHeap_mb: 32,
  /**
   * Characters of a formula's source and of its MathML. Few formulas have 1,000 characters, and one at the limit costs less than
   * half a second. Beyond, the source is shown.
   */
  formula_chars: 8_000,
  formulaOutput_chars: 500_000,
  /** Maximum number of characters of an OpenAPI document as JSON. The largest public documents have about 14 million. */
  apiJson_chars: 64_000_000,
  /** Maximum nesting depth of brackets in an OpenAPI document. Parsers and checkers recurse. */
  apiNesting_levels: 200,
  /** Maximum number of values in a YAML document after its aliases are expanded. */
  yamlNodes_count: 5_000_000,
  /** Rows of fields on one page of an API reference. A row takes some eight elements, and a page beyond 3,000 is slow to lay out. */
  referenceRows_count: 120,
  /** Maximum number of characters of an example on a page. Longer examples are truncated at a line break. */
  example_chars: 20_000,
  /** How long a request waits for a database connection before it gets 503. Enough for a burst of some hundreds. */
  databaseWait_ms: 5_000,
  /** Sources of one deployment: files, bytes of one, and bytes of all. The largest public repository of documentation has 25,030 files. */
  sourceFiles_count: 100_000,
  sourceFile_bytes: 25 * 1024 * 1024,
  sources_bytes: 500 * 1024 * 1024,
  /** Maximum number of stored problems of a deployment. */
  problems_count: 1_000,
  /** Number of deployments of a project that are kept for rollback. */
  keptDeployments_count: 10,
  /** Lifetime of a preview. */
  preview_ms: 14 * 24 * 3_600_000,
  /** Size of a request's headers, and the time to receive them. */
  requestHead_bytes: 16 * 1024,
  requestHead_ms: 10_000,
  /** Timeout for a whole request. Allows uploads over slow connections. */
  upload_ms: 600_000,
  /** Timeout for receiving the body of a request that isn't an upload. */
  body_ms: 15_000,
  /** Time after which an incomplete body counts as slow, and the maximum of slow bodies per visitor. */
  slowBody_ms: 1_000,
  slowBodies_count: 20,
  /** Maximum number of connections of a process, and of a visitor. At the maximum, the longest idle connection is closed. */
  connections_count: 10_000,
  connectionsOfVisitor_count: 500,
  /** Keep-alive timeout: longer than that of common proxies. */
  idleConnection_ms: 65_000,
  /** Timeout for open requests during shutdown. */
  stop_ms: 25_000,
  /** Maximum size of a JSON request body of the API in bytes. */
  requestBody_bytes: 64 * 1024,
  /** Number of imported lines per SQL statement. */
  importBatch_count: 1_000,
  /** Maximum number of deployments whose parsed tables a host caches. */
  hostedSites_count: 500,
  /** Maximum lifetime of a single-use sign-in token of a customer's login page. */
  signInToken_s: 10 * 60,
  /** Characters of an export's label, and entries of its list of pages. */
  exportVersion_chars: 64,
  exportPaths_count: 10_000,

  /** Characters of a search passage: small, so that matching words are near each other. Values from 400 to 1,500 work well. */
  passage_chars: 600,
  /** Characters of a term of the search; longer ones are encoded data. */
  searchTerm_chars: 60,
  /** Characters of a word that is stemmed: no word of a language is longer, and stemmers are slow with long ones. */
  stemmedWord_chars: 40,
  /** Maximum number of words per language whose stems are cached. */
  stemmedWords_count: 200_000,
  /** Maximum number of characters of a query that are read. */
  query_chars: 10_000,
  /** Maximum number of distinct terms of a query. Longer queries are truncated. */
  queryTerms_count: 64,
  /** Letters of an unfinished word beyond its stem: most endings are no longer. */
  ending_chars: 4,
  /** Maximum number of terms that replace an incomplete or misspelled word. */
  queryVariants_count: 24,
  /** Maximum number of terms per shard whose unpacked lists are cached. */
  unpackedTerms_count: 16,
  /** Shards of the dictionary that one word may load: an unfinished word begins many terms. */
  shardsOfWord_count: 2,
  ...questionLimits,
  /** Sections that are sent to the model, and their total characters: about 6,000 tokens. */
  retrieval_sections: 12,
  retrieval_chars: 24_000,
  /** An answer without a model: quoted sections, and quoted sentences, lists, tables and code blocks. */
  quotedSections_count: 2,
  quotedParts_count: 4,
  /** Maximum size of a quoted sentence, list or table, and code block. Longer ones aren't quoted. */
  quotedSentence_chars: 700,
  quotedList_count: 10,
  quotedList_chars: 1_200,
  quotedCode_chars: 2_500,
  /** Timeout for a model's answer, so that streams end within a minute. */
  answer_ms: 55_000,
  /** Circuit breaker of a model: consecutive failures after which it is paused, and for how long. */
  modelFailures_count: 5,
  modelPause_ms: 10_000,
  /** Maximum number of characters of a search query. */
  searchText_chars: 500,
  /** Maximum lifetime of a dashboard session. */
  session_ms: 60 * 24 * 3_600_000,
  /** How long a browser stays known to an account after sign-in. */
  knownBrowser_s: 180 * 24 * 3_600,
  /** Maximum age of a reauthentication for setting a first password. */
  reauthentication_s: 600,
  /** Maximum number of domains of an organization, verified or not. */
  domains_count: 100,
  /** How long a domain may stay unverified. */
  domainClaim_ms: 14 * 24 * 3_600_000,
  /** Refused calls of one actor in the audit log, so that they can't flood the log. */
  auditedRefusals: { count: 60, window_s: 3_600 },
  /** Minimum and maximum number of characters of a password. */
  password_chars: { least: 10, most: 200 },
  email_chars: 254,
  personName_chars: 100,
  /** Number of rows per page of the dashboard's lists. */
  listPage_count: 50,
  /** Maximum size of a bundle, so that it can't fill a volume by accident. */
  bundle: { entries_count: 500_000, file_bytes: 2_000_000_000, total_bytes: 20_000_000_000 },
  /** Maximum number of API keys that an organization may create per hour. */
  newKeys: { count: 10, window_s: 3_600 },
  /** How long daily counts of views and searches are kept: a year, and a month for comparison. */
  countsKept_days: 400,
  /** Queries that are kept per day, or per longer period, when rare ones are dropped. */
  searchQueriesKept_count: 3_000,
  /** Number of rows per batch that a dashboard download reads. */
  downloadBatch_count: 1_000,
  /** Total size of the files that differ between two bundles: they are in memory while the delta is created. */
  deltaChanged_bytes: 64_000_000,
  /** Maximum number of words whose terms are cached. They take a few MB. */
  knownWords_count: 20_000,
} as const;
