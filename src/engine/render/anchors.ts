import type { ContentElement, ContentNode } from "../content.ts";
import { textOf, visitElements } from "../content.ts";
import type { PageMode, TocEntry } from "./page-view.ts";

/** The id of a heading: readable, stable, and the one that links in existing repositories use. */
export function slugOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/['‘]/g, "’")
    .replace(/[()]/g, "")
    .replace(/\s+|\./g, "-")
    .replace(/["<>\u0000-\u001f\ue000]/g, "");
}

/** The id of a parameter: `userId` → `param-user-id`, `filter[name]` → `param-filter-name`. */
export function paramIdOf(name: string): string {
  const kebab = name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return `param-${kebab}`;
}

/** The name that a field documents; the order decides when an author wrote several. */
export function fieldNameOf(props: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ["query", "path", "body", "header", "name"]) {
    const value = props[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The level of a heading, 1 to 6; undefined for other elements. */
export function headingLevel({ name, props }: ContentElement): number | undefined {
  const written = name === "Heading" ? String(props.level ?? 2) : /^h[1-6]$/.test(name) ? name.slice(1) : "";
  return /^[1-6]$/.test(written) ? Number(written) : undefined;
}

const deepestAnchor = 4;
const outsideToc = new Set(["Accordion", "AccordionGroup", "Expandable", "Update", "Prompt"]);
const linkedBlocks = new Set(["Accordion", "Tab", "TabItem", "View"]);

/**
 * Gives ids to everything that a link may lead to, by adding `id` props to the tree, and
 * returns the table of contents. Headings, steps and updates choose their ids first, so that
 * a tab of the same name never takes one.
 */
export function assignAnchors(nodes: ContentNode[], options: { mode: PageMode }): TocEntry[] {
  const automatic = options.mode !== "custom" && options.mode !== "frame";
  const walk = new Walk(automatic);
  walk.visit(nodes, { toc: automatic, within: [], stepSize: "p", topLevel: true });
  nameBlocks(nodes, walk.ids);
  return walk.toc;
}

/** Ids of the frame around a page, which authors' style sheets rely on. */
const frameIds = ["navbar", "sidebar", "content-area", "table-of-contents", "page-title", "pagination", "footer", "banner"];

/** Ids in use. A second `overview` becomes `overview-2`, a second parameter `param-id-1`. */
class Ids {
  private readonly taken = new Set<string>(frameIds);
  /** How many times a name was asked for, so that a thousand equal names stay cheap. */
  private readonly counts = new Map<string, number>();

  claim(wanted: string, firstSuffix = 2): string {
    let count = this.counts.get(wanted);
    let id = wanted;
    while (this.taken.has(id)) {
      count = count === undefined ? firstSuffix : count + 1;
      id = `${wanted}-${count}`;
    }
    if (count !== undefined) this.counts.set(wanted, count);
    this.taken.add(id);
    return id;
  }
}

interface Place {
  toc: boolean;
  within: string[];
  stepSize: string;
  topLevel: boolean;
}

class Walk {
  readonly ids = new Ids();
  readonly toc: TocEntry[] = [];
  private readonly automatic: boolean;

  constructor(automatic: boolean) {
    this.automatic = automatic;
  }

  visit(nodes: readonly ContentNode[], place: Place): void {
    for (const node of nodes) {
      if (typeof node === "string") continue;
      this.name(node, place);
      if (node.children.length > 0) this.visit(node.children, placeInside(node, place));
    }
  }

  private name(node: ContentElement, place: Place): void {
    const level = headingLevel(node);
    if (level !== undefined) this.nameHeading(node, level, place);
    else if (node.name === "Step") this.nameStep(node, place);
    else if (node.name === "Update") this.nameUpdate(node, place);
  }

  private nameHeading(node: ContentElement, level: number, place: Place): void {
    if (isSet(node.props.noAnchor)) return;
    const own = textProp(node.props.customId) ?? textProp(node.props.id);
    const text = textOf(node).trim();
    if (own === undefined && (!this.automatic || level > deepestAnchor || text === "")) return;
    const id = this.ids.claim(own ?? slugOf(text));
    node.props.id = id;
    if (place.toc && level <= deepestAnchor) this.enter(id, text, level, place);
  }

  private nameStep(node: ContentElement, place: Place): void {
    const title = textProp(node.props.title);
    if (isSet(node.props.noAnchor)) return;
    const wanted = textProp(node.props.id) ?? (this.automatic && title ? slugOf(title) : undefined);
    if (wanted === undefined) return;
    const id = this.ids.claim(wanted);
    node.props.id = id;
    const size = textProp(node.props.titleSize) ?? place.stepSize;
    if (place.toc && title && (size === "h2" || size === "h3")) this.enter(id, title, Number(size.slice(1)), place);
  }

  private nameUpdate(node: ContentElement, place: Place): void {
    const label = textProp(node.props.label);
    const wanted = textProp(node.props.id) ?? (label ? slugOf(label) : undefined);
    if (wanted === undefined) return;
    const id = this.ids.claim(wanted);
    node.props.id = id;
    if (place.toc && place.topLevel && label) this.enter(id, label, 2, place);
  }

  private enter(id: string, text: string, level: number, place: Place): void {
    this.toc.push({ id, text, level: Math.max(2, level), ...(place.within.length > 0 ? { within: place.within } : {}) });
  }
}

function placeInside(node: ContentElement, place: Place): Place {
  const { name, props } = node;
  if (outsideToc.has(name) || (name === "Visibility" && props.for === "agents")) return { ...place, toc: false, topLevel: false };
  if (name === "Steps") return { ...place, stepSize: textProp(props.titleSize) ?? "p", topLevel: false };
  if (name === "Tab" || name === "TabItem" || name === "View") {
    const title = textProp(props.title) ?? textProp(props.label) ?? "";
    return { ...place, within: [...place.within, title], topLevel: false };
  }
  return name === "" || !place.topLevel ? place : { ...place, topLevel: false };
}

/** Ids of what opens and closes, and of fields. */
function nameBlocks(nodes: readonly ContentNode[], ids: Ids): void {
  visitElements(nodes, ({ name, props }) => {
    if (linkedBlocks.has(name)) {
      const title = textProp(props.title) ?? textProp(props.label);
      const wanted = textProp(props.id) ?? (title ? slugOf(title).replaceAll(":", "-") : undefined);
      if (wanted !== undefined) props.id = ids.claim(wanted);
    } else if (name === "ParamField" || name === "Param" || name === "ResponseField") {
      const field = fieldNameOf(props);
      const wanted = textProp(props.id) ?? (field ? paramIdOf(field) : undefined);
      if (wanted !== undefined) props.id = ids.claim(wanted, 1);
    }
  });
}

function textProp(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function isSet(value: unknown): boolean {
  return value === true || value === "" || value === "true";
}
