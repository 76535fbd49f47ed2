/**
 * Looks for each text and constraint of real documents on the page of its operation and in its Markdown. Each
 * text is marked with its own word first, so that equal texts in other places can't be mistaken for it.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { unescapeHtml } from "../../src/base/html-text.ts";
import { type ApiDocument, readDocument } from "../../src/engine/openapi/document/api-document.ts";
import { readOperation } from "../../src/engine/openapi/request/operation.ts";
import type { OperationEntry } from "../../src/engine/openapi/request/operation-list.ts";
import { renderContent } from "../../src/engine/page/render-content.tsx";
import { toMarkdown } from "../../src/engine/page/to-markdown.ts";
import type { ReferenceContext, SchemaCut } from "../../src/engine/reference/context.ts";
import { operationMarkdown } from "../../src/engine/reference/markdown.ts";
import { renderOperation } from "../../src/engine/reference/operation-page.tsx";
import { renderSchemaFragment } from "../../src/engine/reference/schema-page.tsx";
import { documentTitle, overviewContent } from "../../src/engine/site/sources/document-overview.ts";
import { contextOf } from "../engine/reference-page.ts";
import { corpusEntries, corpusOf, inCorpus } from "../shared/corpus.ts";
import { type Exception, type Fact, FactWalker, itemsOf, markOf, markTexts } from "./document-facts.ts";
import { asVersion3 } from "./swagger2-facts.ts";

const cases = ["openapi", "round-2/openapi"].map((folder) => path.join(corpusOf.fieldCases, folder));
const files = inCorpus(corpusOf.openapi)
  ? [
      // Has each keyword, so that a keyword that isn't read is noticed.
      path.join(import.meta.dirname, "every-keyword.yaml"),
      ...[corpusOf.openapi, corpusOf.openapiMore].flatMap((folder) =>
        corpusEntries(folder)
          .filter((name) => /-[23]\.\d\.(?:json|ya?ml)$/.test(name))
          .map((name) => path.join(folder, name)),
      ),
      ...cases
        .filter(existsSync)
        .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name, "docs/openapi.yaml")))
        .filter(existsSync),
    ]
  : [];

/** The words before the value of a constraint, and the word after it. */
const limitWords: Record<string, [before: string, after?: string]> = {
  minimum: ["at least"],
  maximum: ["at most"],
  exclusiveMinimum: ["more than"],
  exclusiveMaximum: ["less than"],
  multipleOf: ["a multiple of"],
  minLength: ["at least", "character"],
  maxLength: ["at most", "character"],
  minItems: ["at least", "item"],
  maxItems: ["at most", "item"],
  minContains: ["at least", "matching item"],
  maxContains: ["at most", "matching item"],
  minProperties: ["at least", "propert"],
  maxProperties: ["at most", "propert"],
};

/** A shared schema that pages link to. `hasRest`: whether the HTML has only the names of some fields. */
interface Fragment {
  html: Haystack;
  markdown: Haystack;
  hasRest: boolean;
  cuts: readonly SchemaCut[];
}
/** The shared schemas of a document that have been rendered. */
type Fragments = Map<string, Fragment>;

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type DocumentNode = any;

interface Totals {
  /** Number of documents. */
  files: number;
  /** How many times a fact was looked for. A schema that operations share is checked on each of their pages. */
  looks: number;
  /** Number of different facts. */
  checked: number;
  lost: string[];
  /** The different facts that are on no page, by the reason why they can be missing. */
  excepted: Map<Exception, string[]>;
}

export function noTotals(files: number): Totals {
  return { files, looks: 0, checked: 0, lost: [], excepted: new Map() };
}

/** The different facts of a document: whether one is on a page, or else the reason why it can be missing. */
class Ledger {
  private readonly facts = new Map<string, Exception | "found">();

  add({ pointer, kind, value, exception }: Fact, isFound: boolean): void {
    const key = `${pointer} ${kind} ${JSON.stringify(value)}`;
    if (isFound || !exception) this.facts.set(key, "found");
    else if (!this.facts.has(key)) this.facts.set(key, exception);
  }

  addTo(totals: Totals, name: string): void {
    totals.checked += this.facts.size;
    for (const [key, state] of this.facts)
      if (state !== "found")
        totals.excepted.set(state, [...(totals.excepted.get(state) ?? []), `${name} ${key.slice(0, 200)}`]);
  }
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** The text of a page, as it's written and without punctuation. */
class Haystack {
  readonly written: string;
  readonly letters: string;
  readonly words: ReadonlySet<string>;
  /** Where each mark ends in `letters`. */
  private readonly marks = new Map<string, number[]>();
  private readonly known = new Map<string, boolean>();

