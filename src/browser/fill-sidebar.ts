/**
 * Fills the sidebar from the shared navigation file. The HTML of a page contains only the page's own branch
 * of the navigation. The file calls `octavoNav` with the whole tree of the page's section, in a compact
 * format.
 */

import { shortMethods } from "../engine/page/short-methods.ts";
import type { CompactItem, CompactPage } from "../engine/view/compact-tree.ts";
import { hrefOf } from "./site-urls.ts";

type NavGroup = Exclude<CompactItem, CompactPage>;

declare global {
  interface Window {
    octavoNav?: (tree: CompactItem[]) => void;
  }
}

/** Fills the sidebar with the public tree, or with the tree of a signed-in reader. */
export function startNavigation(): void {
  const list = document.querySelector<HTMLUListElement>(".o-tree");
  const sidebar = list?.parentElement;
  if (!sidebar || !list) return;

  const builder = new Builder(sidebar.dataset);
  const show = (tree: CompactItem[]) => {
    const current = list.querySelector("[aria-current]");
    builder.opened = tree.flatMap((node) => ("c" in node ? node.c : [node])).length <= openEntries_count;
    const before = current?.getBoundingClientRect().top ?? 0;
    fill(list, tree, builder, true);
    const now = list.querySelector("[aria-current]");
    if (!now) return;
    // Keeps the entry in its place. Near the end of the tree, the sidebar can't scroll far enough, and the
    // entry moves down.
    sidebar.scrollTop += now.getBoundingClientRect().top - before;
  };

  let latest: CompactItem[];

  // In the next frame, because `show` reads the layout, which that frame computes anyway.
  const showSoon = (tree: CompactItem[]) => {
    latest = tree;
    requestAnimationFrame(() => latest === tree && show(tree));
  };

  window.octavoNav = showSoon;
  const { readerNavigation } = sidebar.dataset;
  if (!readerNavigation) return;

  void fetch(readerNavigation)
    // The body is empty if no reader is signed in, so parsing it rejects.
    .then((answer) => answer.json() as Promise<CompactItem[]>)
    .then((tree) => {
      window.octavoNav = () => {};
      showSoon(tree);
    })
    // On failure the public tree stays.
    .catch(() => {});
}

/**
 * Replaces the placeholders of groups in the sidebar with the groups' entries. A placeholder is as tall as
 * the collapsed group, so that the layout doesn't shift. If a list and the tree have different numbers of
 * entries, the whole list is replaced.
 */
function fill(list: HTMLUListElement, nodes: readonly CompactItem[], builder: Builder, top: boolean): void {
  const items = [...list.children];
  if (items.length !== nodes.length) {
    list.replaceChildren(...builder.items(nodes, top));
    return;
  }
  nodes.forEach((node, index) => {
    const item = items[index];
    if (!item || Array.isArray(node)) return;
    const inner = item.querySelector<HTMLUListElement>("ul");
    if (inner) fill(inner, node.c, builder, false);
    else item.replaceWith(builder.group(node, top));
  });
}

/**
 * Maximum number of entries at the top level and in top-level groups. If there are more, top-level groups can
 * be collapsed. Otherwise they are always open.
 */
const openEntries_count = 400;

class Builder {
  /** Path of the current page. */
  readonly path: string;
  /** Whether top-level groups are headings that are always open. */
  declare opened: boolean;
  /** The label of deprecated pages. */
  private readonly deprecated: string;

  constructor({ path = "", deprecated = "" }: DOMStringMap) {
    this.path = path;
    this.deprecated = deprecated;
  }

  items(nodes: readonly CompactItem[], top = false): HTMLLIElement[] {
    const hasMethods = nodes.some((node) => Array.isArray(node) && node[4]);
    return nodes.map((node) => (Array.isArray(node) ? this.page(node, hasMethods) : this.group(node, top)));
  }

  page([label, path, icon, tag, method, flags]: CompactPage, hasMethods: boolean): HTMLLIElement {
    const link = this.link(path);
    if (flags?.includes("x")) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    }
    if (method) link.append(make("b", `o-m o-m-${method.toLowerCase()}`, shortMethods[method] ?? method));
    else if (hasMethods) link.append(make("b", "o-m"));
    link.append(...this.label(label, icon));
    if (flags?.includes("d")) link.append(make("small", "o-tag o-tag-warning", this.deprecated));
    if (tag) link.append(make("small", "o-tag", tag));
    return make("li", "", link);
  }

  group(group: NavGroup, top: boolean): HTMLLIElement {
    const label = this.label(group.g, group.i, group.t);
    const item = make("li", top ? "o-top" : "");
    const list = () => make("ul", "", ...this.items(group.c));
    const link = group.p === undefined ? undefined : this.link(group.p);
    link?.append(...label);

    if (top && this.opened) {
      item.append(link ?? make("p", "", ...label), list());
      return item;
    }

    const details = make("details");
    const summary = make("summary");
    details.append(summary);

    // Children are created when the group opens, because a site may have thousands of them.
    const open = () => details.children.length > 1 || details.append(list());
    details.addEventListener("toggle", open, { once: true });

    if (group.x || this.hasCurrent(group)) {
      details.open = true;
      open();
    }

    if (link) {
      // The disclosure follows the link, as in the rendered HTML.
      summary.ariaLabel = group.g;
      item.className += " o-fold";
      item.append(link);
    } else summary.append(...label);

    item.append(details);
    return item;
  }

  link(path: string): HTMLAnchorElement {
    const link = make("a");
    link.href = hrefOf(path);
    if (path === this.path) link.setAttribute("aria-current", "page");
    return link;
  }

  label(label: string, icon?: string, tag?: string): HTMLElement[] {
    const parts = [make("span", "", label)];
    if (icon) parts.unshift(make("i", `o-i ${icon}`));
    if (tag) parts.push(make("small", "o-tag", tag));
    return parts;
  }

  hasCurrent(group: NavGroup): boolean {
    return (
      group.p === this.path ||
      group.c.some((node) => (Array.isArray(node) ? node[1] === this.path : this.hasCurrent(node)))
    );
  }
}

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className = "",
  ...children: (string | HTMLElement)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
