/** Compiles the source of a page to HTML, Markdown and a summary. */

import { type Files, readText } from "../../base/files.ts";
import { type Problem, problem, type SourcePosition } from "../../base/problem.ts";
import { titleFromSlug } from "../../base/title-from-slug.ts";
import { hasVisibility } from "../access-words.ts";
import { problemBox } from "../author/convert-values.ts";
import { withFrame } from "../code-frame.ts";
import { highlightKey } from "../components/code-block.tsx";
import { componentNames } from "../components/components.ts";
import { parseDiagrams } from "../components/parse-diagrams.ts";
import { type Frontmatter, splitPage } from "../config/frontmatter.ts";
import { type ContentElement, type ContentNode, element, textOf, visitElements } from "../content.ts";
import { languagesIn } from "../highlight/code-meta.ts";
import { prepareLanguages } from "../highlight/highlight.ts";
import { text, texts } from "../html/prop-values.ts";
import type { HighlightedCode, RenderContext } from "../html/render-context.ts";
import type { Dependencies, HashOfDependency } from "../incremental/memo.ts";
import { DamagedValueError } from "../incremental/store.ts";
import { platformExtension } from "../openapi/extensions.ts";
import { titleIn } from "../openapi/operation.ts";
import { ownText } from "../openapi/refs.ts";
import { expandPage, type MdxContext } from "../page/expand-page.ts";
import { assignAnchors } from "../page/heading-ids.ts";
import { plainMarkdown } from "../page/plain-markdown.ts";
import { renderContent } from "../page/render-content.tsx";
import { toMarkdown } from "../page/to-markdown.ts";
import type { TocEntry } from "../page/toc-entry.ts";
import { folderOf, routeOfFile } from "../paths.ts";
import type { ApiSettings } from "../reference/settings.ts";
import type { ApiDocuments } from "./api-documents.ts";
import type { GeneratedPage } from "./api-pages.ts";
import { type Audience, contentFor } from "./audience.ts";
import { describedOperation, describedReference } from "./described-operation.ts";
import { paragraphStart, splitDescription } from "./description.ts";
import { documentTitle, overviewContent } from "./document-overview.ts";
import { embeddedHosts } from "./embedded-hosts.ts";
import { entryDate } from "./entry-date.ts";
import type { FileHashes } from "./file-hashes.ts";
import type { ImageSize } from "./image-sizes.ts";
import { withoutBasePath } from "./link-targets.ts";
import { unknownRule } from "./operation-access.ts";
import type { FeedItem, PageBody, PageLink, PageSummary } from "./page.ts";
import type { CompiledPage } from "./page-bodies.ts";
import { linksOf } from "./page-links.ts";
import type { FoundReference, PageReference, PageReferences } from "./page-reference.ts";
import { plainComponents } from "./plain-components.ts";
import { printReference } from "./reference-body.ts";
import { referencedFiles } from "./referenced-files.ts";

export interface CompileContext {
  files: Files;
  mdx: MdxContext;
  /** Returns the context for rendering a page. */
  renderFor(route: string, report: (problem: Problem) => void): RenderContext;
  /** Returns the size of an image in pixels. Undefined if it is unknown, null if the file is missing. */
  imageSize(path: string): ImageSize | undefined | null;
  /** Hash of the settings that all pages depend on. */
  settingsKey: string;
  fileHashes: FileHashes;
  /**
   * Identifies the states of dependencies. Undefined if later builds can't use the pages: then their
   * dependencies aren't needed.
   */
  hashOf: HashOfDependency | undefined;
  documents: ApiDocuments;
  references: PageReferences;
  api: ApiSettings;
  hasSignIn: boolean;
  /** Path of the site's URL, without slashes at its start and end. See `LinkTargets`. */
  basePath: string;
  /**
   * Returns the highlighted code of a page from an earlier build. `keepHighlightedCode` keeps the code for
   * the next build.
   */
  highlightedCode(name: string): HighlightedCode;
  keepHighlightedCode(name: string, code: HighlightedCode): void;
  /**
   * Number of results so far that depend on the time or memory of this build. Pages with such results aren't
   * kept.
   */
  failures_count(): number;
  /**
   * Pages that crashed an earlier build process, by their name in `PageBodies`, with the problem to report.
   */
  crashed: ReadonlyMap<string, Problem>;
}

