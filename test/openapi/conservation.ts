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
import { renderContent } from "../../src/engine/page/render-content.tsx";
import { toMarkdown } from "../../src/engine/page/to-markdown.ts";
import type { SchemaCut } from "../../src/engine/reference/context.ts";
import { operationMarkdown } from "../../src/engine/reference/markdown.ts";
import { renderOperation } from "../../src/engine/reference/operation-page.tsx";
import { renderSchemaFragment } from "../../src/engine/reference/schema-page.tsx";
import { documentTitle, overviewContent } from "../../src/engine/site/sources/document-overview.ts";
import { contextOf } from "../engine/reference-page.ts";
import { corpusOf, inCorpus } from "../shared/corpus.ts";
import { type Exception, type Fact, FactWalker, markOf, markTexts } from "./document-facts.ts";

const cases = path.join(corpusOf.fieldCases, "openapi");
const files = inCorpus(corpusOf.openapi)
  ? [
      // Has each keyword, so that a keyword that isn't read is noticed.
      path.join(import.meta.dirname, "every-keyword.yaml"),
      ...readdirSync(corpusOf.openapi)
        .filter((name) => /-3\.\d\.(?:json|ya?ml)$/.test(name))
        .map((name) => path.join(corpusOf.openapi, name)),
      ...(existsSync(cases)
        ? readdirSync(cases).map((name) => path.join(cases, name, "docs/openapi.yaml"))
        : []
      ).filter(existsSync),
    ]
  : [];

/**
 * Maximum number of shared schemas that are rendered for a page. A page with more is only checked for facts
 * outside schemas.
 */
const cuts_count = 60;

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

/** The shared schemas of a document that have been rendered. */
type Fragments = Map<string, ReturnType<typeof renderSchemaFragment>>;

interface Totals {
  /** Number of documents. */
  files: number;
  checked: number;
  lost: string[];
  exceptions: Map<Exception, number>;
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** The text of a page, as it's written and without punctuation. */
class Haystack {
  readonly written: string;
  readonly letters: string;
  readonly words: ReadonlySet<string>;

