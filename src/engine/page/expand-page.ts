/** Expands an MDX document: parses it, includes snippets, evaluates code and makes links root-relative. */

import { type Files, readText } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { nearest } from "../../base/nearest.ts";
import { type Problem, problem, type Report, type SourcePosition } from "../../base/problem.ts";
import { hasVisibility } from "../access-words.ts";
import { type DocumentCode, type LoadedImport, openDocumentCode } from "../author/document-code.ts";
import type { Sandbox } from "../author/sandbox.ts";
import { splitPage } from "../config/frontmatter.ts";
import {
  type ContentElement,
  type ContentNode,
  isComponentName,
  type Props,
  visitElements,
} from "../content.ts";
import { folderOf, isPageFile, normalizePath } from "../paths.ts";
import { looksLikeModule } from "./import-blocks.ts";
import { type Parsed, parseMdx } from "./parse-mdx.ts";
import { htmlContent } from "./plain-markdown.ts";
import { prepare } from "./prepare-mdx.ts";
import { type ContentUrl, makeUrlsRootRelative } from "./root-relative-urls.ts";
import { type ToContentOptions, toContent } from "./to-content.ts";
import { tooDeep } from "./too-deep.ts";

/** Maximum length of the source of a page or snippet, in characters. */
const pageSource_chars = 4_000_000;
/** Maximum nesting depth of snippets. Deeper snippets are reported and left out. */
const snippetDepth_levels = 20;
/**
 * Maximum number of documents that a page expands: the page itself, and its snippets. A snippet counts for
 * each import and each use.
 */
const snippets_count = 2_000;
/** Maximum number of elements on a page after snippets and components have been expanded. */
const pageElements_count = 200_000;

/** The data that all documents of a build share. */
export interface MdxContext {
  files: Files;
  /** The built-in components, by name. */
  components: ToContentOptions["components"];
  variables: ReadonlyMap<string, string>;
  /** Whether dollar signs delimit formulas. */
  math: boolean;
  sandbox: Sandbox;
  /** Cache of parsed snippets, by file. */
  snippets: Map<string, ReadSnippet>;
}

/**
 * A parsed snippet. `source` is undefined if the snippet is too large or nested too deeply. The snippet's
 * problems are reported for each page that includes the snippet, since the page cache stores problems per
 * page.
 */
interface ReadSnippet {
  source: ParsedDocument | undefined;
  problems: Problem[];
}

/** A parsed document, which can be expanded several times with different props. */
interface ParsedDocument {
  file: string;
  /** Number of lines that precede the parsed text in the file. */
  linesBefore: number;
  parsed: Parsed;
  /** Custom ids of headings, by line in the file. */
  headingIds: ReadonlyMap<number, string>;
  /** The import and export blocks, and the line of the file at which each one starts. */
  esm: { source: string; line: number }[];
}

/** An import or, if `isTag` is set, a `<Snippet>` in the file `from`. `file`: the file it refers to. */
interface FoundInclude {
  written: string;
  from: string;
  file: string;
  isTag?: true;
}

/** Receives the problems and the dependencies that an expansion finds. */
export interface ExpansionListener {
  report: Report;
  /**
   * Called with the path of each imported or included file. If no file is found, the path can lack the
   * extension.
   */
  dependsOn(path: string): void;
  /** Called with the path of each imported file that is neither code nor a page, such as a JSON file. */
  importsFile?(path: string): void;
  /** Called with each URL in the content. If set, elements have a `source`. */
  linksTo?(url: ContentUrl): void;
  /** Called with each import and each `<Snippet>` that has a file. */
  includes?(include: FoundInclude): void;
}

/**
 * Expands a page's body. `linesBefore`: number of lines in the file before the body. If the page is too large
 * or nested too deeply, reports a problem and returns undefined.
 */
