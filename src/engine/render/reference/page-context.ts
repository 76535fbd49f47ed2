/** State of a reference page during rendering. */
import { limits } from "../../../base/limits.ts";
import { type ExpansionLimits, SchemaExpansion } from "./expand-schemas.ts";
import { idsIn, PageIds } from "./page-ids.ts";
import type { ReferenceContext } from "./reference-context.ts";

export interface ReferencePrint {
  context: ReferenceContext;
  expansion: SchemaExpansion;
  ids: PageIds;
  /** Remaining number of chips on the page. */
  remaining: { chips: number };
}

export function openPage(context: ReferenceContext, room?: ExpansionLimits): ReferencePrint {
  return {
    context,
    expansion: new SchemaExpansion(context.refs, room),
    ids: new PageIds(idsIn(context.bodyHtml)),
    remaining: { chips: limits.referenceChips_count },
  };
}
