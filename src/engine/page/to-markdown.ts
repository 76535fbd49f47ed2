import { limits } from "../../base/limits.ts";
import { codeFence } from "../components/code-block.tsx";
import type { MarkdownWriter } from "../components/component.ts";
import { componentNamed } from "../components/components.ts";
import { headingLevel } from "../components/heading-level.ts";
import { type ContentElement, type ContentNode, codeTextOf } from "../content.ts";
import { htmlElements } from "../element-names.ts";
import { count, text } from "../html/prop-values.ts";
import { blockLevel, closeSection, openSection } from "../section-marks.ts";
import { codeSpan, indent, quote, wrap } from "../write-markdown.ts";

interface MarkdownOptions {
  /** Prefix of root-relative URLs, such as `https://docs.example.com`. */
  origin?: string;
  /** Whether to add section marks (section-marks.ts). */
  marks?: boolean;
}

/** Converts a content tree to plain Markdown. */
export function toMarkdown(nodes: readonly ContentNode[], options: MarkdownOptions = {}): string {
  const text = new Writer(options).blocks(nodes, 0);
  return text === "" ? "" : `${text}\n`;
}

const inlineElements = new Set(
  "a abbr b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark output q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
/** Elements that are left out. */
const omitted = new Set(["script", "style", "svg", "input", "noscript", "template"]);

/** Writes Markdown. Blocks are separated by blank lines. Components can define their own Markdown. */
class Writer implements MarkdownWriter {
  private readonly origin: string;
  private readonly marks: boolean;

  constructor({ origin = "", marks = false }: MarkdownOptions) {
    this.origin = origin;
    this.marks = marks;
  }

  private opening({ props }: ContentElement, level: number): string {
    return this.marks && typeof props.id === "string" ? openSection(level, props.id) : "";
  }

  section(node: ContentElement, body: string, level = blockLevel): string {
    const opening = this.opening(node, level);
    return opening ? `${opening}${body}${closeSection}` : body;
  }

  blocks(nodes: readonly ContentNode[], depth: number): string {
    if (depth > limits.nesting_levels) return "";
    const parts: string[] = [];
    let line: ContentNode[] = [];
    const flush = () => {
      // Elements without text between them are on separate lines of the source.
      const isSeparate = line.every((node) => typeof node !== "string");
      const pieces = isSeparate
        ? line.map((node) => this.inline([node], depth)).filter(Boolean)
        : [this.inline(line, depth)];
      const text = pieces
        .reduce((joined, piece) => joined + (/\s$/.test(joined) || /^\s/.test(piece) ? "" : " ") + piece, " ")
        .trim();
      if (text) parts.push(text);
      line = [];
    };

    for (const node of nodes) {
      if (this.isInline(node)) line.push(node);
      else {
        flush();
        const text = this.block(node as ContentElement, depth + 1);
        if (text.trim()) parts.push(text);
      }
    }

    flush();
    return parts.join("\n\n");
  }

  private isInline(node: ContentNode): boolean {
    if (typeof node === "string") return true;
    const component = componentNamed(node.name);
    if (component?.markdown?.isInline) return component.markdown.isInline(node);
    if (component?.display === "inline" || inlineElements.has(node.name)) return true;
    // Unknown elements show only their content.
    const isTransparent = component ? component.display === "transparent" : !htmlElements.has(node.name);
    return isTransparent && node.children.every((child) => this.isInline(child));
  }

  block(node: ContentElement, depth: number): string {
    const { name, props, children } = node;
    const level = headingLevel(node);
    if (level !== undefined)
      return `${this.opening(node, level)}${"#".repeat(level)} ${this.inline(children, depth).trim()}`;
    if (omitted.has(name)) return "";

    const rules = componentNamed(name)?.markdown;
    if (rules?.block) return rules.block(node, this, depth);

    switch (name) {
      case "p":
        return this.isInlineOnly(children)
          ? this.inline(children, depth).trim()
          : this.blocks(children, depth);
      case "ul":
      case "ol":
        return this.list(node, depth);
      case "li":
        return `- ${indent(this.blocks(children, depth), "  ")}`;
      case "blockquote":
        return quote(this.blocks(children, depth));
      case "hr":
        return "---";
      case "table":
        return this.table(node, depth);
      case "pre":
        return codeFence(node);
      case "iframe":
      case "video":
        return text(props.src)
          ? `[${text(props.title) ?? "Video"}](${this.url(text(props.src)!)})`
          : this.blocks(children, depth);
      default:
        return this.blocks(children, depth);
    }
  }

  private isInlineOnly(nodes: readonly ContentNode[]): boolean {
    return nodes.every((node) => this.isInline(node));
  }

  inline(nodes: readonly ContentNode[], depth: number): string {
    if (depth > limits.nesting_levels) return "";
    return nodes
      .map((node) =>
        typeof node === "string"
          ? node.replace(/[ \t]*\n[ \t]*/g, "\n")
          : this.inlineElement(node, depth + 1),
      )
      .join("");
  }

  private inlineElement(node: ContentElement, depth: number): string {
    const { name, props, children } = node;
    const rules = componentNamed(name)?.markdown;
    if (rules?.inline) return rules.inline(node, this, depth);

    const inner = () => this.inline(children, depth);
    switch (name) {
      case "strong":
      case "b":
        return wrap("**", inner());
      case "em":
      case "i":
        return wrap("*", inner());
      case "del":
      case "s":
      case "strike":
        return wrap("~~", inner());
      case "code":
        return codeTextOf(children, "\r").split("\r").map(codeSpan).join("  \n");
      case "br":
        return "  \n";
      case "a":
        return this.link(node, depth);
      case "img":
        return text(props.src)
          ? `![${(text(props.alt) ?? "").replace(/[[\]]/g, "")}](${this.url(text(props.src)!)})`
          : "";
      case "sub":
      case "sup":
      case "kbd":
        return `<${name}>${inner()}</${name}>`;
      default:
        return omitted.has(name)
          ? ""
          : this.isInline(node) || this.isInlineOnly(children)
            ? inner()
            : this.blocks([node], depth).replaceAll("\n", " ");
    }
  }

  link({ props, children }: ContentElement, depth: number): string {
    const href = text(props.href);
    const label = this.inline(children, depth).trim();
    return href && label ? `[${label}](${this.url(href)})` : label;
  }

  unmarked(): MarkdownWriter {
    return new Writer({ origin: this.origin });
  }

  url(href: string): string {
    const url = href.startsWith("/") && !href.startsWith("//") ? this.origin + href : href;
    return /[\s()<>]/.test(url)
      ? encodeURI(url.toWellFormed())
          .replace(/[()]/g, (c) => (c === "(" ? "%28" : "%29"))
          .replaceAll("%25", "%")
      : url;
  }

  private list(node: ContentElement, depth: number): string {
    let number = count(node.props.start, 1, 0, 999_999_999);
    const items = node.children.filter((child) => typeof child !== "string");
    const lines = items.map((item) => {
      const mark = node.name === "ol" ? `${number++}. ` : "- ";
      const task = typeof item.props.checked === "boolean" ? `[${item.props.checked ? "x" : " "}] ` : "";
      return (
        mark +
        task +
        indent(this.blocks(item.name === "li" ? item.children : [item], depth), " ".repeat(mark.length))
      );
    });
    return lines.join(lines.some((line) => line.includes("\n\n")) ? "\n\n" : "\n");
  }

  private table(node: ContentElement, depth: number): string {
    const rows = rowsOf(node, 0).map((row) => row.children.filter((cell) => typeof cell !== "string"));
    const [head, ...body] = rows;
    if (!head || head.length === 0) return "";

    const cell = (content: ContentElement) =>
      onOneLine(this.blocks(content.children, depth)).replace(/(?<!\\)\|/g, "\\|");

    const rule = head.map(({ props }) =>
      props.align === "center"
        ? ":---:"
        : props.align === "right"
          ? "---:"
          : props.align === "left"
            ? ":---"
            : "---",
    );

    const lines = [head.map(cell), rule, ...body.map((row) => row.map(cell))];
    return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  }
}

/**
 * Writes the blocks of a table's cell on one line, with `<br>` between them and between the lines of code and
 * of lists.
 */
function onOneLine(blocks: string): string {
  return blocks
    .replace(/^([ \t]*)(`{3,})[^`\n]*\n([\s\S]*?)\n[ \t]*\2$/gm, (_, indent: string, __, code: string) =>
      code
        .split("\n")
        .map((line) => codeSpan(line.startsWith(indent) ? line.slice(indent.length) : line))
        .join("<br>"),
    )
    .trim()
    .replace(/(?:[ \t]*\n){2,}[ \t]*| {2}\n[ \t]*|\n[ \t]*(?=(?:[-*+]|\d{1,9}\.) )/g, "<br>")
    .replace(/\s*\n\s*/g, " ");
}

function rowsOf(node: ContentElement, depth: number): ContentElement[] {
  if (depth > 3) return [];
  return node.children.flatMap((child) =>
    typeof child === "string" ? [] : child.name === "tr" ? [child] : rowsOf(child, depth + 1),
  );
}
