/** Renders the content and the API reference of a page. */

import type { Problem } from "../../../base/problem.ts";
import { highlightKey } from "../../components/code-block.tsx";
import { parseDiagrams } from "../../components/parse-diagrams.ts";
import type { ContentNode } from "../../content.ts";
import { languagesIn } from "../../highlight/code-meta.ts";
import { prepareLanguages } from "../../highlight/highlight.ts";
import type { RenderedBody } from "../../page/body.ts";
import { assignAnchors } from "../../page/heading-ids.ts";
import { renderContent } from "../../page/render-content.tsx";
import type { TocEntry } from "../../page/table-of-contents.ts";
import { toMarkdown } from "../../page/to-markdown.ts";
import { withoutBasePath } from "../navigation/link-targets.ts";
import type { PageSummary } from "../page.ts";
import { describedOperation, describedReference } from "../sources/described-operation.ts";
import type { PageReference } from "../sources/page-reference.ts";
import { accessibilityFlaws } from "./accessibility-flaws.ts";
import { splitAside } from "./aside-column.ts";
import type { CompileContext } from "./compile-context.ts";
import { type PageSource, variantKey } from "./page-source.ts";
import { summarize } from "./page-summary.ts";
import { splitTitle, titleOfReference, titleOfRoute } from "./page-title.ts";
import { printReference } from "./reference-body.ts";

export interface PrintedPage {
  title: string;
  body: RenderedBody;
  summary: Omit<PageSummary, "hosts">;
  nodes: string[];
  images: ReadonlySet<string>;
}

export async function printPage(
  source: PageSource,
  nodes: ContentNode[],
  reference: PageReference | undefined,
  context: CompileContext,
  report: (found: Problem) => void,
): Promise<PrintedPage> {
  const { name, frontmatter, route, description } = source;
  const variant = variantKey(name, source.audience);
  const failures_count = context.failures_count();
  const { title, body } = splitTitle(nodes, frontmatter, titleOfReference(reference) ?? titleOfRoute(route));
  const { main, aside } = splitAside(body, frontmatter);
  const toc = assignAnchors(main, { mode: frontmatter.mode ?? "default" });
  const highlighted = { cached: context.highlightedCode(variant), added: {} };
  const images = new Set<string>();
  const imageSize = (path: string) => {
    const size = context.imageSize(path);
    const inside = size === null ? withoutBasePath(path, context.basePath) : path;
    images.add(path).add(inside);
    return inside === path ? size : context.imageSize(inside);
  };

  const diagrams = await parseDiagrams([...main, ...aside]);
  const render = {
    ...context.renderFor(route, report),
    highlighted,
    imageSize,
    diagramErrors: diagrams.errors,
  };

  const languages = languagesIn([...main, ...aside], (props) =>
    Object.hasOwn(highlighted.cached, highlightKey(props)),
  );
  await prepareLanguages(languages, render.codeThemes);
  const { anchors, ...found } = summarize([...main, ...aside]);
  const accessibility = accessibilityFlaws([...main, ...aside]);
  const summary: PrintedPage["summary"] = {
    ...(accessibility.length ? { accessibility } : {}),
    cuts: [],
    anchors: anchors.join("\n"),
    diagramParts: diagrams.parts,
    ...found,
  };

  const own: RenderedBody = {
    description: description ? renderContent(description, render) : "",
    lead: "",
    html: renderContent(main, render),
    aside: aside.length ? renderContent(aside, render) : "",
    markdown: toMarkdown([...main, ...aside], { marks: true }),
    reference: "",
    toc: writtenToc(toc),
  };

  if (context.failures_count() === failures_count) context.keepHighlightedCode(variant, highlighted.added);
  const described = reference ? undefined : describedOperation(frontmatter, [...main, ...aside], context.api);
  const shown = described ? describedReference(source.file, described) : reference;

  if (!shown) return { title, summary, body: own, nodes: [], images };

  if (shown.kind === "document") {
    // The overview of the document is part of the content, and has no lines.
    const { file } = shown.document;
    const links = summary.links.map((link) => (link.line ? link : { ...link, file }));
    return { title, summary: { ...summary, links }, body: own, nodes: [], images };
  }

  const has = (example: string) => aside.some((node) => typeof node !== "string" && node.name === example);
  const page = {
    frontmatter,
    bodyHtml: own.html,
    ownExamples: { request: has("RequestExample"), response: has("ResponseExample") },
  };

  const printed = printReference(shown, page, context, render, described !== undefined);
  return {
    title,
    summary: {
      ...summary,
      anchors: [...anchors, ...printed.anchors].join("\n"),
      firstWords: printed.firstWords || summary.firstWords,
      cuts: printed.cuts,
      links: [...summary.links, ...printed.links],
      ...(described ? { described } : {}),
    },
    body: {
      ...own,
      lead: printed.lead,
      html: printed.html,
      aside: own.aside + printed.aside,
      reference: printed.markdown.trim(),
      toc: writtenToc([...toc, ...printed.toc]),
    },
    // An operation that the page itself describes depends only on the page.
    nodes: described ? [] : printed.nodes,
    images,
  };
}

function writtenToc(toc: readonly TocEntry[]): string {
  return toc.length ? JSON.stringify(toc) : "";
}
