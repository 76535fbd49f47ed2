/** Defines the state of a reference page during rendering. */

import type { ReferenceContext } from "./context.ts";
import { type ExpansionLimits, SchemaExpansion } from "./expand-schemas.ts";
import { idsIn, PageIds } from "./page-ids.ts";

/**
 * Maximum number of chips for enum values on a page. When they are used up, a field's collapsed values are
 * shown as one line of text.
 */
const referenceChips_count = 160;

export interface ReferencePrint {
  context: ReferenceContext;
  expansion: SchemaExpansion;
  ids: PageIds;
  /** Remaining number of chips for enum values. Can become negative. */
  chipsLeft_count: number;
}

/**
 * Starts the rendering of a page. `limits`: maximum number of rows and levels. Default: the limits of a
 * reference page.
 */
export function startPage(context: ReferenceContext, limits?: ExpansionLimits): ReferencePrint {
  return {
    context,
    expansion: new SchemaExpansion(context.refs, limits),
    ids: new PageIds(idsIn(context.bodyHtml)),
    chipsLeft_count: referenceChips_count,
  };
}
