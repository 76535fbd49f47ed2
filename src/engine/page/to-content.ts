/**
 * Converts a syntax tree to a content tree: Markdown becomes elements, and expressions and author components
 * are evaluated.
 */

import type {
  Definition,
  Image,
  ImageReference,
  List,
  Nodes,
  Parents,
  Root,
  RootContent,
  Table,
} from "mdast";
import type {
  MdxJsxAttribute,
  MdxJsxExpressionAttribute,
  MdxJsxFlowElement,
  MdxJsxTextElement,
} from "mdast-util-mdx";
import { limits } from "../../base/limits.ts";
import { nearest } from "../../base/nearest.ts";
import { plural } from "../../base/plural.ts";
import { problem, type Report, type SourcePosition } from "../../base/problem.ts";
import type { DocumentCode } from "../author/document-code.ts";
import type { ComponentDefinition } from "../components/component.ts";
import { unknownProps } from "../components/unknown-props.ts";
import { type ContentElement, type ContentNode, element, isComponentName, type Props } from "../content.ts";
import { htmlElements, isKnownElement } from "../element-names.ts";
import { asTyped } from "./as-typed.ts";
import { attributeSource, constant } from "./attribute-source.ts";
import { isBlankBetween, isInline } from "./blanks-between.ts";
import { checkDirective, checkImageSizes, checkParagraph, checkReferences } from "./check-text.ts";
import { withFirstChild } from "./first-child.ts";
import { withFlags } from "./flag-hyphens.ts";
import { looksLikeModule } from "./import-blocks.ts";
import { tableParts } from "./table-parts.ts";

export interface ToContentOptions {
  file: string;
  /**
   * The parsed text, which the offsets of the tree refer to. If absent, the text of nodes isn't compared with
   * it.
   */
  text?: string;
  /** Evaluates expressions and author components. If absent, expressions are omitted. */
  code?: DocumentCode;
  /** The built-in components, by name. */
  components: ReadonlyMap<
    string,
    Pick<ComponentDefinition, "canHaveContentInstead" | "ineffective" | "props" | "requiredProps">
  >;
  /** Converts a line number of the tree to a line number of the file. */
  lineOf(line: number): number;
  /**
   * Distinguishes the ids of the document's footnotes from those of other documents on the page. Default:
   * empty.
   */
  footnotePrefix?: string;
  /**
   * Whether elements have a line and column. Use `false` for snippets, since later stages look for the line
   * in the page's file.
   */
  hasPositions: boolean;
  /** Whether elements have a `source`. */
  marksSource?: boolean;
  /** Custom ids of headings, by line in the file. */
  headingIds: ReadonlyMap<number, string>;
  /** Expands `<Snippet file="…">`, the legacy way to include a snippet. */
  include(file: string, props: Props, children: ContentNode[], place: SourcePosition): ContentNode[];
  /**
   * Returns the snippet's prop that replaces `{name}` in a code fence; undefined if there is none. Default:
   * no replacements.
   */
  fill?(name: string): string | undefined;
  report: Report;
}

/** Converts a tree. Reports problems instead of throwing. */
export function toContent(tree: Root, options: ToContentOptions): ContentNode[] {
  return new Converter(tree, options).all(tree.children, 0);
}

type AnyNode = Nodes & { position?: { start: { line: number; column: number } } };

/** A node with the lines at which it starts and ends. */
type PlacedNode = { position?: { start: { line: number }; end: { line: number } } };

class Converter {
  private readonly options: ToContentOptions;
  private readonly definitions = new Map<string, Pick<Definition, "url" | "title">>();
  /**
   * Footnotes by identifier. `around`: the `<Visibility>` elements around the definition, the outermost
   * first.
   */
  private readonly footnotes = new Map<string, { definition: Parents; around: readonly JsxNode[] }>();
  /**
   * The number of each footnote, in the order of the first references, and how many references to it there
   * are so far.
   */
  private readonly footnoteUses = new Map<string, { number: number; uses_count: number }>();
  private readonly unknown = new Set<string>();
  /** Number of the elements around the current node whose text is code. */
  private code_levels = 0;

  constructor(tree: Root, options: ToContentOptions) {
    this.options = options;
    this.collect(tree);
  }

