import type { ComponentChild, ComponentChildren } from "preact";
import { createElement, Fragment } from "preact";
import { limits } from "../../base/limits.ts";
import { problem, type SourcePosition } from "../../base/problem.ts";
import type { CalloutKind } from "../components/callouts.tsx";
import { Callout, calloutKind } from "../components/callouts.tsx";
import type { ComponentDefinition, InsideComponent } from "../components/component.ts";
import { componentNamed } from "../components/components.ts";
import { headingLevel } from "../components/heading-level.ts";
import {
  type ContentElement,
  type ContentNode,
  isContentElement,
  type Props,
  type PropValue,
} from "../content.ts";
import { imageDimensions, isMissingImage } from "../html/image-dimensions.ts";
import { text } from "../html/prop-values.ts";
import { type RenderContext, renderWithContext } from "../html/render-context.ts";
import { isExternal, safeAttributes } from "../html/safe-attributes.ts";
import { checkIcon, withPlainIcon } from "./author-icon.ts";
import { toMarkdown } from "./to-markdown.ts";

/**
 * Renders a content tree as HTML. All elements and attributes are sanitized.
 * Root-relative URLs, and fragments in links, are prefixed with `siteUrlMark`. The export resolves them.
 */
export function renderContent(nodes: readonly ContentNode[], context: RenderContext): string {
  const tree = new ContentRenderer(context).children(nodes, { depth: 0 });
  return toHtml(tree, context);
}

function toHtml(tree: ComponentChildren, context: RenderContext): string {
  return renderWithContext(context, <>{tree}</>);
}

/**
 * Returns the text of a tree. Unlike `textOf`, this function isn't recursive, so the tree can have any depth.
 */
export function renderText(nodes: readonly ContentNode[]): string {
  let text = "";
  const rest: ContentNode[] = [...nodes].reverse();
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (typeof node === "string") text += node;
    else for (let i = node.children.length - 1; i >= 0; i--) rest.push(node.children[i]!);
  }
  return text;
}

/** Properties of a node's ancestors that affect how the node is rendered. */
interface RenderScope extends InsideComponent {
  depth: number;
  /** Whether the node is inside an SVG, where the case of element names matters. */
  svg?: boolean;
}

/** Elements that are removed with their content, because they run code or change the page around them. */
const droppedElements = new Set(
  "script base object embed applet meta link frame frameset noscript template title head noembed portal".split(
    " ",
  ),
);
/** Elements that the document already has. Only their content is rendered. */
const unwrappedElements = new Set(["html", "body"]);
const voidElements = new Set("area br col hr img input source track wbr".split(" "));
/** Elements whose text isn't markup. */
const rawTextElements = new Set(["style", "textarea", "xmp", "plaintext"]);
/**
 * Elements with inline content. If the only child of such an element is a paragraph, which Markdown adds, the
 * paragraph is unwrapped.
 */
const phrasingParents = new Set(
  "p h1 h2 h3 h4 h5 h6 span button summary label small strong em b i u s mark kbd code sup sub td th dt figcaption caption legend a cite q abbr time option".split(
    " ",
  ),
);
/** Elements that end an open paragraph in HTML. */
const blockElements = new Set(
  "address article aside blockquote center details dialog dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul".split(
    " ",
  ),
);
/** Matches a number, with or without a sign, currency or unit. The digits of such table cells are aligned. */
const numeric = /^\s*[~≈<>≤≥+±−-]?\s?\p{Sc}?\s?\d[\d.,\u202f ]{0,20}\s?(?:\p{Sc}|%|[a-zA-Zµ°]{1,3})?\s*$/u;
const elementName = /^[a-z][a-z0-9]*(?:[-:.][a-z0-9]+)*$/i;

/** Matches the mark at the start of a block quote that is shown as a callout. */
export const alert = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*\n?/i;
const alertKinds: Record<string, CalloutKind> = {
  note: "note",
  tip: "tip",
  important: "info",
  warning: "warning",
  caution: "danger",
};

