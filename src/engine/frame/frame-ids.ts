/**
 * The ids of the parts of the page layout, which authors' style sheets can use. On a page whose content has
 * an element with one of these ids, the ids of all parts start with `o-`, so that links find the content.
 * Other ids, which only Octavo uses, have capitals, such as `oHead`, because ids of headings have none.
 */

import type { PageView } from "./page-view.ts";

export const frameIds = [
  "navbar",
  "sidebar",
  "sidebar-content",
  "content-area",
  "body-content",
  "table-of-contents",
  "table-of-contents-content",
  "page-title",
  "pagination",
  "related",
  "footer",
  "banner",
  "topbar-cta-button",
  "search-bar-entry",
  "assistant-entry",
  "page-context-menu",
  "feedback-thumbs-up",
  "feedback-thumbs-down",
] as const;

export type FrameId = (typeof frameIds)[number];

const line = new RegExp(`^(?:${frameIds.join("|")})$`, "m");
const selector = new RegExp(`#(${frameIds.join("|")})(?![\\w-])`, "g");

/** Whether an element of the content has the id of a part. `anchors`: ids of the content, one per line. */
export function hasFrameId(anchors: string): boolean {
  return line.test(anchors);
}

/**
 * Returns the id of a part. Style sheets that set the width of `#content-area` don't apply to custom pages,
 * which determine their layout themselves.
 */
export function frameId({ hasOwnIds, mode }: Pick<PageView, "hasOwnIds" | "mode">, id: FrameId): string {
  return hasOwnIds || (id === "content-area" && mode === "custom") ? `o-${id}` : id;
}

/** Returns the styles for pages whose parts have other ids. */
export function withFrameIds(css: string): string {
  return css.replace(selector, "#o-$1");
}
