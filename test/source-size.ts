/**
 * The number of lines in `src` without tests and blank lines, and why it has grown. `tidy.test.ts` fails if
 * `src` is more than 1 % larger. A change that adds that much needs a row: what came, and why. A change that
 * removes code lowers the number.
 */

/** Lines of `.ts` and `.tsx` files in `src` without tests, before the rows below. */
export const recorded_lines = 111_800;

export const growth: readonly [lines: number, what: string][] = [
  [
    1_350,
    "`octavo lsp`: a language server for editors, with builds from unsaved texts and an outline of the site",
  ],
  [
    620,
    "`octavo api diff`: changes of operations and schemas between two versions of an API, with a level for clients",
  ],
  [
    420,
    "OpenAPI: schemas bound to `$dynamicRef`, values of implied discriminators, links in descriptions, and repeated blocks in llms-full.txt",
  ],
  [
    180,
    "empty fields of OAuth and credentials are asked for; answers without a model: the beginning of a section that a question names, and a status that doesn't depend on a quote",
  ],
  [
    500,
    "Sites as written: navigation icons by URL, resets and names of other platforms in authors' style sheets, and dates of hosted sites",
  ],
  [
    200,
    "Docstrings for exports that lacked them and for each message of a build, and one word for a deployment's state",
  ],
  [90, "OpenAPI: a warning for keywords of schemas that have no effect, and one walk over all schemas"],
  [
    260,
    "Limits on open outbound requests by sender, content security policies of air-gapped pages, and limits on the nesting of JSON bodies",
  ],
  [400, "`octavo check` in pull requests: `--since`, `--files`, SARIF, JUnit, and `octavo broken-links`"],
  [
    280,
    "Limits on included settings, values of variables and the manifests and archives that verify reads, and outputs that are links",
  ],
  [
    330,
    "OpenAPI: restricted names and values in keywords, extensions, and JSON texts, unknown access rules of parts, and security schemes of restricted operations",
  ],
  [220, "SVG and XHTML files of air-gapped sites without references to other hosts"],
  [
    310,
    "New sign-in methods and keys of an account are shown in the dashboard, and removed with one click; projects of an organization take turns in the queue",
  ],
  [
    50,
    "Pages of conversations with a limit in bytes, reads of the API that wait, and named links between operations",
  ],
  [140, "Formulas, sums of money, fences, image sizes, and URLs in spellings of other tools and languages"],
  [
    130,
    "OpenAPI: references into restricted operations, restricted names in any case, and a limit on combined schemas",
  ],
  [
    300,
    "OpenAPI: all examples of a body's schema, descriptions of values next to references, links in external documentation, YAML bodies, and examples without properties that contradict their schema",
  ],
  [
    1_110,
    "A page with the changes of an API from the history of its repository, and labels on operations and fields",
  ],
  [
    500,
    "Sign-in methods that members of an organization confirmed after joining, and turns of reads of the API",
  ],
  [120, "Options of the page menu that connect tools to a site's MCP server, and the printing of pages"],
  [720, "A change feed of conversations, feedback, and searches, with gap-free numbers and digests"],
  [190, "`octavo a11y`: alternative texts, the order of headings, link texts, and the contrast of colors"],
  [
    670,
    "Files for agents: pointers, indexes of folders, skills, and the API catalog; resources and feedback of MCP servers",
  ],
  [240, "`octavo bundle plan`: pages, anchors, requests, and operations that change with a bundle"],
  [
    2_000,
    "Git repositories of projects: the server for Git clients, checks and deployments of pushes, copies, packs, and `octavo init --service`",
  ],
  [115, "Public files that are sent again without resolving the request"],
  [
    270,
    "Readers of an operation from its pages, for API changes and overviews, and access that stays closed",
  ],
  [
    330,
    "API: declared response headers, idempotency keys of all operations that create something, and unknown fields",
  ],
  [180, "API: `limit` and `cursor` in all lists, and an iterator of the client"],
  [
    1_480,
    "`octavo lsp`: references, renames of files and headings with all links and redirects, and folding",
  ],
  [370, "`octavo check --external`: links to other sites, with a cache and polite requests"],
  [300, "`octavo/engine`: data of pages, navigation, parts of pages, updates, progress, and abort signals"],
  [100, "API changes: conditions in schemas, and media types with a schema in one version"],
  [110, "Several web processes on one port"],
  [100, "Events about static exports"],
  [160, "Limits of an organization for outbound requests and answers, of streamed answers, and of Git"],
  [130, "Values of a reader's token that the playground fills in"],
  [150, "API: descriptions of tags and operations, discriminators, and binary bodies for generators"],
  [95, "Search corrects one wrong, missing, additional, or swapped letter anywhere in a word"],
  [215, "The device flow and refresh tokens of OAuth in the playground"],
  [440, "Readers connect MCP clients to sites with sign-in"],
  [50, "Limits of what a language model sends in one response"],
  [470, "`octavo feed`: copies of the change feed as NDJSON and Parquet, and their verification"],
  [
    600,
    "`octavo api diff`: what conditions, positions, encodings, and alternatives allow, compared through references",
  ],
  [
    720,
    "Previews are compared with the live site: pages, links, APIs, new problems, and answers to readers' questions",
  ],
  [
    270,
    "Rights checked again when a body has arrived, cookies of scripts, missing files of Git, and limits of JSON of other servers",
  ],
  [230, "Approvals of bundles, and hours in which a bundle server updates"],
  [460, "Mirrors of projects' own repositories on other Git servers"],
  [830, "The assistant on other websites, and the link to support"],
  [170, "Values of a reader's token in pages"],
  [110, "Feedback on code blocks"],
  [75, "Files that a push changed in the status of an update"],
  [190, "Limits of what commands print, read, unpack, and wait for"],
  [260, "`octavo/client`: calls of the API with retries, iterators over lists, and streamed answers"],
  [30, "Conversations titled by their question, citations as links, base URLs before headings"],
];
