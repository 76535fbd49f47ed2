/**
 * Renders fields at the first level, unless another page of the document has rendered equal ones. In memoized
 * HTML, marks stand for the ids of fields, because each page assigns its own ids.
 */

import type { VNode } from "preact";
import { paramIdOf } from "../html/anchor-ids.ts";
import { renderWithContext } from "../html/render-context.ts";
import { ChipQuota } from "./chip-quota.ts";
import { PageIds } from "./page-ids.ts";
import type { ReferencePrint } from "./print.ts";
import { makeRoom, type SharedField, type SharedHtml } from "./row-memo.ts";

/**
 * Stands for the id of a field. If a document contains this text, the field is rendered again without marks.
 * In ASCII, like `siteUrlMark`, and unchanged by `encodeURI`.
 */
const idMark = "~field-id~";

/**
 * Returns the HTML of a field. `key`: identifies the field and all values that `render` depends on, except
 * for `page` and `section`. `render`: renders the field for the page that it's called with.
 */
export function sharedHtml(
  page: ReferencePrint,
  section: string,
  key: string,
  render: (page: ReferencePrint) => VNode,
): string {
  const { shared } = page;
  const plainHtml = () => renderWithContext(page.context.render, render(page));
  if (!shared) return plainHtml();

  let row = shared.html.get(key);
  if (!row?.chips.suits(page.chips.left)) {
    const recorded = recordHtml(page, render);
    if (!recorded) return plainHtml();
    row = recorded.row;
    if (recorded.isShared) {
      makeRoom(shared, row.parts);
      shared.html.set(key, row);
    }
  }

  for (const text of row.linked) page.context.markdown(text);
  page.chips.use(row.chips.used);
  let html = row.parts[0]!;
  for (let i = 0; i < row.fields.length; i++) {
    const { path, preferredId } = row.fields[i]!;
    const id = page.ids.field(path, section, preferredId);
    html += id + row.parts[2 * i + 1]! + encodeURI(id) + row.parts[2 * i + 2]!;
  }

  return html;
}

/** Returns the Markdown of a field. `key`: identifies the field and all values that `write` depends on. */
export function sharedMarkdown({ shared }: ReferencePrint, key: string, write: () => string): string {
  if (!shared) return write();
  let markdown = shared.markdown.get(key);
  if (markdown === undefined) {
    markdown = write();
    makeRoom(shared, [markdown]);
    shared.markdown.set(key, markdown);
  }
  return markdown;
}

class RecordedIds extends PageIds {
  readonly fields: SharedField[] = [];

  override field(path: string): string {
    this.fields.push({ path, preferredId: paramIdOf(path) });
    return idMark;
  }
}

/**
 * Renders a field with marks. `isShared`: whether its HTML is the same on other pages. Undefined if the HTML
 * contains other marks.
 */
function recordHtml(
  page: ReferencePrint,
  render: (page: ReferencePrint) => VNode,
): { row: SharedHtml; isShared: boolean } | undefined {
  const { context } = page;
  const ids = new RecordedIds();
  const chips = new ChipQuota(page.chips.left);
  let isShared = true;
  const linked: string[] = [];
  const markdown = (text: string) => {
    const html = context.markdown(text);
    isShared &&= context.isSharedMarkdown(text);
    if (context.hasLinks?.(text)) linked.push(text);
    return html;
  };

  const html = renderWithContext(
    context.render,
    render({ ...page, context: { ...context, markdown }, ids, chips }),
  );

  const parts = html.split(idMark);
  const { fields } = ids;
  return parts.length === 2 * fields.length + 1
    ? { row: { parts, fields, chips, linked }, isShared }
    : undefined;
}
