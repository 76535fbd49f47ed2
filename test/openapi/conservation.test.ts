/** Every text and constraint of real documents is on the page of its operation and in its Markdown, except for a short list of exceptions. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { unescapeHtml } from "../../src/base/html-text.ts";
import { type ApiDocument, readDocument } from "../../src/engine/openapi/api-document.ts";
import { readOperation } from "../../src/engine/openapi/operation.ts";
import { renderOperation } from "../../src/engine/render/reference/operation-page.tsx";
import type { SchemaCut } from "../../src/engine/render/reference/reference-context.ts";
import { operationMarkdown } from "../../src/engine/render/reference/reference-markdown.ts";
import { renderSchemaFragment } from "../../src/engine/render/reference/schema-page.tsx";
import { renderContent } from "../../src/engine/render/render-content.tsx";
import { toMarkdown } from "../../src/engine/render/to-markdown.ts";
import { documentTitle, overviewContent } from "../../src/engine/site/document-overview.ts";
import { contextOf } from "../engine/reference-page.ts";
import { corpusOf, inCorpus } from "../shared/corpus.ts";
import { type Exception, type Fact, FactWalker } from "./document-facts.ts";

const cases = path.resolve(corpusOf.openapi, "../../field-cases/openapi");
const files = inCorpus(corpusOf.openapi)
  ? [
      // Has each keyword, so that a keyword that isn't read is noticed.
      path.join(import.meta.dirname, "every-keyword.yaml"),
      ...readdirSync(corpusOf.openapi)
        .filter((name) => /-3\.\d\.(?:json|ya?ml)$/.test(name))
        .map((name) => path.join(corpusOf.openapi, name)),
      ...(existsSync(cases) ? readdirSync(cases).map((name) => path.join(cases, name, "docs/openapi.yaml")) : []).filter(existsSync),
    ]
  : [];

/** Number of operations of each document that are checked. `OPERATIONS=all` checks all. */
const operations_count = process.env.OPERATIONS === "all" ? Number.POSITIVE_INFINITY : 2;
/** Maximum number of shared schemas that are rendered for a page. A page with more is only checked for facts outside schemas. */
const cuts_count = 60;

const shortNames: Record<string, string> = { minimum: "min", maximum: "max", exclusiveMinimum: ">", exclusiveMaximum: "<" };

interface Totals {
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
    if (kind === "raw") return this.letters.includes(plain(text).slice(0, 1_000));
    if (kind === "uniqueItems") return this.written.includes("uniqueItems");
    if (kind === "text" || kind === "name" || kind === "value") {
      // Long values are cut.
      const letters = plain(text).slice(0, kind === "value" ? 60 : undefined);
      if (this.letters.includes(letters)) return true;
      const words = (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !this.words.has(word));
      return kind === "text" && words.length <= text.length / 200;
    }
    return (
      this.written.includes(`${shortNames[kind] ?? kind} ${text === '""' || text === "" ? '""' : text}`.slice(0, 60).trimEnd()) ||
      this.written.includes(`${shortNames[kind] ?? kind} ${JSON.stringify(text)}`.slice(0, 60))
    );
  }
}

/** Removes tags, but keeps the URLs of links and images. */
function textOf(html: string): string {
  const urls = [...html.matchAll(/ (?:href|src|alt)="([^"]*)"/g)].map(([, url]) => decodeURI(url!.replace(/%(?![0-9a-f]{2})/gi, "%25")));
  return unescapeHtml(
    `${html
      .replace(/<wbr\/?>/g, "")
      .replace(/<\/?(?:p|div|dd|dt|li|option|summary|h\d|code|pre|section)\b[^>]*>/g, " ")
      .replace(/<[^>]*>/g, "")} ${urls.join(" ")}`,
  );
}

