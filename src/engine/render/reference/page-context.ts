/** State of one reference page while it is printed. */
import { limits } from "../../../base/limits.ts";
import { FieldForest, type Room } from "./expand-schemas.ts";
import { idsIn, PageIds } from "./page-ids.ts";
import type { ReferenceContext } from "./reference-context.ts";

export interface ReferencePrint {
  context: ReferenceContext;
  forest: FieldForest;
  ids: PageIds;
  /** Remaining number of chips on the page. */
  left: { chips: number };
}

export function openPage(context: ReferenceContext, room?: Room): ReferencePrint {
  return {
    context,
    forest: new FieldForest(context.refs, room),
    ids: new PageIds(idsIn(context.bodyHtml)),
    left: { chips: limits.referenceChips_count },
  };
}
