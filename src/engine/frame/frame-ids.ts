/** The ids of the parts of the page layout, which authors' style sheets can use. */

import type { PageView } from "./page-view.ts";

export type FrameId =
  | "navbar"
  | "sidebar"
  | "content-area"
  | "table-of-contents"
  | "page-title"
  | "pagination"
  | "footer"
  | "banner"
  | "topbar-cta-button"
  | "body-content"
  | "sidebar-content"
  | "table-of-contents-content"
  | "search-bar-entry"
  | "assistant-entry"
  | "page-context-menu";

const frameIds =
  /^(?:navbar|sidebar|sidebar-content|content-area|body-content|table-of-contents|table-of-contents-content|page-title|pagination|footer|banner|topbar-cta-button|search-bar-entry|assistant-entry|page-context-menu)$/gm;

/** Returns the ids of parts that headings and blocks of the content have. `anchors`: ids of the content, one per line. */
export function takenIds(anchors: string): ReadonlySet<string> | undefined {
  const found = anchors.match(frameIds);
  return found ? new Set(found) : undefined;
}

/** Returns the id of a part. On a page whose content has an element with this id, the part's id starts with `o-`. */
export function frameId({ takenIds }: Pick<PageView, "takenIds">, id: FrameId): string {
  return takenIds?.has(id) ? `o-${id}` : id;
}
