/**
 * Limits that several files use, and the main limits of builds, pages, servers, search, the assistant and accounts. Other limits are
 * next to the code that enforces them.
 */

import * as questionLimits from "./question-limits.ts";

export const limits = {
  /**
   * Maximum nesting depth of a page, docs.json or another source file. Parsers are recursive, and the native one crashes at a
   * depth of about 5,000.
   */
  nesting_levels: 300,
  /** Maximum processor time without a message before a build process is killed. */
  buildStall_s: 60,
  /** Maximum time without a message before a build process is killed, even if it waits or its processor time is unknown. */
  buildSilence_ms: 300_000,
  /** Interval at which the processor time and memory of a build process are checked. */
  buildWatch_ms: 500,
  /** Nice value of a build process, so that requests have priority. */
  buildPriority: 10,
  /** Processor time of a build after which its process gets the nice value `longBuildPriority`, so that shorter builds run first. */
  longBuild_s: 10,
  longBuildPriority: 19,
  /** Maximum processor time of a build in the service. Restarts of its process count together. */
  buildCpu_s: 600,
  /** Maximum memory of a build process in the service, with its heap and its child processes. */
  buildMemory_bytes: 3 * 1024 * 1024 * 1024,
  /** Maximum size of a build process's heap. */
  buildHeap_mb: 2_048,
  /** Size of a build process's heap below which V8 doesn't collect all garbage. */
  buildInitialHeap_mb: 96,
  /** Size of a semi-space in the heap of a build process. Builds allocate many objects, and V8's default causes too many collections. */
  buildYoungHeap_mb: 16,
  /** Maximum number of characters of a formula. The source of a longer formula is shown instead. */
  formula_chars: 8_000,
  /** Maximum number of characters of a formula's MathML. If it is longer, the formula's source is shown instead. */
  formulaOutput_chars: 500_000,
  /** Maximum number of characters of an OpenAPI document in JSON, and of bytes of any OpenAPI file. */
  apiJson_chars: 64_000_000,
  /** Maximum nesting depth of brackets in an OpenAPI document. The code that parses and checks it is recursive. */
  apiNesting_levels: 200,
  /** Maximum number of values in an OpenAPI document. Each use of a YAML alias counts. */
  apiValues_count: 5_000_000,
  /**
   * Maximum number of schema fields, and of parameters, that an API reference page shows as rows. A row has about eight HTML
   * elements, and browsers are slow to lay out pages with more than 3,000 elements.
   */
  referenceRows_count: 120,
  /** Maximum number of characters of an example on a page. Longer examples are truncated. */
  example_chars: 20_000,
  /** How long a request waits for a database connection before it gets 503. Long enough for a burst of several hundred requests. */
  databaseWait_ms: 5_000,
  /** Maximum number of source files of a deployment. */
  sourceFiles_count: 100_000,
  /** Maximum size of a source file in bytes. `sources_bytes` is the maximum total size of a deployment's source files. */
  sourceFile_bytes: 25 * 1024 * 1024,
  sources_bytes: 500 * 1024 * 1024,
  /** Maximum number of stored problems of a deployment. */
  problems_count: 1_000,
  /** Number of successful deployments of a project that are kept for rollback, not including previews. */
  keptDeployments_count: 10,
  /** How long a preview is kept after its build has ended. */
  preview_ms: 14 * 24 * 3_600_000,
  /** Maximum size of a request's headers in bytes. */
  requestHead_bytes: 16 * 1024,
  /** Timeout for receiving a request's headers. */
  requestHead_ms: 10_000,
  /** Timeout for receiving a whole request. It is long enough for uploads over slow connections. */
  upload_ms: 600_000,
  /** Timeout for receiving the body of a request that isn't an upload. */
  body_ms: 15_000,
  /** Time after which an incomplete request body counts as slow. */
  slowBody_ms: 1_000,
  /** Maximum number of slow request bodies per visitor at a time. */
  slowBodies_count: 20,
  /**
   * Maximum number of connections of a process. When it is reached, an idle connection is closed for each new one. If
   * none is found, the new one is refused.
   */
  connections_count: 10_000,
  /**
   * Maximum number of connections of a visitor. When it is reached, an idle connection of the same visitor is closed for each new one. If
   * none is found, the new one is refused.
   */
  connectionsOfVisitor_count: 500,
  /** Keep-alive timeout. It is longer than the timeout of common proxies. */
  idleConnection_ms: 65_000,
  /** How long a shutdown waits for open requests. */
  stop_ms: 25_000,
  /** Maximum size of a JSON request body of the API in bytes. */
  requestBody_bytes: 64 * 1024,
  /** Maximum size of a webhook delivery in bytes. The delivery for a push with thousands of files has about 1 MB. */
  webhook_bytes: 5 * 1024 * 1024,
  /** Number of conversation messages that an import or a migration processes at a time. */
  importBatch_count: 1_000,
  /** Maximum number of deployments whose parsed tables a host caches, and of cached configurations of OpenID providers. */
  hostedSites_count: 500,
  /** Maximum lifetime of a single-use sign-in token from a customer's login page. */
  signInToken_s: 10 * 60,
  /** Maximum number of characters of an export's label. */
  exportVersion_chars: 64,
  /** Maximum number of pages that a request for an export may list. */
  exportPaths_count: 10_000,

  /** Maximum number of characters of a search passage. Passages are short, so that matching words are near each other. */
  passage_chars: 600,
  /** Maximum number of characters of an indexed search term. Longer terms are usually encoded data. */
  searchTerm_chars: 60,
  /** Maximum number of characters of a word that is stemmed. Stemmers are slow with longer words, which are rare in any language. */
  stemmedWord_chars: 40,
  /** Number of words per language whose stems are cached. The cache is cleared when it is full. */
  stemmedWords_count: 200_000,
  /** Maximum number of characters of a query that the search engine reads. The rest is ignored. */
  query_chars: 10_000,
  /** Maximum number of distinct terms of a query. Further terms are ignored. */
  queryTerms_count: 64,
  /** Maximum number of characters that are removed from the end of an unfinished word to find its stem. Few endings are longer. */
  ending_chars: 4,
  /** Maximum number of terms of the index that complete an unfinished word. */
  queryVariants_count: 24,
  /** Maximum number of terms per shard whose unpacked lists are cached. */
  unpackedTerms_count: 16,
  /** Maximum number of index shards that are searched for terms that start with an unfinished word. */
  shardsOfWord_count: 2,
  ...questionLimits,
  /** Maximum number of sections that are sent to the model. */
  retrieval_sections: 12,
  /** Maximum number of characters of these sections together. */
  retrieval_chars: 24_000,
  /**
   * Maximum number of characters of a sentence that is quoted with the code after it. Other quoted sentences, list items and table rows
   * may have twice as many.
   */
  quotedSentence_chars: 700,
  /**
   * Maximum number of characters of code that is quoted after a sentence that introduces it. Code that is quoted for itself may have
   * `quotedSentence_chars` more, including the sentence before it.
   */
  quotedCode_chars: 600,
  /** Maximum number of related sections in a reply without a quote. */
  relatedSections_count: 5,
  /** Maximum number of characters of a related section's excerpt. */
  excerpt_chars: 240,
  /** Timeout for a model's answer. It ensures that response streams end within a minute. */
  answer_ms: 55_000,
  /** Number of consecutive failures after which a model isn't called for `modelPause_ms`. */
  modelFailures_count: 5,
  modelPause_ms: 10_000,
  /** Maximum number of characters of a search query that an endpoint or form accepts. */
  searchText_chars: 500,
  /** Maximum lifetime of a dashboard session. */
  session_ms: 60 * 24 * 3_600_000,
  /** How long a browser counts as known for an account after sign-in. Known browsers have a separate limit on wrong passwords. */
  knownBrowser_s: 180 * 24 * 3_600,
  /** How long after authentication a user may make sensitive changes, such as setting a first password. */
  reauthentication_s: 600,
  /** Time to use a passkey after the page was loaded. */
  passkeyChallenge_s: 600,
  /** Maximum number of domains of an organization, verified or not. */
  domains_count: 100,
  /** How long an unverified domain is kept. */
  domainClaim_ms: 14 * 24 * 3_600_000,
  /** Maximum number of refused calls of one actor that the audit log records per window, so that refused calls can't flood the log. */
  auditedRefusals: { count: 60, window_s: 3_600 },
  /** Minimum and maximum number of characters of a password. */
  password_chars: { least: 10, most: 200 },
  /** Maximum number of characters of an email address. */
  email_chars: 254,
  /** Maximum number of characters of a user's name. */
  personName_chars: 100,
  /** Number of rows per page of the dashboard's lists. */
  listPage_count: 50,
  /**
   * Maximum number of entries of a bundle's archive, unpacked size of a file, and unpacked size of all files. They prevent a bundle from
   * filling a volume by accident.
   */
  bundle: { entries_count: 500_000, file_bytes: 2_000_000_000, total_bytes: 20_000_000_000 },
  /** Maximum number of API keys that the members of an organization may create per hour. */
  newKeys: { count: 10, window_s: 3_600 },
  /** Maximum number of test events and repeated deliveries that an organization may send to its webhooks per hour. */
  manualDeliveries: { count: 100, window_s: 3_600 },
  /** How long counts of views and searches are kept: a year, and another month for comparison. */
  countsKept_days: 400,
  /** Maximum number of distinct search queries whose counts are kept for each day or longer period. Rarer queries are deleted. */
  searchQueriesKept_count: 3_000,
  /** Number of rows per batch that a dashboard download reads. */
  downloadBatch_count: 1_000,
  /** Maximum total size of the files that differ between two bundles, in bytes. They are in memory while the delta is created. */
  deltaChanged_bytes: 64_000_000,
  /** Maximum number of words in each cache of search terms by word. A cache is cleared when it is full. */
  knownWords_count: 20_000,
  /** Maximum number of lines in the cache of search terms by line. The cache is cleared when it is full. */
  knownLines_count: 10_000,
} as const;