export async function compilePage(
  file: string,
  context: CompileContext,
  audience: Audience,
): Promise<CompiledPage> {
  const source = context.fileHashes.readText(file)!;
  const page = splitPage(source, file);
  const found = context.references.find(page.frontmatter, folderOf(file));
  return compile(
    {
      name: file,
      file,
      route: routeOfFile(file),
      frontmatter: page.frontmatter,
      text: page.body,
      linesBefore: page.linesBeforeBody,
      problems: page.problems,
      audience,
      ...(found ? { found } : {}),
    },
    context,
  );
}

/** Compiles a generated page, which has no file. The text of an operation's page is `x-platform.content`. */
export async function compileGenerated(
  page: GeneratedPage,
  context: CompileContext,
  audience: Audience,
): Promise<CompiledPage> {
  const { reference, frontmatter, route } = page;
  const { document } = reference;
  const content =
    (reference.kind === "operation" && ownText(platformExtension(reference.entry.node.value), "content")) ||
    "";
  const sidebarTitle = context.renderFor(route, () => {}).messages.overview;
  return compile(
    {
      name: generatedKey(page),
      file: document.file,
      route,
      frontmatter: reference.kind === "document" ? { ...frontmatter, sidebarTitle } : frontmatter,
      // Content of remote documents is untrusted, so it is Markdown without components.
      ...(content === ""
        ? { nodes: [] }
        : document.isRemote
          ? { nodes: plainMarkdown(content) }
          : { text: content }),
      linesBefore: 0,
      problems:
        document.isRemote && looksLikeMdx(content)
          ? [problem("openapi-remote-content", { file: document.file }, remoteContent)]
          : [],
      audience,
      found: { reference },
    },
    context,
  );
}

const remoteContent =
  "The document is loaded from a URL, so components and expressions in x-platform.content are shown as text";

/** Whether text seems to contain a component, an expression, an import or an export outside code. */
function looksLikeMdx(text: string): boolean {
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, "");
  return /<\/?[A-Z]\w*[\s/>.]|\{[^{}]*\}|^(?:import|export)\s/m.test(prose);
}

/**
 * Returns the name of a generated page in `PageBodies`. An operation can have several pages, at different
 * routes.
 */
export function generatedKey({ reference, route }: GeneratedPage): string {
  return `${reference.document.file}\n${reference.kind === "operation" ? reference.entry.node.pointer : "#"}\n${route}`;
}

const interactiveContent =
  "x-platform.content contains an interactive component, which is shown in its initial state";

/**
 * Replaces islands with their static content, since content of OpenAPI documents must not run in the browser.
 */
function withoutIslands(nodes: readonly ContentNode[], onIsland: () => void): ContentNode[] {
  return nodes.flatMap((node): ContentNode[] => {
    if (typeof node === "string") return [node];
    const children = withoutIslands(node.children, onIsland);
    if (node.name !== "Island") return [{ ...node, children }];
    onIsland();
    return children;
  });
}

/** Returns the name of a page for an audience in `PageBodies`. */
export function variantKey(name: string, audience: Audience): string {
  return audience === "visitor" ? name : `${name}\n${JSON.stringify(audience)}`;
}

interface PageSource {
  /** Name of the page for visitors in `PageBodies`. */
  name: string;
  audience: Audience;
  file: string;
  route: string;
  frontmatter: Frontmatter;
  /** MDX source. Absent if `nodes` is set, which is already parsed content. */
  text?: string;
  nodes?: ContentNode[];
  /** Number of lines before the text in its file, for the positions of problems. */
  linesBefore: number;
  problems: Problem[];
  found?: FoundReference;
  /** Content of the frontmatter's description, if it contains components. */
  description?: ContentNode[];
}

