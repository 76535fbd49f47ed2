/** Compares the content trees of MDX pages with the element trees of `@mdx-js/mdx`. */

import { createProcessor } from "@mdx-js/mdx";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import type { PluggableList } from "unified";
import type { Problem } from "../../src/base/problem.ts";
import type { DocumentCode } from "../../src/engine/author/document-code.ts";
import { components } from "../../src/engine/components/components.ts";
import { splitPage } from "../../src/engine/config/frontmatter.ts";
import { type ContentNode, element, type PropValue } from "../../src/engine/content.ts";
import { parseMdx } from "../../src/engine/page/parse-mdx.ts";
import { prepare } from "../../src/engine/page/prepare-mdx.ts";
import { toContent } from "../../src/engine/page/to-content.ts";

/** A tag, a text, or code, in document order. */
export interface Token {
  kind: "open" | "close" | "text" | "code";
  text: string;
  /** Line in the file, if known. */
  line?: number;
}

/** A run of tokens that differ. Each starts with the first token that does. */
export interface Difference {
  ours: Token[];
  theirs: Token[];
  line: number;
}

export interface Judged {
  /** Number of the tags, texts and codes of the reference. */
  compared: number;
  problems: Problem[];
  /** Why the reference can't read the text. */
  invalid?: string;
  differences: Difference[];
}

/** Compares the trees of a page. */
export async function judge(source: string, options: { math: boolean }): Promise<Judged> {
  const { tokens, problems } = ourTokens(source, options.math);
  let theirs: Token[];
  try {
    theirs = merged(await referenceTokens(source, options.math));
  } catch (error) {
    const invalid = error instanceof Error ? error.message : String(error);
    return { compared: 0, problems, invalid, differences: [] };
  }
  return { compared: theirs.length, problems, differences: differencesOf(merged(tokens), theirs) };
}

/** Number of tokens that differences can have, and that must be equal after them. */
const window_count = 400;
const equal_count = 4;

function differencesOf(ours: readonly Token[], theirs: readonly Token[]): Difference[] {
  const found: Difference[] = [];
  const isEqual = (left: number, right: number) => {
    const [a, b] = [ours[left], theirs[right]];
    return a?.kind === b?.kind && a?.text === b?.text;
  };
  let left = 0;
  let right = 0;
  while (left < ours.length || right < theirs.length) {
    if (isEqual(left, right)) {
      left++;
      right++;
      continue;
    }
    const line = theirs.slice(0, right + 1).findLast((token) => token.line)?.line ?? 1;
    const [by = [ours.length - left, theirs.length - right]] = skips(left, right, isEqual);
    found.push({ ours: ours.slice(left, left + by[0]!), theirs: theirs.slice(right, right + by[1]!), line });
    left += by[0]!;
    right += by[1]!;
  }
  return found;
}

/** Yields how many tokens of both sides can be skipped until tokens are equal again, the fewest first. */
function* skips(
  left: number,
  right: number,
  isEqual: (left: number, right: number) => boolean,
): Generator<number[]> {
  for (let sum = 1; sum < window_count; sum++)
    for (let ours = 0; ours <= sum; ours++) {
      const at = [left + ours, right + sum - ours] as const;
      if (
        Array.from({ length: equal_count }, (_, index) => index).every((by) =>
          isEqual(at[0] + by, at[1] + by),
        )
      )
        yield [ours, sum - ours];
    }
}

const inline = new Set("a em strong del code sup sub span img br input formula".split(" "));

/** Joins texts, and removes the blanks at the edges of blocks. */
function merged(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token.kind === "text" && last?.kind === "text") last.text += token.text;
    else joined.push({ ...token });
  }
  const isEdge = (token: Token | undefined) =>
    /^(?:<\/br>|<input)/.test(token?.text ?? "") ||
    (token?.kind !== "text" && !inline.has(/^<\/?(\w*)/.exec(token?.text ?? "")?.[1] ?? ""));
  return joined.flatMap((token, index) => {
    if (token.kind !== "text") return [token];
    let text = token.text.replace(/[ \t\r\n]+/g, " ");
    if (isEdge(joined[index - 1])) text = text.trimStart();
    if (isEdge(joined[index + 1])) text = text.trimEnd();
    return text === "" ? [] : [{ ...token, text }];
  });
}

