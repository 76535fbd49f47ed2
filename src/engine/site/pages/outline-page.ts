/** Creates pages without content, for what other pages show of a page: its title and settings. */

import type { Frontmatter } from "../../config/frontmatter.ts";
import { BodyReader } from "../../page/read-body.ts";
import type { PageReference } from "../sources/page-reference.ts";
import type { CompiledPage } from "./page-bodies.ts";
import { titleOfReference, titleOfRoute } from "./page-title.ts";

/**
 * Returns a page without content. Its title is that of the frontmatter, the reference or the route, but not a
 * heading's.
 */
export function outlinePage(
  route: string,
  frontmatter: Frontmatter,
  reference: PageReference | undefined,
): CompiledPage {
  return {
    frontmatter,
    title: frontmatter.title ?? titleOfReference(reference) ?? titleOfRoute(route),
    summary: {
      anchors: "",
      links: [],
      firstWords: "",
      views: [],
      updateTags: [],
      feed: [],
      classNames: [],
      diagramParts: [],
      hosts: null,
      islands: [],
      cuts: [],
    },
    body: new BodyReader("").readBody({
      description: "",
      lead: "",
      html: "",
      aside: "",
      markdown: "",
      reference: "",
      toc: "",
    }),
    problems: [],
    dependencies: {},
    islandScripts: {},
  };
}
