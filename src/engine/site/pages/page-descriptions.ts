/** Renders the descriptions in an OpenAPI document for one page. */

import type { ContentNode } from "../../content.ts";
import type { RenderContext } from "../../html/render-context.ts";
import { linkProps } from "../../html/safe-attributes.ts";
import { renderContent } from "../../page/render-content.tsx";
import { linksIn, linksOf } from "../navigation/page-links.ts";
import type { PageLink } from "../page.ts";
import { descriptionContent, paragraphStart } from "../sources/description.ts";

/**
 * Memoized HTML of descriptions that contain only `formattingElements`, by `isRemote` and text. This HTML
 * doesn't depend on the page, and schemas are repeated on many pages.
 */
const sharedDescriptions: Record<"own" | "remote", Map<string, Rendered>> = {
  own: new Map(),
  remote: new Map(),
};
/** Maximum number of descriptions in each cache. A full cache is cleared. */
const sharedHtml_count = 20_000;
/** Elements whose HTML depends only on their attributes and children. */
const formattingElements = new Set(
  "p a b strong i em u s del ins mark small sub sup code kbd samp var br hr span ul ol li dl dt dd".split(
    " ",
  ),
);

interface Rendered {
  html: string;
  links: readonly PageLink[];
}

export class PageDescriptions {
  private readonly render: RenderContext;
  private readonly isRemote: boolean;
  private readonly shared: Map<string, Rendered>;
  /** The description whose start was returned. It is usually rendered next. */
  private last: { text: string; content: ContentNode[] } | undefined;
  private readonly ofPage = new Map<string, Rendered>();
  private readonly linksByUrl = new Map<string, PageLink>();

  /** `isRemote`: whether the document is remote. Its descriptions can't use components. */
  constructor(render: RenderContext, isRemote: boolean) {
    this.render = render;
    this.isRemote = isRemote;
    this.shared = sharedDescriptions[isRemote ? "remote" : "own"];
  }

  /** Links and images within the site of the document that the page shows. */
  get links(): PageLink[] {
    return [...this.linksByUrl.values()];
  }

  /** Renders a description as HTML. */
  html(text: string): string {
    const { html, links } = this.rendered(text);
    this.add(links);
    return html;
  }

  /** Returns the attributes of a link with a URL from the document. */
  link(href: string): ReturnType<typeof linkProps> {
    this.add(linksOf({ name: "a", props: { href }, children: [] }));
    return linkProps(href);
  }

  private add(links: readonly PageLink[]): void {
    for (const link of links) this.linksByUrl.set(`${link.kind} ${link.address}`, link);
  }

  private rendered(text: string): Rendered {
    const memoized = this.shared.get(text) ?? this.ofPage.get(text);
    if (memoized !== undefined) return memoized;
    const content = this.last?.text === text ? this.last.content : descriptionContent(text, this.isRemote);
    const rendered = { html: renderContent(content, this.render), links: linksIn(content) };
    const known = content.every(isFormatting) ? this.shared : this.ofPage;
    if (known.size >= sharedHtml_count) known.clear();
    known.set(text, rendered);
    return rendered;
  }

  /** Returns the start of the first paragraph as text. Empty if there is no paragraph. */
  firstWords(text: string): string {
    const content = descriptionContent(text, this.isRemote);
    this.last = { text, content };
    const paragraph = content.find((node) => typeof node !== "string" && node.name === "p");
    return paragraph ? paragraphStart(paragraph) : "";
  }
}

function isFormatting(node: ContentNode): boolean {
  return typeof node === "string" || (formattingElements.has(node.name) && node.children.every(isFormatting));
}
