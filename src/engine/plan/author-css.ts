import { withLayeredResets } from "./layered-resets.ts";
import { withPartSelectors } from "./part-selectors.ts";

/** Adapts an author's style sheet to Octavo's pages. Returns most style sheets unchanged. */
export function authorCss(css: string): string {
  return withPartSelectors(withLayeredResets(css));
}
