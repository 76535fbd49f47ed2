import type { ContentElement } from "../content.ts";

/** Data about the ancestors of an element that determines its entry in the table of contents. */
export interface TocContext {
  /** Whether headings are listed in the table of contents. */
  toc: boolean;
  /** Titles of the tabs and views that contain the element, outermost first. */
  within: string[];
  /** `titleSize` of the innermost Steps that contain the element; `p` by default. */
  stepSize: string;
  /** Whether all ancestors of the element are fragments. */
  topLevel: boolean;
}

/** Returns the context inside an ordinary element. */
export function belowElement(around: TocContext): TocContext {
  return around.topLevel ? { ...around, topLevel: false } : around;
}

/** Returns the context inside an element whose headings aren't listed. */
export function withoutToc(_node: ContentElement, around: TocContext): TocContext {
  return { ...around, toc: false, topLevel: false };
}
