/** Finds pages to suggest before the reader has typed a query. */

export interface SuggestedPage {
  href: string;
  title: string;
}

const suggested_count = 5;

/**
 * Returns the pages after the current one in the sidebar. After the last page, continues with the first one.
 */
export function suggestedPages(): SuggestedPage[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".o-tree a[href]:not([target])")];
  const current = links.findIndex((link) => link.ariaCurrent === "page");
  const ordered = [...links.slice(current + 1), ...links.slice(0, Math.max(0, current))];
  const pages = new Map(ordered.map((link) => [link.href, { href: link.href, title: titleOf(link) }]));
  return [...pages.values()].slice(0, suggested_count);
}

/**
 * Returns the label of a sidebar link, without its tags. The method is only included if the label is a path.
 */
function titleOf(link: HTMLAnchorElement): string {
  const label = (link.querySelector("span") ?? link).textContent?.trim() ?? "";
  const method = link.querySelector(".o-m")?.textContent;
  return method && label.startsWith("/") ? `${method} ${label}` : label;
}
