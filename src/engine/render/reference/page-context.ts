/** What the parts of one reference page share while it is printed. */
import { limits } from "../../../base/limits.ts";
import { FieldForest, type Room } from "./expand-schemas.ts";
import { idsIn, PageIds } from "./page-ids.ts";
import type { ReferenceContext } from "./reference-context.ts";

export interface Page {
  context: ReferenceContext;
  forest: FieldForest;
  ids: PageIds;
  /** What is left of the page's room for chips. */
  left: { chips: number };
}

export function openPage(context: ReferenceContext, room?: Room): Page {
  return {
    context,
    forest: new FieldForest(context.refs, room),
    ids: new PageIds(idsIn(context.bodyHtml)),
    left: { chips: limits.referenceChips_count },
  };
}