/** Replaces typographic characters, which only our parser writes. */
function plain(text: string): string {
  return text
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replaceAll("–", "--")
    .replaceAll("—", "---")
    .replaceAll("…", "...");
}

function open(name: string, attributes: Record<string, string | undefined> = {}, line?: number): Token {
  const listed = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${JSON.stringify(value)}`],
  );
  return { kind: "open", text: `<${[name, ...listed.sort()].join(" ")}>`, ...(line ? { line } : {}) };
}

function close(name: string): Token {
  return { kind: "close", text: `</${name}>` };
}

// ---------------------------------------------------------------- the reference

interface HastNode {
  type: string;
  tagName?: string;
  name?: string | null;
  value?: string;
  properties?: Record<string, unknown>;
  attributes?: { type: string; name?: string; value?: unknown }[];
  children?: HastNode[];
  data?: { meta?: string };
  position?: { start: { line: number } };
}

class Captured extends Error {
  readonly tree: HastNode;

  constructor(tree: HastNode) {
    super("captured");
    this.tree = tree;
  }
}

const capture = () => (tree: HastNode) => {
  throw new Captured(tree);
};

function processorOf(math: boolean) {
  const remarkPlugins: PluggableList = [
    remarkFrontmatter,
    [remarkGfm, { singleTilde: false }],
    ...(math ? [remarkMath] : []),
  ];
  return createProcessor({ remarkPlugins, rehypePlugins: [capture as never] });
}

const processors = { plain: processorOf(false), math: processorOf(true) };

async function referenceTokens(source: string, math: boolean): Promise<Token[]> {
  const processor = math ? processors.math : processors.plain;
  try {
    await processor.run(processor.parse(source) as never);
  } catch (error) {
    if (!(error instanceof Captured)) throw error;
    const tokens: Token[] = [];
    for (const child of error.tree.children ?? []) readReference(child, tokens);
    return tokens;
  }
  throw new Error("no tree");
}

function readReference(node: HastNode, tokens: Token[]): void {
  const line = node.position?.start.line;
  const { properties = {}, children = [] } = node;
  const inside = () => {
    for (const child of children) readReference(child, tokens);
  };
  const at = line ? { line } : {};
  if (node.type === "text") tokens.push({ kind: "text", text: plain(node.value ?? ""), ...at });
  else if (/^mdx(?:Flow|Text)Expression$/.test(node.type))
    tokens.push({ kind: "code", text: `{${node.value}}`, ...at });
  else if (/^mdxJsx/.test(node.type)) {
    let attributes: Record<string, string | undefined> = Object.fromEntries(
      (node.attributes ?? []).map(({ type, name, value }) =>
        type === "mdxJsxExpressionAttribute"
          ? [`{${String(value)}}`, ""]
          : [name!, /^(?:href|src)$/.test(name!) ? decoded(attributeText(value)) : attributeText(value)],
      ),
    );
    if (node.name === "Snippet") attributes = { file: attributes.file };
    if (node.name === "Latex" && attributes.formula !== undefined) {
      tokens.push({ kind: "code", text: `${attributes.display ? "$$" : "$"}${attributes.formula}`, ...at });
      return;
    }
    tokens.push(open(node.name ?? "", attributes, line));
    inside();
    tokens.push(close(node.name ?? ""));
  } else if (node.type === "element") readElement(node, properties, inside, tokens);
}

function attributeText(value: unknown): string {
  if (value === null || value === undefined) return "true";
  return typeof value === "string" ? plain(value) : constant(String((value as { value: string }).value));
}

/** Returns the text of a constant, and the source of other expressions. */
function constant(source: string): string {
  const [, quoted = source.trim()] =
    /^\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*$/.exec(source)?.filter((part) => part !== undefined) ?? [];
  return /^(?:true|false|[\d.]+)$/.test(source.trim()) || quoted !== source.trim()
    ? plain(quoted)
    : `{${plain(source)}}`;
}

function readElement(
  node: HastNode,
  properties: Record<string, unknown>,
  inside: () => void,
  tokens: Token[],
): void {
  const name = node.tagName!;
  const line = node.position?.start.line;
  const text = (key: string) =>
    typeof properties[key] === "string" || typeof properties[key] === "number"
      ? String(properties[key])
      : undefined;
  const classes = ((properties.className as string[] | undefined) ?? []).join(" ");
  const only = node.children?.length === 1 ? node.children[0]! : undefined;
  if (properties.dataFootnoteBackref !== undefined) return;
  if (properties.dataFootnoteRef !== undefined) {
    tokens.push(open("footnote", {}, line));
    return;
  }
  if (name === "h2" && classes.includes("sr-only")) return;
  if (name === "code" && classes.includes("math-inline")) {
    tokens.push({ kind: "code", text: `$${only?.value}`, ...(line ? { line } : {}) });
    return;
  }
  if (name === "pre" && only?.tagName === "code") {
    const given = ((only.properties?.className as string[] | undefined) ?? []).join(" ");
    const code = only.children?.map(({ value }) => value).join("") ?? "";
    if (given.includes("math-display")) tokens.push({ kind: "code", text: `$$${code}`.trimEnd() });
    else
      tokens.push(
        codeToken(
          /language-(\S+)/.exec(given)?.[1] ?? "",
          only.data?.meta ?? "",
          code.replace(/\n$/, ""),
          line,
        ),
      );
    return;
  }
  const attributes: Record<string, string | undefined> = {
    href: text("href") && decoded(text("href")!),
    src: text("src") !== undefined ? decoded(text("src")!) : undefined,
    alt: text("alt") && plain(text("alt")!),
    title: text("title") && plain(text("title")!),
    start: text("start"),
    align: text("align"),
    ...(name === "input" ? { checked: String(properties.checked ?? false) } : {}),
  };
  tokens.push(open(name, attributes, line));
  inside();
  if (name !== "input") tokens.push(close(name));
}

function codeToken(language: string, meta: string, code: string, line: number | undefined): Token {
  return { kind: "code", text: `\`\`\`${language} ${meta.trim()}\n${code}`, ...(line ? { line } : {}) };
}

