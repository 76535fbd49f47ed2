/** Hook for the selected row of the results. */

import type { RefObject } from "preact";
import { useState } from "preact/hooks";

export interface RowSelection {
  index: number;
  /** Whether the reader selected the row. Otherwise the first row is selected. */
  isChosen: boolean;
  /** Returns the rows in the document. */
  options(): HTMLAnchorElement[];
  select(index: number): void;
  /** Selects a row and scrolls to it. */
  moveTo(index: number): void;
  reset(): void;
}

/**
 * Returns the selection. `keys` are the keys of the rows, in order. A selected row is identified by its key,
 * so it stays selected when other results arrive.
 */
export function useSelection(keys: readonly string[], list: RefObject<HTMLElement | null>): RowSelection {
  const [key, setKey] = useState<string>();
  const options = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('[role="option"]') ?? [])];
  return {
    index: key === undefined ? 0 : Math.max(0, keys.indexOf(key)),
    isChosen: key !== undefined,
    options,
    select: (index) => setKey(keys[index]),
    moveTo(index) {
      setKey(keys[index]);
      options()[index]?.scrollIntoView({ block: "nearest" });
    },
    reset: () => setKey(undefined),
  };
}
