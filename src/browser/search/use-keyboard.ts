/** Hook for the keys that move through the results while the focus stays in the field. */

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Results } from "./use-results.ts";
import type { RowSelection } from "./use-selection.ts";

interface KeyboardOptions {
  selection: RowSelection;
  results: Results | undefined;
  /** Whether the results of the current text haven't arrived yet. */
  isWaiting: boolean;
  field: RefObject<HTMLInputElement | null>;
  list: RefObject<HTMLElement | null>;
  openInTab(row: HTMLAnchorElement): void;
}

/**
 * Returns the listener for `keydown`: arrow keys, Home and End move the selection, and Enter opens the
 * selected result.
 */
export function useKeyboard({
  selection,
  results,
  isWaiting,
  field,
  list,
  openInTab,
}: KeyboardOptions): (event: KeyboardEvent) => void {
  /** Whether Enter was pressed before the results arrived. */
  const opensFirst = useRef(false);
  useEffect(() => {
    if (!results?.found) return;
    if (opensFirst.current && results.found.sections.length) selection.options()[0]?.click();
    opensFirst.current = false;
  }, [results]);

  const { index, moveTo } = selection;
  const enter = (isOtherTab: boolean) => {
    const row = selection.options()[index];
    if (isWaiting && !selection.isChosen) opensFirst.current = true;
    else if (row && isOtherTab) openInTab(row);
    else row?.click();
  };

  /** Returns the action of a key. Undefined if the field handles the key. */
  const actionOf = (event: KeyboardEvent): (() => void) | undefined => {
    const last = selection.options().length - 1;
    const isAtEnd = field.current?.selectionStart === field.current?.value.length;
    switch (event.key) {
      case "ArrowDown":
        // If there are no rows, the focus moves to the recent searches and suggested pages.
        return () =>
          last < 0
            ? list.current?.querySelector<HTMLElement>("button, a")?.focus()
            : moveTo(index < last ? index + 1 : 0);
      case "ArrowUp":
        return () => moveTo(index > 0 ? index - 1 : last);
      case "Enter":
        return () => enter(event.ctrlKey || event.metaKey);
      // Within the text, Home and End move the caret.
      case "End":
        return index > 0 || isAtEnd ? () => moveTo(last) : undefined;
      case "Home":
        return index > 0 ? () => moveTo(0) : undefined;
    }

    return undefined;
  };

  return (event) => {
    // Enter and arrow keys may be part of input method composition (IME).
    if (event.isComposing || event.keyCode === 229) return;
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
  };
}