async function compile(given: PageSource, context: CompileContext): Promise<CompiledPage> {
  const source = withDescription(given);
  const { name, file, frontmatter, found } = source;
  const problems = [...source.problems];

  // Line numbers of text inside an OpenAPI document aren't line numbers of the file.
  const isOwnFile = name === file;
  const report = (found: Problem) =>
    problems.push(
      isOwnFile ? found : { ...found, file, line: undefined, column: undefined, frame: undefined },
    );

  if (hasVisibility(given.frontmatter.description ?? ""))
    report(
      problem(
        "unknown-audience",
        { file },
        "Descriptions are the same for all readers, so <Visibility> in the description is left out",
      ),
    );

  const rule = found?.reference?.kind === "operation" ? unknownRule(found.reference) : undefined;
  if (rule !== undefined)
    report(
      problem(
        "unknown-access-rule",
        { file },
        `${rule} of the operation isn't an access rule that Octavo supports, so no one can see the page`,
      ),
    );

  const { hashOf } = context;
  const dependencies: Dependencies = {};
  const dependsOn = (dependency: string) => {
    if (hashOf) dependencies[dependency] = hashOf(dependency);
  };
  const imports = new Set<string>();
  const importsFile = (path: string) => imports.add(`/${path}`);
  const crashed = context.crashed.get(name);
  if (crashed) report(crashed);

  const written = crashed
    ? undefined
    : (source.nodes ??
      expandPage({ text: source.text ?? "", file, linesBefore: source.linesBefore }, context.mdx, {
        report,
        dependsOn,
        importsFile,
      }));

  const { document } = found?.reference?.kind === "document" ? found.reference : {};
  if (document) dependsOn(overviewDependency(document.file));
  const overview = document
    ? overviewContent(document, context.renderFor(source.route, report).messages)
    : [];
  const expanded = written && [...written, ...overview];
  const nodes =
    expanded && !isOwnFile
      ? withoutIslands(expanded, () => report(problem("openapi-content", { file }, interactiveContent)))
      : expanded;

  for (const component of plainComponents(nodes ?? []))
    report(
      problem(
        "plain-component",
        { file },
        `An interactive component renders <${component}>, which is shown without its style`,
      ),
    );

  const chosen = nodes && contentFor(nodes, source.audience, { file, report });

  if (isOwnFile && found) {
    dependsOn(referenceDependency(frontmatter, file));
    if (found.problem && !found.problem.isKnown)
      report(
        problem(
          found.problem.code,
          referencePosition(source, context),
          found.problem.message,
          found.problem.hint,
        ),
      );
  }

  const missing =
    found && !found.reference
      ? [element("Undocumented", { part: frontmatter.openapi ? "operation" : "schema" })]
      : [];

  let printed: PrintedPage;
  try {
    const content = chosen ? [...missing, ...chosen.nodes] : [problemBox(problems.at(-1)?.message ?? "")];
    printed = await printPage(source, content, crashed ? undefined : found?.reference, context, report);
  } catch (error) {
    if (error instanceof DamagedValueError) throw error;
    // An error on one page must not prevent the build of the other pages.
    report(
      problem(
        "page-crashed",
        { file },
        `The page couldn't be rendered: ${error instanceof Error ? error.message : error}`,
      ),
    );
    printed = await printPage(source, [problemBox(problems.at(-1)!.message)], undefined, context, report);
  }

  for (const image of printed.images) dependsOn(image);
  if (hashOf)
    for (const node of printed.nodes) dependsOn(nodeDependency(found!.reference!.document.file, node));
  const { title, body } = printed;
  const islandScripts = Object.fromEntries(
    printed.summary.islands.map((id) => [id, context.mdx.sandbox.browserScripts().get(id) ?? ""]),
  );
  const linked = new Set(printed.summary.links.map(({ address }) => address));
  const files = referencedFiles(body, folderOf(file), Object.values(islandScripts)).filter(
    (address) => !linked.has(address),
  );

  const summary: PageSummary = {
    ...printed.summary,
    ...(files.length ? { files } : {}),
    ...(imports.size ? { imports: [...imports] } : {}),
    hosts: embeddedHosts(body),
    ...(chosen?.others.length && source.audience === "visitor" ? { audiences: chosen.others } : {}),
  };

  return {
    title,
    summary,
    body,
    frontmatter,
    problems: problems.map((found) => withFrame(found, readText(context.files, found.file) ?? "")),
    dependencies,
    islandScripts,
  };
}

