/** The block between the `---` lines at the head of a page. */
import { parse, YAMLParseError } from "yaml";
import { type Problem, problem } from "../../base/problem.ts";
import { withFrame } from "../code-frame.ts";
import { contextualIds } from "./schema.ts";

export interface Frontmatter {
  title?: string;
  description?: string;
  sidebarTitle?: string;
  icon?: string | { name: string; style?: string; library?: string };
  iconType?: string;
  tag?: string;
  deprecated?: boolean;
  mode?: "wide" | "custom" | "frame" | "center" | "assistant";
  hidden?: boolean;
  noindex?: boolean;
  searchable?: boolean;
  boost?: number;
  keywords?: string[];
  /** An empty list is for nobody. */
  groups?: string[];
  public?: boolean;
  hideFooterPagination?: boolean;
  hideApiMarker?: boolean;
  related?: false | unknown[];
  contextual?: { options: unknown[]; display?: "header" | "toc" };
  timestamp?: boolean;
  lastUpdatedDate?: string;
  rss?: boolean;
  url?: string;
  version?: string;
  api?: string;
  openapi?: string;
  "openapi-schema"?: string;
  asyncapi?: string;
  playground?: string;
  authMethod?: string;
  contentType?: string;
  canonical?: string;
  robots?: string;
  [custom: string]: unknown;
}

export type FrontmatterKind = "text" | "url" | "flag" | "number" | "words" | "groups" | "date" | "icon" | "contextual" | "related";

type Kind = FrontmatterKind | readonly string[];

/** Every key that means something, with what it takes. Other keys are kept as the author's own. */
export const frontmatterKeys: Readonly<Record<string, { kind: Kind; description: string }>> = {
  title: { kind: "text", description: "Title of the page. Default: from the file's name." },
  description: { kind: "text", description: "One or two sentences below the title, for search engines and llms.txt." },
  sidebarTitle: { kind: "text", description: "Shorter title for the navigation." },
  icon: { kind: "icon", description: "Icon in the navigation: a name, a path, an address or inline SVG." },
  iconType: { kind: "text", description: "Style of a Font Awesome icon." },
  tag: { kind: "text", description: "Badge beside the title in the navigation." },
  deprecated: { kind: "flag", description: "Labels the page as deprecated in the navigation and beside the title." },
  mode: { kind: ["default", "wide", "custom", "frame", "center", "assistant"], description: "Layout of the page." },
  hidden: { kind: "flag", description: "Keeps the page out of navigation, search, sitemap and llms.txt; its address works." },
  noindex: { kind: "flag", description: "Keeps the page in the navigation and out of search engines, search, sitemap and llms.txt." },
  searchable: { kind: "flag", description: "`false` keeps the page out of the site's own search and assistant." },
  boost: { kind: "number", description: "Multiplies the page's relevance in search." },
  keywords: { kind: "words", description: "Invisible search terms." },
  groups: { kind: "groups", description: "Groups of readers that may see the page; an empty list is for nobody." },
  public: { kind: "flag", description: "Readable without signing in." },
  hideFooterPagination: { kind: "flag", description: "No links to the previous and next page." },
  hideApiMarker: { kind: "flag", description: "No method badge in the navigation." },
  related: { kind: "related", description: "Related pages: paths, addresses or `Title: link` pairs; `false` for none." },
  contextual: { kind: "contextual", description: "The page's own menu of actions; an empty list for none." },
  timestamp: { kind: "flag", description: "Shows or hides the date of the last change." },
  lastUpdatedDate: { kind: "date", description: "Date of the last change, in place of the one from git." },
  rss: { kind: "flag", description: "Shows a feed button on a changelog." },
  url: { kind: "text", description: "The navigation entry leads to this address instead." },
  version: { kind: "text", description: "Version that the page belongs to." },
  api: { kind: "text", description: "`METHOD /path` of an endpoint that the page describes itself." },
  openapi: { kind: "text", description: "`METHOD /path` of an operation, with the document's path before it when there are several." },
  "openapi-schema": { kind: "text", description: "Name of a schema that the page shows." },
  asyncapi: { kind: "text", description: "An AsyncAPI channel. Accepted; not rendered." },
  playground: { kind: ["interactive", "simple", "none", "auth"], description: "The playground of this page." },
  authMethod: { kind: "text", description: "Authentication of an `api:` page." },
  contentType: { kind: "text", description: "Media type of the body of an `api:` page." },
  canonical: { kind: "url", description: "Canonical address, when the page's content has its home elsewhere." },
  robots: { kind: "text", description: "The robots meta tag." },
};

export interface SplitPage {
  frontmatter: Frontmatter;
  body: string;
  /** Lines that stand before the body. */
  bodyLine: number;
  problems: Problem[];
}

const fence = /^\s*---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/;

export function splitPage(source: string, file: string): SplitPage {
  const match = fence.exec(source);
  if (!match) return { frontmatter: {}, body: source, bodyLine: 0, problems: [] };
  const yaml = match[1] ?? "";
  const before = source.slice(0, match[0].indexOf("---")).split("\n").length;
  const problems: Problem[] = [];
  const raw = readYaml(yaml, (line, column, message, hint) => {
    problems.push(withFrame(problem("frontmatter-syntax", { file, line: line + before, column }, message, hint), source));
  });
  const complain = (key: string, message: string) => {
    const line = yaml.split("\n").findIndex((text) => text.startsWith(`${key}:`) || text.startsWith(`"${key}":`));
    problems.push(
      withFrame(
        problem("frontmatter-value", { file, line: line < 0 ? before : line + 1 + before, column: 1, length: key.length }, message),
        source,
      ),
    );
  };
  return {
    frontmatter: checkFrontmatter(raw, complain),
    body: source.slice(match[0].length),
    bodyLine: match[0].split("\n").length - (match[0].endsWith("\n") ? 1 : 0),
    problems,
  };
}

