/** One page's source → its HTML, its Markdown and what the site needs to know of it. */
import { type Files, readText } from "../../base/files.ts";
import { type Problem, problem } from "../../base/problem.ts";
import { titleFromSlug } from "../../base/text.ts";
import { withFrame } from "../code-frame.ts";
import { type Frontmatter, splitPage } from "../config/frontmatter.ts";
import { type ContentElement, type ContentNode, textOf, visitElements } from "../content.ts";
import { expandPage, type MdxContext, problemBox } from "../mdx/document.ts";
import { routeOfFile } from "../paths.ts";
import { assignAnchors } from "../render/anchors.ts";
import { languagesIn } from "../render/code-meta.ts";
import { paintedKey } from "../render/components/code-block.tsx";
import { prepareLanguages } from "../render/highlight.ts";
import { renderContent } from "../render/render-content.tsx";
import type { PaintedCode, RenderContext } from "../render/render-context.ts";
import { toMarkdown } from "../render/to-markdown.ts";
import type { FeedItem, PageLink, PageSummary } from "./page.ts";
import type { CompiledPage } from "./page-cache.ts";

export interface CompileContext {
  files: Files;
  mdx: MdxContext;
  /** How content is printed: icons, words of the interface, themes of code. */
  renderFor(route: string, report: (problem: Problem) => void): RenderContext;
  hashOfFile(path: string): string | null;
  /** Code blocks of the page as an earlier build painted them; of this one, for the next. */
  paintedCode(file: string): PaintedCode;
  keepPaintedCode(file: string, made: PaintedCode): void;
  /** Why a page cannot be read at all: it ended a build process before. */
  crashed: ReadonlyMap<string, Problem>;
}

export async function compilePage(file: string, context: CompileContext): Promise<CompiledPage> {
  const source = readText(context.files, file)!;
  const problems: Problem[] = [];
  const report = (found: Problem) => problems.push(found);
  const dependencies: Record<string, string | null> = {};
  const page = splitPage(source, file);
  problems.push(...page.problems);
  const crashed = context.crashed.get(file);
  if (crashed) report(crashed);
  const nodes = crashed
    ? undefined
    : expandPage({ text: page.body, file, firstLine: page.bodyLine }, context.mdx, {
        report,
        dependsOn: (path) => {
          dependencies[path] = context.hashOfFile(path);
        },
      });
  let printed: PrintedPage;
  try {
    printed = await printPage(file, page.frontmatter, nodes ?? problemBox(problems.at(-1)?.message ?? ""), context, report);
  } catch (error) {
    // A fault of ours on one page must not cost the site its other pages.
    report(problem("page-crashed", { file }, `The page could not be printed: ${error instanceof Error ? error.message : error}`));
    printed = await printPage(file, page.frontmatter, problemBox(problems.at(-1)!.message), context, report);
  }
  return {
    ...printed,
    frontmatter: page.frontmatter,
    problems: problems.map((found) => withFrame(found, found.file === file ? source : (readText(context.files, found.file) ?? ""))),
    dependencies,
    islandScripts: Object.fromEntries(printed.summary.islands.map((id) => [id, context.mdx.sandbox.browserScripts().get(id) ?? ""])),
  };
}

type PrintedPage = Pick<CompiledPage, "title" | "summary" | "body">;

async function printPage(
  file: string,
  frontmatter: Frontmatter,
  nodes: ContentNode[],
  context: CompileContext,
  report: (found: Problem) => void,
): Promise<PrintedPage> {
  const { title, body } = takeTitle(nodes, frontmatter, file);
  const { main, aside } = takeAside(body, frontmatter);
  const toc = assignAnchors(main, { mode: frontmatter.mode ?? "default" });
  const painted = { known: context.paintedCode(file), made: {} };
  const render = { ...context.renderFor(routeOfFile(file), report), painted };
  const unpainted = languagesIn([...main, ...aside], (props) => Object.hasOwn(painted.known, paintedKey(props)));
  await prepareLanguages(unpainted, render.codeThemes);
  const printed = {
    title,
    summary: { toc, ...summarize([...main, ...aside]) },
    body: {
      html: renderContent(main, render),
      aside: aside.length ? renderContent(aside, render) : "",
      markdown: toMarkdown([...main, ...aside]),
    },
  };
  context.keepPaintedCode(file, painted.made);
  return printed;
}

