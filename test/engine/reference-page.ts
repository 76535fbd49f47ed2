/** Renders reference pages of literal documents, and extracts their visible text. */

import { unescapeHtml } from "../../src/base/html-text.ts";
import { linkProps } from "../../src/engine/html/safe-attributes.ts";
import { messagesOf } from "../../src/engine/i18n/locales.ts";
import { Refs } from "../../src/engine/openapi/nodes/refs.ts";
import { readOperation } from "../../src/engine/openapi/request/operation.ts";
import { inlineHtml } from "../../src/engine/page/inline-html.tsx";
import type { ReferenceContext, RenderedReference } from "../../src/engine/reference/context.ts";
import { operationMarkdown } from "../../src/engine/reference/markdown.ts";
import { renderOperation } from "../../src/engine/reference/operation-page.tsx";

/** An untyped document. */
// biome-ignore lint/suspicious/noExplicitAny: documents are untyped in tests.
type Document = Record<string, any>;

export function contextOf(document: object, more: Partial<ReferenceContext> = {}): ReferenceContext {
  return {
    refs: new Refs(document as Record<string, unknown>),
    render: {
      messages: messagesOf("en").site,
      constraints: messagesOf("en").constraints,
      iconLibrary: "lucide",
      file: "api.yaml",
    },
    markdown: (text) => `<p>${inlineHtml(text)}</p>`,
    link: linkProps,
    expanded: "closed",
    postKeys: [],
    languages: ["bash", "python"],
    samples: { generated: true, optional: true },
    showBaseUrl: false,
    playground: "interactive",
    isPlaygroundRestricted: false,
    schemaHref: (cut) => `\x7f/schemas/${encodeURIComponent(cut.key)}`,
    schemaMarkdownHref: (cut) => `/schemas/${encodeURIComponent(cut.key)}.md`,
    operationHref: (pointer) => `\x7f/~operation/${pointer}`,
    ownExamples: { request: false, response: false },
    bodyHtml: "",
    ...more,
  };
}

export type Page = RenderedReference & { markdown: string };

/** The page of a document's only operation, or of the named one. */
export function pageOf(
  document: Document,
  more: Partial<ReferenceContext> = {},
  at: { path?: string; method?: string } = {},
): Page {
  const kind = document.webhooks ? "webhook" : "operation";
  const items = document.webhooks ?? document.paths;
  const path = at.path ?? Object.keys(items)[0]!;
  const method =
    at.method ??
    Object.keys(items[path]).find((key) => /^(?:get|put|post|delete|patch|options|head|trace)$/.test(key))!;
  const pointer = `#/${kind === "webhook" ? "webhooks" : "paths"}/${path.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const context = contextOf(document, more);
  const operation = readOperation(context.refs, { value: items[path], pointer }, method, path, kind)!;
  const rendered = renderOperation(operation, context);
  return {
    ...rendered,
    html: rendered.lead + rendered.html,
    markdown: operationMarkdown(operation, context),
  };
}

export function operationDocument(operation: object, components: object = {}, more: object = {}): Document {
  return {
    openapi: "3.1.0",
    info: { title: "Test", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/things/{id}": { post: { responses: { 200: { description: "Fine" } }, ...operation } } },
    components,
    ...more,
  };
}

/** An operation whose JSON body has this schema. */
export function bodyDocument(schema: object, components: object = {}): Document {
  return operationDocument({ requestBody: { content: { "application/json": { schema } } } }, components);
}

/** Text without tags: one line per block, with blanks collapsed. */
export function textOf(html: string): string {
  const text = html
    .replace(/<wbr[^>]*>/g, "")
    .replace(/(?<=>)\n|\n(?=<code>)/g, " ")
    .replace(/<(?:div|p|h2|h3|summary|pre|li|dt|dd|option|button|section)\b[^>]*>/g, "\n");
  return unescapeHtml(text.replace(/<[^>]*>/g, " "))
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter(Boolean)
    .join("\n");
}

/** Text of each field by its id, without nested fields. */
export function fieldsOf(html: string): Record<string, string> {
  const found: Record<string, string> = {};
  const starts = [...html.matchAll(/<div class="o-field field" id="([^"]+)">/g)];
  starts.forEach((start, i) => {
    const own = html.slice(start.index, starts[i + 1]?.index);
    found[start[1]!] = textOf(own.slice(0, own.search(/<\/section>/) >>> 0));
  });
  return found;
}

export function countElements(html: string): number {
  return html.match(/<[a-z]/g)?.length ?? 0;
}
