import { limits } from "../../base/limits.ts";
import type { ContentElement, ContentNode, PropValue } from "../content.ts";
import { blockLevel, closeSection, openSection, updateLevel } from "../section-marks.ts";
import { fieldNameOf, headingLevel } from "./anchors.ts";
import { parseCodeMeta } from "./code-meta.ts";

export interface MarkdownOptions {
  /** Put before addresses that start at the site's root: `https://docs.example.com`. */
  origin?: string;
  /** Mark where sections begin (section-marks.ts). */
  marks?: boolean;
}

/** A content tree as clean Markdown, for programs and for people who like it plain. */
export function toMarkdown(nodes: readonly ContentNode[], options: MarkdownOptions = {}): string {
  const text = new Writer(options).blocks(nodes, 0);
  return text === "" ? "" : `${text}\n`;
}

const callouts: Record<string, string> = {
  Note: "Note",
  Info: "Info",
  Tip: "Tip",
  Warning: "Warning",
  Check: "Check",
  Danger: "Danger",
  Success: "Check",
  Caution: "Warning",
  Critical: "Danger",
  Error: "Danger",
  Important: "Info",
  Hint: "Tip",
  Aside: "Note",
  Callout: "Note",
};

const inlineElements = new Set(
  "a abbr b bdi bdo br button cite code data del dfn em i img input ins kbd label mark q s samp small span strike strong sub sup time u var wbr".split(
    " ",
  ),
);
const inlineComponents = new Set(["Icon", "Badge", "Tooltip", "Link"]);
const left = new Set(["Icon", "script", "style", "svg", "input", "Color", "noscript", "template"]);
const titled = new Set(["Tab", "TabItem", "Accordion", "Expandable", "View", "Step"]);

/** Writes blocks apart by blank lines; each kind of node has its method. */
class Writer {
  private readonly origin: string;
  private readonly marks: boolean;

  constructor({ origin = "", marks = false }: MarkdownOptions) {
    this.origin = origin;
    this.marks = marks;
  }

  private opening({ props }: ContentElement, level: number): string {
    return this.marks && typeof props.id === "string" ? openSection(level, props.id) : "";
  }

  /** A block that begins with its title, between the marks of its section. */
  private asSection(node: ContentElement, body: string, level = blockLevel): string {
    const opening = this.opening(node, level);
    return opening ? `${opening}${body}${closeSection}` : body;
  }

  blocks(nodes: readonly ContentNode[], depth: number): string {
    if (depth > limits.nesting_levels) return "";
    const parts: string[] = [];
    let line: ContentNode[] = [];
    const flush = () => {
      const text = this.inline(line, depth).trim();
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
    if (node.name === "Latex") return node.props.display !== true;
    if (node.name === "" || node.name === "Visibility") return node.children.every((child) => this.isInline(child));
    return inlineElements.has(node.name) || inlineComponents.has(node.name);
  }

  private block(node: ContentElement, depth: number): string {
    const { name, props, children } = node;
    const level = headingLevel(node);
    if (level !== undefined) return `${this.opening(node, level)}${"#".repeat(level)} ${this.inline(children, depth).trim()}`;
    if (left.has(name)) return "";
    if (Object.hasOwn(callouts, name)) return this.callout(node, depth);
    if (titled.has(name)) return this.titled(node, depth);
    switch (name) {
      case "p":
        return this.isInlineOnly(children) ? this.inline(children, depth).trim() : this.blocks(children, depth);
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
      case "CodeBlock":
        return codeFence(node);
      case "Mermaid":
        return fence("mermaid", text(props.chart) ?? plainText(children));
      case "Latex":
        return `$$\n${text(props.formula) ?? plainText(children).trim()}\n$$`;
      case "Card":
      case "LinkCard":
      case "Tile":
        return this.card(node, depth);
      case "CardGroup":
      case "Columns":
      case "Cards":
      case "CardGrid":
        return this.blocks(children, depth).replace(/\n\n(?=- )/g, "\n");
      case "Steps":
        return this.steps(node, depth);
      case "ParamField":
      case "Param":
      case "ResponseField":
        return this.field(node, depth);
      case "Update":
        return this.update(node, depth);
      case "Visibility":
        // What the page does not show has no place on it.
        if (props.for === "agents" && this.marks) return new Writer({ origin: this.origin }).blocks(children, depth);
        return props.for === "humans" ? "" : this.blocks(children, depth);
      case "Prompt":
        return [text(props.description), quote(this.blocks(children, depth))].filter(Boolean).join("\n\n");
      case "Frame":
        return [this.blocks(children, depth), text(props.caption) && `*${text(props.caption)}*`].filter(Boolean).join("\n\n");
      case "Tree":
      case "FileTree":
        return this.tree(children, depth);
      case "GitHub.Repo":
        return text(props.repo)
          ? `- [${text(props.repo)}](https://github.com/${text(props.repo)!.replace(/^https:\/\/github\.com\//, "")})`
          : "";
      case "iframe":
      case "video":
        return text(props.src) ? `[${text(props.title) ?? "Video"}](${this.address(text(props.src)!)})` : this.blocks(children, depth);
      default:
        return this.blocks(children, depth);
    }
  }

  private isInlineOnly(nodes: readonly ContentNode[]): boolean {
    return nodes.every((node) => this.isInline(node));
  }

  private inline(nodes: readonly ContentNode[], depth: number): string {
    if (depth > limits.nesting_levels) return "";
    return nodes
      .map((node) => (typeof node === "string" ? node.replace(/[ \t]*\n[ \t]*/g, "\n") : this.inlineElement(node, depth + 1)))
      .join("");
  }

  private inlineElement(node: ContentElement, depth: number): string {
    const { name, props, children } = node;
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
        return codeSpan(plainText(children));
      case "br":
        return "  \n";
      case "a":
      case "Link": {
        const href = text(props.href);
        const label = inner().trim();
        return href && label ? `[${label}](${this.address(href)})` : label;
      }
      case "img":
        return text(props.src) ? `![${(text(props.alt) ?? "").replace(/[[\]]/g, "")}](${this.address(text(props.src)!)})` : "";
      case "sub":
      case "sup":
      case "kbd":
        return `<${name}>${inner()}</${name}>`;
      case "Latex":
        return `$${text(props.formula) ?? plainText(children)}$`;
      case "Tooltip":
        return text(props.tip) ? `${inner()} (${text(props.tip)})` : inner();
      case "Visibility":
        return props.for === "humans" ? "" : inner();
      case "Badge":
        return wrap("`", inner().replaceAll("`", ""));
      default:
        return left.has(name)
          ? ""
          : this.isInline(node) || this.isInlineOnly(children)
            ? inner()
            : this.blocks([node], depth).replaceAll("\n", " ");
    }
  }