class ContentRenderer {
  private readonly context: RenderContext;
  private hasImage = false;

  constructor(context: RenderContext) {
    this.context = context;
  }

  children(nodes: readonly ContentNode[], around: RenderScope): ComponentChildren {
    return nodes.map((node) => this.node(node, around));
  }

  private node(node: ContentNode, around: RenderScope): ComponentChild {
    if (typeof node === "string") return node;
    // Deeper trees would overflow the stack, so they are shown as text.
    if (around.depth > limits.nesting_levels) return renderText([node]);
    const inside = { ...around, depth: around.depth + 1 };
    if (node.name === "") return createElement(Fragment, null, this.children(node.children, inside));
    const component = componentNamed(node.name);
    if (component) return this.component(component, node, inside);
    if (/^[A-Z]/.test(node.name) || !elementName.test(node.name))
      return createElement(Fragment, null, this.children(node.children, inside));
    return this.htmlElement(node, inside);
  }

  private component(
    component: ComponentDefinition,
    written: ContentElement,
    around: RenderScope,
  ): ComponentChild {
    const node = withPlainIcon(written, (svg) =>
      toHtml(this.node(svg, { depth: around.depth }), this.context),
    );
    const inside = { ...around, ...component.inside?.(node) };
    const props: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node.props)) {
      if (key !== "key" && key !== "ref" && key !== "children" && key !== "dangerouslySetInnerHTML")
        props[key] = this.prop(value, inside);
    }

    const place = this.placeOf(node);
    Object.assign(
      props,
      component.derivedProps?.(node, { around, iconLibrary: this.context.iconLibrary, place, toMarkdown }),
    );

    const iconProblem = this.context.report && checkIcon(node, this.context.iconLibrary);
    if (iconProblem)
      this.context.report?.(problem("unknown-icon", place, iconProblem.message, iconProblem.hint));
    const children = component.wrapsText ? withParagraphs(node.children) : node.children;
    return createElement(component.render, props, this.children(children, inside));
  }

  private placeOf({ line, column }: ContentElement): SourcePosition {
    return { file: this.context.file, ...(line ? { line } : {}), ...(column ? { column } : {}) };
  }

  /** Converts the value of an attribute. Renders JSX in the value. */
  private prop(value: PropValue, around: RenderScope): unknown {
    if (isContentElement(value)) return this.node(value, around);
    if (Array.isArray(value)) return value.map((item) => this.prop(item, around));
    return value;
  }

  private htmlElement(node: ContentElement, around: RenderScope): ComponentChild {
    const name = around.svg ? node.name : node.name.toLowerCase();
    if (droppedElements.has(name.toLowerCase()) || animatesUrl(node)) return null;
    if (unwrappedElements.has(name))
      return createElement(Fragment, null, this.children(node.children, around));
    if (rawTextElements.has(name)) return name === "style" ? styleElement(node) : renderText(node.children);

    const special = this.special(name, node, around);
    if (special !== undefined) return special;
    const attributes = safeAttributes(name, node.props);
    if (voidElements.has(name)) return createElement(name, attributes);
    if (name === "td" && numeric.test(renderText(node.children)))
      attributes.class = attributes.class ? `${attributes.class} o-num` : "o-num";
    if (name === "svg") around.svg = true;
    if (name === "foreignObject") around.svg = false;

    const children = phrasingParents.has(name) ? withoutLoneParagraph(node.children) : node.children;
    return createElement(tagOf(name, children), attributes, this.children(children, around));
  }

  /** Renders elements that need special handling. Undefined for all other elements. */
  private special(name: string, node: ContentElement, around: RenderScope): ComponentChild | undefined {
    switch (name) {
      case "a":
        return this.link(node, around);
      case "img":
        return this.image(node, around);
      case "iframe":
        return frame(node);
      case "video":
        return this.video(node, around);
      case "table":
        return this.table(node, around);
      case "blockquote":
        return this.alert(node, around);
      case "pre":
        return createElement(
          "pre",
          { tabIndex: 0, ...safeAttributes("pre", node.props) },
          this.children(node.children, around),
        );
      case "li":
        return this.taskItem(node, around);
      default:
        return headingLevel(node) === undefined ? undefined : this.heading(name, node, around);
    }
  }

  private heading(name: string, node: ContentElement, around: RenderScope): ComponentChild {
    const attributes = safeAttributes(name, node.props);
    const id = typeof attributes.id === "string" ? attributes.id : undefined;
    return createElement(
      name,
      attributes,
      this.children(withoutLoneParagraph(node.children), around),
      id === undefined || around.link || node.props.noAnchor ? null : (
        <a class="o-anchor" href={`#${id}`} aria-label={this.context.messages.linkToSection} />
      ),
    );
  }

  private link(node: ContentElement, around: RenderScope): ComponentChild {
    const children = this.children(withoutLoneParagraph(node.children), { ...around, link: true });
    if (around.link) return createElement("span", null, children);
    const attributes = safeAttributes("a", node.props);
    if (typeof attributes.href === "string" && isExternal(attributes.href)) {
      attributes.target ??= "_blank";
      attributes.rel = "noopener noreferrer";
    }
    return createElement("a", attributes, children);
  }

  private video(node: ContentElement, around: RenderScope): ComponentChild {
    const attributes = safeAttributes("video", node.props);
    const autoPlay = attributes.autoPlay ?? attributes.autoplay;
    const autoPlayAttributes =
      around.frame && autoPlay !== undefined && autoPlay !== false
        ? { playsInline: true, loop: true, muted: true }
        : {};
    return createElement(
      "video",
      { ...autoPlayAttributes, ...attributes },
      this.children(node.children, around),
    );
  }

  private table(node: ContentElement, around: RenderScope): ComponentChild {
    return (
      <div class="o-table" tabIndex={0} role="group" aria-label={this.context.messages.scrollable}>
        {createElement(
          "table",
          safeAttributes("table", node.props),
          this.children(node.children.filter(isNotBlank), around),
        )}
      </div>
    );
  }

  /** Renders a `> [!NOTE]` block quote as a callout. Undefined for other block quotes. */
  private alert(node: ContentElement, around: RenderScope): ComponentChild | undefined {
    const first = node.children.find(isNotBlank);
    if (typeof first !== "object" || first.name !== "p") return undefined;
    const [start, ...rest] = first.children;
    const kind = typeof start === "string" ? alert.exec(start) : null;
    if (typeof start !== "string" || !kind) return undefined;

    const opening: ContentElement = { ...first, children: [start.slice(kind[0].length), ...rest] };
    const body = [
      ...(opening.children.some(isNotBlank) ? [opening] : []),
      ...node.children.slice(node.children.indexOf(first) + 1),
    ];

    return createElement(
      Callout,
      { type: calloutKind(alertKinds[kind[1]!.toLowerCase()]) },
      this.children(body, around),
    );
  }

  /** Renders an image. The first image in the content is probably in view, so it isn't loaded lazily. */
  private image(node: ContentElement, around: RenderScope): ComponentChild {
    const attributes = safeAttributes("img", node.props);
    if (attributes.src === undefined && attributes.srcset === undefined) return null;

    const zooms =
      !around.link &&
      !isOn(node.props.noZoom ?? node.props.nozoom) &&
      !isMissingImage(attributes.src, this.context);

    const loading = this.hasImage ? { loading: "lazy" } : {};
    this.hasImage = true;

    return createElement("img", {
      alt: "",
      ...loading,
      decoding: "async",
      ...imageDimensions(attributes, this.context),
      ...attributes,
      // Label of the button that the page's script creates for an image without alternative text.
      ...(zooms ? { "data-zoom": attributes.alt ? "" : this.context.messages.enlargeImage } : {}),
    });
  }

  private taskItem(node: ContentElement, around: RenderScope): ComponentChild | undefined {
    const { checked, ...props } = node.props;
    if (typeof checked !== "boolean") return undefined;

    const box = (
      <span
        class="o-task-box"
        role="img"
        aria-label={checked ? "☑" : "☐"}
        data-checked={checked ? "" : undefined}
      />
    );

    return createElement(
      "li",
      { ...safeAttributes("li", props), class: "o-task" },
      box,
      this.children(withoutLoneParagraph(node.children), around),
    );
  }
}

