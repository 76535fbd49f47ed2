import type { ContentElement } from "../content.ts";

/** What the ancestors of an element decide about its entry in the table of contents. */
export interface TocContext {
  /** Whether elements here are entered at all. */
  toc: boolean;
  /** Titles of the tabs and views around it. */
  within: string[];
  /** `titleSize` of the Steps around it. */
  stepSize: string;
  topLevel: boolean;
}

/** Inside of an ordinary element. */
export function below(around: TocContext): TocContext {
  return around.topLevel ? { ...around, topLevel: false } : around;
}

/** Inside of an element whose headings aren't entered. */
export function outsideToc(_node: ContentElement, around: TocContext): TocContext {
  return { ...around, toc: false, topLevel: false };
}