export function expandPage(
  body: { text: string; file: string; linesBefore: number },
  context: MdxContext,
  listener: ExpansionListener,
): ContentNode[] | undefined {
  const source = readSource(body, context, listener.report);
  if (!source) return undefined;
  const expansion = new Expansion(context, listener);
  const nodes = expansion.expand(source, {}, [], [body.file]).nodes();
  let count = 0;
  const reportOnce = new Set<string>();
  visitElements(nodes, (node) => {
    count++;
    insertHtml(node);
    const hint = droppedElementHint(node);
    if (hint === undefined || reportOnce.has(node.name)) return;
    reportOnce.add(node.name);
    const place = { file: body.file, ...(node.line ? { line: node.line, column: node.column } : {}) };
    listener.report(
      problem("no-effect", place, `<${node.name}> has no effect, and its content isn't shown`, hint),
    );
  });

  if (count <= pageElements_count) return nodes;

  listener.report(
    problem(
      "page-too-large",
      { file: body.file },
      `The page expands to ${count} elements (limit: ${pageElements_count})`,
    ),
  );

  return undefined;
}

/** Replaces the HTML in `dangerouslySetInnerHTML` by content. */
function insertHtml(node: ContentElement): void {
  if (!("dangerouslySetInnerHTML" in node.props)) return;
  const { dangerouslySetInnerHTML: inner, ...props } = node.props;
  const html = typeof inner === "object" && inner !== null && "__html" in inner ? inner.__html : undefined;
  if (typeof html !== "string" || isComponentName(node.name)) return;
  node.props = props;
  node.children = /^(?:script|style)$/i.test(node.name) ? [html] : htmlContent(html);
}

/** Elements that pages leave out, and what to use instead. */
const droppedElements: ReadonlyMap<string, string> = new Map(
  Object.entries({
    script: "Put the code into a .js file in your folder, which every page loads.",
    link: "Style sheets in your folder are loaded on every page. Other tags can be set in docs.json and in the frontmatter.",
    meta: "Set it in seo.metatags in docs.json, or in the frontmatter.",
    base: "Remove it.",
    noscript: "Put its content on the page.",
    template: "Put its content on the page.",
    ...Object.fromEntries(
      ["applet", "embed", "frame", "frameset", "object", "portal"].map((name) => [
        name,
        "Use <iframe>, <video> or a link.",
      ]),
    ),
  }),
);

/**
 * Returns what to use instead of an element that pages leave out. Undefined for other elements, and for files
 * that pages load anyway.
 */
function droppedElementHint({ name, props }: ContentElement): string | undefined {
  const hint = isComponentName(name) ? undefined : droppedElements.get(name.toLowerCase());
  if (hint === undefined) return undefined;
  const url = props.src ?? props.href;
  const isLoaded =
    /^(?:script|link)$/i.test(name) && typeof url === "string" && !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url);
  return isLoaded ? undefined : hint;
}

/** Whether a text was read from binary data, or from text in another encoding than UTF-8. */
function isBinary(text: string): boolean {
  const start = text.slice(0, 10_000);
  return start.split(/[\0\ufffd]/).length - 1 > start.length / 20;
}

function readSource(
  document: { text: string; file: string; linesBefore: number },
  context: MdxContext,
  report: Report,
): ParsedDocument | undefined {
  const { text, file, linesBefore } = document;
  if (isBinary(text)) {
    report(
      problem(
        "page-binary",
        { file },
        "The file isn't UTF-8 text",
        "Save it as UTF-8, or change its extension.",
      ),
    );
    return undefined;
  }

  if (text.length > pageSource_chars) {
    report(
      problem(
        "page-too-large",
        { file },
        `The page is ${text.length} characters long (limit: ${pageSource_chars})`,
      ),
    );
    return undefined;
  }

  const deep = tooDeep(text);
  if (deep) {
    report(
      problem(
        "page-too-deep",
        { file, line: deep.line + linesBefore, column: deep.column },
        `More than ${limits.nesting_levels} levels of nesting`,
      ),
    );
    return undefined;
  }

  const prepared = prepare(text, {
    file,
    variables: context.variables,
    math: context.math,
    report,
    linesBefore,
  });

  const parsed = parseMdx(prepared.text, { file, linesBefore, math: context.math, report });
  const esm = parsed.tree.children.flatMap((node) => {
    const block = node as unknown as { type: string; value: string; position: { start: { line: number } } };
    return block.type === "mdxjsEsm" && looksLikeModule(block.value)
      ? [{ source: block.value, line: parsed.lineOf(block.position.start.line) + linesBefore }]
      : [];
  });

  return { file, linesBefore, parsed, headingIds: prepared.headingIds, esm };
}