  /**
   * Collects the definitions of links and footnotes in document order. Not recursive, because authors choose
   * the depth of the tree.
   */
  private collect(tree: Root): void {
    const open: { node: Root | RootContent; around: readonly JsxNode[] }[] = [{ node: tree, around: [] }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { node, around } = next;
      if (node.type === "definition") {
        const id = node.identifier.toLowerCase();
        const first = this.definitions.get(id);
        if (!first) this.definitions.set(id, node);
        else if (first.url !== node.url) this.reportSecond(`[${id}]:`, node);
      } else if (node.type === "footnoteDefinition") {
        const id = node.identifier.toLowerCase();
        if (this.footnotes.has(id)) this.reportSecond(`[^${id}]:`, node);
        else this.footnotes.set(id, { definition: node, around });
      }
      if (!("children" in node)) continue;
      const inside = "name" in node && node.name === "Visibility" ? [...around, node as JsxNode] : around;
      for (const child of (node.children as RootContent[]).toReversed())
        open.push({ node: child, around: inside });
    }
  }

  private reportSecond(definition: string, node: AnyNode): void {
    this.reportNoEffect(`A second ${definition}`, this.place(node), "Change its name, or remove it.");
  }

  all(nodes: readonly RootContent[], depth: number): ContentNode[] {
    if (depth > limits.nesting_levels) return [];
    const out: ContentNode[] = [];
    let last: RootContent | undefined;
    for (const node of nodes) {
      if (last && isBlankBetween(last, node, depth === 0)) out.push(" ");
      for (const converted of this.one(node as AnyNode, depth)) out.push(converted);
      last = node;
    }
    if (depth === 0) out.push(...this.footnoteSection());
    return out;
  }

  private make(node: AnyNode, name: string, props: Props = {}, children: ContentNode[] = []): ContentElement {
    const start = this.options.hasPositions ? node.position?.start : undefined;
    if (!start) return { name, props, children };
    const made = { name, props, children, line: this.options.lineOf(start.line), column: start.column };
    if (!this.options.marksSource) return made;

    // The URL of a reference is in its definition.
    const from = "identifier" in node ? (this.definitions.get(node.identifier.toLowerCase()) ?? node) : node;
    const { start: first, end: last } = (from as PlacedNode).position!;
    const { file, lineOf } = this.options;
    return { ...made, source: { file, line: lineOf(first.line), endLine: lineOf(last.line) } };
  }

  private image(node: Image | ImageReference, target: Pick<Definition, "url" | "title">): ContentElement {
    const props = { src: target.url, alt: node.alt ?? "", ...titleOf(target) };
    const image = this.make(node, "img", props);
    return node.alt ? image : { ...image, isUndescribed: true };
  }

  private place(node: AnyNode): SourcePosition {
    const start = node.position?.start;
    return {
      file: this.options.file,
      line: this.options.lineOf(start?.line ?? 1),
      column: start?.column ?? 1,
    };
  }

  private wrap(node: AnyNode, name: string, depth: number, props: Props = {}): ContentNode[] {
    return [this.make(node, name, props, this.all((node as Parents).children as RootContent[], depth + 1))];
  }

