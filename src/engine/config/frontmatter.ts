/** Reads frontmatter: the YAML block between the `---` lines at the start of a page. */

import { isPair, parseDocument, visit, YAMLParseError } from "yaml";
import { type Problem, problem } from "../../base/problem.ts";
import { groupNames, looksLikeRestriction, mayRestrictAccess } from "../access-words.ts";
import { withFrame } from "../code-frame.ts";
import { checkSetting } from "./check-setting.ts";
import { contextualSchema, type PageMenuSettings } from "./layout-schema.ts";
import { pageModes } from "./page-mode.ts";

/** A type of value that frontmatter keys can have. */
interface FrontmatterKind<T> {
  /**
   * Returns the normalized value, or undefined if the value is invalid. `value` is never null or undefined.
   */
  read(value: unknown): T | undefined;
  /** Description of valid values. Completes the error message "… must be". */
  expected: string;
  /** Name of the type on the reference page. */
  type: string;
  /** Value that replaces an invalid value. If absent, the key is omitted. */
  fallback?: T;
}

const text: FrontmatterKind<string> = {
  read: (value) =>
    typeof value === "string"
      ? value.trim()
      : typeof value === "number" || typeof value === "boolean"
        ? String(value)
        : value instanceof Date
          ? value.toISOString()
          : undefined,
  expected: "a string",
  type: "string",
};

const reference: FrontmatterKind<unknown> = { read: (value) => value, expected: "a string", type: "string" };

const date: FrontmatterKind<string> = { ...text, expected: "a date", type: "date" };