function decoded(url: string): string {
  try {
    return plain(decodeURIComponent(url.replace(/%(?![\da-f]{2})/gi, "%25")));
  } catch {
    return url;
  }
}

// ---------------------------------------------------------------- ours

/** Returns expressions as elements, and the values of attributes as their source. */
const unevaluated = {
  has: () => false,
  isSnippet: () => false,
  isFromPackage: () => true,
  live: () => undefined,
  expression: (source: string) => [element("\0expression", { source })],
  attribute: (source: string) => `{${source}}`,
  spread: (source: string) => ({ [`{${source}}`]: "" }),
  component: () => [],
} as unknown as DocumentCode;

function ourTokens(source: string, math: boolean): { tokens: Token[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (found: Problem) => problems.push(found);
  const file = "page.mdx";
  const { body, linesBeforeBody: linesBefore } = splitPage(source, file);
  const prepared = prepare(body, { file, variables: new Map(), math, report, linesBefore });
  const parsed = parseMdx(prepared.text, { file, linesBefore, math, report });
  const content = toContent(parsed.tree, {
    file,
    text: parsed.text,
    code: unevaluated,
    components: new Map(Object.entries(components)),
    lineOf: (line) => parsed.lineOf(line) + linesBefore,
    hasPositions: true,
    headingIds: prepared.headingIds,
    include: (path, _props, children) => [element("Snippet", { file: path }, children)],
    report,
  });
  const tokens: Token[] = [];
  for (const node of content) readContent(node, tokens);
  return { tokens, problems };
}

function readContent(node: ContentNode, tokens: Token[]): void {
  if (typeof node === "string") {
    tokens.push({ kind: "text", text: plain(node) });
    return;
  }
  const { name, props, children, line } = node;
  const text = (key: string) =>
    typeof props[key] === "string" || typeof props[key] === "number" ? String(props[key]) : undefined;
  if (name === "\0expression") tokens.push({ kind: "code", text: `{${String(props.source)}}` });
  else if (name === "CodeBlock" && text("code") !== undefined && props.meta !== undefined)
    tokens.push(codeToken(text("language") ?? "", text("meta") ?? "", text("code")!, line));
  else if (name === "Mermaid" && text("chart") !== undefined && props.meta !== undefined)
    tokens.push(codeToken("mermaid", text("meta") ?? "", text("chart")!, line));
  else if (name === "Latex" && text("formula") !== undefined)
    tokens.push({ kind: "code", text: `${props.display ? "$$" : "$"}${text("formula")}` });
  else if (props.className === "o-footnote-ref") tokens.push(open("footnote"));
  else if (name === "a" && typeof props["aria-label"] === "string" && props["aria-label"].startsWith("↩"))
    return;
  else {
    tokens.push(open(name, attributesOf(name, props), line));
    if (name === "li" && typeof props.checked === "boolean")
      tokens.push(open("input", { checked: String(props.checked) }));
    for (const child of children) readContent(child, tokens);
    tokens.push(close(name));
  }
}

function attributesOf(name: string, props: Record<string, PropValue>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => {
      if (name === "section" || key === "customId" || (name === "li" && (key === "checked" || key === "id")))
        return [key, undefined];
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      return [key, key === "href" || key === "src" ? decoded(text) : plain(text)];
    }),
  );
}