/** Expands a page and its snippets. */
class Expansion {
  /** Whether the page or one of its snippets so far has content for certain readers. */
  private hasConditions = false;
  /** Number of documents expanded so far. */
  private expanded = 0;
  /** The code of the page. */
  private page?: DocumentCode;
  private readonly context: MdxContext;
  private readonly listener: ExpansionListener;

  private readonly builtIns: ReadonlySet<string>;

  constructor(context: MdxContext, listener: ExpansionListener) {
    this.context = context;
    this.builtIns = new Set(context.components.keys());
    this.listener = listener;
  }

  /**
   * Opens a document's code. `nodes` returns the document's content. `open`: files that are being expanded,
   * from the page to this document.
   */
  expand(
    source: ParsedDocument,
    props: Props,
    children: ContentNode[],
    open: readonly string[],
  ): { code: DocumentCode; nodes(): ContentNode[] } {
    const { file } = source;
    const number = ++this.expanded;
    if (number > snippets_count) return this.rejectExpansion(file);

    const code = openDocumentCode({
      file,
      esm: source.esm,
      props,
      children,
      load: (specifier, from) => this.load(specifier, from, open),
      isPackage: (specifier, from) =>
        !/^[./]/.test(specifier) && this.find(normalizePath(folderOf(from), specifier)) === undefined,
      builtIns: this.builtIns,
      page: () => (open.length === 1 ? undefined : this.page),
      text_chars: source.parsed.text.length,
      hasConditions: (this.hasConditions ||= hasVisibility(source.parsed.text)),
      report: this.listener.report,
      sandbox: this.context.sandbox,
    });

    if (open.length === 1) this.page = code;

    const nodes = () => {
      const content = toContent(source.parsed.tree, {
        file,
        text: source.parsed.text,
        code,
        components: this.context.components,
        lineOf: (line) => source.parsed.lineOf(line) + source.linesBefore,
        hasPositions: open.length === 1 || this.listener.linksTo !== undefined,
        marksSource: this.listener.linksTo !== undefined,
        ...(open.length === 1 ? {} : { footnotePrefix: `s${number}-` }),
        headingIds: source.headingIds,
        include: (path, given, inner, place) => this.include(path, given, inner, place, open),
        fill: (name) =>
          typeof props[name] === "string" || typeof props[name] === "number"
            ? String(props[name])
            : undefined,
        report: this.listener.report,
      });

      makeUrlsRootRelative(
        content,
        { page: open[0]!, file },
        (path) => this.hasTarget(path),
        this.listener.linksTo,
      );
      return content;
    };

    return { code, nodes };
  }

  /** Returns an empty document when `snippets_count` is exceeded. Reports the problem once. */
  private rejectExpansion(file: string): { code: DocumentCode; nodes(): ContentNode[] } {
    if (this.expanded === snippets_count + 1)
      this.listener.report(
        problem(
          "too-much-work",
          { file },
          `The page includes more than ${snippets_count} snippets`,
          "Remove includes, or split the page.",
        ),
      );
    return { code: this.noCode(file), nodes: () => [] };
  }

  private noCode(file: string): DocumentCode {
    return openDocumentCode({
      file,
      esm: [],
      props: {},
      children: [],
      load: () => undefined,
      report: this.listener.report,
      sandbox: this.context.sandbox,
    });
  }

  private load(specifier: string, from: string, open: readonly string[]): LoadedImport | undefined {
    const isRaw = specifier.endsWith("?raw");
    const path = this.find(
      normalizePath(folderOf(from), isRaw ? specifier.slice(0, -"?raw".length) : specifier),
    );
    if (path === undefined) return undefined;
    this.listener.includes?.({ written: specifier, from, file: path });

    const data =
      isRaw || !isCode(path) ? dataModule(path, isRaw, readText(this.context.files, path)!) : undefined;
    if (data !== undefined) this.listener.importsFile?.(path);
    if (data !== undefined) return { kind: "code", file: isRaw ? `${path}?raw` : path, source: data };
    if (!isPageFile(path)) return { kind: "code", file: path, source: readText(this.context.files, path)! };

    const snippet = this.snippet(path, open, { file: from });

    // `snippet` has reported the problem. An empty snippet avoids a second problem for a missing file.
    if (!snippet) return { kind: "snippet", code: this.noCode(path), expand: () => [] };
    const { code } = this.expand(snippet, {}, [], [...open, path]);
    return {
      kind: "snippet",
      code,
      expand: (props, children) => this.expand(snippet, props, children, [...open, path]).nodes(),
    };
  }