  private address(href: string): string {
    const url = href.startsWith("/") && !href.startsWith("//") ? this.origin + href : href;
    return /[\s()<>]/.test(url)
      ? encodeURI(url)
          .replace(/[()]/g, (c) => (c === "(" ? "%28" : "%29"))
          .replaceAll("%25", "%")
      : url;
  }

  private callout(node: ContentElement, depth: number): string {
    const title = text(node.props.title);
    const label = node.name === "Callout" ? capitalised(text(node.props.type) ?? "Note") : callouts[node.name]!;
    const body = this.blocks(node.children, depth);
    return quote(
      `**${title ? `${label}: ${title}` : `${label}:`}**${title || body.startsWith("#") || body.startsWith("- ") ? "\n\n" : " "}${body}`.trim(),
    );
  }

  private titled(node: ContentElement, depth: number): string {
    const title = text(node.props.title) ?? text(node.props.label);
    const body = [title && `**${title}**`, this.blocks(node.children, depth)].filter(Boolean).join("\n\n");
    return node.name === "Accordion" ? this.asSection(node, body) : body;
  }

  private steps(node: ContentElement, depth: number): string {
    const size = /^h[2-4]$/.exec(text(node.props.titleSize) ?? "")?.[0];
    const level = "#".repeat(size ? Number(size.slice(1)) : 3);
    let number = 0;
    const parts = node.children.map((child) => {
      if (typeof child === "string" || child.name !== "Step") return this.blocks([child], depth);
      number = Number(text(child.props.stepNumber) ?? number + 1);
      const head = `${level} ${number}. ${text(child.props.title) ?? ""}`.trimEnd();
      return this.asSection(child, [head, this.blocks(child.children, depth + 1)].filter(Boolean).join("\n\n"));
    });
    return parts.filter((part) => part.trim() !== "").join("\n\n");
  }

