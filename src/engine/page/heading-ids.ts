/** Assigns the IDs of headings and blocks, and collects the table of contents. */

import type { TocWriter } from "../components/component.ts";
import { componentNamed } from "../components/components.ts";
import { headingLevel } from "../components/heading-level.ts";
import { belowElement, type TocContext } from "../components/toc-context.ts";
import type { PageMode } from "../config/page-mode.ts";
import { type ContentElement, type ContentNode, textOf, visitElements } from "../content.ts";
import { slugOf } from "../html/anchor-ids.ts";
import { flag, text } from "../html/prop-values.ts";
import type { TocEntry } from "./table-of-contents.ts";

/** Maximum level of headings that get an automatic id and an entry in the table of contents. */
const maxTocLevel = 4;

/**
 * Sets the `id` prop of headings and blocks, and returns the table of contents.
 * Headings, and components that act like headings, claim their ids before other blocks.
 * In the modes `custom` and `frame`, headings get no automatic ids and the table of contents is empty.
 */
export function assignAnchors(nodes: ContentNode[], options: { mode: PageMode }): TocEntry[] {
  const automatic = options.mode !== "custom" && options.mode !== "frame";
  const walk = new AnchorWalk(automatic);
  walk.visit(nodes, { toc: automatic, within: [], stepSize: "p", topLevel: true });
  assignBlockIds(nodes, walk.claim);
  return walk.toc;
}

/**
 * Tracks the ids in use. A second `overview` becomes `overview-2`. A second `param-id` becomes `param-id-1`.
 */
class Ids {
  private readonly taken = new Set<string>();
  /** The last suffix of each name, so that claiming the same name many times takes linear time. */
  private readonly counts = new Map<string, number>();

  claim(wanted: string, firstSuffix = 2): string {
    // A lone surrogate can't be part of a URL.
    const preferred = wanted.toWellFormed();
    let count = this.counts.get(preferred);
    let id = preferred;
    while (this.taken.has(id)) {
      count = count === undefined ? firstSuffix : count + 1;
      id = `${preferred}-${count}`;
    }
    if (count !== undefined) this.counts.set(preferred, count);
    this.taken.add(id);
    return id;
  }
}

class AnchorWalk implements TocWriter {
  readonly ids = new Ids();
  readonly toc: TocEntry[] = [];
  readonly isAutomatic: boolean;

  constructor(isAutomatic: boolean) {
    this.isAutomatic = isAutomatic;
  }

  visit(nodes: readonly ContentNode[], around: TocContext): void {
    for (const node of nodes) {
      if (typeof node === "string") continue;
      const level = headingLevel(node);
      const rules = componentNamed(node.name)?.anchors;
      const id =
        level === undefined
          ? rules?.idOfHeading?.(node, this, around)
          : this.idOfHeading(node, level, around);
      if (id !== undefined) node.props.id = id;
      if (node.children.length === 0) continue;
      this.visit(
        node.children,
        rules?.inside ? rules.inside(node, around) : node.name === "" ? around : belowElement(around),
      );
    }
  }

  claim = (id: string, firstSuffix?: number): string => this.ids.claim(id, firstSuffix);

  add(id: string, text: string, level: number, around: TocContext): void {
    this.toc.push({
      id,
      text,
      level: Math.max(2, level),
      ...(around.within.length > 0 ? { within: around.within } : {}),
    });
  }

  private idOfHeading(node: ContentElement, level: number, around: TocContext): string | undefined {
    if (flag(node.props.noAnchor)) return undefined;
    const own = text(node.props.customId) ?? text(node.props.id);
    const title = textOf(node.children.filter((child) => !isFootnoteReference(child))).trim();
    if (own === undefined && (!this.isAutomatic || level > maxTocLevel || title === "")) return undefined;
    const id = this.claim(own ?? slugOf(title));
    if (around.toc && level <= maxTocLevel) this.add(id, title, level, around);
    return id;
  }
}

function isFootnoteReference(node: ContentNode): boolean {
  if (typeof node === "string" || node.name !== "sup") return false;
  const [link] = node.children;
  return typeof link === "object" && link.props.className === "o-footnote-ref";
}

/** Sets the `id` prop of components that don't act as headings. */
function assignBlockIds(nodes: readonly ContentNode[], claim: TocWriter["claim"]): void {
  visitElements(nodes, (node) => {
    const id = componentNamed(node.name)?.anchors?.idOfBlock?.(node, claim);
    if (id !== undefined) node.props.id = id;
  });
}
