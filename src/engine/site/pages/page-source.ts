/** Reads the sources of pages: files of the documentation folder, and parts of OpenAPI documents. */

import { type Problem, problem } from "../../../base/problem.ts";
import { type Frontmatter, splitPage } from "../../config/frontmatter.ts";
import type { ContentNode } from "../../content.ts";
import { platformExtension } from "../../openapi/nodes/extensions.ts";
import { ownText } from "../../openapi/nodes/refs.ts";
import { plainMarkdown } from "../../page/plain-markdown.ts";
import { folderOf, routeOfFile } from "../../paths.ts";
import type { Audience } from "../audience.ts";
import type { GeneratedPage } from "../sources/api-pages.ts";
import { splitDescription } from "../sources/description.ts";
import type { FoundReference } from "../sources/page-reference.ts";
import type { CompileContext } from "./compile-context.ts";

export interface PageSource {
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
  /** The description as written. */
  writtenDescription: string;
  /** Content of the frontmatter's description, if it contains components. */
  description?: ContentNode[];
}

/** Reads a page in the documentation folder. */
export function sourceOfFile(file: string, context: CompileContext, audience: Audience): PageSource {
  const source = context.fileHashes.readText(file)!;
  const page = splitPage(source, file);
  const found = context.references.find(page.frontmatter, folderOf(file));
  return withDescription({
    name: file,
    file,
    route: routeOfFile(file),
    frontmatter: page.frontmatter,
    text: page.body,
    linesBefore: page.linesBeforeBody,
    problems: page.problems,
    audience,
    ...(found ? { found } : {}),
  });
}

/** Returns the page with the changes of the API if it has no file. */
export function sourceOfChanges(file: string, context: CompileContext, audience: Audience): PageSource {
  const { route } = context.changes!;
  const title = context.renderFor(route, () => {}).messages.apiChanges;
  return {
    name: changesKey,
    audience,
    file,
    route,
    frontmatter: { title, rss: true },
    nodes: [],
    linesBefore: 0,
    problems: [],
    writtenDescription: "",
  };
}

/** Name of the page with the changes of the API in `PageBodies`, if it has no file. */
export const changesKey = "api-changes\n";

/** Reads a generated page, which has no file. The text of an operation's page is `x-platform.content`. */
export function sourceOfGenerated(
  page: GeneratedPage,
  context: CompileContext,
  audience: Audience,
): PageSource {
  const { reference, frontmatter, route } = page;
  const { document } = reference;
  const content =
    (reference.kind === "operation" && ownText(platformExtension(reference.entry.node.value), "content")) ||
    "";
  const sidebarTitle = context.renderFor(route, () => {}).messages.overview;
  return withDescription({
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
  });
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

/** Returns the name of a page for an audience in `PageBodies`. */
export function variantKey(name: string, audience: Audience): string {
  return audience === "visitor" ? name : `${name}\n${JSON.stringify(audience)}`;
}

function withDescription(written: Omit<PageSource, "writtenDescription">): PageSource {
  const source = { ...written, writtenDescription: written.frontmatter.description ?? "" };
  const isRemote = source.found?.reference?.document.isRemote === true && source.name !== source.file;
  const split = isRemote ? undefined : splitDescription(source.frontmatter.description);
  if (!split) return source;
  return {
    ...source,
    frontmatter: { ...source.frontmatter, description: split.text },
    description: split.content,
  };
}
