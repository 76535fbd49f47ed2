/** Numbers the passages of an index. */

import type { PageDetails } from "./index-segment.ts";

/** The passage numbers of a segment. */
export interface Slot {
  /** Number of the first passage. */
  from: number;
  /** Exclusive end. The last numbers may be unused. */
  before: number;
}

/** The length of each slot is a multiple of this number. */
const slotUnit = 16;

/**
 * Returns the slot of a segment that starts with the number `from`. A slot has unused numbers at its end, so
 * a passage that is added to one segment rarely changes the numbers in the next ones.
 */
export function slotOf(pages: readonly PageDetails[], from: number): Slot {
  const count = pages.reduce((sum, page) => sum + passagesIn(page), 0);
  return { from, before: from + Math.ceil(count / slotUnit) * slotUnit };
}

export function passagesIn({ counts }: PageDetails): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
