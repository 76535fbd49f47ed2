import type { ContentElement } from "../content.ts";

/** State of the ancestors of an element that affects its entry in the table of contents. */
export interface TocContext {
  /** Whether headings here are listed. */
  toc: boolean;
  /** Titles of the tabs and views that contain the element. */
  within: string[];
  /** `titleSize` of the Steps that contain the element. */
  stepSize: string;
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