  private one(node: AnyNode, depth: number): ContentNode[] {
    switch (node.type) {
      case "text":
        return [this.text(node)];
      case "html":
        return [node.value];
      case "paragraph":
        checkParagraph(this.sourceOf(node), this.place(node), this.options.report);
        return this.displayFormula(node) ?? this.wrap(node, "p", depth);
      case "heading": {
        const customId = this.options.headingIds.get(this.options.lineOf(node.position?.start.line ?? 0));
        return this.wrap(node, `h${node.depth}`, depth, customId ? { customId } : {});
      }
      case "emphasis":
        return this.wrap(node, "em", depth);
      case "strong":
        return this.wrap(node, "strong", depth);
      case "delete":
        return this.wrap(node, "del", depth);
      case "subscript" as never:
        return ["~", ...this.all((node as Parents).children as RootContent[], depth + 1), "~"];
      case "blockquote":
        return this.wrap(node, "blockquote", depth);
      case "break":
        return [this.make(node, "br")];
      case "thematicBreak":
        return [this.make(node, "hr")];
      case "inlineCode":
        return [this.make(node, "code", {}, [node.value])];
      case "code":
        return [this.codeBlock(node)];
      case "list": {
        const hasStart = node.ordered && typeof node.start === "number" && node.start !== 1;
        return [
          this.make(
            node,
            node.ordered ? "ol" : "ul",
            hasStart ? { start: node.start! } : {},
            this.items(node, depth),
          ),
        ];
      }
      case "table":
        return [this.table(node, depth)];
      case "tableCell":
        // A tag that is open at the end of a cell contains the next cell.
        this.reportCells(node, "A tag starts in one cell of the table and ends in another");
        return this.isAfterVisibility(node) ? [] : [" | ", ...this.all(node.children, depth + 1)];
      case "link":
        return this.wrap(node, "a", depth, { href: node.url, ...titleOf(node) });
      case "image":
        return [this.image(node, node)];
      case "linkReference": {
        const definition = this.definitions.get(node.identifier.toLowerCase());
        return definition
          ? this.wrap(node, "a", depth, { href: definition.url, ...titleOf(definition) })
          : this.all(node.children, depth + 1);
      }
      case "imageReference": {
        const definition = this.definitions.get(node.identifier.toLowerCase());
        return definition ? [this.image(node, definition)] : [node.alt ?? ""];
      }
      case "footnoteReference":
        return [this.footnoteReference(node.identifier.toLowerCase())];
      case "definition":
      case "footnoteDefinition":
        return [];
    }

    return this.mdxNode(node as unknown as MdxNode, depth);
  }

  /**
   * Returns the items of a list. If one of them is loose (CommonMark 0.31.2, 5.3), the text of each is in
   * paragraphs.
   */
  private items(list: List, depth: number): ContentNode[] {
    if (depth + 1 > limits.nesting_levels) return [];
    const isLoose = list.spread === true || list.children.some(({ spread }) => spread === true);
    return list.children.map((item) => {
      const props: Props = typeof item.checked === "boolean" ? { checked: item.checked } : {};
      const children = item.children.flatMap((child, index): ContentNode[] => {
        if (index > 0 && isInline(child)) return [" ", ...this.all([child], depth + 2)];
        if (child.type !== "paragraph" || isLoose) return this.all([child], depth + 2);
        checkParagraph(this.sourceOf(child as AnyNode), this.place(child as AnyNode), this.options.report);
        return this.all(child.children, depth + 2);
      });
      return this.make(item as AnyNode, "li", props, children);
    });
  }

  private mdxNode(node: MdxNode, depth: number): ContentNode[] {
    switch (node.type) {
      case "math":
        return [this.make(node as never, "Latex", { display: true, formula: node.value })];
      case "inlineMath":
        return [this.make(node as never, "Latex", { display: false, formula: node.value })];
      case "mdxFlowExpression":
      case "mdxTextExpression":
        // Empty braces have no meaning as code.
        if (/^[ \t]*$/.test(node.value)) return [`{${node.value}}`];
        return this.options.code?.expression(node.value, this.place(node as never)) ?? [];
      case "mdxJsxFlowElement":
      case "mdxJsxTextElement":
        return this.jsx(node, depth);
      case "mdxjsEsm":
        return looksLikeModule(node.value) ? [] : [element("p", {}, [node.value])];
      default:
        return [];
    }
  }

  /**
   * Converts a paragraph that contains only `$$…$$`, which the parser returns as inline, to a display
   * formula. Undefined for other paragraphs.
   */
  private displayFormula(paragraph: AnyNode & { type: "paragraph" }): ContentNode[] | undefined {
    const [only, ...others] = paragraph.children as unknown as {
      type: string;
      value: string;
      position?: { start: { offset: number }; end: { offset: number } };
    }[];
    if (only?.type !== "inlineMath" || others.length > 0 || !only.position) return undefined;
    const marks = only.position.end.offset - only.position.start.offset - only.value.length;
    return marks >= 4 ? [this.make(paragraph, "Latex", { display: true, formula: only.value })] : undefined;
  }

  private codeBlock(node: AnyNode & { type: "code" }): ContentElement {
    const meta = node.meta ?? "";
    if (/(?:^|\s)twoslash\b/.test(meta))
      this.reportNoEffect("twoslash", this.place(node), "Types aren't shown. Remove the option.");
    const lang = this.languageOf(node);
    const language = lang.toLowerCase();
    if (language === "mermaid") return this.make(node, "Mermaid", { chart: node.value, meta });
    if (language === "math") return this.make(node, "Latex", { display: true, formula: node.value });
    return this.make(node, "CodeBlock", { language: lang, meta, code: this.filled(node.value) });
  }