  constructor(written: string) {
    this.written = written.replace(/\s+/g, " ");
    this.letters = plain(written);
    this.words = new Set(written.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  }

  has({ kind, value }: Fact): boolean {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const mark = markOf(text);
    if (mark && !this.words.has(mark)) return false;
    if (kind === "raw") return this.letters.includes(plain(text).slice(0, 1_000));
    if (kind === "keyword") return this.hasWhole(text);
    // Long names and values are cut.
    if (kind === "name" || kind === "value") return this.hasWhole(text.replace(/\s+/g, " ").slice(0, 60));
    if (kind === "text") {
      if (this.letters.includes(plain(text))) return true;
      const words = (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter(
        (word) => !this.words.has(word),
      );
      return words.length <= text.length / 200;
    }
    const [before, after] = limitWords[kind] ?? [kind];
    if (after) return this.written.includes(`${before} ${text} ${after}`);
    // Markdown has the value as code.
    const shown = [text === "" ? '""' : text, JSON.stringify(text)].flatMap((one) =>
      [one, `\`${one}`].map((code) => `${before} ${code}`.slice(0, 60).trimEnd()),
    );
    return shown.some((one) => this.hasWhole(one));
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
  markTexts(source);
  const name = path.basename(file);
  const { document } = await readDocument(`${name}.json`, JSON.stringify(source));
  if (!document) return;
  checkOverview(document, source, name, totals);
  const fragments: Fragments = new Map();
  const excepted = new Set<string>();
  const step = Math.max(1, Math.ceil(document.operations.length / operations));
  for (const [index, entry] of document.operations.entries()) {
    if (index % step !== 0) continue;
    const walker = new FactWalker(source);
    const item = walker.resolve(source[entry.kind === "webhook" ? "webhooks" : "paths"]?.[entry.path]);
    const node = item?.[entry.method] ?? item?.additionalOperations?.[entry.method];
    if (!node) continue;
    walker.operation(item, node, `${name}#${entry.path}/${entry.method}`, entry.kind === "webhook");
    const context = contextOf(document.root, { showBaseUrl: true });
    const operation = readOperation(context.refs, entry.pathItem, entry.method, entry.path, entry.kind)!;
    const page = renderOperation(operation, context);
    const title = `${operation.summary ?? ""} `;
    const whole = withFragments(page, context, fragments);
    const found = new Haystack(`${title}${textOf(whole.html)}`);
    const markdown = new Haystack(`${title}${operationMarkdown(operation, context)}${whole.markdown}`);
    for (const fact of walker.facts) {
      const shown = `${fact.pointer} ${fact.kind} ${JSON.stringify(fact.value).slice(0, 100)}`;
      const isInHtml = found.has(fact) || (fact.inSchema && whole.hasRest);
      const isInMarkdown = markdown.has(fact) || (fact.inSchema && whole.isIncomplete);
      totals.checked++;
      if (fact.exception && !found.has(fact)) {
        // A schema that operations share is checked on each of their pages. Its exceptions are counted once.
        const key = `${fact.kind} ${JSON.stringify(fact.value)}`;
        if (!excepted.has(key))
          totals.exceptions.set(fact.exception, (totals.exceptions.get(fact.exception) ?? 0) + 1);
        excepted.add(key);
      } else if (!isInHtml) totals.lost.push(`HTML ${shown}`);
      else if (!fact.exception && !isInMarkdown) totals.lost.push(`Markdown ${shown}`);
    }
    for (const [exception, count] of walker.exceptions)
      totals.exceptions.set(exception, (totals.exceptions.get(exception) ?? 0) + count);
  }
}

function checkOverview(document: ApiDocument, source: object, name: string, totals: Totals): void {
  const walker = new FactWalker(source);
  walker.document();
  const { render } = contextOf(document.root);
  const content = overviewContent(document, render.messages);
  const title = documentTitle(document);
  const [html, markdown] = [textOf(renderContent(content, render)), toMarkdown(content)].map(
    (text) => new Haystack(`${title} ${text}`),
  );
  for (const fact of walker.facts) {
    totals.checked++;
    for (const [where, found] of [
      ["HTML", html!],
      ["Markdown", markdown!],
    ] as const)
      if (!found.has(fact))
        totals.lost.push(`${where} ${name} ${fact.pointer} ${JSON.stringify(fact.value).slice(0, 100)}`);
  }
  for (const [exception, count] of walker.exceptions)
    totals.exceptions.set(exception, (totals.exceptions.get(exception) ?? 0) + count);
}

/**
 * The HTML of a page and the Markdown of all schemas that it links to. `hasRest`: whether the HTML has only
 * the names of some fields. `isIncomplete`: whether some schemas are left out.
 */
function withFragments(
  page: ReturnType<typeof renderOperation>,
  context: ReturnType<typeof contextOf>,
  fragments: Fragments,
): { html: string; markdown: string; hasRest: boolean; isIncomplete: boolean } {
  let markdown = "";
  let html = page.lead + page.html + page.aside;
  const seen = new Set<string>();
  const waiting: SchemaCut[] = [...page.cuts];
  for (const cut of waiting) {
    const key = `${cut.direction} ${cut.key}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > cuts_count) return { html, markdown, hasRest: true, isIncomplete: true };
    const fragment = fragments.get(key) ?? renderSchemaFragment(cut, context);
    fragments.set(key, fragment);
    html += fragment.html;
    markdown += fragment.markdown;
    waiting.push(...fragment.cuts);
  }
  return { html, markdown, hasRest: html.includes("o-rest"), isIncomplete: false };
}

/**
 * Defines the tests, and returns their totals. `operations`: maximum number of operations of each document
 * that are checked.
 */
export function testConservation(operations: number): Totals {
  const totals: Totals = { files: files.length, checked: 0, lost: [], exceptions: new Map() };
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
