/** Replaces `site-urls.ts` in the widget, whose page isn't a page of the documentation site. */

import { widgetContext } from "./context.ts";

/** Returns the absolute URL of the documentation site's root, with a trailing slash. */
export function siteBase(): URL {
  return new URL(widgetContext().base);
}

/** Returns the suffix of the URLs of pages. */
export function linkSuffix(): string {
  return widgetContext().site.linkSuffix;
}

/** Returns an empty path, because the documentation site doesn't learn on which page a question was asked. */
export function currentPath(): string {
  return "";
}

/** Returns the language of the answers. */
export function pageLanguage(): string {
  return widgetContext().language;
}
