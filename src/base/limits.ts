/** Limits with several readers, with their units and the reasons for their values. Others are next to their reader. */
import * as questionLimits from "./question-limits.ts";

export const limits = {
  /** Characters of one page's source. Past it the page shows a problem: no hand-written page comes near. */
  pageSource_chars: 4_000_000,
  /** Levels of brackets or containers in one page. Parsers recurse; the native one dies near 5,000. */
  nesting_levels: 300,
  /** How often a page that does not parse is mended at the reported place and parsed again. */
  repairs_count: 60,
  /** Levels of snippets that include snippets. Deeper is a circle or a mistake. */
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
  /** Time without a sign of life after which a build process is ended. */
  buildStall_ms: 60_000,
  /** How often a build process is looked at. */
  buildWatch_ms: 500,
  /** Nice value of such a build process, so that requests are answered first. */
  buildPriority: 10,
  /** A build that used so much processor time gives way to shorter ones, too. */
  longBuild_s: 10,
  longBuildPriority: 19,
  /** Heap of the build process. */
  buildHeap_mb: 2_048,
  /** Room for young objects in the build process: pages make many, and a small room is swept too often. */
  buildYoungHeap_mb: 32,
  /** Entries of the navigation that one page carries; the rest lies in a shared file. */
  navEntries_count: 50,
  /** Pages among which the page for unknown addresses looks for near ones: some 100 KB. */
  nearPages_count: 2_000,
  /** Bytes of page bodies that a build holds in memory; beyond, they are read again from the cache. */
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
  /** A grammar that a site brings along. The largest of the known languages has some 700 KB. */
  grammar_bytes: 2 * 1024 * 1024,
  /** Time in which a site's own grammar must colour one block: its patterns may go astray on purpose. */
  grammar_ms: 1_000,
  /** Time that a site's own grammars may take in one build. Beyond, their blocks are shown plain. */
  grammars_ms: 30_000,
  /** Characters of a diagram: Mermaid draws no longer ones, and readers' browsers would take long for them. */
  diagram_chars: 50_000,
  /** A served file, as the platform promises. Larger ones are a warning. */
  servedFile_bytes: 20 * 1024 * 1024,
  /** llms.txt: beyond it, descriptions are cut, then entries. */
  llmsTxt_chars: 100_000,
  /** llms-full.txt is written a second time, to .well-known, up to this length: a large site should not weigh twice. */
  llmsFullTwin_chars: 2_000_000,
  rssItems_count: 15,
  /** Characters of an OpenAPI document: the largest public ones have some 14 million as JSON, and YAML is read ten times slower. */
  apiJson_chars: 64_000_000,
  apiYaml_chars: 16_000_000,
  /** Levels of brackets in an OpenAPI document. Parsers and checkers recurse. */
  apiNesting_levels: 200,
  /** Values that a YAML document may stand for once its aliases are followed. */
  yamlNodes_count: 5_000_000,
  /** Rows of fields on one page of an API reference. A row takes some eight elements, and a page beyond 3,000 is slow to lay out. */
  referenceRows_count: 120,
  /** Levels of fields on such a page: what lies deeper unfolds from a file that pages share. */
  referenceDepth_levels: 4,
  /** Rows of a level that are shown although the page is full, so that every level says something. */
  referenceRowsAtLeast_count: 12,
  /** A schema that unfolds, or a page of its own for it: each schema has one such file, so they stay small. */
  schemaRows_count: 40,
  schemaDepth_levels: 2,
  /** Values of enumerations that one page shows as chips; beyond, they stand in one line of text. */
  referenceChips_count: 160,
  /** Lines of an example that are painted: each takes some three elements. */
  paintedLines_count: 60,
  /** An example on a page; beyond, it is cut at a line. */
  example_chars: 20_000,
  /** One part of the components that playgrounds load: small enough for one field, large enough not to be many. */
  componentsPart_chars: 32_000,
  /** A generated example: deeper or larger ones explain nothing. */
  exampleDepth_levels: 10,
  exampleNodes_count: 160,
  /** How long a request waits for a connection before it is told to come back: a burst of some hundreds gets its turn in this. */
  databaseWait_ms: 5_000,
  /** Sources of one deployment: files, bytes of one, and bytes of all. The largest public repository of documentation has 25,030 files. */
  sourceFiles_count: 100_000,
  sourceFile_bytes: 25 * 1024 * 1024,
  sources_bytes: 500 * 1024 * 1024,
  /** `.git`, `node_modules` and `.octavo` in an archive of sources, unpacked: read over, which takes time. */
  sourcesSkipped_bytes: 2 * 1024 * 1024 * 1024,
  /** Problems that are kept of one deployment, and lines of its log. */
  problems_count: 1_000,
  logLines_count: 200,
  /** A packed upload: the sources, most of which do not pack, at a third. */
  upload_bytes: 200 * 1024 * 1024,
  /** Deployments of one organization that wait or are built. */
  openDeployments_count: 100,
  /** A whole build, however steadily it goes on. */
  deploymentBuild_ms: 20 * 60_000,
  /** Files below this do not get smaller on their way; above the other, the best packing takes too long. */
  packedFrom_bytes: 1_024,
  packedWell_bytes: 1024 * 1024,
  /** Files that are stored at the same time, since a store may be far; and packed: half of Node's threads, the others read for readers. */
  storedAtOnce_count: 8,
  packedAtOnce_count: 2,
  /** Deployments of a project that can be gone back to, and how long any deployment is kept. */
  keptDeployments_count: 10,
  keptDeployment_ms: 24 * 3_600_000,
  /** Rows of deployments, as history. */
  deploymentHistory_ms: 90 * 24 * 3_600_000,
  previews_count: 20,
  /** When it is worth asking again for a state. */
  statusPoll_s: 2,
  preview_ms: 14 * 24 * 3_600_000,
  /** A stored file that no deployment has named for so long is removed: longer than any build takes. */
  unusedFile_ms: 24 * 3_600_000,
  sweep_ms: 3_600_000,
  /** From the start of a worker: not while it takes up what waits, and before the next deployment of the service itself. */
  firstSweep_ms: 60_000,
  /** Kept pages of earlier builds, of one project and of all on this machine. */
  buildCache_bytes: 300 * 1024 * 1024,
  buildCaches_bytes: 3 * 1024 * 1024 * 1024,
  /** How often a host asks what has changed; and how far it looks back, since transactions do not end in the order of their times. */
  changesPoll_ms: 300,
  changesOverlap_ms: 10_000,
  /** How long a switch waits for the new manifest before it happens without it. */
  manifestWait_ms: 500,
  /** Files of all manifests that a host holds. */
  heldManifests_count: 2_000_000,
  /** The head of a request; and the time that it may take to arrive. */
  requestHead_bytes: 16 * 1024,
  requestHead_ms: 10_000,
  /** A whole request, however large: an upload over a slow line. */
  upload_ms: 600_000,
  /** The body of a request that is not an upload: a form or some JSON. */
  body_ms: 15_000,
  /** From when a body that has not arrived counts as slow; and how many of them a visitor may have. */
  slowBody_ms: 1_000,
  slowBodies_count: 20,
  /** Connections of a process, and of one visitor. Beyond, the connection that is idle for the longest time is closed. */
  connections_count: 10_000,
  connectionsOfVisitor_count: 500,
  /** A connection without a request: longer than the proxies before us keep theirs. */
  idleConnection_ms: 65_000,
  /** How long requests in hand may take when the process is told to end. */
  stop_ms: 25_000,
  /** A JSON body of the API: none of them is long. */
  requestBody_bytes: 64 * 1024,
  /** A name in a path of the API. */
  pathParameter_chars: 300,
  /** Rows in one part of a backup. */
  backupPart_count: 1_000,
  /** A line of an import: a question and an answer have some KB. */
  importLine_bytes: 1024 * 1024,
  /** Lines that one statement writes. */
  importBatch_count: 1_000,
  /** Bad lines that are told one by one. */
  importErrors_count: 1_000,
  /** How often a worker signs that it lives, and looks for workers that no longer do. */
  jobBeat_ms: 5_000,
  /** Silence after which a worker has lost its job: three signs that did not come, and time for a slow one. */
  jobSilence_ms: 20_000,
  /** How often an idle worker looks for jobs. */
  jobPoll_ms: 400,
  /** Wait before a job is tried again after a fault of ours; it doubles with every attempt. */
  jobRetry_s: 1,
  /** How long a stopping process waits for what it has let go of. */
  jobStop_ms: 5_000,
  /** Redirect tables and the like of deployments that a host keeps parsed. */
  hostedSites_count: 500,
  /** The life of a token by which a customer's own page signs a reader in; it is used once. */
  signInToken_s: 10 * 60,
  /** Workers that may fail at a static export by a fault of ours: a page that ends every one of them must not go round for ever. */
  exportAttempts_count: 3,
  /** Static exports that an organization may have waiting. */
  waitingExports_count: 1_000,
  /** A label is for people; a list of pages is for a part of a site. */
  exportVersion_chars: 64,
  exportPaths_count: 10_000,
  /** How often the progress of an export is saved at most. */
  exportProgress_ms: 1_000,
  /** A whole export, however steadily it goes on. */
  exportBuild_ms: 30 * 60_000,
  /** An export that nobody has begun by then is told to have failed. */
  exportQueued_s: 24 * 3_600,
  /** Bundles are kept for so long, the newest of each domain for ever; and the rows of exports. */
  bundleKept_s: 30 * 24 * 3_600,
  exportKept_s: 90 * 24 * 3_600,
  /** Clocks of processes differ: a bundle is deleted so much later than its last link ends. */
  linkMargin_s: 300,
  /** How long the answer to a request with an Idempotency-Key is kept. */
  idempotency_s: 24 * 3_600,

  /** Characters of a passage of the search: small, so that words which match stand near each other. Between 400 and 1,500 all do well. */
  passage_chars: 600,
  /** Characters of a term of the search; longer ones are encoded data. */
  searchTerm_chars: 60,
  /** Characters of a word that is stemmed: no word of a language is longer, and stemmers are slow with long ones. */
  stemmedWord_chars: 40,
  /** Words whose stems are remembered, in each language. */
  stemmedWords_count: 200_000,
  /** Characters of a query that are read. */
  query_chars: 10_000,
  /** Distinct terms of one query. Longer texts are cut. */
  queryTerms_count: 64,
  /** Letters of an unfinished word beyond its stem: most endings are no longer. */
  ending_chars: 4,
  /** Terms that stand in for an unfinished or misspelt word. */
  queryVariants_count: 24,
  /** Terms of a shard whose lists stay unpacked. */
  unpackedTerms_count: 16,
  /** Shards of the dictionary that one word may load: an unfinished word begins many terms. */
  shardsOfWord_count: 2,
  ...questionLimits,
  /** Messages of a thread that are sent with a question. */
  messages_count: 50,
  /** Earlier turns of a conversation that the model is shown, and how much of each answer. */
  earlierTurns_count: 10,
  earlierAnswer_chars: 2_000,
  /** What the model answers from: sections, and their characters together: some 6,000 tokens. */
  retrieval_sections: 12,
  retrieval_chars: 24_000,
  /** What is held back of an answer until it is known what it is: code in a line, text and address of a link, a tag, a line that opens code. */
  answerCode_chars: 1_000,
  answerLinkText_chars: 500,
  answerAddress_chars: 2_000,
  answerTag_chars: 1_000,
  answerFenceLine_chars: 300,
  /** An address that stands by itself in an answer; a longer one is cut. */
  answerBareAddress_chars: 1_000,
  /** An answer without a model: sections that it quotes, and sentences, lists, tables and code of them. More is reading, not an answer. */
  quotedSections_count: 2,
  quotedParts_count: 4,
  /** A sentence; a list or table that is quoted whole; a block of code. Longer ones are better read in their place. */
  quotedSentence_chars: 700,
  quotedList_count: 10,
  quotedList_chars: 1_200,
  quotedCode_chars: 2_500,
  /** An answer as it is kept. */
  answer_bytes: 32 * 1024,
  /** How long a model may take for a whole answer: its stream ends within a minute, whatever becomes of it. */
  answer_ms: 55_000,
  /** How long it may take to make one question of a follow-up: without it, words of the question before are added. */
  rewrite_ms: 4_000,
  /** How often a stream says that it is alive: less than proxies wait. */
  answerBeat_ms: 15_000,
  /** Answers that stream at the same time, of a site and of this process: each holds some KB, and pages must be served beside them. */
  answersOfSite_count: 200,
  answersOfProcess_count: 600,
  /** Answers under way, one part in so many of what is left: of a process's for a site, of a site's for a visitor. */
  answersShare: { ofProcess: 2, ofSite: 8 },
  /** Failures of a model in a row after which it is left alone, and for how long: readers should not wait for it one by one. */
  modelFailures_count: 5,
  modelPause_ms: 10_000,
  /** Tokens of the service's own model that an organization may use in a month, by its plan. */
  modelTokens: { free: 1_000_000, pro: 20_000_000, enterprise: 200_000_000 },
  /** Tokens that one site may use in a day, so that a flood of a night doesn't use up the month: of the service's model, and of its own. */
  modelTokensOfDay: { free: 100_000, pro: 2_000_000, enterprise: 20_000_000, own: 20_000_000 },
  /** Events in one request of a page. */
  events_count: 20,
  /** Conversations whose last questions a bundle server remembers, for follow-up questions. */
  bundleThreads_count: 1_000,
  bundleThread_questions: 5,
  searchText_chars: 500,
  /** Text that one of them gets: what fits into what a model reads at once. */
  mcpText_chars: 100_000,
  /** A line below a result of the search. */
  snippet_chars: 160,
  /** Characters of a comment on a page or an answer. */
  feedbackComment_chars: 2_000,
  /** A turn that was asked and never finished is removed after this time. */
  unfinishedTurn_ms: 3_600_000,
  /** A session that nobody uses ends, and every session ends some day. */
  sessionIdle_ms: 14 * 24 * 3_600_000,
  session_ms: 60 * 24 * 3_600_000,
  /** How long a browser that signed in to an account is known to it. */
  knownBrowser_s: 180 * 24 * 3_600,
  /** Accounts that a browser is known to; the oldest is dropped. */
  knownAccounts_count: 5,
  /** How long ago a person may have proven who they are to set a first password: time to read the page and choose one. */
  reauthentication_s: 600,
  /** Of one organization, verified or not: more than any has, and no way to claim every name there is. */
  domains_count: 100,
  /** An unverified claim to a domain: time to ask whoever manages the DNS. */
  domainClaim_ms: 14 * 24 * 3_600_000,
  /** Refused calls of one actor in the audit log: enough to see an attempt, too few to fill the log with. */
  auditedRefusals: { count: 60, window_s: 3_600 },
  /** An invitation is a key: it does not lie around for ever. */
  invitation_ms: 7 * 24 * 3_600_000,
  invitations_count: 200,
  password_chars: { least: 10, most: 200 },
  email_chars: 254,
  personName_chars: 100,
  /** What groups of unanswered questions are named by: some words. */
  questionKey_chars: 200,
  /** After so long a search of conversations shows what it has, and where it goes on: a page must not keep anybody waiting. */
  conversationSearch_ms: 60,
  /** Turns with feedback that one search looks at. */
  ratedTurns_count: 2_000,
  /** Groups of a day that are added up for one page, newest first. Half a year of a busy project has as many. */
  unansweredDays_count: 30_000,
  /** Rows of a page of one of the dashboard's lists. */
  listPage_count: 50,
  /** A form of the dashboard: its longest field is a public key, or some notes. */
  form_bytes: 64 * 1024,
  /** How long the forms of a visitor who is not signed in may lie open. */
  formCookie_s: 24 * 3_600,
  /** A bundle that a server takes in: larger than any site of documentation, smaller than what fills a volume by accident. */
  bundle: { entries_count: 500_000, file_bytes: 2_000_000_000, total_bytes: 20_000_000_000 },
  /** Keys that the members of an organization may make: a program that makes one for each of its runs is told, and not left to pile them up. */
  newKeys: { count: 10, window_s: 3_600 },
  /** Counts of views and searches by day: a year, and the month of the year before to compare with. */
  countsKept_days: 400,
  /** A query as it is counted. */
  searchQuery_chars: 200,
  /** Queries of a site that a day takes, and pages that are kept as opened after one of them: beyond, somebody makes them up. */
  searchQueriesOfDay_count: 4_000,
  searchClicksOfDay_count: 20,
  /** Queries that stay of a day, or of a longer block of days, when the rare ones are dropped. */
  searchQueriesKept_count: 3_000,
  /** Views are written together after this time: what a process that is killed may lose. */
  tallyFlush_ms: 3_000,
  /** Pages and visitors that a process holds until then, over all sites. */
  tally_count: 50_000,
  /** What is read of a user agent to tell visitors apart. */
  userAgent_chars: 300,
  /** Hosts that readers of a site came from, for one day. */
  referrersOfDay_count: 200,
  /** Characters of the code block that feedback is about. */
  feedbackCode_chars: 10_000,
  /** How long a reader may say more of what they said: as long as a page stays open, more or less. */
  feedbackAmended_ms: 3_600_000,
  /** Rows that a download of the dashboard reads at once: some MB, however long it is. */
  downloadBatch_count: 1_000,
  /** Pages that feedback is told of, and categories that a list of choices holds: beyond, nobody reads it. */
  feedbackPages_count: 500,
  listedCategories_count: 200,
  /** Files that differ between two bundles, unpacked: they are in memory while what leads from one to the other is made. */
  deltaChanged_bytes: 64_000_000,
  /** Words whose terms are kept at hand: some MB. */
  knownWords_count: 20_000,
} as const;