export interface Verdict {
  pages: number;
  compared: number;
  /** Number of tokens that are different, by the reason why that's right. */
  excepted: Record<string, number>;
  /** Differences without a reason, and texts that only the reference refuses and that nothing reports. */
  wrong: string[];
}

/** Compares many pages. `isShownAsWritten`: whether a text that the reference refuses needs no problem. */
export async function judgeAll(
  pages: Iterable<readonly [name: string, source: string]>,
  options: {
    math: boolean;
    exceptions: Exceptions;
    isShownAsWritten(reason: string): boolean;
  },
): Promise<Verdict> {
  const verdict: Verdict = { pages: 0, compared: 0, excepted: {}, wrong: [] };
  for (const [name, source] of pages) {
    const { compared, problems, invalid, differences } = await judge(source, options);
    verdict.pages++;
    verdict.compared += compared;
    if (invalid !== undefined && problems.length === 0 && !options.isShownAsWritten(invalid))
      verdict.wrong.push(`${name} isn't reported: ${invalid}`);

    for (const difference of differences) {
      const { line, ours, theirs } = difference;
      const end = Math.max(line, ...[...ours, ...theirs].map((token) => token.line ?? 0)) + 2;
      const isReported = problems.some((found) => (found.line ?? 0) >= line - 2 && (found.line ?? 0) <= end);
      const reason = isReported
        ? "reported"
        : Object.keys(options.exceptions).find((key) => options.exceptions[key]!.applies(difference, source));
      if (reason)
        verdict.excepted[reason] = (verdict.excepted[reason] ?? 0) + Math.max(ours.length, theirs.length);
      else verdict.wrong.push(`${name}:${line} ours ${listed(ours)} theirs ${listed(theirs)}`);
    }
  }
  return verdict;
}

export type Exceptions = Readonly<Record<string, { applies(found: Difference, source: string): boolean }>>;

function listed(tokens: readonly Token[]): string {
  return tokens
    .slice(0, 6)
    .map(({ text }) => JSON.stringify(text.slice(0, 80)))
    .join(" ");
}