  constructor(written: string) {
    this.written = written.replace(/\s+/g, " ");
    this.letters = plain(written);
    this.words = new Set(written.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    for (const { 0: mark, index } of this.letters.matchAll(/qz\d+zq/g))
      this.marks.set(mark, [...(this.marks.get(mark) ?? []), index + mark.length]);
  }

  /** Looks for each different fact once, since pages repeat names and limits. */
  has({ kind, value }: Fact): boolean {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const mark = markOf(text);
    if (mark && !this.words.has(mark)) return false;
    const key = `${kind} ${text}`;
    const found = this.known.get(key) ?? this.contains(kind, text, mark);
    this.known.set(key, found);
    return found;
  }

  private contains(kind: string, text: string, mark: string | undefined): boolean {
    if (kind === "raw") return this.letters.includes(plain(text).slice(0, 1_000));
    if (kind === "keyword") return this.hasWhole(text);
    // Long names are cut.
    if (kind === "name") return this.hasWhole(text.replace(/\s+/g, " ").slice(0, 60));
    if (kind === "value") return this.hasValue(text);
    if (kind === "text") {
      const letters = plain(text);
      const isWhole = mark
        ? this.marks.get(mark)?.some((end) => this.letters.startsWith(letters, end - letters.length))
        : this.letters.includes(letters);
      if (isWhole) return true;
      const words = (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter(
        (word) => !this.words.has(word),
      );
      return words.length <= text.length / 200;
    }
    const [before, after] = limitWords[kind] ?? [kind];
    if (after) return this.written.includes(`${before} ${text} ${after}`);
    // Markdown has the value as code.
    const shown = [text === "" ? '""' : text, JSON.stringify(text)].flatMap((one) =>
      [one, `\`${one}`, `\`\` ${one}`, `\`\`${one}`].map((code) =>
        `${before} ${code}`.slice(0, 60).trimEnd(),
      ),
    );
    return shown.some((one) => this.hasWhole(one));
  }

  /** Whether the page contains a value as text, in JSON, or in a text that is JSON. */
  private hasValue(text: string): boolean {
    const inJson = JSON.stringify(text).slice(1, -1);
    return [text, inJson, JSON.stringify(inJson).slice(1, -1)].some((one) =>
      this.hasWhole(one.replace(/\s+/g, " ").slice(0, 1_900)),
    );
  }

  /** Whether the page contains a text that isn't a part of a longer word or number. */
  private hasWhole(text: string): boolean {
    const isLetter = (character: string | undefined) =>
      character !== undefined && /[\p{L}\p{N}]/u.test(character);
    for (let at = this.written.indexOf(text); at >= 0; at = this.written.indexOf(text, at + 1)) {
      const isStart = !isLetter(text[0]) || !isLetter(this.written[at - 1]);
      const end = at + text.length;
      if (isStart && (text.length === 60 || !isLetter(text.at(-1)) || !isLetter(this.written[end])))
        return true;
    }
    return false;
  }
}

/** Removes tags, but keeps the URLs of links and images. */
function textOf(html: string): string {
  const urls = [...html.matchAll(/ (?:href|src|alt)="([^"]*)"/g)].map(([, url]) =>
    decodeURI(url!.replace(/%(?![0-9a-f]{2})/gi, "%25")),
  );
  return unescapeHtml(
    `${html
      .replace(/<wbr\/?>/g, "")
      .replace(/<\/?(?:p|div|dd|dt|li|option|summary|h\d|code|pre|section)\b[^>]*>/g, " ")
      .replace(/<[^>]*>/g, "")} ${urls.join(" ")}`,
  );
}

async function check(file: string, operations: number, totals: Totals): Promise<void> {
  const text = readFileSync(file, "utf8");
  const source = file.endsWith(".json") ? JSON.parse(text) : parse(text, { maxAliasCount: -1, merge: true });
  await checkDocument(path.basename(file), source, operations, totals);
}

/** `source`: a parsed document, whose texts are marked in place. `operations`: the most that are checked. */
export async function checkDocument(
  name: string,
  source: DocumentNode,
  operations: number,
  totals: Totals,
): Promise<void> {
  markTexts(source);
  const { document } = await readDocument(`${name}.json`, JSON.stringify(source));
  if (!document) return;
  const root = source.swagger ? asVersion3(source) : source;
  const ledger = new Ledger();
  checkOverview(document, root, name, totals, ledger);

  const fragments: Fragments = new Map();
  const step = Math.max(1, Math.ceil(document.operations.length / operations));
  for (const [index, entry] of document.operations.entries()) {
    if (index % step !== 0) continue;
    const walker = new FactWalker(root);
    const item = walker.pathItem(itemsOf(root, entry.kind)[entry.path]);
    const node = item?.[entry.method] ?? item?.additionalOperations?.[entry.method];
    if (!node) continue;
    const place = `${name}#${entry.path}/${entry.method}`;
    walker.operation(item, node, place, entry.kind === "webhook");
    const { html, markdown, hasRest } = textsOf(document, entry, fragments);
    for (const fact of walker.facts) {
      totals.looks++;
      const isInHtml = html.some((one) => one.has(fact));
      const isInMarkdown = markdown.some((one) => one.has(fact));
      ledger.add(fact, isInHtml && isInMarkdown);
      if (fact.exception) continue;
      const shown = `${place} ${fact.pointer} ${fact.kind} ${JSON.stringify(fact.value).slice(0, 100)}`;
      if (!isInHtml && !(fact.inSchema && hasRest)) totals.lost.push(`HTML ${shown}`);
      if (!isInMarkdown) totals.lost.push(`Markdown ${shown}`);
    }
  }
  ledger.addTo(totals, name);
}

function checkOverview(
  document: ApiDocument,
  source: object,
  name: string,
  totals: Totals,
  ledger: Ledger,
): void {
  const walker = new FactWalker(source);
  walker.document();
  const { render } = contextOf(document.root);
  const content = overviewContent(document, render.messages);
  const title = documentTitle(document);
  const [html, markdown] = [textOf(renderContent(content, render)), toMarkdown(content)].map(
    (text) => new Haystack(`${title} ${text}`),
  );
  for (const fact of walker.facts) {
    totals.looks++;
    const isIn = { HTML: html!.has(fact), Markdown: markdown!.has(fact) };
    ledger.add(fact, isIn.HTML && isIn.Markdown);
    for (const [where, isFound] of Object.entries(isIn))
      if (!isFound && !fact.exception)
        totals.lost.push(`${where} ${name} ${fact.pointer} ${JSON.stringify(fact.value).slice(0, 100)}`);
  }
}

/**
 * The texts of an operation's page and of its Markdown, with those of all schemas that they link to.
 * `hasRest`: whether the HTML has only the names of some fields.
 */
function textsOf(document: ApiDocument, entry: OperationEntry, fragments: Fragments) {
  const context = contextOf(document.root, { showBaseUrl: true });
  const operation = readOperation(context.refs, entry.pathItem, entry.method, entry.path, entry.kind)!;
  const page = renderOperation(operation, context);
  const title = `${operation.summary ?? ""} `;
  const body = page.lead + page.html + page.aside;
  const all = { html: [new Haystack(`${title}${textOf(body)}`)], hasRest: body.includes("o-rest") };
  const markdown = [new Haystack(`${title}${operationMarkdown(operation, context)}`)];

  const waiting = new Map(page.cuts.map((cut) => [keyOf(cut), cut]));
  for (const [key, cut] of waiting) {
    const fragment = fragments.get(key) ?? fragmentOf(cut, context);
    fragments.set(key, fragment);
    all.html.push(fragment.html);
    markdown.push(fragment.markdown);
    all.hasRest ||= fragment.hasRest;
    for (const below of fragment.cuts) waiting.set(keyOf(below), below);
  }
  return { ...all, markdown };
}

const keyOf = ({ direction, key }: SchemaCut) => `${direction} ${key}`;

function fragmentOf(cut: SchemaCut, context: ReferenceContext): Fragment {
  const { html, markdown, cuts } = renderSchemaFragment(cut, context);
  return {
    html: new Haystack(textOf(html)),
    markdown: new Haystack(markdown),
    hasRest: html.includes("o-rest"),
    cuts,
  };
}

/**
 * Defines the tests, and returns their totals. `operations`: maximum number of operations of each document
 * that are checked.
 */
export function testConservation(operations: number): Totals {
  const totals = noTotals(files.length);
  describe.runIf(files.length > 0)("conservation", () => {
    test("documents exist", () => expect(files.length).toBeGreaterThan(10));
    test.each(files)("%s", async (file) => {
      const before = totals.lost.length;
      await check(file, operations, totals);
      expect(totals.lost.slice(before)).toEqual([]);
    });
  });
  return totals;
}