const url: FrontmatterKind<string> = {
  // Rejects all URL schemes except http and https. A colon before any `/`, `?` or `#` ends a scheme.
  read: (value) =>
    typeof value === "string" && !/^(?!https?:)[^/?#]*:/i.test(value.trim()) ? value.trim() : undefined,
  expected: "an https URL or a path",
  type: "URL",
};

const flag: FrontmatterKind<boolean> = {
  read: (value) =>
    typeof value === "boolean" ? value : value === "true" ? true : value === "false" ? false : undefined,
  expected: "true or false",
  type: "boolean",
};

/** If the value is invalid, the page isn't public. */
const publicFlag: FrontmatterKind<boolean> = { ...flag, fallback: false };

const number: FrontmatterKind<number> = {
  read: (value) => (typeof value === "number" && value > 0 ? value : undefined),
  expected: "a number greater than 0",
  type: "number",
};

const words: FrontmatterKind<string[]> = {
  read: (value) =>
    Array.isArray(value)
      ? value.flatMap((item) => text.read(item) ?? [])
      : typeof value === "string"
        ? value
            .split(",")
            .map((word) => word.trim())
            .filter(Boolean)
        : undefined,
  expected: "a list of strings",
  type: "string[]",
};

const groups: FrontmatterKind<string[]> = {
  read: groupNames,
  expected: "a list of group names",
  type: "string[]",
  // With an empty list, no group of readers may see the page.
  fallback: [],
};

const related: FrontmatterKind<false | unknown[]> = {
  read: (value) => (value === false || Array.isArray(value) ? value : undefined),
  expected: "a list of pages, or false",
  type: "array | false",
};

type IconValue = string | { name: string; style?: string; library?: string };

const icon: FrontmatterKind<IconValue> = {
  read: (value) =>
    typeof value === "string" || typeof (value as { name?: unknown }).name === "string"
      ? (value as IconValue)
      : undefined,
  expected:
    "an icon name, path, URL, or inline SVG, or an object with name and, optionally, style and library",
  type: "icon",
};

const contextual: FrontmatterKind<PageMenuSettings> = {
  read(value) {
    let isValid = true;
    checkSetting(contextualSchema, value, [], (code) => {
      if (code === "config-value" || code === "config-required") isValid = false;
    });
    return isValid ? (value as PageMenuSettings) : undefined;
  },
  expected: "an object with a list of options",
  type: "object",
};

function oneOf<T extends string>(...names: T[]): FrontmatterKind<T> {
  return {
    read: (value) => names.find((name) => name === value),
    expected: `one of ${names.join(", ")}`,
    type: names.join(" | "),
  };
}

/**
 * The validated keys. The `Frontmatter` type, error messages and the reference page in the docs are derived
 * from them.
 */
export const frontmatterKeys = {
  title: {
    kind: text,
    description:
      "Page title. Default: the level 1 heading at the start of the page, the operation's summary, or a title generated from the page's path.",
  },
  description: {
    kind: text,
    description: "One or two sentences. Shown below the title, and used by search engines and llms.txt.",
  },
  sidebarTitle: { kind: text, description: "Shorter title for the navigation." },
  icon: { kind: icon, description: "Icon in the navigation: a name, path, URL, or inline SVG." },
  iconType: { kind: text, description: "Style of a Font Awesome icon: `solid`, `regular`, or `brands`." },
  tag: { kind: text, description: "Badge next to the title in the navigation." },
  deprecated: {
    kind: flag,
    description: "Marks the page as deprecated in the navigation and next to the title.",
  },
  mode: { kind: oneOf(...pageModes), description: "Page layout." },
  hidden: {
    kind: flag,
    description:
      "Removes the page from the navigation, search engines, the site's search, the sitemap, and llms.txt. Its URL still works.",
  },
  noindex: {
    kind: flag,
    description:
      "Removes the page from search engines, the site's search, the sitemap, and llms.txt, but not from the navigation.",
  },
  searchable: { kind: flag, description: "`false` removes the page from the site's search and assistant." },
  boost: {
    kind: number,
    description: "Multiplies the page's relevance in search. Default: `boost` in the navigation, or 1.",
  },
  keywords: { kind: words, description: "Additional search terms that aren't shown on the page." },
  starterQuestions: {
    kind: words,
    description:
      "Up to 3 questions that the assistant suggests on the page. Default: headings and accordion titles that are questions.",
  },
  groups: {
    kind: groups,
    description: "Reader groups that can see the page. If the list is empty, no one can see it.",
  },
  public: {
    kind: publicFlag,
    description: "Makes the page readable without signing in, even if it has `groups`.",
  },
  hideFooterPagination: { kind: flag, description: "Hides the links to the previous and next pages." },
  hideApiMarker: { kind: flag, description: "Hides the method badge in the navigation." },
  related: {
    kind: related,
    description: "Related pages: paths, URLs, or `Title: link` pairs. `false` shows none.",
  },
  contextual: { kind: contextual, description: "The page menu. An empty `options` list hides the menu." },
  timestamp: {
    kind: flag,
    description: "Shows or hides the date when the page was last updated. Default: `metadata.timestamp`.",
  },
  lastUpdatedDate: {
    kind: date,
    description: "Date when the page was last updated. Overrides the date from Git.",
  },
  rss: { kind: flag, description: "Shows an RSS button on a page with updates." },
  url: { kind: text, description: "Links the navigation entry to this URL instead of the page." },
  version: { kind: text, description: "Docs version that the page belongs to." },
  api: {
    kind: text,
    description: "`METHOD /path` of an endpoint that you document on this page without an OpenAPI document.",
  },
  openapi: {
    kind: text,
    description:
      "`METHOD /path` of an operation. If there are several documents, put the document's path first.",
  },
  "openapi-schema": { kind: text, description: "Name of the schema that the page documents." },
  asyncapi: {
    kind: text,
    description: "AsyncAPI channel. Accepted, but not rendered.",
    ineffective: "AsyncAPI documents aren't rendered, so the page shows only its own content",
  },
  graphql: {
    kind: reference,
    description: "Operation or type of a GraphQL schema. Accepted, but not rendered.",
    ineffective: "GraphQL schemas aren't rendered, so the page shows only its own content",
  },
  sdk: {
    kind: reference,
    description: "Symbol of an SDK. Accepted, but not rendered.",
    ineffective: "SDK references aren't rendered, so the page shows only its own content",
  },
  playground: {
    kind: oneOf("interactive", "simple", "none", "auth"),
    description: "Type of playground on this page. Default: `api.playground.display`.",
  },
  authMethod: {
    kind: text,
    description:
      "Authentication method on an `api:` page: `bearer`, `basic`, `key`, `cobo`, or `none`. Default: `api.mdx.auth.method`.",
  },
  contentType: {
    kind: text,
    description: "Media type of the request body on an `api:` page. Default: `application/json`.",
  },
  canonical: { kind: url, description: "Canonical URL, if the content is also published elsewhere." },
  robots: { kind: text, description: "Content of the robots meta tag, such as `nofollow`." },
} satisfies Record<string, { kind: FrontmatterKind<unknown>; description: string; ineffective?: string }>;

const urlHint = "Rename the file, or add a redirect to docs.json";
const orderHint = "The order of pages is set by the navigation in docs.json";

/** Keys of other platforms that have no effect, by their letters in lowercase, with what to do instead. */
const otherKeys: ReadonlyMap<string, string> = new Map([
  ["aliases", urlHint],
  ["authors", "Write the names on the page"],
  ["createddate", "Write the date on the page"],
  ["hidetableofcontents", "Use mode: center"],
  ["hidetitle", "Use mode: custom"],
  ["navorder", orderHint],
  ["paginationnext", orderHint],
  ["paginationprev", orderHint],
  ["permalink", urlHint],
  ["redirectfrom", urlHint],
  ["sidebarlabel", "Use sidebarTitle"],
  ["sidebarposition", orderHint],
  ["slug", urlHint],
  ["unlisted", "Use hidden"],
  ["weight", orderHint],
]);

/**
 * Returns the known key with the same letters as a key that isn't known, such as `sidebarTitle` for
 * `sidebar_title`.
 */
function similarKey(key: string): string | undefined {
  const letters = (name: string) => name.toLowerCase().replace(/[-_ ]/g, "");
  return Object.keys(frontmatterKeys).find((known) => letters(known) === letters(key));
}

type FrontmatterKeys = typeof frontmatterKeys;

/**
 * The frontmatter of a page: valid values of the keys in `frontmatterKeys`, and unchanged values of other
 * keys.
 */
export type Frontmatter = {
  [Key in keyof FrontmatterKeys]?: FrontmatterKeys[Key]["kind"] extends FrontmatterKind<infer Value>
    ? Value
    : never;
} & { [custom: string]: unknown };

/** A page's source, split into frontmatter and body. */
export interface SplitPage {
  frontmatter: Frontmatter;
  body: string;
  /** Number of lines before the body. */
  linesBeforeBody: number;
  problems: Problem[];
}

type FrontmatterProblem = "frontmatter-value" | "unknown-access-rule" | "no-effect";

const fence = /^\s*---[ \t]*\n(?:([\s\S]*?)\n)??---[ \t]*(?:\n|$)/;

/** Splits a page. Reports invalid frontmatter, and reads as much of it as possible. */
export function splitPage(source: string, file: string): SplitPage {
  const match = fence.exec(source);
  if (!match) return withoutFence(source, file);
  const yaml = match[1] ?? "";
  const before = source.slice(0, match[0].indexOf("---")).split("\n").length;
  const problems: Problem[] = [];
  const found = (code: "frontmatter-syntax" | "no-effect"): YamlReport => {
    return (line, column, message, hint) =>
      problems.push(withFrame(problem(code, { file, line: line + before, column }, message, hint), source));
  };
  const raw = readYaml(yaml, found("frontmatter-syntax"), found("no-effect"));

  const report = (key: string, message: string, code: FrontmatterProblem = "frontmatter-value") => {
    const line = yaml
      .split("\n")
      .findIndex((text) => text.startsWith(`${key}:`) || text.startsWith(`"${key}":`));
    problems.push(
      withFrame(
        problem(
          code,
          { file, line: line < 0 ? before : line + 1 + before, column: 1, length: key.length },
          message,
        ),
        source,
      ),
    );
  };

  return {
    frontmatter: checkFrontmatter(raw, report),
    body: source.slice(match[0].length),
    linesBeforeBody: match[0].split("\n").length - (match[0].endsWith("\n") ? 1 : 0),
    problems,
  };
}

/**
 * Matches the start of text that is probably meant as frontmatter: a line of marks, possibly after comments,
 * and a line with a key.
 */
const brokenFence =
  /^(?:\s|\{\/\*[^*]*\*\/\}|<!--[^-]*-->)*(-{3,}|\+{3}|;{3})[^\n]*\n[ \t]*["'{]*[A-Za-z][\w-]*["']?[ \t]*[:=]/;

/**
 * Returns a page without frontmatter. If the text starts like frontmatter, but can't be read as frontmatter,
 * reports it, and closes the page if there could be an access rule.
 */
function withoutFence(source: string, file: string): SplitPage {
  const page: SplitPage = { frontmatter: {}, body: source, linesBeforeBody: 0, problems: [] };
  const mark = /^[^A-Za-z]*$/.test(source.slice(0, 3)) ? brokenFence.exec(source.slice(0, 4_000)) : null;
  if (!mark) return page;

  const start = mark.index + mark[0].indexOf(mark[1]!);
  const end = source.indexOf("\n\n", start);
  const text = source.slice(start, end < 0 ? undefined : end);
  const line = source.slice(0, start).split("\n").length;
  const message = "The frontmatter can't be read";
  const hint = "Start the file with a line ---, and end the frontmatter with another line ---.";
  page.problems.push(
    withFrame(
      problem("frontmatter-syntax", { file, line, column: 1, length: mark[1]!.length }, message, hint),
      source,
    ),
  );

  if (accessKeys(text).length) page.frontmatter = { groups: [], public: false };
  return page;
}

/**
 * Matches a line with a key and a text. The text is in quotes and has no escapes, or starts with a letter.
 */
const textLine = /^([A-Za-z][\w-]*): ("[^"\\]*"|'[^']*'|[A-Za-z].*)$/;
/**
 * Matches text of accepted characters: printable ASCII, and most letters and punctuation of other scripts.
 */
const plainCharacters = /^[ -~¡-ῼ‐-‧‰-⁞₠-\ud7ff]+$/;
const notText = /^(?:true|false|null)$/i;

/**
 * Reads frontmatter whose lines all have the form `key: text`, without the slow YAML parser. Undefined for
 * all other frontmatter, such as frontmatter with a value that YAML doesn't read as text.
 */
export function readTextLines(yaml: string): Record<string, unknown> | undefined {
  const out: Record<string, unknown> = {};
  for (const line of yaml.split("\n")) {
    const [, key, value] = textLine.exec(line) ?? [];
    if (
      key === undefined ||
      value === undefined ||
      notText.test(key) ||
      Object.hasOwn(out, key) ||
      !plainCharacters.test(value)
    )
      return undefined;
    if (/^["']/.test(value)) out[key] = value.slice(1, -1);
    else if (/: | #|[: ]$/.test(value) || notText.test(value)) return undefined;
    else out[key] = value;
  }

  return out;
}

type YamlReport = (line: number, column: number, message: string, hint?: string) => void;

function readYaml(yaml: string, report: YamlReport, ignored: YamlReport): Record<string, unknown> {
  const lines = readTextLines(yaml);
  if (lines) return lines;

  try {
    const value = parseYaml(yaml, ignored);
    if (value === null || value === undefined) return {};
    if (typeof value === "object" && !Array.isArray(value)) {
      // Throws if an alias refers to a value that contains the alias.
      JSON.stringify(value);
      return value as Record<string, unknown>;
    }
    report(1, 1, "Frontmatter must consist of `key: value` lines");
    return {};
  } catch (error) {
    if (error instanceof YAMLParseError) {
      const [position] = error.linePos ?? [];
      const message = error.message.split(/ at line|\n/)[0]!.replace(/:$/, "");
      report(position?.line ?? 1, position?.col ?? 1, message, "Put the value in quotes, on one line.");
    } else if (error instanceof ReferenceError) report(1, 1, error.message);
    else report(1, 1, "The frontmatter is nested too deeply, or an alias refers to a value that contains it");
    return readLines(yaml);
  }
}

/**
 * Whether numbers in the value of a key are text: those of known keys except `boost`, and those of meta tags,
 * such as `og:title`.
 */
function isTextKey(key: string): boolean {
  return key !== "boost" && (Object.hasOwn(frontmatterKeys, key) || key.includes(":"));
}

/**
 * Parses YAML. Numbers that are text are returned as written, such as `4.10` or `001999`. Throws the errors
 * of the parser.
 */
function parseYaml(yaml: string, ignored: YamlReport): unknown {
  const options = { schema: "core", logLevel: "error" } as const;
  let document = parseDocument(yaml, options);
  const [error] = document.errors;
  if (error) {
    document = parseDocument(withIndentedQuotes(yaml), options);
    if (document.errors.length) throw error;
  }

  for (const { code, message, linePos } of document.warnings) {
    const tag = /^Unresolved tag: (\S+)/.exec(message)?.[1];
    if (code !== "TAG_RESOLVE_FAILED" || tag === undefined) continue;
    ignored(
      linePos?.[0].line ?? 1,
      linePos?.[0].col ?? 1,
      `The tag ${tag.replace(/^tag:yaml\.org,2002:/, "!!")} has no effect`,
      "Remove it.",
    );
  }

  visit(document, {
    Pair: (_, { key }, path) => {
      const [, , top] = path;
      const isText = isPair(top) ? String(top.key) === "groups" : isTextKey(String(key));
      return isText ? undefined : visit.SKIP;
    },
    Scalar: (_, node) => {
      if (typeof node.value === "number" && node.source !== undefined) node.value = node.source;
    },
  });

  return document.toJS({ maxAliasCount: 20 });
}

/**
 * Matches a line with a key or an item of a list. Groups: its indentation, with the marks of items, and the
 * value.
 */
const entryLine = /^((?: |- )*)(?:- |[\w"':-]+:(?:\s+|$))(.*)$/;

/**
 * Indents the lines of a quoted text more than the line of its key, as YAML requires. The text can start
 * below its key.
 */
function withIndentedQuotes(yaml: string): string {
  let quote = "";
  let indent = "";
  let isKey = false;
  return yaml
    .split("\n")
    .map((line) => {
      const isContinued = quote !== "";
      const startsHere = !isContinued && isKey && /^\s*["']/.test(line);
      const [, before = "", value = ""] = (!isContinued && !startsHere && entryLine.exec(line)) || [];
      if (!isContinued && !startsHere) {
        indent = `${" ".repeat(before.length)}  `;
        isKey = line.trim().endsWith(":");
      }
      quote = openQuote(isContinued || startsHere ? line.trimStart() : value, quote);
      return (isContinued || startsHere) && !line.startsWith(indent) && line !== ""
        ? indent + line.trimStart()
        : line;
    })
    .join("\n");
}

/** Returns the quote that is open at the end of a part of a quoted text. Empty if there is none. */
function openQuote(text: string, before: string): string {
  let quote = before;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quote === '"' && c === "\\") i++;
    else if (quote) {
      if (c === quote) quote = "";
    } else if (i === 0 && (c === '"' || c === "'")) quote = c;
    else break;
  }
  return quote;
}

/**
 * Reads the top-level `key: value` lines of invalid YAML. Other lines, except blank lines and lines that
 * start with `#`, continue the previous value.
 */
function readLines(yaml: string): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  let last: string | undefined;
  let quote = "";
  for (const line of yaml.split("\n")) {
    const [, key, value] = /^["']?([A-Za-z][\w:-]*?)["']?:(?:\s+(.*))?$/.exec(line) ?? [];
    // In a quoted text that isn't closed, a line such as `groups:` is text.
    if (key !== undefined && (value !== undefined || quote === "")) {
      last = key;
      out[last] = value ?? "";
      quote = openQuote(out[last] as string, "");
    } else if (last && line.trim() && !line.startsWith("#")) out[last] = `${out[last]} ${line.trim()}`;
  }

  for (const [key, value] of Object.entries(out)) {
    const text = (value as string)
      .trim()
      .replace(/^'([\s\S]*)'$/, (_, inner: string) => inner.replaceAll("''", "'"))
      .replace(/^"([\s\S]*)"$/, "$1")
      .replace(/^["']|["']$/g, "");
    out[key] = text === "true" ? true : text === "false" ? false : text;
  }

  // A rule that spans several lines or isn't at the start of its line can't be read here. With an empty list,
  // no one can see the page.
  for (const key of accessKeys(yaml)) if (!Object.hasOwn(out, key)) out.groups = [];
  return out;
}

/** Returns the keys in a text that could restrict access, at the start of a line or of an entry in braces. */
function accessKeys(text: string): string[] {
  const keys = [...text.matchAll(/(?:^|[{,])[ \t"']*([A-Za-z][\w-]{0,40})["']?[ \t]*[:=]/gm)].map(
    ([, key]) => key!,
  );
  return keys.filter((key) => key === "groups" || mayRestrictAccess(key, ""));
}

/**
 * Returns valid values of the keys in `frontmatterKeys`, and unchanged values of other keys. Reports an
 * invalid value, and replaces it with its fallback or omits it. Omits null values, `mode: default` and
 * `__proto__`. A key that could restrict access in an unknown way makes the page visible to no one.
 */
export function checkFrontmatter(
  raw: Record<string, unknown>,
  report: (key: string, message: string, code?: FrontmatterProblem) => void,
): Frontmatter {
  const out: Record<string, unknown> = {};
  let closed = false;
  for (const [key, value] of Object.entries(raw)) {
    if (key === "groups" && value === null) {
      closed = true;
      report(key, "groups is empty, so no one can see the page");
    }
    // Assigning `__proto__` would set the prototype, whose keys would then be read unchecked.
    if (value === null || value === undefined || key === "__proto__") continue;
    if (!Object.hasOwn(frontmatterKeys, key)) {
      out[key] = value;
      const similar = similarKey(key);
      if (similar && !mayRestrictAccess(key, value))
        report(key, `${key} has no effect. Did you mean ${similar}?`, "no-effect");
      if (looksLikeRestriction(key)) report(key, `${key} has no effect. Did you mean groups?`, "no-effect");
      const instead = otherKeys.get(key.toLowerCase().replace(/[-_]/g, ""));
      if (instead) report(key, `${key} has no effect. ${instead}`, "no-effect");
      if (!mayRestrictAccess(key, value)) continue;
      closed = true;
      report(
        key,
        `Octavo doesn't support the access rule ${key}, so no one can see the page`,
        "unknown-access-rule",
      );
      continue;
    }
    const definition: { kind: FrontmatterKind<unknown>; ineffective?: string } =
      frontmatterKeys[key as keyof FrontmatterKeys];
    const { kind } = definition;
    if (definition.ineffective) report(key, `${key} has no effect: ${definition.ineffective}`, "no-effect");
    const checked = kind.read(value);
    if (checked === undefined) report(key, `${key} must be ${kind.expected}`);
    const used = checked ?? kind.fallback;
    if (used !== undefined) out[key] = used;
  }

  if (out.mode === "default") delete out.mode;
  return closed ? { ...out, groups: [], public: false } : out;
}