  private card(node: ContentElement, depth: number): string {
    const { href, title, description, cta } = node.props;
    const body = this.blocks(node.children, depth);
    const about = [text(description), body].filter(Boolean).join(" ");
    const label = text(title) ?? text(cta) ?? text(href) ?? "";
    const head = text(href) ? `[${label}](${this.address(text(href)!)})` : label && `**${label}**`;
    if (!head) return body;
    const separate = about.includes("\n\n") || /^(?:[-#>|]|```)/.test(about);
    return `- ${head}${about ? (separate ? `\n\n${indentAll(about, "  ")}` : `: ${indent(about, "  ")}`) : ""}`;
  }

  private field(node: ContentElement, depth: number): string {
    const { props } = node;
    const facts = [
      text(props.type) && codeSpan(text(props.type)!),
      isOn(props.required) && "required",
      isOn(props.deprecated) && "deprecated",
      props.default !== undefined &&
        props.default !== null &&
        `default: ${codeSpan(String(typeof props.default === "object" ? JSON.stringify(props.default) : props.default) || '""')}`,
    ].filter(Boolean);
    const body = [text(props.description), this.blocks(node.children, depth)].filter(Boolean).join("\n\n");
    const head = `- **${codeSpan(fieldNameOf(props) ?? "")}**${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
    return body ? `${head}\n\n${indentAll(body, "  ")}` : head;
  }

  private update(node: ContentElement, depth: number): string {
    const { label, description, tags } = node.props;
    const names = Array.isArray(tags) ? tags.map(text).filter(Boolean).join(", ") : text(tags);
    const about = [text(description), names && `*${names}*`].filter(Boolean).join(" · ");
    return this.asSection(
      node,
      [`## ${text(label) ?? ""}`.trimEnd(), about, this.blocks(node.children, depth)].filter(Boolean).join("\n\n"),
      updateLevel,
    );
  }

  private list(node: ContentElement, depth: number): string {
    let number = Number(text(node.props.start) ?? 1);
    const items = node.children.filter((child) => typeof child !== "string");
    const lines = items.map((item) => {
      const mark = node.name === "ol" ? `${number++}. ` : "- ";
      const task = typeof item.props.checked === "boolean" ? `[${item.props.checked ? "x" : " "}] ` : "";
      return mark + task + indent(this.blocks(item.name === "li" ? item.children : [item], depth), " ".repeat(mark.length));
    });
    return lines.join(lines.some((line) => line.includes("\n\n")) ? "\n\n" : "\n");
  }

  private table(node: ContentElement, depth: number): string {
    const rows = rowsOf(node, 0).map((row) => row.children.filter((cell) => typeof cell !== "string"));
    const [head, ...body] = rows;
    if (!head || head.length === 0) return "";
    const cell = (content: ContentElement) =>
      this.blocks(content.children, depth)
        .replace(/\s*\n\s*/g, " ")
        .replace(/(?<!\\)\|/g, "\\|")
        .trim();
    const rule = head.map(({ props }) =>
      props.align === "center" ? ":---:" : props.align === "right" ? "---:" : props.align === "left" ? ":---" : "---",
    );
    const lines = [head.map(cell), rule, ...body.map((row) => row.map(cell))];
    return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  }

  private tree(nodes: readonly ContentNode[], depth: number): string {
    if (depth > limits.nesting_levels) return "";
    const lines = nodes.map((node) => {
      if (typeof node === "string") return "";
      const name = text(node.props.name) ?? "";
      if (node.name === "Tree.File") return `- ${name}`;
      if (node.name !== "Tree.Folder") return this.block(node, depth + 1);
      return [`- ${name}/`, indentAll(this.tree(node.children, depth + 1), "  ")].filter(Boolean).join("\n");
    });
    return lines.filter(Boolean).join("\n");
  }
}

function rowsOf(node: ContentElement, depth: number): ContentElement[] {
  if (depth > 3) return [];
  return node.children.flatMap((child) => (typeof child === "string" ? [] : child.name === "tr" ? [child] : rowsOf(child, depth + 1)));
}

function codeFence(node: ContentElement): string {
  const { props } = node;
  const meta = parseCodeMeta(text(props.language) ?? "", text(props.meta) ?? "");
  const title = text(props.title) ?? text(props.filename) ?? meta.title;
  const code = typeof props.code === "string" ? props.code : plainText(node.children);
  return fence([meta.language || (title ? "text" : ""), title].filter(Boolean).join(" "), code);
}

/** A fence that is longer than any in the code. */
function fence(info: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${info}\n${code.replace(/^\n+|\s+$/g, "")}\n${ticks}`;
}

function codeSpan(code: string): string {
  if (code === "") return "";
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const space = /^`|`$/.test(code) ? " " : "";
  return ticks + space + code + space + ticks;
}

function wrap(mark: string, inner: string): string {
  const core = inner.trim();
  if (core === "") return inner;
  const start = inner.indexOf(core);
  return inner.slice(0, start) + mark + core + mark + inner.slice(start + core.length);
}

function quote(body: string): string {
  return body
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Indents all lines but the first, which follows a mark. */
function indent(body: string, by: string): string {
  return body.replace(/\n(?!\n)/g, `\n${by}`);
}

function indentAll(body: string, by: string): string {
  return body === "" ? "" : by + indent(body, by);
}

function plainText(nodes: readonly ContentNode[], depth = 0): string {
  if (depth > limits.nesting_levels) return "";
  return nodes.map((node) => (typeof node === "string" ? node : plainText(node.children, depth + 1))).join("");
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function isOn(value: PropValue): boolean {
  return value === true || value === "" || value === "true";
}

function text(value: PropValue): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
