/**
 * Limits that several files use, and the main limits of builds, pages, servers, search, the assistant and
 * accounts. Other limits are next to the code that enforces them.
 */

import * as questionLimits from "./question-limits.ts";
import * as searchLimits from "./search-limits.ts";

export const limits = {
  /**
   * Maximum nesting depth of a page, docs.json or another source file. Parsers are recursive, and the native
   * one crashes at a depth of about 5,000.
   */
  nesting_levels: 300,
  /**
   * Maximum CPU time that a build process may use without sending a message or noting another page. Then it
   * is killed.
   */
  buildStall_s: 60,
  /**
   * The same for wall-clock time. The process is then killed even if it is waiting or its CPU time is
   * unknown.
   */
  buildSilence_ms: 300_000,
  /** Interval at which the CPU time, memory and current page of a build process are checked. */
  buildWatch_ms: 500,
  /** Nice value of a build process. A positive value gives requests priority over builds. */
  buildPriority: 10,
  /**
   * CPU time of a build after which its process gets the nice value `longBuildPriority`, so that shorter
   * builds run first.
   */
  longBuild_s: 10,
  longBuildPriority: 19,
  /** Maximum CPU time of a build in the service. The CPU time of restarted processes is added up. */
  buildCpu_s: 600,
  /** Maximum memory of a build process in the service, including its heap and its child processes. */
  buildMemory_bytes: 3 * 1024 * 1024 * 1024,
  /** Maximum number of threads of a build. More don't make a build faster. */
  buildThreads_count: 64,
  /** Maximum number of web processes on one port. */
  webProcesses_count: 64,
  /** Maximum size of a build process's heap. */
  buildHeap_mb: 2_048,
  /** Initial heap size of a build process. V8 runs no full garbage collection while the heap is smaller. */
  buildInitialHeap_mb: 300,
  /** The same for each other thread of a build, which compiles a part of the pages. */
  threadInitialHeap_mb: 100,
  /**
   * Growth of a build process's heap between two full garbage collections, in percent of the live objects.
   * V8's default is up to 300. More growth needs more memory, and less needs more CPU time.
   */
  buildHeapGrowth_percent: 100,
  /**
   * The same for a build with a cache. More growth wouldn't save CPU time, because few objects are collected.
   */
  rebuildHeapGrowth_percent: 50,
  /**
   * Size of a semi-space in the heap of a build process. V8's default is too small for builds, which allocate
   * many objects.
   */
  buildYoungHeap_mb: 16,
  /**
   * The same for a build with a cache, which allocates fewer objects. Using less memory is faster than moving
   * fewer objects.
   */
  rebuildYoungHeap_mb: 4,
  /** Limits of the files that docs.json includes with `$ref`. A file counts each time it is included. */
  settingsIncludes: { count: 10_000, total_chars: 10_000_000, levels: 20 },
  /**
   * Limits of the redirects in docs.json. Hosts load all of them, and compare each request with those that
   * have wildcards.
   */
  redirects: {
    count: 10_000,
    /** Maximum total length of the sources and destinations. */
    total_chars: 2_000_000,
    source_chars: 1_000,
    destination_chars: 2_000,
    /** Maximum number of redirects with wildcards, and of those with more than one wildcard. */
    wildcards_count: 2_000,
    severalWildcards_count: 500,
    sourceWildcards_count: 3,
    /** Maximum number of wildcards in a destination, which can repeat them. */
    destinationWildcards_count: 10,
    /** Maximum length of a path that wildcards match. */
    matchedPath_chars: 1_000,
  },
  /** Maximum length of a formula, in characters. The source of a longer formula is shown instead. */
  formula_chars: 8_000,
  /**
   * Maximum length of a formula's MathML, in characters. If the MathML is longer, the formula's source is
   * shown instead.
   */
  formulaOutput_chars: 500_000,
  /**
   * Maximum length of an OpenAPI document as JSON, in characters. Also the maximum size of an OpenAPI file,
   * in bytes.
   */
  apiJson_chars: 64_000_000,
  /**
   * Maximum nesting depth of brackets in an OpenAPI document. The code that parses and checks it is
   * recursive.
   */
  apiNesting_levels: 200,
  /** Maximum number of values in an OpenAPI document. Values that YAML aliases repeat count each time. */
  apiValues_count: 5_000_000,
  /**
   * Maximum number of rows for schema fields, and for parameters, on an API reference page. A row has about
   * eight HTML elements, and browsers are slow to lay out pages with more than 3,000 elements.
   */
  referenceRows_count: 120,
  /** Maximum length of an example on a page, in characters. Longer examples are truncated. */
  example_chars: 20_000,
  /**
   * How long a request waits for a database connection before it fails with 503. Long enough for a burst of
   * several hundred requests.
   */
  databaseWait_ms: 5_000,
  /** Maximum number of source files of a deployment. */
  sourceFiles_count: 100_000,
  /**
   * Maximum size of a source file in bytes. `sources_bytes` is the maximum total size of a deployment's
   * source files.
   */
  sourceFile_bytes: 25 * 1024 * 1024,
  sources_bytes: 500 * 1024 * 1024,
  /** Maximum number of stored problems of a deployment, and their maximum size as JSON. */
  problems_count: 1_000,
  problems_bytes: 1_000_000,
  /** Maximum length of each text of a problem: message, hint, code frame and file name. */
  problemText_chars: 500,
  /** Maximum length of the summary of a deployment, in characters. */
  summary_chars: 2_000,
  /** Number of successful deployments of a project that are kept for rollback, not including previews. */
  keptDeployments_count: 10,
  /** How long a preview is kept after its build has finished, unless a newer preview replaces it. */
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
   * Maximum number of connections of a process. When it is reached, a new connection replaces an idle one, or
   * is refused if none can be replaced.
   */
  connections_count: 10_000,
  /**
   * Maximum number of connections of a visitor. When it is reached, an idle connection of the same visitor is
   * closed for each new one. If none of them is idle, the new one is refused.
   */
  connectionsOfVisitor_count: 500,
  /**
   * Keep-alive timeout. Longer than the timeout of common proxies, so that the proxy closes the connection
   * first.
   */
  idleConnection_ms: 65_000,
  /** How long a shutdown waits for requests in progress. */
  stop_ms: 25_000,
  /** Maximum size of a JSON request body of the API or of a site's endpoint, in bytes. */
  requestBody_bytes: 64 * 1024,
  /** Maximum size of a webhook delivery in bytes. A push with thousands of files is about 1 MB. */
  webhook_bytes: 5 * 1024 * 1024,
  /**
   * Reads of the API with keys, in each process. The rest of the 10 connections to the database is for
   * changes, sites, and probes. `waitingOfCaller`: of one organization.
   */
  apiReads: { running: 4, runningOfCaller: 4, waiting: 400, waitingOfCaller: 200, retryAfter_s: 5 },
  /** Git repositories of projects that aren't connected to one. `OfCaller`: of one organization. */
  git: {
    /** Maximum size of a push, and of a request to read a repository. */
    push_bytes: 200 * 1024 * 1024,
    request_bytes: 10 * 1024 * 1024,
    /** Maximum number of objects in a push. */
    objects_count: 200_000,
    /** Maximum total size of a repository's pack files. */
    repository_bytes: 500 * 1024 * 1024,
    /** Maximum number of branches and tags of a repository, and of those that a push changes. */
    refs_count: 1_000,
    updates_count: 100,
    /** Maximum length of the full name of a ref. */
    ref_bytes: 200,
    /** Maximum number of previews that a push creates. */
    previews_count: 5,
    /** Maximum time for a request. */
    request_ms: 600_000,
    /** How long a push waits for its deployment to end, and maximum number of pushes that wait. */
    deployment_ms: 120_000,
    waits_count: 100,
    /** Requests that run in each process. Their bodies are received before. */
    running: { running: 8, runningOfCaller: 3, waiting: 200, waitingOfCaller: 50, retryAfter_s: 10 },
    receiving: { running: 16, runningOfCaller: 4, waiting: 200, waitingOfCaller: 50, retryAfter_s: 10 },
    /** Checks of pushes before they're accepted, in each process. */
    checking: { running: 2, runningOfCaller: 1, waiting: 40, waitingOfCaller: 20, retryAfter_s: 30 },
  },
  /** Limits of webhook deliveries that a process receives at the same time, as in `BodyLimits`. */
  webhookBodies: {
    body_bytes: 5 * 1024 * 1024,
    total_bytes: 48 * 1024 * 1024,
    visitor_bytes: 12 * 1024 * 1024,
    free_bytes: 64 * 1024,
  },
  /** Number of conversation messages that an import or a migration processes at a time. */
  importBatch_count: 1_000,
  /**
   * Maximum number of deployments whose parsed tables a host caches. Also the maximum number of cached OpenID
   * provider configurations.
   */
  hostedSites_count: 500,
  /** Maximum lifetime of a single-use sign-in token from a customer's login page. */
  signInToken_s: 10 * 60,
  /** Maximum length of an export's label, in characters. */
  exportVersion_chars: 64,
  /** Maximum number of pages that a request for an export may list. */
  exportPaths_count: 10_000,

  /**
   * Maximum length of a search passage, in characters. Passages are short, so that matching words are near
   * each other.
   */
  passage_chars: 600,
  ...questionLimits,
  ...searchLimits,
  /** Maximum number of sections that are retrieved for an answer. */
  retrieval_sections: 12,
  /** Maximum total length of these sections, in characters. */
  retrieval_chars: 24_000,
  /**
   * Maximum length of the sentence that is added before quoted code, in characters. Quotes other than code
   * may be twice as long.
   */
  quotedSentence_chars: 700,
  /** Maximum length of the text around a sentence or list item that is quoted with it, in characters. */
  quoteSurroundings_chars: 300,
  /**
   * Maximum length of code that is quoted after a sentence that introduces it, in characters. Code that is
   * quoted on its own may be longer by `quotedSentence_chars`, including the sentence before it.
   */
  quotedCode_chars: 600,
  /** Maximum number of related sections that a reply without a quote lists. */
  relatedSections_count: 5,
  /** Maximum number of other sections that a reply links to below a quote. */
  sectionsBelowQuote_count: 2,
  /** Maximum length of a related section's excerpt, in characters. */
  excerpt_chars: 240,
  /**
   * Time limit for an answer, including all requests to the model. Ensures that response streams end within a
   * minute.
   */
  answer_ms: 55_000,
  /**
   * Maximum number of passages of an index that are found by meaning. A question is compared with all of
   * them.
   */
  embeddedPassages_count: 50_000,
  /**
   * Maximum length of a question whose vector is computed, in characters. The rest of a longer question is
   * ignored.
   */
  embeddedQuestion_chars: 1_000,
  /** Maximum number of questions that wait for their vectors. Further ones are compared only by words. */
  embeddedQuestions_count: 32,
  /** Number of consecutive failures after which calls to a model are paused for `modelPause_ms`. */
  modelFailures_count: 5,
  modelPause_ms: 10_000,
  /** Maximum length of a search query that an endpoint or form accepts, in characters. */
  searchText_chars: 500,
  /** Maximum lifetime of a dashboard session. */
  session_ms: 60 * 24 * 3_600_000,
  /**
   * How long a browser counts as known for an account after sign-in. Known browsers have a separate limit on
   * wrong passwords.
   */
  knownBrowser_s: 180 * 24 * 3_600,
  /** How long after authentication a user may make sensitive changes, such as setting a first password. */
  reauthentication_s: 600,
  /** How long a passkey can be used after the page has loaded. */
  passkeyChallenge_s: 600,
  /** Maximum number of domains of an organization, verified or not. */
  domains_count: 100,
  /** How long an unverified domain is kept. */
  domainClaim_ms: 14 * 24 * 3_600_000,
  /**
   * Maximum number of one caller's refused calls that the audit log records per window. Prevents refused
   * calls from flooding the log.
   */
  auditedRefusals: { count: 60, window_s: 3_600 },
  /** Minimum and maximum length of a password, in characters. */
  password_chars: { least: 10, most: 200 },
  /** Maximum length of an email address, in characters. */
  email_chars: 254,
  /** Maximum length of a user's name, in characters. */
  personName_chars: 100,
  /** Maximum length of an organization's name, in characters. */
  organizationName_chars: 100,
  /** Number of rows per page of the dashboard's lists. */
  listPage_count: 50,
  /**
   * Limits of a bundle's archive: number of entries, unpacked size of a file, and total unpacked size. These
   * limits prevent a bundle from filling a volume by accident.
   */
  bundle: { entries_count: 500_000, file_bytes: 2_000_000_000, total_bytes: 20_000_000_000 },
  /** Maximum number of API keys that the members of an organization may create per hour. */
  newKeys: { count: 10, window_s: 3_600 },
  /**
   * Maximum number of test events and repeated deliveries that an organization may send to its webhooks per
   * hour.
   */
  manualDeliveries: { count: 100, window_s: 3_600 },
  /** How long view and search counts are kept: a year, plus a month for comparisons. */
  countsKept_days: 400,
  /**
   * Maximum number of distinct search queries of a project whose counts are kept per period (a day or
   * longer). Rarer queries are deleted.
   */
  searchQueriesKept_count: 3_000,
  /** Number of rows that a dashboard download reads per batch. */
  downloadBatch_count: 1_000,
  /**
   * Maximum total size of the files that differ between two bundles, in bytes. These files are kept in memory
   * while the delta is created.
   */
  deltaChanged_bytes: 64_000_000,
  /**
   * Maximum number of entries in the cache that maps lines of text to search terms. The full cache is
   * cleared.
   */
  knownLines_count: 10_000,
  /** Maximum number of groups of names that the pages of an index define. */
  aliases_count: 500,
  /** Maximum number of entries in the cache that maps passages to search terms. The full cache is cleared. */
  knownPassages_count: 10_000,
  /**
   * Maximum number of navigation entries that pages with the same root URL share. When it is reached, all of
   * them are created again.
   */
  sharedNavEntries_count: 2_000,
} as const;