function withDescription(source: PageSource): PageSource {
  const isRemote = source.found?.reference?.document.isRemote === true && source.name !== source.file;
  const split = isRemote ? undefined : splitDescription(source.frontmatter.description);
  if (!split) return source;
  return {
    ...source,
    frontmatter: { ...source.frontmatter, description: split.text },
    description: split.content,
  };
}

/**
 * Returns the position of `openapi` or `openapi-schema` in the frontmatter. Without line and column if
 * neither is found.
 */
function referencePosition({ file }: PageSource, context: CompileContext): SourcePosition {
  const lines = (readText(context.files, file) ?? "").split("\n");
  const line = lines.findIndex((text) => /^["']?openapi(?:-schema)?["']?\s*:/.test(text));
  return line < 0 ? { file } : { file, line: line + 1, column: 1 };
}

/** Returns the name of a page's dependency on a node of a document. */
export function nodeDependency(file: string, pointer: string): string {
  return `node\n${file}\n${pointer}`;
}

/** Returns the name of a page's dependency on the overview of a document. */
function overviewDependency(file: string): string {
  return `overview\n${file}`;
}

function referenceDependency(frontmatter: Frontmatter, file: string): string {
  return `reference\n${frontmatter.openapi ?? ""}\n${frontmatter["openapi-schema"] ?? ""}\n${folderOf(file)}`;
}

type PrintedPage = Pick<CompiledPage, "title" | "body"> & {
  summary: Omit<PageSummary, "hosts">;
  nodes: string[];
  images: ReadonlySet<string>;
};

async function printPage(
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
  const summary: PrintedPage["summary"] = {
    cuts: [],
    anchors: anchors.join("\n"),
    diagramParts: diagrams.parts,
    ...found,
  };

  const own: PageBody = {
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

export function titleOfReference(reference: PageReference | undefined): string | undefined {
  if (reference?.kind === "document") return documentTitle(reference.document);
  if (reference?.kind === "schema") return ownText(reference.schema.value, "title") ?? reference.name;
  return (reference && titleIn(reference.entry.kind, reference.entry.node.value)) || undefined;
}

export function titleOfRoute(route: string): string {
  return titleFromSlug(route.split("/").at(-1) || "home");
}

/**
 * Returns the title of a page: the title in the frontmatter, or else the level-1 heading at the start of the
 * page, or else `fallback`. If the heading is the title, removes it from the body.
 */
function splitTitle(
  nodes: ContentNode[],
  frontmatter: Frontmatter,
  fallback: string,
): { title: string; body: ContentNode[] } {
  const index = nodes.findIndex((node) => typeof node !== "string" || node.trim() !== "");
  const first = nodes[index];
  const heading =
    first !== undefined && typeof first !== "string" && first.name === "h1"
      ? textOf(first).trim()
      : undefined;
  const isTitle = heading !== undefined && (frontmatter.title === undefined || frontmatter.title === heading);
  return {
    title: frontmatter.title ?? heading ?? fallback,
    body: isTitle ? nodes.toSpliced(index, 1) : nodes,
  };
}

/**
 * Moves examples and panels to the right column. If there are panels, the column contains only the first
 * panel. In modes other than `default` and `assistant`, omits examples and panels.
 */
function splitAside(
  nodes: ContentNode[],
  frontmatter: Frontmatter,
): { main: ContentNode[]; aside: ContentNode[] } {
  const aside: ContentElement[] = [];
  const names = new Set<string>(componentNames(({ isAside }) => isAside === true));
  const strip = (list: ContentNode[]): ContentNode[] =>
    list.flatMap((node): ContentNode[] => {
      if (typeof node === "string") return [node];
      if (names.has(node.name)) {
        aside.push(node);
        return [];
      }
      return [node.children.length ? { ...node, children: strip(node.children) } : node];
    });

  if (!hasAside(nodes, names)) return { main: nodes, aside };
  const main = strip(nodes);
  const panel = aside.find((node) => node.name === "Panel");
  const isSuppressed = frontmatter.mode !== undefined && frontmatter.mode !== "assistant";
  return { main, aside: isSuppressed ? [] : panel ? [panel] : aside };
}

function hasAside(nodes: readonly ContentNode[], names: ReadonlySet<string>): boolean {
  let found = false;
  visitElements(nodes, (node) => {
    found ||= names.has(node.name);
    return !found;
  });
  return found;
}

function writtenToc(toc: readonly TocEntry[]): string {
  return toc.length ? JSON.stringify(toc) : "";
}

function summarize(
  nodes: readonly ContentNode[],
): Omit<PageSummary, "anchors" | "cuts" | "hosts" | "diagramParts"> & { anchors: string[] } {
  const anchors: string[] = [];
  const links: PageLink[] = [];
  const views: PageSummary["views"] = [];
  const tags = new Set<string>();
  const classNames = new Set<string>();
  const islands = new Set<string>();
  const feed: FeedItem[] = [];
  let firstWords = "";
  visitElements(nodes, (node) => {
    const { props } = node;
    if (typeof props.id === "string") anchors.push(props.id);
    if (node.name === "a" && typeof props.name === "string") anchors.push(props.name);

    links.push(...linksOf(node));
    const className = props.className ?? props.class;
    if (typeof className === "string")
      for (const name of className.split(/\s+/)) if (name) classNames.add(name);
    if (!firstWords && node.name === "p") firstWords = paragraphStart(node);
    if (node.name === "View" && typeof props.title === "string")
      views.push({ title: props.title, ...(typeof props.icon === "string" ? { icon: props.icon } : {}) });
    if (node.name === "Island" && typeof props.code === "string") islands.add(props.code);

    if (node.name === "Update") {
      for (const tag of Array.isArray(props.tags) ? texts(props.tags) : []) tags.add(tag);
      feed.push(...feedItems(node));
    }
  });

  return {
    anchors,
    links,
    views,
    updateTags: [...tags],
    classNames: [...classNames],
    islands: [...islands],
    feed,
    firstWords,
  };
}

/**
 * Returns the feed items of a changelog entry: one from the `rss` prop, or else one per heading, or else one
 * for the whole entry.
 */
function feedItems(update: ContentElement): FeedItem[] {
  const id = text(update.props.id) ?? "";
  const label = text(update.props.label) ?? "";
  const rss = update.props.rss as { title?: unknown; description?: unknown } | undefined;
  const dated = [update.props.date, label, update.props.description].map((value) =>
    entryDate(text(value) ?? ""),
  );
  const found = dated.find((value) => value !== undefined);
  const date = found === undefined ? {} : { date: found };
  if (rss && typeof rss === "object")
    return [{ id, title: text(rss.title) ?? label, description: text(rss.description) ?? "", ...date }];

  const headings = update.children.flatMap((child, index) =>
    typeof child !== "string" && /^h[1-6]$/.test(child.name) ? [index] : [],
  );
  if (headings.length === 0) return [{ id, title: label, description: prose(update.children), ...date }];

  return headings.map((start, n) => {
    const heading = update.children[start] as ContentElement;
    return {
      id: text(heading.props.id) ?? id,
      title: textOf(heading).trim(),
      description: prose(update.children.slice(start + 1, headings[n + 1])),
      ...date,
    };
  });
}

/** Converts content to Markdown, without components and code blocks. */
function prose(nodes: readonly ContentNode[]): string {
  const plain = (node: ContentNode): ContentNode[] => {
    if (typeof node === "string") return [node];
    if (/^[A-Z]/.test(node.name) || node.name === "pre") return [];
    return [{ ...node, children: node.children.flatMap(plain) }];
  };
  return toMarkdown(nodes.flatMap(plain)).trim();
}