function readYaml(yaml: string, complain: (line: number, column: number, message: string, hint?: string) => void): Record<string, unknown> {
  try {
    const value = parse(yaml, { schema: "core", maxAliasCount: 20, logLevel: "error" }) as unknown;
    if (value === null || value === undefined) return {};
    if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
    complain(1, 1, "Frontmatter is a list of `key: value` lines");
    return {};
  } catch (error) {
    const position = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const message = error instanceof Error ? error.message.split(/ at line|\n/)[0]!.replace(/:$/, "") : "The block is not YAML";
    complain(position?.line ?? 1, position?.col ?? 1, message, "Put the value into quotes, on one line.");
    return readLines(yaml);
  }
}

/** What a broken block still says: its top-level `key: value` lines, continued by lines that are no key. */
function readLines(yaml: string): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  let last: string | undefined;
  for (const line of yaml.split("\n")) {
    const match = /^["']?([A-Za-z][\w:-]*?)["']?:\s+(.*)$/.exec(line);
    if (match) {
      last = match[1]!;
      out[last] = match[2]!;
    } else if (last && line.trim() && !line.startsWith("#")) out[last] = `${out[last]} ${line.trim()}`;
  }
  for (const [key, value] of Object.entries(out)) {
    const text = (value as string)
      .trim()
      .replace(/^(["'])([\s\S]*)\1$/, "$2")
      .replace(/^["']|["']$/g, "");
    out[key] = text === "true" ? true : text === "false" ? false : text;
  }
  // A list of groups over several lines is lost with the block: then nobody may read the page.
  if (/^["']?groups["']?\s*:/m.test(yaml) && !Object.hasOwn(out, "groups")) out.groups = [];
  return out;
}

/** Values of known keys, as far as they are of the right kind; other keys as they are. */
export function checkFrontmatter(raw: Record<string, unknown>, complain: (key: string, message: string) => void): Frontmatter {
  const out: Frontmatter = {};
  for (const [key, value] of Object.entries(raw)) {
    const known = Object.hasOwn(frontmatterKeys, key) ? frontmatterKeys[key]! : undefined;
    if (value === null || value === undefined) continue;
    if (!known) {
      out[key] = value;
      continue;
    }
    const kept = take(known.kind, value);
    if (kept !== undefined) out[key] = kept;
    else {
      complain(key, `${key} must be ${wanted(known.kind)}`);
      // What was meant to keep readers out must not let them in.
      if (known.kind === "groups") out[key] = [];
    }
  }
  if (out.mode === ("default" as string)) delete out.mode;
  return out;
}

function take(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case "text":
    case "date":
      return typeof value === "string"
        ? value.trim()
        : typeof value === "number" || typeof value === "boolean"
          ? String(value)
          : value instanceof Date
            ? value.toISOString()
            : undefined;
    case "url":
      // A scheme ends at the first colon, if nothing of a path is before it.
      return typeof value === "string" && !/^(?!https?:)[^/?#]*:/i.test(value.trim()) ? value.trim() : undefined;
    case "flag":
      return typeof value === "boolean" ? value : value === "true" ? true : value === "false" ? false : undefined;
    case "number":
      return typeof value === "number" && value > 0 ? value : undefined;
    case "words":
      return Array.isArray(value)
        ? value.map(String)
        : typeof value === "string"
          ? value
              .split(",")
              .map((word) => word.trim())
              .filter(Boolean)
          : undefined;
    case "groups":
      return groupNames(value);
    case "related":
      return value === false || Array.isArray(value) ? value : undefined;
    case "icon":
      return typeof value === "string" || (typeof value === "object" && "name" in (value as object)) ? value : undefined;
    case "contextual": {
      const options = (value as { options?: unknown }).options;
      if (!Array.isArray(options)) return undefined;
      return options.every((option) => typeof option === "object" || contextualIds.includes(option as string)) ? value : undefined;
    }
    default:
      return kind.includes(value as string) ? value : undefined;
  }
}

/** Names, or rules that include some; undefined for a rule that takes somebody out, which no list can say. */
function groupNames(value: unknown): string[] | undefined {
  const entries = Array.isArray(value) ? value : [value];
  const names = entries.map((entry: unknown): string[] | undefined => {
    if (typeof entry === "string" || typeof entry === "number") return [String(entry)];
    const { includes, excludes } = (entry ?? {}) as { includes?: unknown; excludes?: unknown };
    return includes === undefined || excludes !== undefined ? undefined : groupNames(includes);
  });
  return names.every((list) => list !== undefined) ? names.flat() : undefined;
}

function wanted(kind: Kind): string {
  const words: Record<FrontmatterKind, string> = {
    text: "one text",
    url: "an https URL or a path",
    date: "a date",
    flag: "true or false",
    number: "a number above 0",
    words: "a list of words",
    groups: "a list of groups' names",
    related: "a list of pages, or false",
    icon: "an icon name",
    contextual: "an object with a list of options",
  };
  return typeof kind === "string" ? words[kind] : `one of ${kind.join(", ")}`;
}