/**
 * Returns the tag name of an element: a `p` that contains blocks becomes a `div`, and an empty `th` becomes a
 * `td`, because it doesn't label any cells.
 */
function tagOf(name: string, children: readonly ContentNode[]): string {
  if (name === "p" && children.some((child) => isBlock(child, 0))) return "div";
  return name === "th" && !children.some(isNotBlank) ? "td" : name;
}

/**
 * Renders an embedded page, with a title for screen readers. Null unless the URL is HTTP, HTTPS,
 * protocol-relative or root-relative.
 */
function frame(node: ContentElement): ComponentChild {
  const { srcDoc: _, ...props } = node.props as Props & { srcDoc?: PropValue };
  const attributes = safeAttributes("iframe", props);
  const src = attributes.src;
  if (typeof src !== "string" || !/^(?:https?:)?\/\/|^\x7f/i.test(src)) return null;
  return createElement("iframe", { loading: "lazy", title: hostOrPath(src), ...attributes });
}

/** Returns the host of an absolute URL, or the path of a URL that is marked with `siteUrlMark`. */
function hostOrPath(url: string): string {
  return /^(?:https?:)?\/\/([^/?#]+)/i.exec(url)?.[1] ?? url.slice(1);
}

/** Renders an author's style sheet. Makes sure that `</style>` in the text doesn't end the element. */
function styleElement(node: ContentElement): ComponentChild {
  const css = renderText(node.children).replace(/<(?=[/!?a-z])/gi, "\\3c ");
  return createElement("style", { dangerouslySetInnerHTML: { __html: css } });
}

/**
 * Whether an element is an SVG animation of a URL or an event handler, which would change the attribute after
 * it has been checked.
 */
function animatesUrl({ name, props }: ContentElement): boolean {
  return (
    /^(?:set|animate\w*)$/i.test(name) &&
    /href|^on/i.test(text(props.attributeName ?? props.attributename) ?? "")
  );
}

function isOn(value: PropValue): boolean {
  return value === true || value === "" || value === "true";
}

function isNotBlank(node: ContentNode): boolean {
  return typeof node !== "string" || node.trim() !== "";
}

/** Returns the content of the only child if the child is a paragraph, and otherwise the children. */
function withoutLoneParagraph(children: readonly ContentNode[]): readonly ContentNode[] {
  const solid = children.filter(isNotBlank);
  const only = solid.length === 1 ? solid[0] : undefined;
  return typeof only === "object" && only.name === "p" ? only.children : children;
}

/** Wraps runs of at least two texts and inline elements in `<p>`, as in `<Card>a <b>b</b></Card>`. */
function withParagraphs(children: readonly ContentNode[]): readonly ContentNode[] {
  const out: ContentNode[] = [];
  let run: ContentNode[] = [];
  const close = () => {
    if (run.filter(isNotBlank).length > 1) out.push({ name: "p", props: {}, children: run });
    else out.push(...run);
    run = [];
  };

  for (const child of children) {
    if (isBlock(child, 0)) {
      close();
      out.push(child);
    } else run.push(child);
  }

  close();
  return out;
}

/** Whether a node would end the paragraph around it. */
function isBlock(node: ContentNode, depth: number): boolean {
  if (typeof node === "string" || depth > 20) return false;
  if (blockElements.has(node.name)) return true;
  const component = componentNamed(node.name);
  if (component && component.display === undefined) return true;
  return node.children.some((child) => isBlock(child, depth + 1));
}