/** The title stands in the frontmatter; a page without one may begin with a heading of the first level. */
function takeTitle(nodes: ContentNode[], frontmatter: Frontmatter, file: string): { title: string; body: ContentNode[] } {
  const index = nodes.findIndex((node) => typeof node !== "string" || node.trim() !== "");
  const first = nodes[index];
  const heading = first !== undefined && typeof first !== "string" && first.name === "h1" ? textOf(first).trim() : undefined;
  const isTitle = heading !== undefined && (frontmatter.title === undefined || frontmatter.title === heading);
  return {
    title: frontmatter.title ?? heading ?? titleFromSlug(routeOfFile(file).split("/").at(-1) || "home"),
    body: isTitle ? nodes.toSpliced(index, 1) : nodes,
  };
}

/** Examples and panels go into the right column; the modes without one leave them out. */
function takeAside(nodes: ContentNode[], frontmatter: Frontmatter): { main: ContentNode[]; aside: ContentNode[] } {
  const aside: ContentElement[] = [];
  const names = new Set(["Panel", "RequestExample", "ResponseExample"]);
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

function summarize(nodes: readonly ContentNode[]): Omit<PageSummary, "toc"> {
  const anchors: string[] = [];
  const links: PageLink[] = [];
  const views: PageSummary["views"] = [];
  const tags = new Set<string>();
  const classNames = new Set<string>();
  const islands = new Set<string>();
  const feed: FeedItem[] = [];
  let firstWords = "";
  let hasDiagram = false;
  visitElements(nodes, (node) => {
    const { props } = node;
    if (typeof props.id === "string") anchors.push(props.id);
    for (const name of ["href", "src", "poster", "img"] as const) {
      const address = props[name];
      if (typeof address !== "string" || !/^[/#](?!\/)/.test(address) || address === "#") continue;
      links.push({ address, kind: name === "href" ? "link" : "image", ...(node.line ? { line: node.line, column: node.column } : {}) });
    }
    const className = props.className ?? props.class;
    if (typeof className === "string") for (const name of className.split(/\s+/)) if (name) classNames.add(name);
    if (!firstWords && node.name === "p") firstWords = textOf(node).trim().replace(/\s+/g, " ").slice(0, 300);
    if (node.name === "Mermaid") hasDiagram = true;
    if (node.name === "View" && typeof props.title === "string")
      views.push({ title: props.title, ...(typeof props.icon === "string" ? { icon: props.icon } : {}) });
    if (node.name === "Island" && typeof props.code === "string") islands.add(props.code);
    if (node.name === "Update") {
      for (const tag of Array.isArray(props.tags) ? props.tags : []) tags.add(String(tag));
      feed.push(...feedItems(node));
    }
  });
  return { anchors, links, views, updateTags: [...tags], classNames: [...classNames], islands: [...islands], feed, firstWords, hasDiagram };
}

/** A change's own words for the feed, or one item for each of its headings, or one for the whole. */
function feedItems(update: ContentElement): FeedItem[] {
  const id = String(update.props.id ?? "");
  const label = String(update.props.label ?? "");
  const rss = update.props.rss as { title?: string; description?: string } | undefined;
  if (rss && typeof rss === "object") return [{ id, title: rss.title ?? label, description: rss.description ?? "" }];
  const headings = update.children.flatMap((child, index) => (typeof child !== "string" && /^h[1-6]$/.test(child.name) ? [index] : []));
  if (headings.length === 0) return [{ id, title: label, description: prose(update.children) }];
  return headings.map((start, n) => {
    const heading = update.children[start] as ContentElement;
    return {
      id: String(heading.props.id ?? id),
      title: textOf(heading).trim(),
      description: prose(update.children.slice(start + 1, headings[n + 1])),
    };
  });
}

/** Markdown of plain elements; components and code are left out. */
function prose(nodes: readonly ContentNode[]): string {
  const plain = (node: ContentNode): ContentNode[] => {
    if (typeof node === "string") return [node];
    if (/^[A-Z]/.test(node.name) || node.name === "code" || node.name === "pre") return [];
    return [{ ...node, children: node.children.flatMap(plain) }];
  };
  return toMarkdown(nodes.flatMap(plain)).trim();
}
