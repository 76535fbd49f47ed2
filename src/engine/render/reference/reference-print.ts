/** State of a reference page during rendering. */

import { type ExpansionLimits, SchemaExpansion } from "./expand-schemas.ts";
import { idsIn, PageIds } from "./page-ids.ts";
import type { ReferenceContext } from "./reference-context.ts";

/** Number of chips for enum values on a page, after which the collapsed values of a field are one line of text. */
const referenceChips_count = 160;

export interface ReferencePrint {
  context: ReferenceContext;
  expansion: SchemaExpansion;
  ids: PageIds;
  /** Remaining number of chips on the page. It can become negative. */
  remaining: { chips: number };
}

/** Starts the rendering of a page. `room`: maximum number of rows and levels. Default: those of a page. */
export function openPage(context: ReferenceContext, room?: ExpansionLimits): ReferencePrint {
  return {
    context,
    expansion: new SchemaExpansion(context.refs, room),
    ids: new PageIds(idsIn(context.bodyHtml)),
    remaining: { chips: referenceChips_count },
  };
}
