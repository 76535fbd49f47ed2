/** Limits that several files use, with their units and reasons. Other limits are next to their use. */
import * as questionLimits from "./question-limits.ts";

export const limits = {
  /** Characters of one page's source. Past it the page shows a problem: no hand-written page comes near. */
  pageSource_chars: 4_000_000,
  /** Levels of brackets or containers in one page. Parsers recurse; the native one dies near 5,000. */
  nesting_levels: 300,
  /** How often a page with syntax errors is repaired at the reported location and parsed again. */
  repairs_count: 60,
  /** Nesting depth of snippets. Deeper is a loop or an error. */
  snippetDepth_levels: 20,
  /** Snippets that one page includes, counted with those that they include. */
  snippets_count: 2_000,
  /** Elements that one page may grow to once snippets and components are expanded. */
  pageElements_count: 200_000,
  /** Steps of the evaluator for one page: bounds work that nested templates multiply. */
  evaluation_steps: 500_000,
  /** Time for one author component in the sandbox. */
  component_ms: 1_000,
  /** Memory of the sandbox. */
  component_bytes: 64 * 1024 * 1024,
  /** Time without a message after which a build process is killed. */
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
  /** Navigation entries in the HTML of a page; the rest is in a shared file. */
  navEntries_count: 50,
  /** Pages in the list for "page not found" suggestions: about 100 KB. */
  nearPages_count: 2_000,
  /** Bytes of page bodies that a build keeps in memory. Others are read from the cache again. */
  bodiesInMemory_bytes: 100_000_000,
  /**
   * One formula: characters of its source, macros that it expands, tokens that these expand to, and characters of its MathML.
   * Few formulas have 1,000 characters, and each of these costs less than half a second. Beyond, the source is shown.
   */
  formula_chars: 8_000,
  formulaExpansions_count: 1_000,
  formulaTokens_count: 20_000,
  formulaOutput_chars: 500_000,
  /** Characters of one code block that are highlighted; beyond, it is shown plain. */
  highlight_chars: 200_000,
  /** A site's own grammar. The largest grammar of a known language has about 700 KB. */
  grammar_bytes: 2 * 1024 * 1024,
  /** Time for highlighting one block with a site's own grammar, whose patterns may be malicious. */
  grammar_ms: 1_000,
  /** Time for a site's own grammars in one build. Beyond, their blocks are shown plain. */
  grammars_ms: 30_000,
  /** Characters of a diagram, as in Mermaid. */
  diagram_chars: 50_000,
  /** Size of a served file. Larger files get a warning. */
  servedFile_bytes: 20 * 1024 * 1024,
  /** Size of llms.txt. Beyond, descriptions are truncated, then entries are left out. */
  llmsTxt_chars: 100_000,
  /** llms-full.txt is also written to .well-known up to this length. */
  llmsFullTwin_chars: 2_000_000,
  rssItems_count: 15,
  /** Characters of an OpenAPI document: the largest public ones have some 14 million as JSON, and YAML is read ten times slower. */
  apiJson_chars: 64_000_000,
  apiYaml_chars: 16_000_000,
  /** Levels of brackets in an OpenAPI document. Parsers and checkers recurse. */
  apiNesting_levels: 200,
  /** Values of a YAML document after its aliases are expanded. */
  yamlNodes_count: 5_000_000,
  /** Rows of fields on one page of an API reference. A row takes some eight elements, and a page beyond 3,000 is slow to lay out. */
  referenceRows_count: 120,
  /** Levels of fields on such a page. Deeper levels are loaded from a shared file. */
  referenceDepth_levels: 4,
  /** Rows of a level that are shown although the page has its maximum of rows. */
  referenceRowsAtLeast_count: 12,
  /** Rows and levels in the shared file of a schema. */
  schemaRows_count: 40,
  schemaDepth_levels: 2,
  /** Enum values that one page shows as chips. Beyond, they are one line of text. */
  referenceChips_count: 160,
  /** Lines of an example that are highlighted: each takes about three elements. */
  paintedLines_count: 60,
  /** Characters of an example on a page. Longer ones are truncated at a line. */
  example_chars: 20_000,
  /** Size of one file of the components that playgrounds load. */
  componentsPart_chars: 32_000,
  /** Depth and size of a generated example. */
  exampleDepth_levels: 10,
  exampleNodes_count: 160,
  /** How long a request waits for a database connection before it gets 503. Enough for a burst of some hundreds. */
  databaseWait_ms: 5_000,
  /** Sources of one deployment: files, bytes of one, and bytes of all. The largest public repository of documentation has 25,030 files. */
  sourceFiles_count: 100_000,
  sourceFile_bytes: 25 * 1024 * 1024,
  sources_bytes: 500 * 1024 * 1024,
  /** Unpacked size of `.git`, `node_modules` and `.octavo` in an archive of sources, which are skipped. */
  sourcesSkipped_bytes: 2 * 1024 * 1024 * 1024,
  /** Stored problems of one deployment, and lines of its log. */
  problems_count: 1_000,
  logLines_count: 200,
  /** Compressed size of an upload. */
  upload_bytes: 200 * 1024 * 1024,
  /** Queued and running deployments of one organization. */
  openDeployments_count: 100,
  /** Time limit of a build. */
  deploymentBuild_ms: 20 * 60_000,
  /** Smaller files are not compressed; larger ones than the second limit use a faster compression level. */
  packedFrom_bytes: 1_024,
  packedWell_bytes: 1024 * 1024,
  /** Files that are stored concurrently; and compressed concurrently: half of Node's threads, the others serve readers. */
  storedAtOnce_count: 8,
  packedAtOnce_count: 2,
  /** Deployments of a project that are kept for rollback, and how long any deployment is kept. */
  keptDeployments_count: 10,
  keptDeployment_ms: 24 * 3_600_000,
  /** Rows of deployments, as history. */
  deploymentHistory_ms: 90 * 24 * 3_600_000,
  previews_count: 20,
  /** `Retry-After` of a pending state. */
  statusPoll_s: 2,
  preview_ms: 14 * 24 * 3_600_000,
  /** Time after which a file that no deployment uses is removed: longer than any build. */
  unusedFile_ms: 24 * 3_600_000,
  sweep_ms: 3_600_000,
  /** Delay of the first sweep after a worker's start. */
  firstSweep_ms: 60_000,
  /** Size of the page cache of one project, and of all projects on this machine. */
  buildCache_bytes: 300 * 1024 * 1024,
  buildCaches_bytes: 3 * 1024 * 1024 * 1024,
  /** How often a host polls for changes, and the overlap of the polled periods: transactions don't commit in the order of their times. */
  changesPoll_ms: 300,
  changesOverlap_ms: 10_000,
  /** How long a switch waits for the new manifest to be loaded. */
  manifestWait_ms: 500,
  /** Total files of the manifests that a host caches. */
  heldManifests_count: 2_000_000,
  /** Size of a request's headers, and the time to receive them. */
  requestHead_bytes: 16 * 1024,
  requestHead_ms: 10_000,
  /** Time limit of a whole request, for uploads over slow connections. */
  upload_ms: 600_000,
  /** Time to receive the body of a request that isn't an upload. */
  body_ms: 15_000,
  /** Time after which an incomplete body counts as slow, and the maximum of slow bodies per visitor. */
  slowBody_ms: 1_000,
  slowBodies_count: 20,
  /** Connections of a process, and of one visitor. Beyond, the connection that is idle for the longest time is closed. */
  connections_count: 10_000,
  connectionsOfVisitor_count: 500,
  /** Keep-alive timeout: longer than that of common proxies. */
  idleConnection_ms: 65_000,
  /** Time for open requests during shutdown. */
  stop_ms: 25_000,
  /** Size of a JSON request body of the API. */
  requestBody_bytes: 64 * 1024,
  /** Characters of a path parameter of the API. */
  pathParameter_chars: 300,
  /** Rows in one part of a backup. */
  backupPart_count: 1_000,
  /** Size of a line of an import. */
  importLine_bytes: 1024 * 1024,
  /** Imported lines per SQL statement. */
  importBatch_count: 1_000,
  /** Invalid lines that are reported individually. */
  importErrors_count: 1_000,
  /** Interval of a worker's heartbeat and of its check for dead workers. */
  jobBeat_ms: 5_000,
  /** Time without a heartbeat after which a worker loses its job: three missed heartbeats and some delay. */
  jobSilence_ms: 20_000,
  /** How often an idle worker looks for jobs. */
  jobPoll_ms: 400,
  /** Delay before a job is retried after an internal error; it doubles with each attempt. */
  jobRetry_s: 1,
  /** How long a stopping process waits for the jobs that it has released. */
  jobStop_ms: 5_000,
  /** Deployments whose parsed tables a host caches. */
  hostedSites_count: 500,
  /** Maximum lifetime of a single-use sign-in token of a customer's login page. */
  signInToken_s: 10 * 60,
  /** Attempts of a static export after internal errors. */
  exportAttempts_count: 3,
  /** Queued static exports of an organization. */
  waitingExports_count: 1_000,
  /** Characters of an export's label, and entries of its list of pages. */
  exportVersion_chars: 64,
  exportPaths_count: 10_000,
  /** Minimum interval between saves of an export's progress. */
  exportProgress_ms: 1_000,
  /** Time limit of an export. */
  exportBuild_ms: 30 * 60_000,
  /** Time after which a queued export fails. */
  exportQueued_s: 24 * 3_600,
  /** How long bundles are kept (the newest of each domain forever), and the rows of exports. */
  bundleKept_s: 30 * 24 * 3_600,
  exportKept_s: 90 * 24 * 3_600,
  /** Delay between the end of a bundle's last link and its deletion, since clocks of processes differ. */
  linkMargin_s: 300,
  /** How long the response to a request with an Idempotency-Key is stored. */
  idempotency_s: 24 * 3_600,

  /** Characters of a search passage: small, so that matching words are near each other. Values from 400 to 1,500 work well. */
  passage_chars: 600,
  /** Characters of a term of the search; longer ones are encoded data. */
  searchTerm_chars: 60,
  /** Characters of a word that is stemmed: no word of a language is longer, and stemmers are slow with long ones. */
  stemmedWord_chars: 40,
  /** Words whose stems are cached, per language. */
  stemmedWords_count: 200_000,
  /** Characters of a query that are read. */
  query_chars: 10_000,
  /** Distinct terms of one query. Longer queries are truncated. */
  queryTerms_count: 64,
  /** Letters of an unfinished word beyond its stem: most endings are no longer. */
  ending_chars: 4,
  /** Terms that replace an unfinished or misspelled word. */
  queryVariants_count: 24,
  /** Terms of a shard whose lists stay unpacked. */
  unpackedTerms_count: 16,
  /** Shards of the dictionary that one word may load: an unfinished word begins many terms. */
  shardsOfWord_count: 2,
  ...questionLimits,
  /** Messages of a thread that are sent with a question. */
  messages_count: 50,
  /** Earlier messages of a thread that are sent to the model, and characters of each answer. */
  earlierTurns_count: 10,
  earlierAnswer_chars: 2_000,
  /** Sections that are sent to the model, and their total characters: about 6,000 tokens. */
  retrieval_sections: 12,
  retrieval_chars: 24_000,
  /** Incomplete syntax that is buffered while an answer is streamed: inline code, text and URL of a link, a tag, the line that opens a code block. */
  answerCode_chars: 1_000,
  answerLinkText_chars: 500,
  answerAddress_chars: 2_000,
  answerTag_chars: 1_000,
  answerFenceLine_chars: 300,
  /** A bare URL in an answer. Longer ones are truncated. */
  answerBareAddress_chars: 1_000,
  /** An answer without a model: quoted sections, and quoted sentences, lists, tables and code blocks. */
  quotedSections_count: 2,
  quotedParts_count: 4,
  /** Maximum size of a quoted sentence, list or table, and code block. Longer ones aren't quoted. */
  quotedSentence_chars: 700,
  quotedList_count: 10,
  quotedList_chars: 1_200,
  quotedCode_chars: 2_500,
  /** Stored size of an answer. */
  answer_bytes: 32 * 1024,
  /** Time limit of a model's answer, so that streams end within a minute. */
  answer_ms: 55_000,
  /** Time for a model to rewrite a follow-up question. Without it, terms of the previous question are added. */
  rewrite_ms: 4_000,
  /** Interval of keep-alive comments in a stream: less than timeouts of proxies. */
  answerBeat_ms: 15_000,
  /** Concurrent answers of a site and of a process. */
  answersOfSite_count: 200,
  answersOfProcess_count: 600,
  /** Divisors for shares of the remaining concurrent answers: of a process for a site, of a site for a visitor. */
  answersShare: { ofProcess: 2, ofSite: 8 },
  /** Circuit breaker of a model: consecutive failures after which it is paused, and for how long. */
  modelFailures_count: 5,
  modelPause_ms: 10_000,
  /** Monthly tokens of the service's model per organization, by plan. */
  modelTokens: { free: 1_000_000, pro: 20_000_000, enterprise: 200_000_000 },
  /** Daily tokens per site, of the service's model by plan and of its own model, so that one day can't use up a month. */
  modelTokensOfDay: { free: 100_000, pro: 2_000_000, enterprise: 20_000_000, own: 20_000_000 },
  /** Events in one request of a page. */
  events_count: 20,
  /** Threads whose last questions a bundle server keeps in memory, for follow-up questions. */
  bundleThreads_count: 1_000,
  bundleThread_questions: 5,
  searchText_chars: 500,
  /** Characters of an MCP result, for a model's context. */
  mcpText_chars: 100_000,
  /** Characters of a snippet of a search result. */
  snippet_chars: 160,
  /** Characters of a comment on a page or an answer. */
  feedbackComment_chars: 2_000,
  /** Time after which an unfinished message is removed. */
  unfinishedTurn_ms: 3_600_000,
  /** Idle timeout and maximum lifetime of a dashboard session. */
  sessionIdle_ms: 14 * 24 * 3_600_000,
  session_ms: 60 * 24 * 3_600_000,
  /** How long a browser stays known to an account after sign-in. */
  knownBrowser_s: 180 * 24 * 3_600,
  /** Accounts that a browser is known to; the oldest is dropped. */
  knownAccounts_count: 5,
  /** Maximum age of a reauthentication for setting a first password. */
  reauthentication_s: 600,
  /** Domains of one organization, verified or not. */
  domains_count: 100,
  /** How long a domain may stay unverified. */
  domainClaim_ms: 14 * 24 * 3_600_000,
  /** Refused calls of one actor in the audit log, so that they can't flood the log. */
  auditedRefusals: { count: 60, window_s: 3_600 },
  /** Lifetime of an invitation. */
  invitation_ms: 7 * 24 * 3_600_000,
  invitations_count: 200,
  password_chars: { least: 10, most: 200 },
  email_chars: 254,
  personName_chars: 100,
  /** Characters of the key of a group of unanswered questions. */
  questionKey_chars: 200,
  /** Time after which a search of conversations returns partial results with a cursor. */
  conversationSearch_ms: 60,
  /** Messages with feedback that one search reads. */
  ratedTurns_count: 2_000,
  /** Daily groups that are added up for one page, newest first. About half a year of a busy project. */
  unansweredDays_count: 30_000,
  /** Rows of a page of one of the dashboard's lists. */
  listPage_count: 50,
  /** Size of a dashboard form. */
  form_bytes: 64 * 1024,
  /** Lifetime of the CSRF cookie of a visitor who isn't signed in. */
  formCookie_s: 24 * 3_600,
  /** Maximum size of a bundle, so that it can't fill a volume by accident. */
  bundle: { entries_count: 500_000, file_bytes: 2_000_000_000, total_bytes: 20_000_000_000 },
  /** API keys that the members of an organization may create. */
  newKeys: { count: 10, window_s: 3_600 },
  /** How long daily counts of views and searches are kept: a year, and a month for comparison. */
  countsKept_days: 400,
  /** Characters of a counted search query. */
  searchQuery_chars: 200,
  /** Counted queries of a site per day, and opened pages per query. More are probably fake. */
  searchQueriesOfDay_count: 4_000,
  searchClicksOfDay_count: 20,
  /** Queries that are kept per day, or per longer period, when rare ones are dropped. */
  searchQueriesKept_count: 3_000,
  /** Interval in which views are written. A killed process loses at most this much. */
  tallyFlush_ms: 3_000,
  /** Pages and visitors that a process buffers until then, over all sites. */
  tally_count: 50_000,
  /** Characters of a user agent that are used to distinguish visitors. */
  userAgent_chars: 300,
  /** Referrer hosts of a site per day. */
  referrersOfDay_count: 200,
  /** Characters of the code block that feedback is about. */
  feedbackCode_chars: 10_000,
  /** How long a reader may change their feedback. */
  feedbackAmended_ms: 3_600_000,
  /** Rows that a download of the dashboard reads per batch. */
  downloadBatch_count: 1_000,
  /** Pages in the summary of feedback, and categories in a filter. */
  feedbackPages_count: 500,
  listedCategories_count: 200,
  /** Total size of the files that differ between two bundles: they are in memory while the delta is created. */
  deltaChanged_bytes: 64_000_000,
  /** Words whose terms are cached: some MB. */
  knownWords_count: 20_000,
} as const;