  /** Returns the language of a code fence. Other tools write it, or the name of a callout, in braces. */
  private languageOf(node: AnyNode & { type: "code" }): string {
    const name = /^\{([A-Za-z][\w+-]*)\}$/.exec(node.lang ?? "")?.[1];
    if (name === undefined) return node.lang ?? "";
    checkDirective(name, this.place(node), this.options.report);
    return name;
  }

  /** Replaces `{name}` and `{props.name}` in a code fence with the snippet's prop. */
  private filled(code: string): string {
    return code.includes("{")
      ? code.replace(
          /\{(?:props\.)?([\p{ID_Start}_$][\p{ID_Continue}$]*)\}/gu,
          (whole, name: string) => this.options.fill?.(name) ?? whole,
        )
      : code;
  }

  /**
   * Returns a text as written: the parser has replaced the hyphens of flags such as `--force` with dashes.
   * Reports undefined footnotes.
   */
  private text(node: AnyNode & { type: "text" }): string {
    const { value } = node;
    if (this.code_levels === 0) {
      if (/\]\[|\[\^/.test(value))
        checkReferences(this.sourceOf(node), this.place(node), this.options.report);
      if (value.includes("](")) checkImageSizes(this.sourceOf(node), this.place(node), this.options.report);
    }
    const isCode = this.code_levels > 0 && /[“”‘’—–…]/.test(value);
    const hasDash = value.includes("–");
    if ((!isCode && !hasDash) || this.options.text === undefined || !node.position) return value;
    const source = this.sourceOf(node);
    if (isCode) return asTyped(value, source);
    return hasDash ? withFlags(value, source) : value;
  }

  private sourceOf(node: AnyNode): string {
    const { start, end } = (node.position ?? {}) as unknown as Partial<
      Record<"start" | "end", { offset: number }>
    >;
    return start && end ? (this.options.text ?? "").slice(start.offset, end.offset) : "";
  }

  private reportCells(node: AnyNode, message: string): void {
    this.options.report(
      problem(
        "table-cells",
        this.place(node),
        message,
        "Write \\| for each pipe in the text of a cell, even in code.",
      ),
    );
  }

  /** Whether there is a `<Visibility>` tag in the same line before a node. */
  private isAfterVisibility(node: AnyNode): boolean {
    const { text } = this.options;
    const at = (node.position?.start as { offset?: number } | undefined)?.offset;
    return (
      text === undefined ||
      at === undefined ||
      /<visibility\b/i.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))
    );
  }

  private table(node: Table, depth: number): ContentElement {
    const columns_count = node.children[0]?.children.length ?? 0;
    for (const line of node.children)
      if (line.children.length > columns_count)
        this.reportCells(
          line,
          `The row has ${plural(line.children.length, "cell")}, but the table has ${plural(columns_count, "column")}`,
        );

    const parts = tableParts(node, (cell) => this.all(cell.children, depth + 1));
    return this.make(node, "table", {}, parts);
  }

  /**
   * Returns the name of an element. HTML elements can be written in capitals, unless the document defines a
   * component with this name.
   */
  private tagName(name: string): string {
    const isHtml = /^[A-Z]{2,}$/.test(name) && htmlElements.has(name.toLowerCase());
    return isHtml && !this.options.code?.has(name) && !this.options.components.has(name)
      ? name.toLowerCase()
      : name;
  }

  private jsx(node: MdxJsxFlowElement | MdxJsxTextElement, depth: number): ContentNode[] {
    const place = this.place(node as AnyNode);
    const functions: string[] = [];
    const props = this.props(node.attributes, place, (attribute) => functions.push(attribute));
    const name = this.tagName(node.name ?? "");
    if (isCodeElement(name)) this.code_levels++;

    const children = this.all(node.children as RootContent[], depth + 1);
    if (isCodeElement(name)) this.code_levels--;
    if (name === "") return [this.make(node as AnyNode, "", {}, children)];

    const root = name.split(".")[0]!;
    const { code } = this.options;
    const isOwn = code?.has(root) && (isComponentName(name) || name.includes(".") || code.isSnippet(name));
    const isSnippet = functions.length > 0 && isOwn && code!.isSnippet(name);
    if (functions.length > 0 && !isSnippet && (isOwn || !isComponentName(name))) {
      const live = code?.live(name, node.attributes.map(attributeSource).join(" "), children, place);
      if (live) return live;
    }

    if (isSnippet) this.reportHandlers(name, props, functions, place);
    if (isOwn) return code!.component(name, props, children, place);
    this.reportHandlers(name, props, functions, place);
    if (name === "Snippet" && typeof props.file === "string")
      return this.options.include(props.file, props, children, place);

    if (
      isComponentName(name) &&
      !this.options.components.has(name) &&
      !this.unknown.has(name) &&
      !code?.isFromPackage(root)
    ) {
      this.unknown.add(name);
      const near = nearest(name, this.options.components.keys());
      this.options.report(
        problem(
          "unknown-component",
          { ...place, length: name.length + 1 },
          `There is no component <${name}>`,
          near ? `Did you mean <${near}>?` : `Import it, or write \\<${name}> to show it as text.`,
        ),
      );
    }

    if (/^[a-z]\w*$/.test(name) && !isKnownElement(name) && !this.unknown.has(name)) {
      this.unknown.add(name);
      const where = { ...place, length: name.length + 1 };
      const hint = `Import it, or write \\<${name}> to show it as text.`;
      this.options.report(problem("unknown-component", where, `There is no element <${name}>`, hint));
    }

    const url =
      typeof props.className === "string" ? /\S*\[[^\s\]]*url\(\S*/i.exec(props.className)?.[0] : undefined;
    if (url) this.reportNoEffect(`The class ${url}`, place, "Load the file in a style sheet.");
    const definition = this.options.components.get(name);
    if (definition?.ineffective) this.reportNoEffect(`<${name}>`, place, definition.ineffective);
    if (name === "img" && props.actions !== undefined)
      this.reportNoEffect("actions", place, "Images have no buttons. Remove the attribute.");

    for (const { prop, near } of definition ? unknownProps(definition, Object.keys(props)) : [])
      this.reportUnknownProp(name, prop, near, place);
    const required =
      definition?.canHaveContentInstead && children.length > 0 ? [] : (definition?.requiredProps ?? []);
    for (const prop of required) {
      if (props[prop] === undefined)
        this.options.report(
          problem(
            "component-prop",
            { ...place, length: name.length + 1 },
            `<${name}> requires the prop ${prop}`,
            `Write <${name} ${prop}="…">.`,
          ),
        );
    }

    return [this.make(node as AnyNode, name, props, withFirstChild(name, children))];
  }

  /** Reports a prop that a component doesn't have, once for each document. */
  private reportUnknownProp(
    name: string,
    prop: string,
    near: string | undefined,
    place: SourcePosition,
  ): void {
    if (this.unknown.has(`${name} ${prop}`)) return;
    this.unknown.add(`${name} ${prop}`);
    const hint = near ? `Did you mean ${near}?` : "Remove it, or put its text between the tags.";
    this.options.report(
      problem("component-prop", { ...place, length: name.length + 1 }, `<${name}> has no prop ${prop}`, hint),
    );
  }

  private reportNoEffect(what: string, place: SourcePosition, hint: string): void {
    this.options.report(problem("no-effect", place, `${what} has no effect`, hint));
  }

  /**
   * Reports event handlers that have no effect: functions on built-in components, and handlers that are text.
   */
  private reportHandlers(
    name: string,
    props: Props,
    functions: readonly string[],
    place: SourcePosition,
  ): void {
    const handlers = isComponentName(name)
      ? functions
      : Object.keys(props).filter((key) => /^on[a-z]/i.test(key) && typeof props[key] === "string");
    const hint = isComponentName(name)
      ? "Functions and values of `user` work in HTML elements and in components that you write in JSX."
      : "Use a function, such as onClick={() => …}.";

    for (const prop of handlers)
      this.options.report(
        problem(
          "no-effect",
          { ...place, length: name.length + 1 },
          `${prop} has no effect on <${name}>`,
          hint,
        ),
      );
  }

  /**
   * Evaluates attributes. `onFunction` is called with the name of each attribute whose value is a function.
   */
  private props(
    attributes: readonly (MdxJsxAttribute | MdxJsxExpressionAttribute)[],
    place: SourcePosition,
    onFunction: (attribute: string) => void = () => {},
  ): Props {
    const props: Props = {};
    for (const attribute of attributes) {
      if (attribute.type === "mdxJsxExpressionAttribute")
        Object.assign(
          props,
          this.options.code?.spread(attribute.value, place, () => onFunction("A function")),
        );
      else if (attribute.value === null || attribute.value === undefined) props[attribute.name] = true;
      else if (typeof attribute.value === "string") props[attribute.name] = attribute.value;
      else
        props[attribute.name] =
          constant(attribute.value.value) ??
          this.options.code?.attribute(attribute.value.value, place, () => onFunction(attribute.name));
    }

    return props;
  }

  private footnoteReference(id: string): ContentNode {
    if (!this.footnotes.has(id)) return `[^${id}]`;
    const used = this.footnoteUses.get(id) ?? { number: this.footnoteUses.size + 1, uses_count: 0 };
    used.uses_count++;
    this.footnoteUses.set(id, used);
    const name = this.footnoteName(used.number);
    return element("sup", {}, [
      element(
        "a",
        { href: `#fn-${name}`, id: referenceId(name, used.uses_count), className: "o-footnote-ref" },
        [String(used.number)],
      ),
    ]);
  }

  /** Returns the part of a footnote's ids that distinguishes it from other footnotes. */
  private footnoteName(number: number): string {
    return `${this.options.footnotePrefix ?? ""}${number}`;
  }

  /** Returns the text of a footnote, for the same audience as its definition. */
  private footnoteText(id: string): ContentNode[] {
    const { definition, around } = this.footnotes.get(id)!;
    return around.reduceRight<ContentNode[]>(
      (content, node) => [
        element("Visibility", this.props(node.attributes, this.place(node as AnyNode)), content),
      ],
      this.all(definition.children as RootContent[], 1),
    );
  }

  private footnoteSection(): ContentNode[] {
    // The text of a footnote can refer to further footnotes.
    const contents: ContentNode[][] = [];
    for (const id of this.footnoteUses.keys()) contents.push(this.footnoteText(id));

    for (const [id, { definition }] of this.footnotes)
      if (!this.footnoteUses.has(id))
        this.reportNoEffect(
          `[^${id}]:`,
          this.place(definition as AnyNode),
          `Refer to it with [^${id}], or remove it.`,
        );

    if (contents.length === 0) return [];

    const items = [...this.footnoteUses.values()].map(({ uses_count }, index) => {
      const back = Array.from({ length: uses_count }, (_, use) => {
        const name = use === 0 ? String(index + 1) : `${index + 1}-${use + 1}`;
        const link = element(
          "a",
          { href: `#${referenceId(this.footnoteName(index + 1), use + 1)}`, "aria-label": `↩ ${name}` },
          ["↩"],
        );
        return [" ", use === 0 ? link : { ...link, children: ["↩", element("sup", {}, [String(use + 1)])] }];
      });
      return element("li", { id: `fn-${this.footnoteName(index + 1)}` }, [
        ...contents[index]!,
        ...back.flat(),
      ]);
    });

    return [element("section", { className: "o-footnotes" }, [element("ol", {}, items)])];
  }
}

function titleOf({ title }: { title?: string | null }): Props {
  return title ? { title } : {};
}

/**
 * Returns the id of a reference to a footnote. `use`: number of the reference among those to this footnote.
 */
function referenceId(footnote: string, use: number): string {
  return use === 1 ? `fnref-${footnote}` : `fnref-${footnote}-${use}`;
}

const codeElements = new Set(
  "code kbd listing plaintext pre samp script style textarea tt var xmp Latex Mermaid".split(" "),
);

/**
 * Whether the text of an element is shown as typed: HTML for code, and components that are named after it,
 * such as `<InlineCode>`.
 */
function isCodeElement(name: string): boolean {
  return codeElements.has(name) || /(?:^|[a-z.])(?:Code|Kbd|Pre|Samp)(?![a-z])/.test(name);
}

type JsxNode = MdxJsxFlowElement | MdxJsxTextElement;

type MdxNode =
  | { type: "math" | "inlineMath" | "mdxFlowExpression" | "mdxTextExpression" | "mdxjsEsm"; value: string }
  | MdxJsxFlowElement
  | MdxJsxTextElement;