  private include(
    name: string,
    props: Props,
    children: ContentNode[],
    place: SourcePosition,
    open: readonly string[],
  ): ContentNode[] {
    const candidates = [`snippets/${name}`, `_snippets/${name}`, name].map((path) => normalizePath("", path));
    const path = candidates.map((candidate) => this.find(candidate)).find((found) => found !== undefined);
    if (path === undefined) {
      const near = nearest(
        name,
        this.context.files.paths
          .filter((known) => /^_?snippets\//.test(known))
          .map((known) => known.replace(/^_?snippets\//, "")),
      );
      this.listener.report(
        problem("missing-snippet", place, `Snippet not found: ${name}`, near && `Did you mean ${near}?`),
      );
      return [];
    }

    this.listener.includes?.({ written: name, from: place.file, file: path, isTag: true });
    const snippet = this.snippet(path, open, place);
    return snippet ? this.expand(snippet, props, children, [...open, path]).nodes() : [];
  }

  /** Finds the file of an import or include, whose path can lack the extension. */
  private find(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    for (const ending of ["", ".mdx", ".md", ".jsx", ".tsx", ".js", ".ts", "/index.jsx", "/index.tsx"]) {
      if (this.context.files.read(path + ending)) {
        this.listener.dependsOn(path + ending);
        return path + ending;
      }
    }
    this.listener.dependsOn(path);
    return undefined;
  }

  /** Whether there is a page or file for a link. The page depends on the result. */
  private hasTarget(path: string): boolean {
    return ["", ".mdx", ".md", "/index.mdx", "/index.md"].some((ending) => {
      this.listener.dependsOn(path + ending);
      return this.context.files.read(path + ending) !== undefined;
    });
  }

  private snippet(path: string, open: readonly string[], place: SourcePosition): ParsedDocument | undefined {
    if (open.includes(path)) {
      this.listener.report(
        problem(
          "snippet-circle",
          place,
          `${[...open.slice(open.indexOf(path)), path].join(" → ")} includes itself`,
        ),
      );
      return undefined;
    }

    if (open.length > snippetDepth_levels) {
      this.listener.report(
        problem("page-too-deep", place, `More than ${snippetDepth_levels} levels of nested snippets`),
      );
      return undefined;
    }

    const { snippets, files } = this.context;
    let read = snippets.get(path);
    if (!read) {
      const problems: Problem[] = [];
      const page = splitPage(readText(files, path)!, path);
      const source = readSource(
        { text: page.body, file: path, linesBefore: page.linesBeforeBody },
        this.context,
        (found) => problems.push(found),
      );
      read = { source, problems };
      snippets.set(path, read);
    }

    for (const found of read.problems) this.listener.report(found);
    return read.source;
  }
}

/** Whether a file is a page, a snippet or code. */
function isCode(path: string): boolean {
  return isPageFile(path) || /\.[cm]?[jt]sx?$/.test(path);
}

/**
 * Returns the code of an imported file that isn't code: the data in a JSON file, the text of a file imported
 * with `?raw`, or the URL of any other file.
 */
function dataModule(path: string, isRaw: boolean, text: string): string {
  if (isRaw) return `export default ${JSON.stringify(text)};`;
  if (!path.endsWith(".json")) return `export default ${JSON.stringify(`/${path}`)};`;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // The parser of the code reports the error with its position.
    return `export default ${text}`;
  }

  const named = typeof data === "object" && data !== null && !Array.isArray(data) ? Object.entries(data) : [];
  const exported = named.filter(([key]) => /^[A-Za-z_$][\w$]*$/.test(key) && !reservedWords.has(key));
  return [
    `export default ${text.trim()};`,
    ...exported.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`),
  ].join("\n");
}

const reservedWords = new Set(
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);
