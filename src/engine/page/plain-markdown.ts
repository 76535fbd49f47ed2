/**
 * Converts Markdown that is not MDX, such as descriptions in OpenAPI documents, to content. Braces are plain
 * text. HTML tags for formatting and tags of allowed components become elements. Other tags are shown as
 * text, and HTML comments are removed.
 */

import type { Root, RootContent } from "mdast";
import { markdownToMdast } from "satteri";
import { unescapeHtml } from "../../base/html-text.ts";
import { withoutVisibility } from "../access-words.ts";
import type { ContentNode } from "../content.ts";
import {
  type ComponentTag,
  componentTag,
  hasComponentTags,
  prepareTags,
  type TagComponents,
} from "./component-tags.ts";
import { parseText } from "./parse-text.ts";
import { tildeFeature } from "./single-tildes.ts";
import { toContent } from "./to-content.ts";
import { tooDeep } from "./too-deep.ts";

/**
 * Level of each heading on the page. Headings in the Markdown rank below the headings of the page's own
 * sections.
 */
const headingLevels: Record<string, string> = { h1: "h3", h2: "h3", h3: "h4", h4: "h5", h5: "h6", h6: "h6" };

/**
 * Converts a text. If the text is nested too deeply, returns it as a paragraph without markup. `components`:
 * built-in components that the text can use. Default: none.
 */
export function plainMarkdown(written: string, components: TagComponents = new Map()): ContentNode[] {
  const source = withoutVisibility(written);
  // In some documents, each description is a single HTML paragraph.
  const plain = /^\s*<p>([^<]*)<\/p>\s*$/.exec(source)?.[1] ?? source;
  const text = hasComponentTags(plain, components) ? prepareTags(plain, components) : plain;
  if (isPlain(text)) return [{ name: "p", props: {}, children: [text.trim()] }];
  if (tooDeep(text)) return [{ name: "p", props: {}, children: [text] }];
  const features = { gfm: true, frontmatter: false, smartPunctuation: false, math: false, ...tildeFeature };
  const tree = parseText(text, (given) => markdownToMdast(given, { features }) as unknown as Root);
  return contentOf(tree, components).map(simplify);
}

/** Converts HTML to content. Only the text of elements that aren't for formatting is used. */
export function htmlContent(html: string): ContentNode[] {
  const shown = html
    .replace(/<(?:script|style)\b[\s\S]*?(?:<\/(?:script|style)\s*>|$)/gi, "")
    .replace(/<\/?([a-z][a-z\d-]*)\b[^<>]*>/gi, (tag, name: string) =>
      formatting.has(name.toLowerCase()) ? tag : "",
    );
  return contentOf({ type: "root", children: [{ type: "html", value: shown }] }, new Map());
}

function contentOf(tree: Root, components: TagComponents): ContentNode[] {
  nestHtml(tree as unknown as Parent, components, 0);
  return toContent(tree, {
    file: "",
    components: new Map(),
    lineOf: (line) => line,
    hasPositions: false,
    headingIds: new Map(),
    include: () => [],
    report: () => {},
  });
}

/** Whether a text is a short line without Markdown syntax, which needs no parser. */
function isPlain(text: string): boolean {
  return (
    text.length < 2_000 &&
    /^[ \t]{0,3}[A-Za-z\d(“"'][^\n\\`*_<>&[\]#|~^:@]*$/.test(text.trim()) &&
    !/^\d+[.)]\s|www\./.test(text.trim())
  );
}

/** Removes the languages of code blocks, lowers headings, and converts diagrams to code blocks. */
function simplify(node: ContentNode): ContentNode {
  if (typeof node === "string") return node;
  const { name, props, children } = node;
  if (name === "CodeBlock" || name === "Mermaid")
    return {
      name: "CodeBlock",
      props: { language: "", meta: "", code: props.code ?? props.chart },
      children: [],
    };
  return { name: headingLevels[name] ?? name, props, children: children.map(simplify) };
}

const formatting = new Set(
  "a b strong i em u s del ins mark small sub sup code kbd samp var pre br hr p div span blockquote ul ol li dl dt dd table thead tbody tfoot tr th td caption img details summary h1 h2 h3 h4 h5 h6 center".split(
    " ",
  ),
);
const empty = new Set(["br", "hr", "img"]);
const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "title"],
  img: ["src", "alt", "title"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
};

interface Parent {
  children: (RootContent | Element)[];
}

/** A syntax tree node that `toContent` converts to an element. */
interface Element extends Parent {
  type: "mdxJsxFlowElement";
  name: string;
  attributes: ComponentTag["attributes"];
}

type Token =
  | { open: string; attributes: Element["attributes"]; isEmpty: boolean }
  | { close: string }
  | { text: string };

/** Converts HTML tags to nested elements. The parser returns opening and closing tags as separate nodes. */
function nestHtml(parent: Parent, components: TagComponents, depth: number): void {
  const root: Parent = { children: [] };
  const open: Parent[] = [root];
  const add = (node: RootContent | Element) => open.at(-1)!.children.push(node);
  for (const node of parent.children) {
    if (node.type !== "html") {
      if ("children" in node && depth < 100) nestHtml(node as unknown as Parent, components, depth + 1);
      add(node);
      continue;
    }
    for (const token of tokens(node.value, components)) {
      if ("text" in token) {
        if (token.text) add({ type: "text", value: unescapeHtml(token.text) });
      } else if ("open" in token) {
        const element: Element = {
          type: "mdxJsxFlowElement",
          name: token.open,
          attributes: token.attributes,
          children: [],
        };
        add(element);
        if (!token.isEmpty && open.length < 100) open.push(element);
      } else {
        const at = open.findLastIndex((candidate) => (candidate as Element).name === token.close);
        if (at > 0) open.length = at;
      }
    }
  }

  parent.children = root.children;
}

function tokens(html: string, components: TagComponents): Token[] {
  const found: Token[] = [];
  let end = 0;
  for (const match of html.matchAll(/<!--[\s\S]*?-->|<(\/?)([a-zA-Z][a-zA-Z\d.]*)((?:\s+[^<>]*)?)\/?>/g)) {
    const [whole, slash, tag, rest] = match;
    const component = tag && components.has(tag) ? componentTag(whole) : undefined;
    const name = tag?.toLowerCase();
    if (name !== undefined && !component && !formatting.has(name)) continue;
    found.push({ text: html.slice(end, match.index) });
    end = match.index + whole.length;
    if (component?.kind === "close") found.push({ close: component.name });
    else if (component)
      found.push({
        open: component.name,
        attributes: component.attributes,
        isEmpty: component.kind === "empty",
      });
    else if (name !== undefined)
      found.push(
        slash
          ? { close: name }
          : { open: name, attributes: attributesOf(name, rest ?? ""), isEmpty: empty.has(name) },
      );
  }

  found.push({ text: html.slice(end) });
  return found;
}

function attributesOf(tag: string, source: string): Element["attributes"] {
  const names = allowedAttributes[tag] ?? [];
  return [...source.matchAll(/([a-zA-Z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)].flatMap(
    ([, name, double, single, bare]) =>
      names.includes(name!.toLowerCase())
        ? [
            {
              type: "mdxJsxAttribute" as const,
              name: name!.toLowerCase(),
              value: unescapeHtml(double ?? single ?? bare ?? ""),
            },
          ]
        : [],
  );
}
