/**
 * Renders the reference part of a page (an operation or a schema) as HTML and Markdown, and lists the nodes
 * that it depends on.
 */

import { schemaPath } from "../../../layout/site-layout.ts";
import type { Frontmatter } from "../../config/frontmatter.ts";
import { hashOf } from "../../hash-of.ts";
import type { RenderContext } from "../../html/render-context.ts";
import { siteUrlMark } from "../../html/safe-attributes.ts";
import { operationKey } from "../../openapi/changes/compare-documents.ts";
import type { ApiDocument } from "../../openapi/document/api-document.ts";
import { jsonText } from "../../openapi/nodes/json-text.ts";
import { isRaw, own, Refs } from "../../openapi/nodes/refs.ts";
import { type Operation, readOperation } from "../../openapi/request/operation.ts";
import { operationLabel } from "../../openapi/request/operation-list.ts";
import { type SchemaRef, schemaRef } from "../../openapi/schema/schema-view.ts";
import type { ReferenceContext, RenderedReference, SchemaCut } from "../../reference/context.ts";
import type { FieldMarks } from "../../reference/field-marks.ts";
import { operationMarkdown, schemaMarkdown } from "../../reference/markdown.ts";
import { renderDescribed, renderOperation } from "../../reference/operation-page.tsx";
import { renderSchemaFragment, renderSchemaPage } from "../../reference/schema-page.tsx";
import {
  type ApiPageSettings,
  type ApiSettings,
  playgroundMode,
  playgroundOf,
  sampleLanguagesOf,
} from "../../reference/settings.ts";
import { operationPath } from "../navigation/link-targets.ts";
import type { PageLink, StoredCut } from "../page.ts";
import type { PageReference } from "../sources/page-reference.ts";
import { PageDescriptions } from "./page-descriptions.ts";

interface PrintedReference {
  lead: string;
  html: string;
  aside: string;
  toc: RenderedReference["toc"];
  anchors: string[];
  cuts: StoredCut[];
  /** Links in the texts of the document. */
  links: PageLink[];
  markdown: string;
  /** The first paragraph of the operation's description as text. Empty if there is none, and for a schema. */
  firstWords: string;
  /** Pointers to the nodes of the document that the page depends on. */
  nodes: string[];
}

interface ReferencePage {
  frontmatter: Frontmatter;
  bodyHtml: string;
  ownExamples: { request: boolean; response: boolean };
}

/**
 * Renders an operation or a schema. `isDescribed`: whether the page's own text describes the operation. If
 * so, only the endpoint, samples and playground are added.
 */
export function printReference(
  reference: Exclude<PageReference, { kind: "document" }>,
  page: ReferencePage,
  settings: ApiPageSettings,
  render: RenderContext,
  isDescribed: boolean,
): PrintedReference {
  const { document } = reference;
  const { api } = settings;
  const base = printBase(document, settings, render);
  const { refs } = base;

  if (reference.kind === "schema") {
    const context = referenceContext(base, page, "none", false);
    const schema = schemaRef(reference.schema);
    const printed = renderSchemaPage(schema, context);
    return finish(printed, schemaMarkdown(schema, context), "", [reference.schema.pointer], base);
  }

  const { entry } = reference;
  const read = readOperation(refs, entry.pathItem, entry.method, entry.path, entry.kind)!;

  // The description in the page's frontmatter replaces the operation's.
  const { description, ...withoutDescription } = {
    ...read,
    badges: [...(base.marks?.ofOperation(operationKey(operationLabel(entry))) ?? []), ...read.badges],
  };
  const operation: Operation =
    page.frontmatter.description === undefined && description !== undefined
      ? { ...withoutDescription, description }
      : withoutDescription;
  const showBaseUrl = api.url === "full" || operation.servers.length > 1;
  const context = referenceContext(
    base,
    page,
    playgroundOf(page.frontmatter, settings, operation),
    showBaseUrl,
  );

  const firstWords = description === undefined ? "" : base.descriptions.firstWords(description);
  const printed = isDescribed ? renderDescribed(operation, context) : renderOperation(operation, context);
  const markdown = operationMarkdown(operation, context, printed.expansion);
  return finish(printed, markdown, firstWords, [entry.pathItem.pointer, entry.node.pointer, ...shared], base);
}

/** Pointers to the nodes that every operation of a document depends on. */
const shared = ["#/servers", "#/security", "#/components/securitySchemes"];

interface PrintedFragment {
  html: string;
  markdown: string;
  cuts: StoredCut[];
  links: PageLink[];
  nodes: string[];
}