async function check(file: string, totals: Totals): Promise<void> {
  const text = readFileSync(file, "utf8");
  const { document } = await readDocument(path.basename(file), text);
  if (!document) return;
  const source = file.endsWith(".json") ? JSON.parse(text) : parse(text, { maxAliasCount: -1, merge: true });
  checkOverview(document, source, path.basename(file), totals);
  const step = Math.max(1, Math.ceil(document.operations.length / operations_count));
  for (const [index, entry] of document.operations.entries()) {
    if (index % step !== 0) continue;
    const walker = new FactWalker(source);
    const item = walker.resolve(source[entry.kind === "webhook" ? "webhooks" : "paths"]?.[entry.path]);
    if (entry.kind === "webhook" || !item?.[entry.method]) continue;
    walker.operation(item, entry.method, `${path.basename(file)}#${entry.path}`);
    const context = contextOf(document.root, { showBaseUrl: true });
    const operation = readOperation(context.refs, entry.pathItem, entry.method, entry.path, entry.kind)!;
    const page = renderOperation(operation, context);
    const title = `${operation.summary ?? ""} `;
    const { html, isWhole } = withFragments(page, context);
    const found = new Haystack(`${title}${textOf(html)}`);
    const markdown = new Haystack(`${title}${operationMarkdown(operation, context)}`);
    const isCut = page.cuts.length > 0 || /o-rest/.test(html);
    for (const fact of walker.facts) {
      if (fact.inSchema && !isWhole) continue;
      totals.checked++;
      if (fact.exception && !found.has(fact)) totals.exceptions.set(fact.exception, (totals.exceptions.get(fact.exception) ?? 0) + 1);
      else if (!found.has(fact)) totals.lost.push(`HTML ${fact.pointer} ${fact.kind} ${JSON.stringify(fact.value).slice(0, 100)}`);
      else if (!fact.exception && !(fact.inSchema && isCut) && !markdown.has(fact))
        totals.lost.push(`Markdown ${fact.pointer} ${fact.kind} ${JSON.stringify(fact.value).slice(0, 100)}`);
    }
    for (const [exception, count] of walker.exceptions) totals.exceptions.set(exception, (totals.exceptions.get(exception) ?? 0) + count);
  }
}

function checkOverview(document: ApiDocument, source: object, name: string, totals: Totals): void {
  const walker = new FactWalker(source);
  walker.document();
  const { render } = contextOf(document.root);
  const content = overviewContent(document, render.messages);
  const title = documentTitle(document);
  const [html, markdown] = [textOf(renderContent(content, render)), toMarkdown(content)].map((text) => new Haystack(`${title} ${text}`));
  for (const fact of walker.facts) {
    totals.checked++;
    for (const [where, found] of [
      ["HTML", html!],
      ["Markdown", markdown!],
    ] as const)
      if (!found.has(fact)) totals.lost.push(`${where} ${name} ${fact.pointer} ${JSON.stringify(fact.value).slice(0, 100)}`);
  }
  for (const [exception, count] of walker.exceptions) totals.exceptions.set(exception, (totals.exceptions.get(exception) ?? 0) + count);
}

/** The HTML of a page with all schemas that it links to. `isWhole`: whether nothing is left out. */
function withFragments(
  page: ReturnType<typeof renderOperation>,
  context: ReturnType<typeof contextOf>,
): { html: string; isWhole: boolean } {
  let html = page.lead + page.html + page.aside;
  const seen = new Set<string>();
  const waiting: SchemaCut[] = [...page.cuts];
  for (const cut of waiting) {
    const key = `${cut.direction} ${cut.key}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > cuts_count) return { html, isWhole: false };
    const fragment = renderSchemaFragment(cut, context);
    html += fragment.html;
    waiting.push(...fragment.cuts);
  }
  return { html, isWhole: !html.includes("o-rest") };
}

describe.runIf(files.length > 0)("conservation", () => {
  const totals: Totals = { checked: 0, lost: [], exceptions: new Map() };

  test.each(files)("%s", async (file) => {
    const before = totals.lost.length;
    await check(file, totals);
    expect(totals.lost.slice(before)).toEqual([]);
  });

  test("few facts are excepted", () => {
    expect(totals.checked).toBeGreaterThan(2_000);
    expect([...totals.exceptions.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(totals.checked / 100);
  });
});
