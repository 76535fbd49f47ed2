/** Adds the schemas that pages share. */

import { escapeHtml } from "../../../base/html-text.ts";
import { schemaPath } from "../../../layout/site-layout.ts";
import { layoutTemplate } from "../../frame/render-page.tsx";
import type { Template } from "../../frame/template.ts";
import type { AddFile } from "../../plan/export-target.ts";
import type { FilePart } from "../../plan/file-content.ts";
import { PageUrls } from "../../plan/page-urls.ts";
import { fragmentKey } from "../../site/compile-fragments.ts";
import { frameView, type ViewContext } from "../../view/build-page-view.ts";
import { schemaText } from "../machine-files.ts";
import type { ExportKind } from "./kind.ts";
import { standaloneHead } from "./standalone-head.ts";

/**
 * Adds a schema that pages share, as a script that inserts it, as a page for browsers without JavaScript, and
 * as Markdown.
 */
function addFragment(id: string, context: ViewContext, add: AddFile): void {
  const { site, target, access } = context;
  const route = schemaPath(id);
  const cut = site.fragments.get(id)!;
  const urls = new PageUrls(site, target, route);
  const key = fragmentKey(id);
  const body = () => urls.fill(site.bodies.htmlPart(key, "html"));
  add(
    `${route}.js`,
    () => {
      const html = body().toString();
      const shown = context.inline?.html(html, access, urls.root) ?? html;
      return `octavoSchema(${JSON.stringify(id)},${JSON.stringify(shown)})\n`;
    },
    access,
  );
  add(
    `${route}.html`,
    () => {
      const title = escapeHtml(cut.name);
      const head = standaloneHead(cut.name, urls, context);
      return fragmentLayout(urls, context).fill<FilePart>({ title, head, body: body() });
    },
    access,
  );
  if (site.config.settings.markdown?.schema !== false)
    add(`${route}.md`, () => schemaText(cut, site, target), access);
}

const fragmentLayouts = new WeakMap<ViewContext, Template>();

/**
 * Returns the layout of shared schemas' pages, which is the same for all of them: they are in one folder and
 * not in the navigation.
 */
function fragmentLayout(urls: PageUrls, context: ViewContext): Template {
  let layout = fragmentLayouts.get(context);
  if (!layout)
    fragmentLayouts.set(
      context,
      (layout = layoutTemplate(frameView("", urls, context, undefined, undefined))),
    );
  return layout;
}

export const sharedSchemas: ExportKind = {
  name: "shared schemas",
  add({ audiences, viewOf, add }) {
    for (const [id, access] of audiences.fragmentAccesses()) addFragment(id, viewOf(access), add);
  },
};