/** Renders the tree of a schema that several pages share. */
export function printFragment(
  cut: StoredCut,
  document: ApiDocument,
  settings: ApiPageSettings,
  render: RenderContext,
): PrintedFragment {
  const base = printBase(document, settings, render);
  const schema: SchemaRef = { parts: cut.pointers.flatMap((pointer) => base.refs.at(pointer) ?? []) };

  const context = referenceContext(
    base,
    { frontmatter: {}, bodyHtml: "", ownExamples: { request: false, response: false } },
    "none",
    false,
  );

  const printed = renderSchemaFragment(
    { key: cut.key, direction: cut.direction, name: cut.name, schema },
    context,
  );

  return {
    html: printed.html,
    markdown: printed.markdown,
    cuts: printed.cuts.map((below) => storedCut(below, document)),
    links: linksOf(base),
    nodes: nodesOf(base, cut.pointers),
  };
}

interface PrintBase {
  refs: Refs;
  document: ApiDocument;
  api: ApiSettings;
  render: RenderContext;
  descriptions: PageDescriptions;
  marks: FieldMarks | undefined;
}

/** `refs` of the result records the pointers that are looked up. */
function printBase(
  document: ApiDocument,
  { api, changeMarks }: ApiPageSettings,
  render: RenderContext,
): PrintBase {
  const refs = new Refs(document.root);
  refs.visited = new Set();
  const descriptions = new PageDescriptions(render, document.isRemote);
  const marks = changeMarks?.(document.file, document.refs, render.messages);
  return { refs, document, api, render, descriptions, marks };
}

function nodesOf({ refs }: PrintBase, own: readonly string[]): string[] {
  return [...new Set([...own, ...refs.visited!])];
}

function linksOf({ document, descriptions }: PrintBase): PageLink[] {
  return descriptions.links.map((link) => ({ ...link, file: document.file }));
}

function finish(
  printed: RenderedReference,
  markdown: string,
  firstWords: string,
  own: readonly string[],
  base: PrintBase,
): PrintedReference {
  return {
    lead: printed.lead,
    html: printed.html,
    aside: printed.aside,
    toc: printed.toc,
    anchors: printed.anchors,
    cuts: printed.cuts.map((cut) => storedCut(cut, base.document)),
    links: linksOf(base),
    markdown,
    firstWords,
    nodes: nodesOf(base, own),
  };
}

function referenceContext(
  { refs, document, api, render, descriptions, marks }: PrintBase,
  page: ReferencePage,
  playground: ReferenceContext["playground"],
  showBaseUrl: boolean,
): ReferenceContext {
  return {
    refs,
    render,
    markdown: (text) => descriptions.html(text),
    link: (url) => descriptions.link(url),
    expanded: api.params?.expanded ?? "closed",
    postKeys: api.params?.post ?? [],
    marks,
    languages: sampleLanguagesOf(api),
    samples: {
      generated: api.examples?.autogenerate !== false,
      optional: api.examples?.defaults !== "required",
    },
    showBaseUrl,
    playground,
    isPlaygroundRestricted: playgroundMode(page.frontmatter, api) === "auth",
    schemaHref: (cut) => `${siteUrlMark}/${schemaPath(storedCut(cut, document).id)}.html`,
    schemaMarkdownHref: (cut) => `/${schemaPath(storedCut(cut, document).id)}.md`,
    operationHref: (pointer) => `${siteUrlMark}${operationPath(document.file, pointer)}`,
    ownExamples: page.ownExamples,
    bodyHtml: page.bodyHtml,
  };
}

/** Memoized ids of shared schemas, by name, direction and pointers. */
const cutIds = new WeakMap<ApiDocument, Map<string, string>>();

function storedCut({ key, direction, schema, name }: SchemaCut, document: ApiDocument): StoredCut {
  const pointers = schema.parts.map((part) => {
    const ref =
      isRaw(part.value) && Object.keys(part.value).length === 1 ? own(part.value, "$ref") : undefined;
    return typeof ref === "string" ? ref : part.pointer;
  });
  const known = cutIds.get(document) ?? new Map<string, string>();
  cutIds.set(document, known);
  const cutKey = `${direction} ${name}\n${schema.parts.map((part) => part.pointer).join("\n")}`;
  let id = known.get(cutKey);
  if (id === undefined) known.set(cutKey, (id = cutId({ direction, schema, name }, document)));
  return { id, file: document.file, pointers, key, direction, name };
}

function cutId(
  { direction, schema, name }: Pick<SchemaCut, "direction" | "schema" | "name">,
  document: ApiDocument,
): string {
  const word = name
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  // The id depends on the content and not on the pointer, since documents repeat whole schemas at each
  // operation.
  const contents = schema.parts.map((part) => jsonText(part.value));
  return `${word || "schema"}-${hashOf(document.file, direction, ...contents).slice(0, 10)}`;
}
