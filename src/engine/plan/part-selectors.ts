import { frameIds } from "../frame/frame-ids.ts";
import { cssTextSource } from "./css-text.ts";

/**
 * Selectors of parts of the page layout in authors' style sheets, with others for the same parts: their IDs
 * on pages whose content has an ID of a part, and names of other platforms, which aren't in the pages,
 * because most sites don't use them.
 */
const parts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(frameIds.map((id) => [`#${id}`, `#o-${id}`])),
  "#content-area": ":where(:not([data-page=custom])>body) #o-content-area",
  "#content-container": ".o-main",
  "#content-side-layout": ".o-aside",
  "#header": ".o-head",
  "#navigation-items": "#sidebar-content,#o-sidebar-content",
  ".sidebar-group": ".o-top>ul",
  ".sidebar-group-header": ".o-top>:is(p,a)",
  ".sidebar-group-icon": ".o-top>:is(p,a)>.o-i",
  ".sidebar-title": ".o-top>:is(p,a)",
  ".toc-item": ".toc>li",
};

const names = Object.keys(parts).map((selector) => selector.replace(".", "\\."));
/** Comments and strings, which stay unchanged, and the selectors. */
const pattern = new RegExp(`${cssTextSource}|(?:${names.join("|")})(?![\\w-])`, "gs");

/**
 * Adds the other selectors of parts to a style sheet. The selectors also keep their meaning, for elements of
 * authors, and their specificity.
 */
export function withPartSelectors(css: string): string {
  return css.replace(pattern, (text) => (parts[text] ? `:is(${text},${parts[text]})` : text));
}
